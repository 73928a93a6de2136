import { expect, test } from "vitest";
import { table } from "../../src/isa/table.ts";
import { fingerprintOf } from "../../src/numeric/operation/fingerprint.ts";
import { keyOf } from "../../src/numeric/operation/key.ts";
import type { Operation } from "../../src/numeric/operation/operation.ts";
import { spellings } from "./spellings.ts";

/** The operations that a value holds, as far as plans hold them: at its top. */
const operationsIn = (plan: object): readonly Operation[] =>
  Object.values(plan).filter((part): part is Operation => typeof part === "object" && part !== null && "takes" in part);

test("no two operations of the table have one fingerprint", () => {
  const keys = new Map<number, string>();
  const same: string[] = [];
  for (const form of table.flatMap(({ forms }) => forms)) {
    // Words that choose bytes and lanes (vadd4) multiply to millions; they differ in nothing else.
    if (form.modifiers.reduce((product, { choices }) => product * (choices.length + 1), 1) > 20_000) continue;
    for (const { mods } of spellings(form)) {
      for (const operation of operationsIn(form.plan(mods))) {
        const [key, print] = [keyOf(operation), fingerprintOf(operation)];
        const known = keys.get(print);
        if (known !== undefined && known !== key) same.push(`${form.syntax}: ${print}`);
        keys.set(print, key);
      }
    }
  }
  expect(same).toEqual([]);
  expect(keys.size).toBeGreaterThan(2000);
});
