import { expect, test } from "vitest";
import { errorCodes, readRecords, resolveRecord } from "./record.ts";

/** Six hundred drawn spellings and operand lists of bulk and tensor copies and multimem, with what ptxas 13.0 said of each. */
test("bulk copies and multimem are taken and refused as ptxas takes and refuses them", () => {
  const records = readRecords("bulk.jsonl.gz");
  expect(records.length).toBe(600);
  const wrong = records.flatMap((record) => {
    const outcome = resolveRecord(record);
    const taken = outcome.program !== undefined && errorCodes(outcome).length === 0;
    return taken === (record.cat === undefined) ? [] : [`${record.text} ${record.target}: ${record.cat ?? "taken"}`];
  });
  expect(wrong).toEqual([]);
});
