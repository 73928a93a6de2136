import { describe, expect, it } from "vitest";
import { bf16, type Format, f16, f32, f64 } from "../../../src/numeric/index.ts";
import type { Lowered } from "../../../src/numeric/lower/lowered.ts";
import { textOf } from "../../../src/numeric/operation/text.ts";
import { fadd, fdiv, ffma, fmul, frcp, fsqrt, fsub, type Mode } from "./float-entry.ts";
import { adversary, corners } from "./patterns.ts";

/** Fast paths against the reference, which `reference: true` asks for. */
type Make = (f: Format, mode: Mode) => Lowered;
type Run = (...operands: (number | bigint)[]) => number | bigint;

const shown = (bits: readonly (number | bigint)[]) => bits.map((one) => one.toString(16)).join(" ");

function compare(make: Make, f: Format, mode: Mode, operands: Iterable<readonly (number | bigint)[]>): number {
  const fast = make(f, mode);
  const run = fast.js as Run;
  const reference = make(f, { ...mode, reference: true }).js as Run;
  let count = 0;
  for (const all of operands) {
    const got = run(...all);
    const right = reference(...all);
    if (got !== right)
      expect(`${textOf(fast.operation)} ${shown(all)} = ${shown([got])}`).toBe(`... = ${shown([right])}`);
    count++;
  }
  return count;
}

function* drawn(formats: readonly Format[], seed: number, count: number): Generator<(number | bigint)[]> {
  const sources = formats.map((f, at) => adversary(f, seed + at));
  for (let i = 0; i < count; i++) {
    yield sources.map((next, at) => (formats[at]!.width === 64 ? next() : Number(next())));
  }
}

/** Each corner on either side of a quarter of all. */
function* pairs(f: Format): Generator<number[]> {
  const all = corners(f).map(Number);
  for (const [at, a] of all.entries()) for (let other = at % 4; other < all.length; other += 4) yield [a, all[other]!];
}

const effects: readonly Mode[] = [{}, { ftz: true }, { ftz: true, sat: true }];
const binaries = { fadd, fsub, fmul } as const;

describe("fast paths equal the reference", () => {
  for (const [name, make] of Object.entries(binaries)) {
    it(`${name}.f16 on pairs of corners`, () => {
      expect(compare(make, f16, {}, pairs(f16))).toBe(512 ** 2 / 4);
    });
    for (const mode of effects) {
      it(`${name} of 16-bit formats ${JSON.stringify(mode)}`, () => {
        compare(make, f16, mode, drawn([f16, f16], 1, 6_000));
        expect(compare(make, bf16, {}, drawn([bf16, bf16], 2, 6_000))).toBe(6_000);
      });
    }
    for (const rnd of ["rn", "rz", "rm", "rp"] as const) {
      it(`${name}.f32.${rnd}`, () => {
        for (const mode of effects) compare(make, f32, { ...mode, rnd }, drawn([f32, f32], 3, 2_000));
        expect(compare(make, f64, { rnd }, drawn([f64, f64], 4, 1_000))).toBe(1_000);
      });
    }
  }

  for (const mode of [{}, { ftz: true }, { relu: true }, { sat: true }, { oob: true }]) {
    it(`ffma of 16-bit formats ${JSON.stringify(mode)}`, () => {
      compare(ffma, f16, mode, drawn([f16, f16, f16], 5, 6_000));
      expect(compare(ffma, bf16, mode, drawn([bf16, bf16, bf16], 6, 6_000))).toBe(6_000);
    });
  }

  for (const rnd of ["rn", "rz", "rm", "rp"] as const) {
    it(`mixed precision and ffma.f32, ${rnd}`, () => {
      for (const mode of effects) compare(ffma, f32, { ...mode, rnd }, drawn([f32, f32, f32], 7, 3_000));
      for (const from of [f16, bf16]) {
        compare(fadd, f32, { rnd, from }, drawn([from, f32], 8, 2_000));
        compare(fsub, f32, { rnd, from }, drawn([from, f32], 9, 2_000));
        compare(ffma, f32, { rnd, from }, drawn([from, from, f32], 10, 2_000));
      }
      expect(compare(fmul, f32, { rnd, ftz: true }, border())).toBe(2000);
    });
  }

  it("fdiv, frcp, fsqrt", () => {
    for (const mode of effects) {
      compare(fdiv, f32, mode, drawn([f32, f32], 11, 3_000));
      compare(frcp, f32, mode, drawn([f32], 12, 3_000));
      compare(fsqrt, f32, mode, drawn([f32], 13, 2_000));
    }
    compare(fdiv, f64, {}, drawn([f64, f64], 14, 3_000));
    compare(frcp, f64, {}, drawn([f64], 15, 2_000));
    expect(compare(fsqrt, f64, {}, drawn([f64], 16, 2_000))).toBe(2_000);
  });
});

/** Products at the border of the normal f32 numbers: near 1 times near the least of them. */
function* border(): Generator<number[]> {
  for (let i = 0; i < 2000; i++) yield [0x3f80_0000 - (i % 50), 0x0080_0000 + Math.floor(i / 50)];
}
