import { forms as visaForms } from "../../../packages/visa/src/isa/table.ts";
import type { Section } from "../../../src/isa/index.ts";
import { formWords } from "../../../src/present/form.ts";
import { codes } from "../../../src/source/index.ts";
import { groups } from "../../examples.js";
import { lessons } from "../../page/tour/lessons.ts";
import type { DocumentPage } from "../documents.ts";
import { slug } from "../html.ts";
import { PLAYGROUND } from "../layout.ts";
import { anchorsOf, sectionPath } from "../manual/names.ts";
import { visaIds } from "../manual/visa-ids.ts";
import { codePath } from "../messages.ts";
import { DEVELOPERS, type Entry } from "./find.ts";

/** Everything that a search can find: instructions, their forms, codes, vISA, headings of the guides, examples and the tour. */
export function entriesOf(sections: readonly Section[], documents: readonly DocumentPage[]): readonly Entry[] {
  return [
    ...sections.flatMap(sectionEntries),
    ...[...codes].map(
      ([code, { title, why }]): Entry => [
        `${code} ${title}`,
        codePath(code),
        "message",
        distinct(why, title),
        beginning(why),
      ],
    ),
    ...visaForms.map(
      ({ mnemonic, about }, at): Entry => [
        mnemonic,
        `manual/visa.html#${visaIds[at]}`,
        "vISA",
        about,
        beginning(about),
      ],
    ),
    ...documents.flatMap(({ path, title, headings, isForDevelopers }) =>
      headings.map(({ id, text, depth, words }): Entry => {
        const kind = isForDevelopers ? DEVELOPERS : depth === 1 ? "guide" : title;
        return [depth === 1 ? title : text, `${path}#${id}`, kind, distinct(words, text), beginning(words)];
      }),
    ),
    ...lessons.map(({ id, title, steps }): Entry => {
      const words = steps.map(({ text }) => text).join(" ");
      const all = distinct(`mistake ${keywords[id] ?? ""} ${words}`, title);
      return [title, `${PLAYGROUND}#tour=${id}`, "tour", all, beginning(words)];
    }),
    ...Object.entries(groups).flatMap(([group, members]) =>
      members
        .filter(([file]) => !file.startsWith("tour/"))
        .map(([file, title, about]): Entry => {
          const words = distinct(`${group} ${about}`, title);
          return [title, `${PLAYGROUND}#example=${idOf(file)}`, "example", words, about];
        }),
    ),
  ];
}

/** What a mistake of the tour is looked for by, beside its own words. */
const keywords: Readonly<Record<string, string>> = {
  race: "missing barrier data race condition shared",
  "off-by-one": "out of bounds guard",
  deadlock: "named barrier hang",
  "wrong-mask": "membermask warp shuffle",
  nan: "division zero inf",
  rounding: "cancellation fma precision",
  "mma-layout": "tensor core fragment",
  "missing-fence": "memory order acquire release flag",
};

/** What the page calls an example, of the path of its file. */
const idOf = (file: string): string => file.replace("/", "-").replace(/\.\w+$/, "");

/** Characters of a sentence that is shown. */
const MOST_SHOWN = 140;

/** The first sentence of a text, as much as fits on a line or two. */
function beginning(text: string): string {
  const [first = ""] = text
    .trim()
    .replace(/\s+/g, " ")
    .split(/(?<=[.:;]) (?=\p{Lu}|$)/u);
  return first.length <= MOST_SHOWN ? first : `${first.slice(0, MOST_SHOWN).replace(/ \S*$/, "")} …`;
}

/** Words of a section that are kept. */
const MOST_WORDS = 150;

/** The words of a text, each once, without short ones and those of its title. */
function distinct(text: string, title: string): string {
  const known = new Set(title.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
  const words = new Set(text.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_]{2,}/gu));
  return [...words]
    .filter((word) => !known.has(word))
    .slice(0, MOST_WORDS)
    .join(" ");
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
      const { does, since } = formWords(form);
      // `sm_90a`: what a target brings is looked for by its name.
      for (const { needs } of since) for (const [target] of needs.matchAll(/sm_\w+/g)) words.add(target);
      return [form.syntax, `${path}#${anchors.get(form)}`, number, [...words].join(" "), beginning(does[0] ?? "")];
    }),
  ];
}
