import {
  type Exact,
  finite,
  integral,
  magnitude,
  negate,
  type Rounding,
  round,
  unpack,
} from "../../numeric/exact/exact.ts";
import { bf16, type Format, f16, f32, f64 } from "../../numeric/format/format.ts";
import type { Bits } from "../../numeric/op.ts";
import type { Modifier, Type } from "../ast.ts";
import { factsOf } from "../type.ts";

/** What %cr0 says about floats: its bits 0, 4-5, 6, 7 and 10. At the start of a kernel all of them are 0. */
export interface FloatControl {
  readonly rounding: Rounding;
  /** Infinite results become the largest number of their sign (f only). */
  readonly alternative: boolean;
  /** Denormals are kept, not flushed to a zero of their sign. */
  readonly keep: Readonly<Record<"df" | "f" | "hf" | "bf", boolean>>;
}

const roundings: readonly Rounding[] = ["rn", "rp", "rm", "rz"];

export const floatControl = (cr0: number): FloatControl => ({
  rounding: roundings[(cr0 >>> 4) & 3] ?? "rn",
  alternative: (cr0 & 1) !== 0,
  keep: {
    df: (cr0 & 0x40) !== 0,
    f: (cr0 & 0x80) !== 0,
    hf: (cr0 & 0x400) !== 0,
    // bf executes in f.
    bf: (cr0 & 0x80) !== 0,
  },
});

export type FloatType = keyof FloatControl["keep"];

/** The formats of this ISA: the NaN that arithmetic gives is the quiet one without sign and payload. */
export const formatOf: Readonly<Record<FloatType, Format>> = {
  df: { ...f64, nan: 0x7ff8_0000_0000_0000n },
  f: { ...f32, nan: 0x7fc0_0000n },
  hf: { ...f16, nan: 0x7e00n, tininess: "after" },
  bf: { ...bf16, nan: 0x7fc0n },
};

/** The integer that bits of a type stand for. */
export function readInteger(type: Type): (bits: Bits) => bigint {
  const { bits: width, kind } = factsOf(type);
  return kind === "signed"
    ? (bits) => BigInt.asIntN(width, BigInt(bits))
    : (bits) => BigInt.asUintN(width, BigInt(bits));
}

/** Low bits of an integer, or with `sat` those of the nearest value of the type. */
export function writeInteger(type: Type, sat: boolean): (value: bigint) => Bits {
  const { bits: width, kind } = factsOf(type);
  const [least, greatest] =
    kind === "signed" ? [-(1n << BigInt(width - 1)), (1n << BigInt(width - 1)) - 1n] : [0n, (1n << BigInt(width)) - 1n];
  const clamp = (value: bigint): bigint => (value < least ? least : value > greatest ? greatest : value);
  return (value) => {
    const bits = BigInt.asUintN(width, sat ? clamp(value) : value);
    return width === 64 ? bits : Number(bits);
  };
}

/** A source modifier on an integer, exactly: it acts at the execution's width, which holds what it gives. */
export function modifyInteger(modifier: Modifier | undefined): (value: bigint) => bigint {
  switch (modifier) {
    case "neg":
      return (value) => -value;
    case "abs":
      return magnitude;
    case "neg-abs":
      return (value) => -magnitude(value);
    case "not":
      return (value) => ~value;
    default:
      return (value) => value;
  }
}

/** The number that bits of a float type stand for; a denormal that is not kept is a zero of its sign. */
export function readFloat(
  type: FloatType,
  control: FloatControl,
  modifier: Modifier | undefined,
): (bits: Bits) => Exact {
  const format = formatOf[type];
  const keep = control.keep[type];
  const sign = modifyFloat(modifier);
  return (bits) => sign(flush(format, keep, unpack(format, BigInt(bits))));
}

function flush(format: Format, keep: boolean, x: Exact): Exact {
  if (keep || x.kind !== "finite" || x.sig === 0n) return x;
  return x.sig >> BigInt(format.frac) === 0n ? finite(x.neg, 0n, 0) : x;
}

function modifyFloat(modifier: Modifier | undefined): (x: Exact) => Exact {
  const positive = (x: Exact): Exact => (x.kind === "nan" ? x : { ...x, neg: false });
  switch (modifier) {
    case "neg":
      return negate;
    case "abs":
      return positive;
    case "neg-abs":
      return (x) => negate(positive(x));
    default:
      return (x) => x;
  }
}

/**
 * The bits of an exact result: rounded in the type that it executes in, then in the destination's (a mix of f and hf
 * executes in f, bf always does). With `sat` it lies in [+0, 1], and NaN is +0.
 */
export function writeFloat(
  type: FloatType,
  executes: FloatType,
  control: FloatControl,
  sat: boolean,
): (x: Exact) => Bits {
  const inner = rounded(executes, control, control.rounding);
  // bf rounds to nearest whatever the mode (D/2_datatypes.md).
  const outer = executes === type ? undefined : rounded(type, control, type === "bf" ? "rn" : control.rounding);
  const [format, last] = [formatOf[executes], formatOf[type]];
  return (x) => {
    let bits = inner(sat ? saturated(x) : x);
    if (outer !== undefined) bits = outer(unpack(format, bits));
    return last.width === 64 ? bits : Number(bits);
  };
}

function rounded(type: FloatType, control: FloatControl, rounding: Rounding): (x: Exact) => bigint {
  const format = formatOf[type];
  const target: Format = control.alternative && type === "f" ? { ...format, finite: true } : format;
  const ftz = !control.keep[type];
  return (x) => round(target, rounding, x, ftz);
}

const ONE = finite(false, 1n, 0);
const ZERO = finite(false, 0n, 0);

function saturated(x: Exact): Exact {
  if (x.kind === "nan" || x.neg || (x.kind === "finite" && x.sig === 0n)) return ZERO;
  if (x.kind === "inf") return ONE;
  return compare(x, ONE) > 0 ? ONE : x;
}

/** -1, 0 or 1; NaN has no order and must not come here. A zero has no sign. */
export function compare(a: Exact, b: Exact): number {
  const place = (x: Exact): number => (x.kind === "inf" ? (x.neg ? -1 : 1) : 0);
  if (a.kind !== "finite" || b.kind !== "finite") return Math.sign(place(a) - place(b));
  const exp = Math.min(a.exp, b.exp);
  const scaled = (x: typeof a): bigint => (x.neg ? -x.sig : x.sig) << BigInt(x.exp - exp);
  const difference = scaled(a) - scaled(b);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** An integer as an exact number. */
export const exactly = (value: bigint): Exact => finite(value < 0n, magnitude(value), 0);

/** Toward zero, as mov to an integer does; what no integer holds clamps, and NaN is 0. */
export function truncated(x: Exact): bigint {
  const whole = integral(x, "rz");
  if (whole.kind === "nan") return 0n;
  if (whole.kind === "inf") return whole.neg ? -(1n << 80n) : 1n << 80n;
  const value = whole.exp >= 0 ? whole.sig << BigInt(Math.min(whole.exp, 200)) : whole.sig >> BigInt(-whole.exp);
  return whole.neg ? -value : value;
}
