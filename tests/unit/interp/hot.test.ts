import { describe, expect, test } from "vitest";
import type { Operand } from "../../../src/interp/contract/operand.ts";
import { compute } from "../../../src/interp/javascript/bind-compute.ts";
import { hot } from "../../../src/interp/javascript/hot.ts";
import { hotCompare, tests } from "../../../src/interp/javascript/hot-compare.ts";
import { newWarp } from "../../../src/interp/schedule/cta-slot.ts";
import type { Warp, WarpShape } from "../../../src/interp/state/warp.ts";
import * as numeric from "../../../src/numeric/index.ts";
import type { Op, Width } from "../../../src/numeric/op.ts";

const { f16, f32, f64 } = numeric;
const integer = ["u32", "s32", "u64", "s64"] as const;
const ordered = ["eq", "lt", "le", "gt", "ge"] as const;
const ops: ReadonlyMap<string, Op> = new Map(
  [
    ...integer.flatMap((type) => [
      numeric.iadd(type),
      numeric.isub(type),
      numeric.imul(type, "lo"),
      numeric.imul(type, "hi"),
      numeric.imad(type, "lo"),
      numeric.imin(type),
      numeric.imax(type),
      numeric.ineg(type),
      numeric.iabs(type),
      numeric.isad(type),
      numeric.shr(type),
      numeric.bfe(type),
      ...(["ne", ...ordered] as const).map((relation) => numeric.icompare(type, relation)),
    ]),
    ...(["u32", "s32"] as const).flatMap((type) => [numeric.imul(type, "wide"), numeric.imad(type, "wide")]),
    ...([32, 64] as const).flatMap((width) => [
      numeric.band(width),
      numeric.bor(width),
      numeric.bxor(width),
      numeric.bnot(width),
      numeric.shl(width),
      numeric.bfi(width),
      numeric.popc(width),
      numeric.clz(width),
      numeric.brev(width),
    ]),
    ...(["l", "r"] as const).flatMap((direction) => [numeric.shf(direction, "wrap"), numeric.shf(direction, "clamp")]),
    numeric.lop3,
    numeric.prmt(),
    ...[f32, f64].flatMap((format) => [
      numeric.fadd(format),
      numeric.fsub(format),
      numeric.fmul(format),
      numeric.ffma(format),
      numeric.fdiv(format),
      numeric.frcp(format),
      numeric.fsqrt(format),
      numeric.fmin(format),
      numeric.fmax(format),
      numeric.fneg(format),
      numeric.fabs(format),
      ...([...ordered, "equ", "neu", "ltu", "leu", "gtu", "geu"] as const).map((relation) =>
        numeric.fcompare(format, relation),
      ),
    ]),
    ...[numeric.fadd, numeric.fsub, numeric.fmul, numeric.ffma].map((make) => numeric.pair(make(f16))),
  ].map((op) => [op.name, op]),
);

/** Zeros, ones, signs, shift limits, subnormals, infinities and NaNs, as bits. */
const corners32 = [
  0, 1, 2, 31, 32, 33, 63, 64, 65, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_ffff, 0x3f80_0000, 0xbf80_0000,
  0x0080_0000, 0x007f_ffff, 0x7f7f_ffff, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x7fa0_1234, 0xffff_fffe, 0x4b80_0001,
  // Pairs of halves: numbers, the least and greatest, subnormals, zeros, infinities and NaNs; bytes that prmt picks.
  0x3c00_bc00, 0x0400_7bff, 0x8001_03ff, 0x7c00_fc00, 0x7e00_fd01, 0x3c01_2c00, 0x0000_7654, 0x0000_fedc, 0x0000_0123,
];
const corners64 = [
  ...corners32.map(BigInt),
  0x7fff_ffff_ffff_ffffn,
  0x8000_0000_0000_0000n,
  0xffff_ffff_ffff_ffffn,
  0x3ff0_0000_0000_0000n,
  0x7ff0_0000_0000_0000n,
  0xfff0_0000_0000_0000n,
  0x7ff8_0000_0000_1234n,
  0x000f_ffff_ffff_ffffn,
  0x7fef_ffff_ffff_ffffn,
];

let state = 0x9e37_79b9;
function random(): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return state >>> 0;
}
const pick = <T>(list: readonly T[]): T => list[random() % list.length]!;
const value = (width: Width): number | bigint => {
  if (width === 64) return random() & 1 ? pick(corners64) : (BigInt(random()) << 32n) | BigInt(random());
  return random() & 1 ? pick(corners32) : random();
};

const lanes = 32;
const shape: WarpShape = { lanes, p: 1, r: 5, q: 5, code: 1 };
function warp(): Warp {
  const made = newWarp(0, 0, new ArrayBuffer(4096), shape);
  return made;
}
const slot = (at: number, bits: Width): Operand & { kind: "slot" } => ({
  kind: "slot",
  bank: bits === 64 ? "q" : "r",
  slot: at,
  bits: bits as 32 | 64,
});

