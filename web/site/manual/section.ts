import type { Form, Section } from "../../../src/isa/index.ts";
import { type Html, html, slug } from "../html.ts";
import { contents, type File, page, type Stop, upFrom } from "../layout.ts";
import { formArticle, type Layouts } from "./form.ts";
import { anchorsOf, nvidia, sectionPath } from "./names.ts";

/** The page of a section of the manual: its instructions, each with its forms. */
export async function sectionPage(section: Section): Promise<File> {
  const { number, title, anchor, forms, mnemonics } = section;
  const path = sectionPath(section);
  const up = upFrom(path);
  const anchors = anchorsOf(section);
  const articles = new Map<Form, Html>();
  const layouts: Layouts = new Map();
  for (const form of forms) articles.set(form, await formArticle(form, anchors.get(form) ?? "", up, layouts));
  const running = forms.filter(({ executable }) => executable).length;
  return page({
    path,
    title: `${number} ${title}: PTX in ptxrun`,
    about: `${title} instructions of PTX: ${mnemonics.slice(0, 12).join(", ")}. Syntax, meaning, types and examples that run in the page.`,
    part: "manual",
    beside: contents(
      "Instructions",
      mnemonics.map((mnemonic) => ({
        id: slug(mnemonic),
        name: html`<code>${mnemonic}</code>`,
        below: kindsOf(
          forms.filter((form) => form.mnemonic === mnemonic),
          anchors,
        ),
      })),
    ),
    main: html`<p class="crumbs"><a href="index.html">Manual</a></p>
<h1><span class="faint">${number}</span> ${title}</h1>
<p>${forms.length} forms of ${mnemonics.length === 1 ? "one instruction" : `${mnemonics.length} instructions`}; ${running === forms.length ? "ptxrun runs all of them" : `ptxrun runs ${running} of them`}. The same section of <a href="${nvidia(anchor)}">NVIDIA’s manual</a>.</p>
${mnemonics.map(
  (mnemonic) => html`<section class="mnemonic" aria-labelledby="${slug(mnemonic)}">
<h2 id="${slug(mnemonic)}"><a class="self" href="#${slug(mnemonic)}">${mnemonic}</a></h2>
${forms.filter((form) => form.mnemonic === mnemonic).map((form) => articles.get(form))}
</section>
`,
)}`,
  });
}

/** Forms of an instruction from which on its kinds are listed. */
const MANY = 7;

/** The first form of each kind of an instruction that has many: `tcgen05.ld`, `tcgen05.st`. */
function kindsOf(forms: readonly Form[], anchors: ReadonlyMap<Form, string>): readonly Stop[] {
  if (forms.length < MANY) return [];
  const kinds = new Map<string, Stop>();
  for (const form of forms) {
    const [first] = form.modifiers;
    if (first === undefined || first.optional || !first.flag) continue;
    const name = `${form.mnemonic}.${first.choices[0]}`;
    if (!kinds.has(name))
      kinds.set(name, { id: anchors.get(form) ?? "", name: html`<code>.${first.choices[0]}</code>` });
  }
  return kinds.size < 2 ? [] : [...kinds.values()];
}
