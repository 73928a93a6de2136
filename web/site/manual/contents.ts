import { numbering } from "../../../src/isa/chapters.ts";
import type { Section } from "../../../src/isa/index.ts";
import { type Html, html, joined, slug } from "../html.ts";
import { type File, page } from "../layout.ts";
import { sectionPath } from "./names.ts";

/** The manual's first page: all sections and their instructions. */
export function contentsPage(sections: readonly Section[], visa: number): File {
  const forms = sections.flatMap((section) => section.forms);
  const running = forms.filter(({ executable }) => executable).length;
  const examples = forms.reduce((sum, { check }) => sum + check.length, 0);
  return page({
    path: "manual/index.html",
    title: "Manual: the instructions of PTX in ptxrun",
    about: "Every instruction of PTX by section, with syntax, meaning, types, versions, targets and runnable examples.",
    part: "manual",
    main: html`<h1>Manual</h1>
<p>The table that ptxrun reads, runs and checks PTX by, as pages: ${forms.length} forms of ${sections.length} sections, of which ${running === forms.length ? "all run" : `${running} run`}, with ${examples} worked examples. <a href="notation.html">How to read them</a>. Numbers are those of PTX ISA ${numbering}. What a program can still meet that does not run says so, as <a href="../messages/PTX50.html#PTX5001">PTX5001</a>.</p>
${sections.map(sectionPart)}
<h2><a href="visa.html">Intel vISA</a></h2>
<p>${visa} instructions of the second front end.</p>`,
  });
}

function sectionPart(section: Section): Html {
  const { number, title, mnemonics } = section;
  const file = sectionPath(section).replace("manual/", "");
  return html`<section class="index">
<h2><a href="${file}"><span class="faint">${number}</span> ${title}</a></h2>
<p>${joined(
    mnemonics.map((mnemonic) => html`<a href="${file}#${slug(mnemonic)}"><code>${mnemonic}</code></a>`),
    " ",
  )}</p>
</section>
`;
}
