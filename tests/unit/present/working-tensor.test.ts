import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { TileSpec } from "../../../src/numeric/tensor/spec.ts";
import { linesOf } from "../../../src/present/working/row.ts";
import { workElement as rowsOf } from "../../../src/present/working/tensor/element.ts";
import { partsOf, type TensorRow } from "../../conformance/tensor-rows.ts";
import { share } from "../../share.ts";

const workElement = (...words: Parameters<typeof rowsOf>): string[] => linesOf(rowsOf(...words));

const sample = gunzipSync(readFileSync(new URL("../../data/tensor/rows.jsonl.gz", import.meta.url)));
const rows = sample
  .toString()
  .trim()
  .split("\n")
  .map((line): TensorRow => JSON.parse(line));

/** The bits of D as the working ends in them. */
const endOf = (lines: readonly string[]): string | undefined =>
  lines.findLast((line) => line.startsWith("  d "))?.match(/0x([\da-f]+)/)?.[1];

describe("one element of D worked through", () => {
  it("ends in what the oracle says, for all targets and types", () => {
    for (const row of share(rows, 10)) {
      const { target, spec, operands } = partsOf(row);
      const end = endOf(workElement(target, spec, operands));
      if (BigInt(`0x${end}`) !== BigInt(`0x${row.d}`)) expect({ row, end }).toEqual({ row, end: row.d });
    }
  });

  const half: TileSpec = { m: 16, n: 8, k: 16, unit: "mma", a: "f16", b: "f16", c: "f32", d: "f32" };
  const fill = (...first: bigint[]): bigint[] => Array.from({ length: 16 }, (_, at) => first[at] ?? 0n);

  it("shows products, what is cut, the sum and the rounding", () => {
    const [one, small] = [0x3c00n, 0x0401n];
    const operands = { a: fill(one, small), b: fill(one, small), c: 0x3f80_0001n };
    expect(workElement("sm_90", half, operands)).toMatchInlineSnapshot(`
      [
        "  rule     sm_90: 16 products and c are one sum; each is cut to 25 bits below the largest exponent",
        "           hardware: recorded from a GPU",
        "  c        f32 0x3f800001  0|01111111|00000000000000000000001",
        "           0b1.00000000000000000000001 x 2^0 = 8388609 x 2^-23 = 1.00000011920928955078125",
        "  top      2^0, of a0 * b0, c",
        "  unit     2^-25: what a term has below it is cut",
        "  a0 * b0  1 * 1 = 1, at 2^0: 33554432 units",
        "  a1 * b1  0.000061094760894775390625 * 0.000061094760894775390625 = 1050625 x 2^-48 = 3.732569808789776288904249668121337890625e-9, at 2^-28: 0 units, all of it is cut",
        "  c        8388609 x 2^-23 = 1.00000011920928955078125, at 2^0: 33554436 units",
        "  zero     a2 * b2, a3 * b3, a4 * b4 and 11 more",
        "  sum      67108868 units = 2.00000011920928955078125",
        "  exactly  0b1.00000000000000000000000|1 x 2^1",
        "           = 16777217 x 2^-23 = 2.00000011920928955078125",
        "  below    0x40000000 = 2",
        "  above    0x40000001 = 2.0000002384185791015625",
        "  lies     0.5 of the way up: a tie",
        "  .rz      toward zero, what is after the bar is cut: down to 0x40000000",
        "  d        f32 0x40000000  0|10000000|00000000000000000000000",
        "           0b1.0 x 2^1 = 2^1 = 2",
      ]
    `);
  });

  it("goes group by group where the target's sums are shorter", () => {
    const a = fill(0x3c00n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0x0001n);
    const operands = { a, b: fill(...a.map(() => 0x3c00n)), c: 0n };
    const lines = workElement("sm_70", half, operands).map((line) => line.trim());
    expect(lines.filter((line) => line.startsWith("group"))).toEqual([
      "group 1  k 0 to 3",
      "group 2  k 4 to 7",
      "group 3  k 8 to 11",
      "group 4  k 12 to 15",
    ]);
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^a8 \* b8 +5.9604644775390625e-8 \* 1 = 2\^-24 = .*, at 2\^-14: 0 units, all of it is cut$/,
      ),
    );
  });

  it("says why there is no sum", () => {
    const operands = { a: fill(0x7c00n, 0x7c00n), b: fill(0x3c00n, 0xbc00n), c: 0n };
    expect(workElement("sm_90", half, operands).map((line) => line.trim())).toEqual(
      expect.arrayContaining([
        "a0 * b0  infinity * 1 = infinity",
        "sum      NaN: one is, or infinities of both signs meet, or infinity meets 0",
      ]),
    );
  });

  it("says that an emulated sum adds C last", () => {
    const spec: TileSpec = { ...half, k: 32, a: "e4m3", b: "e5m2" };
    const all = Array.from({ length: 32 }, () => 0x38n);
    const text = workElement("sm_90", spec, { a: all, b: all, c: 0x4000_0000n }).join("\n");
    expect(text).toMatch(/ptxas: it does so/);
    expect(text).toMatch(/group 2 {2}k 2 3 6 7/);
    expect(text).toMatch(/\+ c +9 x 2\^1 = 18/);
  });

  it("goes one k after the other where no tensor core multiplies", () => {
    const four = (bits: bigint): bigint[] => [bits, bits, bits, bits];
    const operands = { a: four(0x3c01n), b: four(0x3c01n), c: 0x3f80_0001n };
    const spec: TileSpec = { ...half, shape: "m8n8k4", k: 4 };
    expect(workElement("sm_90", spec, operands).map((line) => line.trim())).toEqual(
      expect.arrayContaining([
        "a0 * b0  1.0009765625 * 1.0009765625 + 0 gives 0x3f804008 = 1.00195407867431640625",
        "a3 * b3  1.0009765625 * 1.0009765625 + the sum so far gives 0x40804008 = 4.007816314697265625",
      ]),
    );
  });

  it("throws nothing at the edges of each type", () => {
    const ends: readonly (readonly [TileSpec["a"], number, bigint])[] = [
      ["f16", 16, 0xffffn],
      ["tf32", 8, 0xffff_ffffn],
      ["e5m2", 32, 0xffn],
      ["s8", 32, 0x80n],
      ["b1", 128, 1n],
    ];
    for (const [type, k, most] of ends) {
      const whole = type === "s8" || type === "b1";
      const out = whole ? "s32" : "f32";
      const spec: TileSpec = { ...half, k, a: type, b: type, c: out, d: out };
      for (const bits of [0n, 1n, most]) {
        const all = Array.from({ length: k }, () => bits);
        expect(endOf(workElement("sm_90", spec, { a: all, b: all, c: 0n }))).toBeDefined();
      }
    }
  });
});
