import { describe, expect, test } from "vitest";
import { readVerdicts } from "../../conformance/verdict.ts";
import { data, marks, readModule } from "./read.ts";

const verdicts = readVerdicts("lexical.jsonl.gz");

/**
 * Syntax errors of ptxas, whose grammar knows the types, that are the resolver's to find: unknown types and vector
 * widths, directives out of order or younger than the text, and operand shapes that depend on the instruction.
 */
const LATER =
  /near '(?:\.foo|\.b1|\.tf32|\.bf16x2|\.bf16|\.v2|\.v8|\.i32|\.address_size|\.language)'|line 6; fatal {3}: Parsing error near '\)'/;

describe("what ptxas 13.0 says of 723 modules", () => {
  const accepted = verdicts.filter(({ cat }) => cat === undefined);
  const syntax = verdicts.filter(({ cat }) => cat?.includes("Parsing error") === true);
  const semantic = verdicts.filter(({ cat }) => cat?.includes("Parsing error") === false);

  test(`it accepts ${accepted.length}: all of them parse`, () => {
    const rejected = accepted.flatMap(({ text }) => {
      const found = marks(readModule(text).diagnostics);
      return found.length > 0 ? [{ text, found }] : [];
    });
    expect(rejected).toEqual([]);
  });

  test(`it finds syntax errors in ${syntax.length}: the parser finds each, and one mistake is one message`, () => {
    const missed = syntax.filter(({ text }) => readModule(text).diagnostics.length === 0);
    expect(missed.filter(({ cat = "" }) => !LATER.test(cat)).map(({ name }) => name)).toEqual([]);
    expect(missed.length).toBeLessThan(16);
  });

  test(`it finds other errors in ${semantic.length}: the parser objects only to characters, the header and a space`, () => {
    const early = semantic.flatMap(({ text }) => marks(readModule(text).diagnostics).slice(0, 1));
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
