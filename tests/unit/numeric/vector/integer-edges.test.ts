import { describe, expect, it } from "vitest";
import type { Bits } from "../../../../src/numeric/bits.ts";
import { scalarOf } from "../../../../src/numeric/lower/scalar.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { textOf } from "../../../../src/numeric/operation/text.ts";
import { widthOf } from "../../../../src/numeric/operation/type.ts";
import { inverseOf } from "../../../../src/numeric/vector/integer/rules/division.ts";
import { vectorOf } from "../../../../src/numeric/vector/lower.ts";
import { operationOf } from "../entry.ts";
import { type Known, vectorRun } from "./run-vector.ts";
import { isOfIntegers, operationsOfTable } from "./table-operations.ts";

/** The first cases in which the code gives something else than the function on one lane, which the reference has judged. */
function differences(
  operation: Operation,
  cases: readonly (readonly Bits[])[],
  known: readonly Known[] = [],
): string[] {
  const run = vectorRun(operation, known);
  if (run === undefined) return [`no rule for ${textOf(operation)}`];
  const got = run(operation.takes.map((_, at) => cases.map((bits) => known[at] ?? bits[at]!)));
  const judge = scalarOf(operation);
  const wrong = cases.flatMap((bits, index) => {
    const read = bits.map((each, at) => known[at] ?? each);
    const wanted = judge(...read);
    return wanted === got[index] ? [] : [`${textOf(operation)} of ${read}: ${got[index]}, not ${wanted}`];
  });
  return wrong.slice(0, 3);
}

describe("a quotient by a number that is known", () => {
  // In binary64 49 times the inverse of 49 is below 1; so for 103, 107, 161, 187 and 197.
  const divisors = [
    1, 2, 3, 5, 7, 10, 49, 103, 107, 161, 187, 197, 641, 1000, 65535, 65536, 0x3fff_ffff, 0x4000_0000, 0x7fff_fffe,
    0x7fff_ffff,
  ];
  const all = [...divisors, 0x8000_0000, 0x8000_0001, 0xc000_0000, 0xfffe_ffff, 0xffff_fffd, 0xffff_fffe, 0xffff_ffff];

  it.each(["div.u32", "div.s32", "rem.u32", "rem.s32"])("is cut in the right place: %s", (spelling) => {
    const operation = operationOf(spelling);
    for (const divisor of [0, ...all]) {
      // Around each multiple of the divisor that a word may be, of which the far ones are the hard ones.
      const size = spelling.endsWith("s32") && divisor > 0x8000_0000 ? 2 ** 32 - divisor : divisor;
      const most = size === 0 ? 0 : Math.floor(0xffff_ffff / size);
      const multiples = [0, 1, 2, 3, most >>> 1, most - 1, most].map((times) => times * size);
      const near = multiples.flatMap((x) => [x - 2, x - 1, x, x + 1, x + 2]).flatMap((x) => [x, -x, x + 2 ** 31]);
      const cases = near.map((x) => [x >>> 0, divisor]);
      expect(differences(operation, cases, [undefined, divisor])).toEqual([]);
      expect(differences(operation, cases)).toEqual([]);
    }
  });

  it("is cut there for every divisor of 16 bits, and what lies around powers of two", () => {
    const around = Array.from({ length: 16 }, (_, at) => 2 ** (17 + at)).flatMap((x) => [x - 3, x - 2, x - 1, x + 1]);
    const wrong: string[] = [];
    for (const divisor of [...Array.from({ length: 65_535 }, (_, at) => at + 1), ...around]) {
      if (divisor >= 2 ** 32) continue;
      const most = Math.floor(2 ** 32 / divisor);
      // A product is lowest against the quotient at multiples, and highest just below them; the far ones are the hard ones.
      for (const times of [1, 2, 3, most >>> 1, most - 1, most])
        for (const x of [times * divisor - 1, times * divisor]) {
          if (x < 0 || x >= 2 ** 32) continue;
          const want = (x - (x % divisor)) / divisor;
          if (Math.trunc(x * inverseOf(divisor)) !== want) wrong.push(`${x} / ${divisor}`);
        }
    }
    expect(wrong.slice(0, 10)).toEqual([]);
  });

  it.each(["div.u64", "div.s64", "rem.u64", "rem.s64"])("of 64 bits does not trap: %s", (spelling) => {
    const operation = operationOf(spelling);
    const top = 1n << 63n;
    const numbers = [0n, 1n, 2n, 3n, 8n, 10n, top - 1n, top, top + 1n, 2n * top - 2n, 2n * top - 1n];
    for (const divisor of numbers) {
      const cases = numbers.map((x) => [x, divisor]);
      expect(differences(operation, cases, [undefined, divisor])).toEqual([]);
      expect(differences(operation, cases)).toEqual([]);
    }
  });
});