function fill(made: Warp, op: Op): (number | bigint)[][] {
  return op.takes.map((width, at) =>
    Array.from({ length: lanes }, (_, lane) => {
      const bits = value(width);
      if (width === 64) made.q[(at + 1) * lanes + lane] = bits as bigint;
      else made.r[(at + 1) * lanes + lane] = bits as number;
      return bits;
    }),
  );
}

describe("each hot loop equals its operation", () => {
  // Conversions have a test of their own.
  test.each([...hot.keys()].filter((name) => !name.startsWith("convert.")))("%s", (name) => {
    const op = ops.get(name)!;
    expect(op.name).toBe(name);
    const step = compute(
      { shape: "compute", op },
      [slot(0, op.gives), ...op.takes.map((width, at) => slot(at + 1, width))],
      lanes,
    );
    for (let round = 0; round < 200; round++) {
      const made = warp();
      const inputs = fill(made, op);
      made.active = round === 0 ? 0xffff_ffff : random();
      step(made);
      const run = op.js as (...operands: (number | bigint)[]) => number | bigint;
      const bank = op.gives === 64 ? made.q : made.r;
      const untouched = op.gives === 64 ? 0n : 0;
      const expected = Array.from({ length: lanes }, (_, lane) =>
        (made.active >>> lane) & 1 ? run(...inputs.map((row) => row[lane]!)) : untouched,
      );
      expect([...bank.subarray(0, lanes)]).toEqual(expected);
    }
  });
});

describe("each hot comparison equals its operation", () => {
  test.each([...tests.keys()])("%s", (name) => {
    const op = ops.get(name)!;
    const [a, b] = [slot(1, op.takes[0]!), slot(2, op.takes[1]!)];
    const holds = hotCompare(op, a, b, lanes)!;
    const run = op.js as (a: number | bigint, b: number | bigint) => number;
    for (let round = 0; round < 200; round++) {
      const made = warp();
      const [left, right] = fill(made, op);
      if (round % 4 === 0 && op.takes[0] === 32) made.r.copyWithin(2 * lanes, lanes, lanes + 16);
      if (round % 4 === 0 && op.takes[0] === 64) made.q.copyWithin(2 * lanes, lanes, lanes + 16);
      if (round % 4 === 0) for (let lane = 0; lane < 16; lane++) right![lane] = left![lane]!;
      const mask = holds(made);
      const expected = left!.reduce<number>((bits, a, lane) => bits | (run(a, right![lane]!) << lane), 0);
      expect(mask >>> 0).toBe(expected >>> 0);
    }
  });
});

test("a comparison of registers wider than the operation takes the general loop", () => {
  expect(hotCompare(ops.get("icompare.u32.lt")!, slot(1, 64), slot(2, 32), lanes)).toBeUndefined();
});

describe("the hot fma equals the reference where the sum in double comes to lie halfway between two singles", () => {
  const exact = numeric.ffma(f32, { reference: true }).js as (a: number, b: number, c: number) => number;
  const op = numeric.ffma(f32);
  const step = compute({ shape: "compute", op }, [slot(0, 32), slot(1, 32), slot(2, 32), slot(3, 32)], lanes);
  const bitsOf = (float: number): number => new Uint32Array(new Float32Array([float]).buffer)[0]!;
  const signed = (float: number): number => (random() & 1 ? float : -float);

  /** (1 + e)(1 - e) is 1 - e^2: less than half a unit of the addend by as little as 2^-46 of it. */
  function almostHalf(addend: () => number, half: number): number[] {
    const e = ((random() % 600) - 300) * 2 ** -24;
    const [a, b] = [1 + 2 * e, 1 - 2 * e];
    const down = 2 ** -(random() & 7);
    return [signed(a) * half * down, b / down, signed(addend())];
  }
  const normal = (): number => 2 * (2 ** 23 + (random() >>> 9));
  const subnormal = (): number => (random() >>> 9) * 2 ** -149;
  const huge = (): number => (2 ** 24 - 1 - (random() & 1)) * 2 ** 104;

  test.each<[string, () => number[]]>([
    ["normal", () => almostHalf(normal, 1)],
    ["subnormal", () => almostHalf(subnormal, 2 ** -75).map((x, at) => (at === 1 ? x * 2 ** -75 : x))],
    ["at the greatest number", () => almostHalf(huge, 2 ** 100).map((x, at) => (at === 1 ? x * 2 ** 3 : x))],
    ["exactly half", () => [signed(0.5), 2, signed(normal())]],
    ["a third of it", () => [signed(Math.fround(1 / 3)), 3, signed(normal())]],
    ["around a power of two", () => almostHalf(() => 2 ** 24, random() & 1 ? 1 : 0.5)],
    ["no sum", () => [signed(1), 0, signed(0)]],
  ])("%s", (_, draw) => {
    for (let round = 0; round < 200; round++) {
      const made = warp();
      made.active = 0xffff_ffff;
      const expected = Array.from({ length: lanes }, (_, lane) => {
        const [a, b, c] = draw().map(bitsOf) as [number, number, number];
        [made.r[lanes + lane], made.r[2 * lanes + lane], made.r[3 * lanes + lane]] = [a, b, c];
        return exact(a, b, c);
      });
      step(made);
      expect([...made.r.subarray(0, lanes)]).toEqual(expected);
    }
  });
});
