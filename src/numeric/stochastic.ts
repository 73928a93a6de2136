import { readerOf } from "./binary64/double.ts";
import { rounderTo } from "./binary64/narrow.ts";
import { nameOfConversion } from "./convert.ts";
import { type ConvertMode, type FloatType, formatNamed } from "./convert-mode.ts";
import { clampOf } from "./format/effects.ts";
import { type Format, f32 } from "./format/format.ts";
import type { Op } from "./op.ts";

/**
 * cvt.rs (9.7.9.21): random bits are added below the last place that is kept, and what is below it then goes. They come
 * from a register; the manual says which of its bits are whose. That they are the highest of those that go, that both
 * operands of a pair see the same 16, and that what is too large becomes an infinity whatever they are: grade open.
 */
type Round = (a: number, chance: number) => number;

function formatOf(to: FloatType): Format {
  const format = formatNamed(to);
  if (!format) throw new Error(`no format ${to}`);
  return format;
}

function rounding(format: Format, { relu, satfinite = false }: ConvertMode): Round {
  const value = readerOf(f32);
  if (!value) throw new Error("f32 is not read in doubles");
  const round = rounderTo(format, "rs", satfinite);
  const clamp = clampOf(format, { relu });
  return (a, chance) => {
    const x = value(a);
    return clamp(Number.isNaN(x) ? Number(format.nan) : round(x, chance));
  };
}

/** `d, a, b, e`: two f32 into f16x2 or bf16x2. */
export function convertBothRandomly(to: "f16" | "bf16", mode: ConvertMode): Op {
  const format = formatOf(to);
  const round = rounding(format, mode);
  const bits = to === "f16" ? 13 : 16;
  const part = (half: number): number => half & (2 ** bits - 1);
  const chance = (half: number): number => part(half) * 2 ** -bits;
  return {
    name: nameOfConversion("f32", `${to}x2`, { ...mode, rnd: "rs" }),
    takes: [32, 32, 32],
    gives: 32,
    about: {
      kind: "random",
      format,
      mode,
      chanceBits: bits,
      lanes: [
        { operand: 1, low: 0, bits: 16, chance: part },
        { operand: 0, low: 16, bits: 16, chance: (random) => part(random >>> 16) },
      ],
    },
    js: (a: number, b: number, random: number) =>
      ((round(a, chance(random >>> 16)) << 16) | round(b, chance(random))) >>> 0,
  };
}

/** `d, {a, b, e, f}, g`: four f32, the first into the highest bits. */
export function convertFourRandomly(to: FloatType, mode: ConvertMode): Op {
  const format = formatOf(to);
  const round = rounding(format, mode);
  const up = to === "e2m1" ? 4 : 8;
  // For e2m1 each pair takes one half of either half; for the others the first pair takes the upper half.
  const first = up === 4 ? (r: number) => ((r >>> 16) & 0xff00) | ((r >>> 8) & 0xff) : (r: number) => r >>> 16;
  const second = up === 4 ? (r: number) => ((r >>> 8) & 0xff00) | (r & 0xff) : (r: number) => r & 0xffff;
  const pair = (a: number, b: number, random: number): number =>
    (round(a, random * 2 ** -16) << up) | round(b, random * 2 ** -16);
  return {
    name: nameOfConversion("f32", `${to}x4`, { ...mode, rnd: "rs" }),
    takes: [32, 32, 32, 32, 32],
    gives: up === 4 ? 16 : 32,
    about: {
      kind: "random",
      format,
      mode,
      chanceBits: 16,
      lanes: [0, 1, 2, 3].map((at) => ({ operand: 3 - at, low: at * up, bits: up, chance: at < 2 ? second : first })),
    },
    js: (a: number, b: number, e: number, f: number, random: number) =>
      ((pair(a, b, first(random)) << (2 * up)) | pair(e, f, second(random))) >>> 0,
  };
}
