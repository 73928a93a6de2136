import { lint } from "../../src/host/index.ts";
import { codes, Source } from "../../src/source/index.ts";
import { encode } from "../page/link.ts";
import { noInputs } from "./example/example.ts";
import { highlighted } from "./highlight.ts";
import { type Html, html, nothing } from "./html.ts";
import { contents, type File, PLAYGROUND, page } from "./layout.ts";

/** What codes of one hundred are about. */
const families: Readonly<Record<string, string>> = {
  PTX10: "Characters",
  PTX11: "Grammar",
  PTX12: "Mnemonics, modifiers and types",
  PTX13: "Operands",
  PTX14: "Declarations, symbols and labels",
  PTX15: ".version and .target",
  PTX16: "Constants and initialisers",
  PTX19: "Litmus tests",
  PTX20: "The command line",
  PTX21: "Values",
  PTX22: "Launches",
  PTX23: "What explain is asked",
  PTX24: "The debugger’s commands",
  PTX25: "Campaigns",
  PTX30: "Faults",
  PTX40: "Findings",
  PTX50: "What ptxrun does not execute",
  PTX60: "Limits",
  PTX61: "Limits of time and size",
  PTX70: "Golden checks",
  PTX80: "vISA: grammar",
  PTX81: "vISA: declarations",
  PTX82: "vISA: instructions",
  PTX83: "vISA: immediates and regions",
  PTX84: "vISA: inputs of a kernel",
  PTX85: "vISA: objects",
  PTX90: "Notes of lint",
  PTX91: "What ptxas takes and is still wrong",
};

/** The address of a code from the root. */
export const codePath = (code: string): string => `messages/${code.slice(0, 5)}.html#${code}`;

/** One page for each hundred of codes, and one that lists them all. */
export async function messagePages(): Promise<readonly File[]> {
  const byFamily = new Map<string, string[]>();
  for (const code of [...codes.keys()].sort()) {
    const family = code.slice(0, 5);
    const known = byFamily.get(family);
    if (known === undefined) byFamily.set(family, [code]);
    else known.push(code);
  }
  const pages = [...byFamily].map(([family, all]) => familyPage(family, all));
  return [listPage(byFamily), ...(await Promise.all(pages))];
}

function titleOf(family: string): string {
  const title = families[family];
  if (title === undefined) throw new Error(`codes ${family}xx have no title on the site`);
  return title;
}

const listPage = (byFamily: ReadonlyMap<string, readonly string[]>): File =>
  page({
    path: "messages/index.html",
    title: "Messages of ptxrun",
    about: "Every diagnostic code of ptxrun, with what is wrong, why, and both sides of an example.",
    part: "messages",
    beside: contents(
      "Groups",
      [...byFamily.keys()].map((family) => ({ id: family, name: html`${titleOf(family)}` })),
    ),
    main: html`<h1>Messages</h1>
<p>Each mistake, fault and finding has a code that never changes its meaning. <code>ptxrun explain PTX1204</code> says the same on the command line.</p>
${[...byFamily].map(
  ([family, all]) => html`<section class="index">
<h2 id="${family}"><a href="${family}.html"><span class="faint">${family}xx</span> ${titleOf(family)}</a></h2>
<ul class="codes">${all.map((code) => html`<li><a href="${family}.html#${code}"><code>${code}</code></a> ${ticked(codes.get(code)?.title ?? "")}</li>`)}</ul>
</section>
`,
)}`,
  });

const familyPage = async (family: string, all: readonly string[]): Promise<File> =>
  page({
    path: `messages/${family}.html`,
    title: `${family}xx: ${titleOf(family)} (ptxrun)`,
    about: `Diagnostics ${family}xx of ptxrun, ${titleOf(family)}: what is wrong, why, and how it is mended.`,
    part: "messages",
    beside: contents(
      "Codes",
      all.map((code) => ({ id: code, name: html`<code>${code}</code>` })),
    ),
    main: html`<p class="crumbs"><a href="index.html">Messages</a></p>
<h1><span class="faint">${family}xx</span> ${titleOf(family)}</h1>
${await Promise.all(all.map(codePart))}`,
  });

async function codePart(code: string): Promise<Html> {
  const { title = "", why = "", wrong, right } = codes.get(code) ?? {};
  return html`<section class="message" aria-labelledby="${code}">
<h2 id="${code}"><a class="self" href="#${code}">${code}</a> <span class="what">${ticked(title)}</span></h2>
<p>${ticked(why)}</p>
${
  wrong === undefined && right === undefined
    ? nothing
    : html`<div class="sides">${side("wrong", wrong, code)}${side("right", right, code)}</div>
${await tried(code, wrong)}`
}</section>
`;
}

/** A text in which what stands between backticks is code. */
const ticked = (text: string): Html =>
  html`${text.split("`").map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`;

/** A link that opens the wrong lines in the playground, where they alone draw the code. */
async function tried(code: string, wrong: string | undefined): Promise<Html> {
  if (wrong === undefined || !/^PTX(?:1|90)/.test(code)) return nothing;
  const name = "wrong.ptx";
  const text = `${wrong}\n`;
  if (!lint(new Source(name, text)).some((each) => each.code === code)) return nothing;
  const fragment = await encode({ name, text, inputs: noInputs });
  return html`<p><a class="open" href="../${PLAYGROUND}#${fragment}">See it marked in the playground</a></p>
`;
}

const side = (which: "wrong" | "right", text: string | undefined, code: string): Html =>
  text === undefined
    ? nothing
    : html`<figure class="side ${which}"><figcaption>${which}</figcaption><pre class="code" tabindex="0" role="group" aria-label="${code}, ${which}"><code>${text.startsWith("ptxrun ") || text.startsWith("$ ") ? text : highlighted(text)}</code></pre></figure>`;
