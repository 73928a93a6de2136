import { forms as visaForms } from "../../packages/visa/src/isa/table.ts";
import { table } from "../../src/isa/index.ts";
import { type Document, documentPages } from "./documents.ts";
import { frontPage } from "./front.ts";
import type { File } from "./layout.ts";
import { contentsPage } from "./manual/contents.ts";
import { notationPage } from "./manual/notation.ts";
import { sectionPage } from "./manual/section.ts";
import { visaPage } from "./manual/visa.ts";
import { messagePages } from "./messages.ts";
import { entriesOf } from "./search/entries.ts";

/** All files of the site that are made from the table, the codes and the documents; pictures of these are as they are. */
export async function filesOf(documents: readonly Document[]): Promise<readonly File[]> {
  const isPicture = ({ path }: Document): boolean => path.endsWith(".svg");
  const guides = documentPages(documents.filter((each) => !isPicture(each)));
  const entries = entriesOf(table, guides);
  return [
    await frontPage(),
    contentsPage(table, visaForms.length),
    notationPage(),
    ...(await Promise.all(table.map(sectionPage))),
    await visaPage(),
    ...(await messagePages()),
    ...guides.map(({ path, text }) => ({ path, text })),
    ...documents.filter(isPicture).map(({ path, text }) => ({ path, text })),
    { path: "assets/search-index.js", text: `window.ptxrunEntries=${JSON.stringify(entries)};\n` },
  ];
}
