import type { DescribedLine } from "../../../packages/lab/diff/origin/describe.ts";
import type { PairResult } from "../../../packages/lab/diff/pair.ts";
import { type Finding, pointIn } from "../../present/finding.ts";
import { printable } from "../../present/text/escape.ts";

/** What is wrong with a pair: its own problems, and that its results differ, as `sentences` say. */
export function findingsOf({ a, b, cause, differences = [], findings }: PairResult, sentences: readonly string[]) {
  if (differences.length === 0) return findings;
  const origin = cause?.origin ?? cause?.writes[0];
  const at = (file: string, line: DescribedLine | undefined) =>
    line && pointIn(file, line.line, 1, printable(line.text));
  const first = at(a.file, origin?.a);
  const differing: Finding = {
    code: "PTX7019",
    severity: "error",
    message: [`not the results of ${printable(a.file)}`, ...sentences].join("\n"),
    place: at(b.file, origin?.b) ?? pointIn(b.file, 1),
    ...(first && { related: [{ message: "the first program", place: first }] }),
  };
  return [differing, ...findings];
}
