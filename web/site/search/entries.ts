import { forms as visaForms } from "../../../packages/visa/src/isa/table.ts";
import type { Section } from "../../../src/isa/index.ts";
import { codes } from "../../../src/source/index.ts";
import type { DocumentPage } from "../documents.ts";
import { slug } from "../html.ts";
import { anchorsOf, sectionPath } from "../manual/names.ts";
import { visaIds } from "../manual/visa-ids.ts";
import { codePath } from "../messages.ts";
import type { Entry } from "./find.ts";

/** Everything that a search can find: instructions, their forms, codes, vISA, and the headings of the guides. */
export function entriesOf(sections: readonly Section[], documents: readonly DocumentPage[]): readonly Entry[] {
  return [
    ...sections.flatMap(sectionEntries),
    ...[...codes].map(([code, { title }]): Entry => [`${code} ${title}`, codePath(code), "message", ""]),
    ...visaForms.map(({ mnemonic, about }, at): Entry => [mnemonic, `manual/visa.html#${visaIds[at]}`, "vISA", about]),
    ...documents.flatMap(({ path, title, headings }) =>
      headings.map(({ id, text, depth }): Entry => [text, `${path}#${id}`, depth === 1 ? "guide" : title, ""]),
    ),
  ];
}

function sectionEntries(section: Section): readonly Entry[] {
  const { number, title, mnemonics, forms } = section;
  const path = sectionPath(section);
  const anchors = anchorsOf(section);
  return [
    [`${number} ${title}`, path, "section", ""],
    ...mnemonics.map((mnemonic): Entry => [mnemonic, `${path}#${slug(mnemonic)}`, title, ""]),
    ...forms.map((form): Entry => {
      const words = new Set(form.modifiers.flatMap(({ choices }) => choices.slice(0, 40)));
      return [form.syntax, `${path}#${anchors.get(form)}`, number, [...words].join(" ")];
    }),
  ];
}
