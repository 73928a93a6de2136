import { describe, expect, it } from "vitest";
import { byReference } from "../../../src/numeric/lower/rule.ts";
import { scalarOf } from "../../../src/numeric/lower/scalar.ts";
import { keyOf } from "../../../src/numeric/operation/key.ts";
import type { Operation } from "../../../src/numeric/operation/operation.ts";
import { linesOf } from "../../../src/numeric/operation/text.ts";
import { casesOf } from "../../../tests/unit/numeric/vector/cases.ts";
import type { Type } from "../src/ast.ts";
import { type Form, forms } from "../src/index.ts";

const types: readonly Type[] = ["b", "ub", "w", "uw", "d", "ud", "q", "uq", "hf", "bf", "f", "df"];

/** What the table gives for every combination of types of up to three operands, and for those with all alike of more. */
function operationsOf(form: Form): readonly Operation[] {
  const found = new Map<string, Operation>();
  const elements = form.operands.map(({ kinds }) => kinds.includes("elements"));
  const count = elements.filter(Boolean).length;
  const combinations: Type[][] = count > 3 ? types.map((type) => Array<Type>(count).fill(type)) : [[]];
  if (count <= 3)
    for (let at = 0; at < count; at++)
      combinations.splice(
        0,
        combinations.length,
        ...combinations.flatMap((all) => types.map((each) => [...all, each])),
      );
  for (const each of combinations) {
    if (form.types(each) !== undefined) continue;
    const left = [...each];
    const instance = {
      types: elements.map((is) => (is ? left.shift() : undefined)),
      modifiers: form.operands.map(() => undefined),
      immediate: form.operands.map(() => false),
      first: 0,
    };
    for (const relation of form.relations.length > 0 ? form.relations.slice(0, 6) : [""])
      for (const sat of form.saturates && !(form.saturatesFloats && !each.some((type) => /f$/.test(type)))
        ? [false, true]
        : [false]) {
        const meaning = form.run?.({ ...instance, sat, relation });
        if (meaning === undefined) continue;
        const results =
          "results" in meaning ? meaning.results : [...meaning.controlled(0), ...meaning.controlled(0x4c0)];
        for (const result of results) found.set(keyOf(result), result);
      }
  }
  return [...found.values()];
}

/** Each operation once in the fast way that executes it, once in the way that its expression says. */
describe("what an instruction computes fast is what it means", () => {
  for (const form of forms.filter(({ run }) => run !== undefined))
    it(form.mnemonic, () => {
      const wrong: string[] = [];
      for (const operation of operationsOf(form)) {
        const [fast, exact] = [scalarOf(operation), byReference(operation)];
        const cases = casesOf(operation, 12, 7);
        const step = Math.ceil(cases.length / 80);
        for (const bits of cases.filter((_, at) => at % step === 0)) {
          let got: unknown;
          try {
            got = fast(...bits);
          } catch (error) {
            got = error;
          }
          const wanted = exact(...bits);
          if (got !== wanted) wrong.push(`${linesOf(operation)} of ${bits.join(", ")}: ${String(got)}, not ${wanted}`);
        }
      }
      expect(wrong.slice(0, 5)).toEqual([]);
    });
});
