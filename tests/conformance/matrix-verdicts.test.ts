import { expect, it } from "vitest";
import { type Asked, errorCodes, readRecords, resolveRecord } from "./record.ts";

// What ptxas 13.0 says of ldmatrix, stmatrix, wmma.load, wmma.store and wgmma: a sample of some 8,000 spellings and operand
// lists that were drawn over all words, register types, vector lengths and constants. What is left out: predicate
// registers where ptxas does not look, 32-bit generic addresses of wmma, and words of a name apart from it.
const records = readRecords("matrix-verdicts.jsonl.gz") as readonly (Asked & { readonly accepted?: boolean })[];

it.each([true, false])("takes moves of matrices and wgmma as ptxas does: %s", (accepted) => {
  const asked = records.filter((record) => record.accepted === accepted);
  expect(asked.length).toBeGreaterThan(100);
  const wrong = asked.flatMap((record) => {
    const { program, diagnostics } = resolveRecord(record);
    const found = errorCodes({ program, diagnostics });
    const gap = program?.code.some(({ plan }) => plan.shape === "gap");
    return (found.length === 0) === accepted && !gap ? [] : [`${record.text}: ${found.join(" ")}`];
  });
  expect(wrong.slice(0, 20)).toEqual([]);
});
