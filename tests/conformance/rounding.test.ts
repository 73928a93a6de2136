import { describe, expect, test } from "vitest";
import { f32, f64 } from "../../src/numeric/index.ts";
import { draws } from "../share.ts";
import { fadd, fdiv, ffma, fmul, frcp, fsqrt, fsub } from "../unit/numeric/float-entry.ts";
import { pairsOfCorners, randomCodes } from "./codes.ts";
import { isRight, type Operation, operations } from "./interval-oracle.ts";
import { type Binary, type Direction, formats } from "./rational-oracle.ts";

/**
 * f32 and f64 in every rounding: all pairs of corners and some thousands of random operands, many of them close to
 * cancelling, to overflow or to the smallest numbers. `tests/sweep/float.js` does the same on millions.
 */
const makers = { add: fadd, sub: fsub, mul: fmul, fma: ffma, div: fdiv, rcp: frcp, sqrt: fsqrt };
const directions: readonly Direction[] = ["rn", "rz", "rm", "rp"];
const count = draws(12, 1500);

const cases = (["f32", "f64"] as const).flatMap((name) =>
  (Object.keys(operations) as Operation[]).flatMap((operation) =>
    directions.map((direction) => [operation, direction, name] as const),
  ),
);

describe("the exact result lies in the interval that rounds to d", () => {
  test.each(cases)("%s.%s.%s", (operation, direction, name) => {
    const format = formats.get(name) as Binary;
    const op = makers[operation](name === "f32" ? f32 : f64, { rnd: direction });
    const run = op.js as (...operands: (number | bigint)[]) => number | bigint;
    const wrong: string[] = [];
    const judge = (operands: readonly bigint[]): void => {
      const used = operands.slice(0, operations[operation]);
      const d = BigInt(run(...(name === "f32" ? used.map(Number) : used)));
      if (!isRight(format, operation, direction, used, d))
        wrong.push([...used, d].map((code) => code.toString(16)).join(" "));
    };
    for (const operands of pairsOfCorners(format)) judge(operands);
    const codes = randomCodes(format, 7n);
    for (let n = 0; n < count; n++) judge(codes());
    expect(wrong.slice(0, 3)).toEqual([]);
  });
});

describe("the judge", () => {
  const f = formats.get("f32") as Binary;
  test("knows a neighbour from the right result", () => {
    // 1/3 is 0x3eaaaaaa.aaa...
    expect(isRight(f, "rcp", "rn", [0x4040_0000n], 0x3eaa_aaabn)).toBe(true);
    expect(isRight(f, "rcp", "rn", [0x4040_0000n], 0x3eaa_aaaan)).toBe(false);
    expect(isRight(f, "rcp", "rz", [0x4040_0000n], 0x3eaa_aaaan)).toBe(true);
    expect(isRight(f, "rcp", "rp", [0x4040_0000n], 0x3eaa_aaaan)).toBe(false);
    expect(isRight(f, "rcp", "rm", [0xc040_0000n], 0xbeaa_aaabn)).toBe(true);
  });
  test("knows ties, overflow and the signs of zeros", () => {
    expect(isRight(f, "add", "rn", [0x4b80_0000n, 0x3f80_0000n], 0x4b80_0000n)).toBe(true); // 2^24 + 1
    expect(isRight(f, "add", "rn", [0x4b80_0000n, 0x3f80_0000n], 0x4b80_0001n)).toBe(false);
    expect(isRight(f, "mul", "rn", [0x7f7f_ffffn, 0x4000_0000n], 0x7f80_0000n)).toBe(true);
    expect(isRight(f, "mul", "rz", [0x7f7f_ffffn, 0x4000_0000n], 0x7f7f_ffffn)).toBe(true);
    expect(isRight(f, "mul", "rz", [0x7f7f_ffffn, 0x4000_0000n], 0x7f80_0000n)).toBe(false);
    expect(isRight(f, "add", "rm", [0x3f80_0000n, 0xbf80_0000n], 0x8000_0000n)).toBe(true);
    expect(isRight(f, "add", "rn", [0x3f80_0000n, 0xbf80_0000n], 0x8000_0000n)).toBe(false);
    expect(isRight(f, "mul", "rn", [1n, 0x3f00_0000n], 0n)).toBe(true);
    expect(isRight(f, "mul", "rp", [1n, 0x3f00_0000n], 0n)).toBe(false);
  });
});
