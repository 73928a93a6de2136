import { codes, f32 } from "../../numeric/format/format.ts";
import type { Hot } from "./hot-loop.ts";
import { rolled, unrolled2, unrolled4 } from "./unrolled.ts";

/** The NaN that an operation generates (PTX ISA 9.7.3); the host would pass an operand's payload on. */
const NAN = Number(f32.nan);
const { signBit: SIGN, infinity: INFINITY } = codes(f32);
const MAGNITUDE = SIGN - 1;

// A sum or product of two singles, rounded to double and then to single, is rounded right: a double has more than
// twice as many bits (2 * 24 + 2), which does for quotients and roots too. A third operand breaks that.

const add: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, f, active }) =>
    unrolled4(lanes, active, (lane) => {
      const sum = f[a + lane]! + f[b + lane]!;
      if (Number.isNaN(sum)) r[d + lane] = NAN;
      else f[d + lane] = sum;
    });

const sub: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, f, active }) =>
    unrolled4(lanes, active, (lane) => {
      const difference = f[a + lane]! - f[b + lane]!;
      if (Number.isNaN(difference)) r[d + lane] = NAN;
      else f[d + lane] = difference;
    });

const mul: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, f, active }) =>
    unrolled4(lanes, active, (lane) => {
      const product = f[a + lane]! * f[b + lane]!;
      if (Number.isNaN(product)) r[d + lane] = NAN;
      else f[d + lane] = product;
    });

const div: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, f, active }) =>
    unrolled4(lanes, active, (lane) => {
      const quotient = f[a + lane]! / f[b + lane]!;
      if (Number.isNaN(quotient)) r[d + lane] = NAN;
      else f[d + lane] = quotient;
    });

const rcp: Hot =
  (lanes, _op, d, a) =>
  ({ r, f, active }) =>
    unrolled4(lanes, active, (lane) => {
      const quotient = 1 / f[a + lane]!;
      if (Number.isNaN(quotient)) r[d + lane] = NAN;
      else f[d + lane] = quotient;
    });

const sqrt: Hot =
  (lanes, _op, d, a) =>
  ({ r, f, active }) =>
    unrolled4(lanes, active, (lane) => {
      const root = Math.sqrt(f[a + lane]!);
      if (Number.isNaN(root)) r[d + lane] = NAN;
      else f[d + lane] = root;
    });

/**
 * The product is exact in double, and the sum is rounded there first. That does harm only when it comes to lie halfway
 * between two singles, having lost an `error` that says on which side of the half it was. A half has 25 bits:
 * Veltkamp's split leaves no `rest` of it, and otherwise one of at least a unit of the sum's last place, which no error
 * reaches. So one comparison tells the sums that can be rounded again; the operation itself decides the others, and
 * what is not finite.
 */
const fma: Hot = (lanes, { js }, d, a, b, c) => {
  const reference = js as (a: number, b: number, c: number) => number;
  return ({ r, f, active }) =>
    unrolled2(lanes, active, (lane) => {
      const product = f[a + lane]! * f[b + lane]!;
      const addend = f[c + lane]!;
      const sum = product + addend;
      const back = sum - product;
      const error = product - (sum - back) + (addend - back);
      const wide = sum * 0x1000_0001;
      const rest = wide - (wide - sum) - sum;
      if (Math.abs(rest) >= Math.abs(error)) f[d + lane] = sum;
      else r[d + lane] = reference(r[a + lane]!, r[b + lane]!, r[c + lane]!);
    });
};

/** One NaN gives the other operand; -0 is below +0, which `Math.min` knows. */
const min: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, f, active }) =>
    rolled(lanes, active, (lane) => {
      const x = f[a + lane]!;
      const y = f[b + lane]!;
      if (Number.isNaN(x)) r[d + lane] = Number.isNaN(y) ? NAN : r[b + lane]!;
      else if (Number.isNaN(y)) r[d + lane] = r[a + lane]!;
      else f[d + lane] = Math.min(x, y);
    });

const max: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, f, active }) =>
    rolled(lanes, active, (lane) => {
      const x = f[a + lane]!;
      const y = f[b + lane]!;
      if (Number.isNaN(x)) r[d + lane] = Number.isNaN(y) ? NAN : r[b + lane]!;
      else if (Number.isNaN(y)) r[d + lane] = r[a + lane]!;
      else f[d + lane] = Math.max(x, y);
    });

const negate: Hot =
  (lanes, _op, d, a) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      const bits = s[a + lane]!;
      s[d + lane] = (bits & MAGNITUDE) > INFINITY ? NAN : bits ^ SIGN;
    });

const absolute: Hot =
  (lanes, _op, d, a) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      const bits = s[a + lane]! & MAGNITUDE;
      s[d + lane] = bits > INFINITY ? NAN : bits;
    });

/** Singles, rounded to nearest, without effects: what the host computes. */
export const floats: readonly (readonly [string, Hot])[] = [
  ["fadd.f32.rn", add],
  ["fsub.f32.rn", sub],
  ["fmul.f32.rn", mul],
  ["ffma.f32.rn", fma],
  ["fdiv.f32.rn", div],
  ["frcp.f32.rn", rcp],
  ["fsqrt.f32.rn", sqrt],
  ["fmin.f32", min],
  ["fmax.f32", max],
  ["fneg.f32", negate],
  ["fabs.f32", absolute],
];
