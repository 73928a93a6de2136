import { expect, test } from "vitest";
import { formsOf, match } from "../../../src/isa/index.ts";
import { archOf } from "../../../src/resolve/module/header/target.ts";
import { readVerdicts } from "../../../tests/conformance/verdict.ts";
import { draws } from "../../../tests/share.ts";
import { isWhole, leads, mayFollow } from "../src/completion/opcode.ts";

test("every spelling that ptxas accepts can be written with what is offered", () => {
  const seen = new Set<string>();
  const missing: string[] = [];
  for (const { text, target, version, quirk } of readVerdicts("accepted.jsonl.gz")) {
    const spelling = /^(?:@\S+ )?(\w+(?:\.[\w:]+)*)[ ;]/.exec(text)?.[1];
    const arch = archOf(target)?.arch;
    if (spelling === undefined || quirk !== undefined || arch === undefined || seen.has(spelling)) continue;
    seen.add(spelling);
    // One in some, because each takes a while.
    if (seen.size % draws(15, 3) > 0) continue;
    const [mnemonic = "", ...words] = spelling.split(".");
    const found = match(mnemonic, words);
    // In another order than the manual's, or with a word twice: what is taken and not offered.
    if (found.kind !== "forms" || found.unordered.length > 0 || found.repeated.length > 0 || found.idle !== undefined)
      continue;
    const header = { version: Math.round(Number(version) * 10), target: arch };
    const next = words.findIndex((word, at) => !mayFollow(mnemonic, words.slice(0, at), word, header));
    if (next >= 0 || !isWhole(mnemonic, words, header) || !formsOf(mnemonic).some((form) => leads(form, [], header)))
      missing.push(`${spelling} ${target} ${version}: ${words[next]}`);
  }
  expect(seen.size).toBeGreaterThan(3000);
  expect(missing).toEqual([]);
});
