import { expect, test } from "vitest";
import { errorCodes, readRecords, resolveRecord } from "./record.ts";

/** Six hundred drawn spellings and operand lists each, and grids over a few borders, with what ptxas 13.0 said of them. */
test.each([
  ["bulk copies and multimem", "bulk.jsonl.gz", 600],
  ["tcgen05.mma of six targets", "tensor-multiply.jsonl.gz", 600],
  ["conversions, volatile accesses and what is younger than its kin", "borders.jsonl.gz", 494],
])("%s are taken and refused as ptxas takes and refuses them", (_, name, count) => {
  const records = readRecords(name);
  expect(records.length).toBe(count);
  // What is refused is explained, too, which takes ten times as long: of that one in three, or all with RECORDED=all.
  const some = records.filter(({ cat }, at) => cat === undefined || at % 3 === 0 || process.env["RECORDED"] === "all");
  const wrong = some.flatMap((record) => {
    const outcome = resolveRecord(record);
    const taken = outcome.program !== undefined && errorCodes(outcome).length === 0;
    return taken === (record.cat === undefined) ? [] : [`${record.text} ${record.target}: ${record.cat ?? "taken"}`];
  });
  expect(wrong).toEqual([]);
});
