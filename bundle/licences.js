// dist/licences.txt: the licences of the packages that are in the bundle, which ask to be kept with it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packagesOf } from "./packages.js";

/** Writes the licences of the packages that `files` belong to. */
export function writeLicences(files, target) {
  const texts = packagesOf(files).map(({ name, version, license, folder }) => {
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name} has no licence`);
    return { title: `${name} ${version}, ${license}`, text: readFileSync(join(folder, file), "utf8").trim() };
  });
  const bodies = [...new Set(texts.map(({ text }) => text))].map((body) => {
    const titles = texts.filter(({ text }) => text === body).map(({ title }) => title);
    return `${titles.join("\n")}\n\n${body}\n`;
  });
  const head = "ptxrun contains code of these packages, under their licences.\n";
  writeFileSync(target, [head, ...bodies].join(`\n${"=".repeat(78)}\n\n`));
}
