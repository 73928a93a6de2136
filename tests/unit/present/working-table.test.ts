import { describe, expect, it } from "vitest";
import type { Form } from "../../../src/isa/form/define.ts";
import { match } from "../../../src/isa/match/match.ts";
import { table } from "../../../src/isa/table.ts";
import { formalsOf, placesOf } from "../../../src/present/working/form.ts";
import { workThrough } from "../../../src/present/working/plan.ts";
import { spell } from "../../conformance/example.ts";

/** Bits of a check by name, as lists. */
const listed = (operands: Readonly<Record<string, unknown>>): Map<string, readonly bigint[]> =>
  new Map(
    Object.entries(operands).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((each) => BigInt(each as number)) : [BigInt(value as number)],
    ]),
  );

const computing = new Set(["compute", "carry", "test", "compare", "select", "move", "pack", "unpack", "logic"]);

/** What a check states of the target and its working does not show, as hexadecimal digits behind the target's name. */
function unsaid(form: Form, opcode: string, lines: readonly string[], operands: Readonly<Record<string, unknown>>) {
  const { plan, classes } = placed(form, opcode);
  if (!computing.has(plan.shape)) return lines.length === 0 && form.slots.length > 0 ? [`${opcode}: nothing`] : [];
  return Object.entries(operands).flatMap(([name, value]) => {
    const takes = classes[name];
    if (takes === undefined || !("access" in takes) || takes.access !== "write") return [];
    const digits = takes.kind === "predicate" ? String(value) : BigInt(value as number).toString(16);
    const last = lines.filter((line) => new RegExp(`^ {2}(?:${name}|register) `).test(line)).at(-1) ?? "";
    return new RegExp(`(?:0x0*| )${digits}\\b`).test(last) ? [] : [`${opcode}: ${name} is not 0x${digits}: ${last}`];
  });
}

function placed(form: Form, opcode: string) {
  const [mnemonic = "", ...words] = opcode.split(".");
  const found = match(mnemonic, words);
  const candidate = found.kind === "forms" ? found.candidates.find((each) => each.form === form) : undefined;
  if (candidate === undefined) throw new Error(`${opcode} is not found`);
  return { candidate, plan: candidate.plan(), classes: candidate.classes };
}

describe("every check of the table", () => {
  for (const { number, title, forms } of table) {
    it(`${number} ${title} is worked through to the bits that it states`, () => {
      const wrong: string[] = [];
      for (const form of forms.filter(({ executable }) => executable))
        for (const check of form.check) {
          if ("snippet" in check) continue;
          const { opcode } = spell(form, check.with ?? []);
          const { candidate, plan } = placed(form, opcode);
          const formals = formalsOf(candidate);
          const lines = workThrough(plan, placesOf(formals, listed(check.operands)), check.carryIn ?? 0);
          wrong.push(...unsaid(form, opcode, lines, check.operands));
        }
      expect(wrong).toEqual([]);
    });
  }
});
