import { marked, type Token, type Tokens } from "marked";
import { highlighted } from "./highlight.ts";
import { escaped, type Html, html, raw } from "./html.ts";

/** What markup needs to know of its surroundings. */
export interface Surroundings {
  /** Where a link leads on the site, and what its page is called; neither for what is no page. */
  address(href: string): { readonly to?: string; readonly title?: string };
  /** The address of a heading, whose words are these. */
  heading(depth: number, text: string): string;
  /** Where code within a line leads, if anywhere. */
  code(text: string): string | undefined;
  /** Where a picture of the site is. */
  picture(href: string): string;
  /** Called with the words of each paragraph. */
  paragraph(text: string): void;
  /** Called with the words of each cell of a table. */
  cell(text: string): void;
}

/** Characters of code that stay on one line: a browser would break it behind its hyphens. */
const SHORT = 24;

/** Markdown as markup. What it does not know throws, so that no text goes missing. */
export const markupOf = (text: string, around: Surroundings): Html => blocks(marked.lexer(text), around);

/** The words of tokens without their markup. */
export const wordsOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if (token.type === "codespan") return codeOf(token.raw);
      if (token.type === "escape") return token.raw.slice(1);
      return "tokens" in token && token.tokens !== undefined ? wordsOf(token.tokens) : token.raw;
    })
    .join("")
    .replaceAll("\n", " ");

const blocks = (tokens: readonly Token[], around: Surroundings): Html =>
  html`${tokens.map((token) => block(token, around, true))}`;

/** A block; `apart` is false within a list whose items stand close together. */
function block(token: Token, around: Surroundings, apart: boolean): Html {
  switch (token.type) {
    case "space":
    // Where links lead, which have it themselves.
    case "def":
      return raw("");
    case "hr":
      return raw("<hr>\n");
    case "html":
      return raw(token.raw);
    case "heading":
      return heading(token as Tokens.Heading, around);
    case "text":
    case "paragraph": {
      const { tokens = [] } = token as Tokens.Paragraph;
      const [only] = tokens;
      if (only?.type === "image" && tokens.length === 1) return picture(only as Tokens.Image, around);
      around.paragraph(wordsOf(tokens));
      return apart || token.type === "paragraph" ? html`<p>${inline(tokens, around)}</p>\n` : inline(tokens, around);
    }
    case "code": {
      const { text, lang } = token as Tokens.Code;
      const name = lang === "ptx" ? "Program" : "Example";
      return html`<pre class="code" tabindex="0" role="group" aria-label="${name}"><code>${lang === "ptx" ? highlighted(text) : text}</code></pre>\n`;
    }
    case "blockquote":
      return html`<blockquote>${blocks((token as Tokens.Blockquote).tokens, around)}</blockquote>\n`;
    case "list": {
      const { ordered, items } = token as Tokens.List;
      const list = items.map(
        ({ tokens, loose }) => html`<li>${tokens.map((each) => block(each, around, loose))}</li>\n`,
      );
      return ordered ? html`<ol>${list}</ol>\n` : html`<ul>${list}</ul>\n`;
    }
    case "table":
      return table(token as Tokens.Table, around);
    default:
      throw new Error(`no markup for ${token.type}: ${token.raw}`);
  }
}

function heading({ depth, tokens }: Tokens.Heading, around: Surroundings): Html {
  const id = around.heading(depth, wordsOf(tokens));
  const text = inline(tokens, around);
  const name = raw(`h${depth}`);
  return depth === 1
    ? html`<h1 id="${id}">${text}</h1>\n`
    : html`<${name} id="${id}"><a class="self" href="#${id}">${text}</a></${name}>\n`;
}

/** A picture, which scrolls by itself where it is wider than the page; its text says what it shows. */
const picture = ({ href, text }: Tokens.Image, around: Surroundings): Html =>
  html`<div class="wide" tabindex="0" role="group" aria-label="Picture"><img src="${around.picture(href)}" alt="${text}" loading="lazy"></div>\n`;

/** A table that scrolls by itself where it is wider than the page. */
function table({ header, rows }: Tokens.Table, around: Surroundings): Html {
  for (const { tokens } of [...header, ...rows.flat()]) around.cell(wordsOf(tokens));
  const head = header.map(({ tokens }) => html`<th scope="col">${inline(tokens, around)}</th>`);
  const body = rows.map((row) => html`<tr>${row.map(({ tokens }) => html`<td>${inline(tokens, around)}</td>`)}</tr>\n`);
  return html`<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${head}</tr></thead>\n<tbody>${body}</tbody></table></div>\n`;
}

const inline = (tokens: readonly Token[], around: Surroundings): Html =>
  html`${tokens.map((token) => within(token, around))}`;

function within(token: Token, around: Surroundings): Html {
  switch (token.type) {
    case "text":
      // An entity stands for itself.
      return raw(escaped(token.raw).replace(/&amp;(#?\w{1,8};)/g, "&$1"));
    case "escape":
      return html`${token.raw.slice(1)}`;
    case "html":
      return raw(token.raw);
    case "br":
      return raw("<br>");
    case "strong":
      return html`<strong>${inline((token as Tokens.Strong).tokens, around)}</strong>`;
    case "em":
      return html`<em>${inline((token as Tokens.Em).tokens, around)}</em>`;
    case "codespan": {
      const code = codeOf(token.raw);
      const text = html`<code${code.length <= SHORT ? raw(' class="short"') : ""}>${code}</code>`;
      const to = around.code(code);
      return to === undefined ? text : html`<a href="${to}">${text}</a>`;
    }
    case "link": {
      const { href, tokens } = token as Tokens.Link;
      const { to, title } = around.address(href);
      // A file's name says nothing to a reader of pages.
      const text = title !== undefined && wordsOf(tokens).endsWith(".md") ? html`${title}` : inline(tokens, around);
      return to === undefined ? text : html`<a href="${to}">${text}</a>`;
    }
    default:
      throw new Error(`no markup for ${token.type}: ${token.raw}`);
  }
}

/** What stands between backticks. */
function codeOf(written: string): string {
  const ticks = /^`+/.exec(written)?.[0].length ?? 0;
  const code = written.slice(ticks, written.length - ticks).replaceAll("\n", " ");
  return code.startsWith(" ") && code.endsWith(" ") && code.trim() !== "" ? code.slice(1, -1) : code;
}
