import { describe, expect, test } from "vitest";
import { table } from "../../src/isa/index.ts";
import { share } from "../share.ts";
import { packed } from "./mixed-oracle.ts";
import { runRows, type Spelling, scattered, spellings } from "./spellings.ts";

// Packed arithmetic of several formats at once, against fractions.

const forms = table
  .filter(({ name }) => name === "mixed-precision" || name === "alternate-floating-point")
  .flatMap(({ forms }) => forms)
  .filter(({ syntax }) => /cdtype\.atype d|dtype\.atype|cdtype\.atype\.btype/.test(syntax));

/** Zeros, ones, subnormals, borders of f16 and bf16, the largest, infinities and NaNs, of 32 and of 16 bits. */
const corners = [
  0x0000_0000n, 0x3f80_0000n, 0x3f80_0001n, 0x0000_0001n, 0x007f_ffffn, 0x0080_0000n, 0x3380_0000n, 0x3300_0000n,
  0x3880_0000n, 0x387f_ffffn, 0x477f_e000n, 0x477f_f000n, 0x4780_0000n, 0x7f7f_ffffn, 0x7f80_0000n, 0x7fc0_0000n,
  0x7f7f_8000n, 0x3c00_3c00n, 0x7bff_7bffn, 0x0001_03ffn, 0x7c00_7e00n, 0x0400_3555n,
]; // biome-ignore format: a table

function rowsOf({ words, mods, form }: Spelling, count: number): bigint[][] {
  const random = scattered([...words.join(".")].reduce((h, c) => (h * 131n + BigInt(c.charCodeAt(0))) % 2n ** 61n, 7n));
  const next = (): bigint => random.next().value as bigint;
  const word = (): bigint => {
    const roll = next();
    const sign = (roll & 1n) << 31n;
    if ((roll & 6n) === 0n) return BigInt.asUintN(32, next());
    // Numbers near one another, so that sums cancel and roundings matter.
    if ((roll & 6n) === 2n) return sign | (0x3f00_0000n + (next() & 0x1ff_e000n));
    return sign | corners[Number(next() % BigInt(corners.length))]!;
  };
  const classes = form.operands(mods);
  const bits = form.slots.slice(1).map(({ name }) => {
    const each = classes[name];
    return each?.kind === "register" ? each.bits : 32;
  });
  return Array.from({ length: count }, () =>
    bits.map((width) => BigInt.asUintN(width, width < 64 ? (next() & 1n) === 0n ? word() : next() : (word() << 32n) | word())),
  ); // biome-ignore format: one line
}

const hex = (x: bigint): string => `0x${x.toString(16)}`;

test("all forms are asked, and they are as many as the manual has", () => {
  const found = forms.flatMap((form) => [...spellings(form)]);
  expect(found.filter(({ words }) => words.some((word) => word.endsWith("x2")))).toHaveLength(36);
  expect(found.filter(({ words }) => words.some((word) => word.endsWith("x4")))).toHaveLength(896);
});

describe("packed arithmetic of several formats is that of exact fractions, rounded once", () => {
  test.each(forms.map((form) => [form.syntax, form] as const))("%s", (_, form) => {
    const wrong = share([...spellings(form)], 40, 2).flatMap((spelling) => {
      const rows = rowsOf(spelling, 112);
      return runRows(spelling, rows).flatMap(({ results: [got = 0n] }, at) => {
        const row = rows[at]!;
        const wanted = packed(spelling.words, row);
        return got === wanted ? [] : [`${spelling.words.join(".")} ${row.map(hex)}: ${hex(got)}, not ${hex(wanted)}`];
      });
    });
    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
