import { posix } from "node:path";
import { codes } from "../../src/source/index.ts";
import { html, slug } from "./html.ts";
import { contents, type File, page, upFrom } from "./layout.ts";
import { markupOf, type Surroundings } from "./markdown.ts";
import { codePath } from "./messages.ts";

/** A text of the repository that becomes a page: its path there, and what is in it. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

/** A heading with its address within the page. */
export interface Heading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
  /** Of the paragraphs below it. */
  readonly words: string;
}

/** A page made from a document, and what a search can find in it. */
export interface DocumentPage extends File {
  readonly title: string;
  readonly headings: readonly Heading[];
  /** It is about how ptxrun is made: no task of the index leads there. */
  readonly isForDevelopers: boolean;
}

/** What a document is called in lists; the first one has the program's name, which says nothing there. */
const titleOf = (path: string, heading: string | undefined): string =>
  path === "README.md" ? "Overview" : (heading ?? path);

/** The document that lists the others by task: the site's list is made from it. */
const INDEX = "docs/README.md";

/** Where a document stands on the site. */
export function documentPath(path: string): string {
  if (path === INDEX) return "docs/index.html";
  const name = path
    .replace(/^docs\//, "")
    .replace(/\/README\.md$/, "")
    .replace(/\.md$/, "")
    .replaceAll("/", "-")
    .toLowerCase();
  return `docs/${name}.html`;
}

/** A page for each document, and one that lists them. */
export function documentPages(documents: readonly Document[]): readonly DocumentPage[] {
  const known = new Map(documents.map(({ path, text }) => [path, titleOf(path, /^# (.*)$/m.exec(text)?.[1])]));
  const index = documents.find(({ path }) => path === INDEX)?.text ?? "";
  const named = new Set(tasksOf(index).flatMap(([, paths]) => paths));
  const made = documents
    .filter(({ path }) => path !== INDEX)
    .map((document): Made => {
      const one = documentPage(document, known);
      return { ...one, isForDevelopers: index !== "" && !named.has(one.path) };
    });
  return [listPage(made, index), ...made.map(({ about: _, ...made }) => made)];
}

interface Made extends DocumentPage {
  /** Its first sentence. */
  readonly about: string;
}

function documentPage({ path, text }: Document, known: ReadonlyMap<string, string>): Omit<Made, "isForDevelopers"> {
  const own = documentPath(path);
  const reader = new Reader(path, known);
  const body = markupOf(text, reader);
  const title = titleOf(path, reader.headings[0]?.text);
  const chapters = reader.headings.filter(({ depth }) => depth === 2);
  const file = page({
    path: own,
    title: `${title}: ptxrun`,
    about: `${title}: a guide of ptxrun, which runs NVIDIA PTX without a GPU.`,
    part: "docs",
    ...(chapters.length < 2
      ? {}
      : {
          beside: contents(
            "On this page",
            chapters.map(({ id, text: name }) => ({ id, name: html`${name}` })),
          ),
        }),
    main: html`<p class="crumbs"><a href="index.html">Guides</a></p>
<div class="prose">
${body}</div>`,
  });
  return { ...file, title, headings: reader.headings, about: reader.first };
}

/** The guides by task, as the index of docs lists them: each heading with the documents that it links. */
const tasksOf = (index: string): readonly (readonly [task: string, paths: readonly string[]])[] =>
  index
    .split(/^## /m)
    .slice(1)
    .map((part) => [
      part.slice(0, part.indexOf("\n")),
      [...part.matchAll(/\]\(([^()\s]+\.md)\)/g)].map(([, to = ""]) => documentPath(posix.join("docs", to))),
    ]);

const listPage = (made: readonly Made[], index: string): DocumentPage => {
  const title = "Guides";
  const tasks = tasksOf(index);
  const grouped = new Set(tasks.flatMap(([, paths]) => paths));
  const groups = [
    ...tasks,
    ["The project", made.map(({ path }) => path).filter((path) => !grouped.has(path))] as const,
  ].map(([task, paths]) => ({
    id: slug(task),
    task,
    pages: paths.flatMap((path) => made.find((each) => each.path === path) ?? []),
  }));
  const shown = groups.filter(({ pages }) => pages.length > 0);
  const file = page({
    path: "docs/index.html",
    title: "Guides: ptxrun",
    about: "What ptxrun does and how it is used: all its pages, by what somebody wants to do.",
    part: "docs",
    beside: contents(
      "Guides",
      shown.map(({ id, task }) => ({ id, name: html`${task}` })),
    ),
    main: html`<h1>Guides</h1>
${shown.map(
  ({ id, task, pages }) => html`<h2 id="${id}"><a class="self" href="#${id}">${task}</a></h2>
<ul class="guides">${pages.map((each) => html`<li><a href="${each.path.replace("docs/", "")}">${each.title}</a><p>${each.about}</p></li>`)}</ul>
`,
)}`,
  });
  return { ...file, title, headings: [{ depth: 1, id: "main", text: title, words: "" }], isForDevelopers: false };
};

/** What the text of one document needs to know: addresses for its headings, where its links and codes lead. */
class Reader implements Surroundings {
  readonly headings: Heading[] = [];
  /** The first sentence, without links. */
  first = "";
  readonly #path: string;
  /** Titles of the documents by their paths. */
  readonly #known: ReadonlyMap<string, string>;

  constructor(path: string, known: ReadonlyMap<string, string>) {
    this.#path = path;
    this.#known = known;
  }

  heading(depth: number, text: string): string {
    const base = anchorOf(text);
    let id = base;
    for (let number = 1; this.headings.some((each) => each.id === id); number++) id = `${base}-${number}`;
    this.headings.push({ depth, id, text, words: "" });
    return id;
  }

  paragraph(text: string): void {
    if (this.first === "") this.first = sentenceOf(text);
    this.cell(text);
  }

  cell(text: string): void {
    const last = this.headings.at(-1);
    if (last !== undefined) this.headings[this.headings.length - 1] = { ...last, words: `${last.words} ${text}` };
  }

  /** A diagnostic's code leads to its page. */
  code(text: string): string | undefined {
    return codes.has(text) ? `${upFrom(documentPath(this.#path))}${codePath(text)}` : undefined;
  }

  /** Pictures lie below docs, as on the site. */
  picture(href: string): string {
    return posix.join(posix.dirname(this.#path), href).replace(/^docs\//, "");
  }

  address(href: string): { readonly to?: string; readonly title?: string } {
    if (/^(?:https?:|#)/.test(href)) return { to: href };
    const [file = "", anchor] = href.split("#");
    const folder = this.#path.split("/").slice(0, -1);
    for (const part of file.split("/")) {
      if (part === "..") folder.pop();
      else if (part !== ".") folder.push(part);
    }
    const path = folder.join("/");
    const title = this.#known.get(path);
    if (title === undefined) return {};
    return { to: `${documentPath(path).replace("docs/", "")}${anchor === undefined ? "" : `#${anchor}`}`, title };
  }
}

/** The address that GitHub gives a heading, so that links between the files hold here, too. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");

/** A paragraph up to its first full stop before a new sentence. */
function sentenceOf(text: string): string {
  const end = text.search(/\.\s+[A-Z]/);
  return end < 0 ? text : text.slice(0, end + 1);
}
