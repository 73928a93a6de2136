import { describe, expect, test } from "vitest";
import { data, marks, readModule } from "./read.ts";

interface Verdict {
  readonly group: string;
  readonly probe: string;
  readonly module: string;
  readonly accepted: boolean;
  readonly out: readonly string[];
}
const verdicts = data("lexical.jsonl.gz")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Verdict);

/**
 * Syntax errors of ptxas, whose grammar knows the types, that are the resolver's to find: unknown types and vector
 * widths, directives out of order, and operand shapes that depend on the instruction.
 */
const LATER =
  /near '(?:\.foo|\.b1|\.tf32|\.bf16x2|\.bf16|\.v2|\.v8|\.i32|\.address_size)'|line 6; fatal {3}: Parsing error near '\)'/;

describe("what ptxas 13.0 says of 723 modules", () => {
  const accepted = verdicts.filter((verdict) => verdict.accepted);
  const syntax = verdicts.filter(({ accepted, out }) => !accepted && out.join().includes("Parsing error"));
  const semantic = verdicts.filter(({ accepted, out }) => !accepted && !out.join().includes("Parsing error"));

  test(`it accepts ${accepted.length}: all of them parse`, () => {
    const rejected = accepted.flatMap(({ module }) => {
      const found = marks(readModule(module).diagnostics);
      return found.length > 0 ? [{ module, found }] : [];
    });
    expect(rejected).toEqual([]);
  });

  test(`it finds syntax errors in ${syntax.length}: the parser finds each, and one mistake is one message`, () => {
    const missed = syntax.filter(({ module }) => readModule(module).diagnostics.length === 0);
    expect(missed.filter(({ out }) => !LATER.test(out.join())).map(({ probe }) => probe)).toEqual([]);
    expect(missed.length).toBeLessThan(16);
  });

  test(`it finds other errors in ${semantic.length}: the parser objects only to characters, the header and a space`, () => {
    const early = semantic.flatMap(({ module }) => marks(readModule(module).diagnostics).slice(0, 1));
    const codes = new Set(early.map((mark) => mark.slice(0, 7)));
    expect([...codes].sort()).toEqual(["PTX1002", "PTX1003", "PTX1004", "PTX1101", "PTX1106", "PTX1108", "PTX1118"]);
    expect(early.length).toBeLessThan(14);
  });
});

describe("what nvcc 13.0 writes", () => {
  test.each([
    ["plain", 22],
    ["debug", 53],
    ["lines", 28],
    ["rdc", 28],
  ])("%s parses without a word", (name, items) => {
    const { value, diagnostics } = readModule(data(`nvcc/${name}.ptx.gz`));
    expect(diagnostics).toEqual([]);
    expect(value.items).toHaveLength(items);
  });
});