describe("every amount of a shift", () => {
  const amounts = [...Array.from({ length: 70 }, (_, at) => at), 127, 128, 255, 256, 0x8000_0000, 0xffff_ffff];
  const spellings = ["shl.b16", "shl.b32", "shl.b64", "shr.u16", "shr.s16", "shr.u32", "shr.s32", "shr.u64", "shr.s64"];

  it.each(spellings)("%s", (spelling) => {
    const operation = operationOf(spelling);
    const width = widthOf(operation.gives);
    const values: Bits[] = [0x8765_4321_fedc_ba98n, 0x7234_5678_9abc_def1n, 1n << 63n, (1n << 64n) - 1n].map((x) =>
      width === 64 ? x : Number(BigInt.asUintN(width, x >> BigInt(64 - width))),
    );
    const cases = amounts.flatMap((amount) => values.map((value) => [value, amount]));
    expect(differences(operation, cases)).toEqual([]);
    for (const amount of amounts) {
      const some = values.map((value) => [value, amount]);
      expect(differences(operation, some, [undefined, amount])).toEqual([]);
    }
  });

  it.each(["shf.l.wrap.b32", "shf.r.wrap.b32", "shf.l.clamp.b32", "shf.r.clamp.b32"])("%s", (spelling) => {
    const operation = operationOf(spelling);
    const cases = amounts.map((amount) => [0x8765_4321, 0xfedc_ba98, amount]);
    expect(differences(operation, cases)).toEqual([]);
    for (const [a, b, amount] of cases)
      expect(differences(operation, [[a!, b!, amount!]], [undefined, undefined, amount])).toEqual([]);
  });
});

describe("a rotation", () => {
  it.each(["shf.l.wrap.b32", "shf.r.wrap.b32"])("of one value is right for every amount: %s", (spelling) => {
    const operation = operationOf(spelling);
    const judge = scalarOf(operation);
    const values = [0x8765_4321, 0x0102_0408, 0xfedc_ba98, 1];
    for (let amount = 0; amount < 32; amount++) {
      // The same vector twice, as it is where an instruction names one register twice.
      const run = vectorRun(operation, [undefined, undefined, amount], ([a, , c], make) =>
        vectorOf(operation, [a!, a!, c!], make),
      )!;
      expect(run([values, values, []])).toEqual(values.map((value) => judge(value, value, amount)));
    }
  });
});

describe("known tables and selectors", () => {
  it("of lop3 are all right", () => {
    const operation = operationOf("lop3.b32");
    for (let table = 0; table < 256; table++)
      expect(
        differences(
          operation,
          [[0xf0f0_aa00, 0xcccc_cc17, 0xaaaa_5a5a, table]],
          [undefined, undefined, undefined, table],
        ),
      ).toEqual([]);
  });

  it("of prmt are all right", () => {
    const operation = operationOf("prmt.b32");
    for (const selector of [0, 0x3210, 0x7654, 0x5410, 0x7632, 0x0123, 0x4567, 0x9876, 0xffff, 0x8c40, 0x1111, 0xf3b0])
      expect(differences(operation, [[0x7f81_0312, 0xfe80_95a6, selector]], [undefined, undefined, selector])).toEqual(
        [],
      );
  });
});

describe("all inputs of operations of one operand of 8 and 16 bits", () => {
  const narrow = operationsOfTable().filter(
    ({ operation: { takes }, operation }) =>
      isOfIntegers(operation) && takes.length === 1 && widthOf(takes[0]!.type) > 1 && widthOf(takes[0]!.type) <= 16,
  );

  it("are found", () => expect(narrow.length).toBeGreaterThan(40));

  it.each(narrow.map(({ spelling, operation }) => [spelling, operation] as const))("%s", (_, operation) => {
    const cases = Array.from({ length: 2 ** widthOf(operation.takes[0]!.type) }, (_, bits) => [bits]);
    expect(differences(operation, cases)).toEqual([]);
  });
});
