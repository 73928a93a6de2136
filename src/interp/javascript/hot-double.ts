import { fmaDouble } from "../../numeric/binary64/double-fma.ts";
import { LEAST, productError, sumError } from "../../numeric/binary64/error-free.ts";
import { f64 } from "../../numeric/format/format.ts";
import type { Hot } from "./hot-loop.ts";
import { rolled, unrolled4 } from "./unrolled.ts";

/** The NaN that an operation generates (PTX ISA 9.7.3); the host would pass an operand's payload on. */
const NAN = f64.nan;

const add: Hot =
  (lanes, _op, to, a, b) =>
  ({ q, d, active }) =>
    unrolled4(lanes, active, (lane) => {
      const sum = d[a + lane]! + d[b + lane]!;
      if (Number.isNaN(sum)) q[to + lane] = NAN;
      else d[to + lane] = sum;
    });

const sub: Hot =
  (lanes, _op, to, a, b) =>
  ({ q, d, active }) =>
    unrolled4(lanes, active, (lane) => {
      const difference = d[a + lane]! - d[b + lane]!;
      if (Number.isNaN(difference)) q[to + lane] = NAN;
      else d[to + lane] = difference;
    });

const mul: Hot =
  (lanes, _op, to, a, b) =>
  ({ q, d, active }) =>
    unrolled4(lanes, active, (lane) => {
      const product = d[a + lane]! * d[b + lane]!;
      if (Number.isNaN(product)) q[to + lane] = NAN;
      else d[to + lane] = product;
    });

const div: Hot =
  (lanes, _op, to, a, b) =>
  ({ q, d, active }) =>
    unrolled4(lanes, active, (lane) => {
      const quotient = d[a + lane]! / d[b + lane]!;
      if (Number.isNaN(quotient)) q[to + lane] = NAN;
      else d[to + lane] = quotient;
    });

const sqrt: Hot =
  (lanes, _op, to, a) =>
  ({ q, d, active }) =>
    unrolled4(lanes, active, (lane) => {
      const root = Math.sqrt(d[a + lane]!);
      if (Number.isNaN(root)) q[to + lane] = NAN;
      else d[to + lane] = root;
    });

/**
 * Product and sum are kept exact as three doubles, as fmaDouble does it. The lower two are added first, and `lost` is what
 * that takes away: the lowest is never above half the middle one, unless that is 0. It does harm only where their sum,
 * `rest`, comes to lie halfway between two neighbours of `high`; there it is a multiple of the last place of `high / 2`.
 * fmaDouble decides those, and whatever overflows, is no number or loses bits below 2^-1074.
 */
const fma: Hot =
  (lanes, _op, to, a, b, c) =>
  ({ q, d, active }) =>
    rolled(lanes, active, (lane) => {
      const x = d[a + lane]!;
      const y = d[b + lane]!;
      const z = d[c + lane]!;
      const product = x * y;
      const error = productError(x, y, product);
      const low = z + error;
      const high = product + low;
      const middle = sumError(product, low, high);
      const lowest = sumError(z, error, low);
      const rest = middle + lowest;
      const lost = lowest - (rest - middle);
      const half = high * 0.5;
      if ((lost === 0 || Math.abs(half + rest - half - rest) > 0) && Math.abs(product) >= LEAST)
        d[to + lane] = high + rest;
      else {
        const sum = fmaDouble(x, y, z);
        if (Number.isNaN(sum)) q[to + lane] = NAN;
        else d[to + lane] = sum;
      }
    });

/** One NaN gives the other operand; -0 is below +0, which `Math.min` knows. */
const min: Hot =
  (lanes, _op, to, a, b) =>
  ({ q, d, active }) =>
    rolled(lanes, active, (lane) => {
      const x = d[a + lane]!;
      const y = d[b + lane]!;
      if (Number.isNaN(x)) q[to + lane] = Number.isNaN(y) ? NAN : q[b + lane]!;
      else if (Number.isNaN(y)) q[to + lane] = q[a + lane]!;
      else d[to + lane] = Math.min(x, y);
    });

const max: Hot =
  (lanes, _op, to, a, b) =>
  ({ q, d, active }) =>
    rolled(lanes, active, (lane) => {
      const x = d[a + lane]!;
      const y = d[b + lane]!;
      if (Number.isNaN(x)) q[to + lane] = Number.isNaN(y) ? NAN : q[b + lane]!;
      else if (Number.isNaN(y)) q[to + lane] = q[a + lane]!;
      else d[to + lane] = Math.max(x, y);
    });

const negate: Hot =
  (lanes, _op, to, a) =>
  ({ w, active }) =>
    unrolled4(lanes, active, (lane) => {
      w[2 * (to + lane)] = w[2 * (a + lane)]!;
      w[2 * (to + lane) + 1] = w[2 * (a + lane) + 1]! ^ 0x8000_0000;
    });

const absolute: Hot =
  (lanes, _op, to, a) =>
  ({ w, active }) =>
    unrolled4(lanes, active, (lane) => {
      w[2 * (to + lane)] = w[2 * (a + lane)]!;
      w[2 * (to + lane) + 1] = w[2 * (a + lane) + 1]! & 0x7fff_ffff;
    });

/** Doubles, rounded to nearest: what the host computes. */
export const doubles: readonly (readonly [string, Hot])[] = [
  ["fadd.f64.rn", add],
  ["fsub.f64.rn", sub],
  ["fmul.f64.rn", mul],
  ["ffma.f64.rn", fma],
  ["fdiv.f64.rn", div],
  ["fsqrt.f64.rn", sqrt],
  ["fmin.f64", min],
  ["fmax.f64", max],
  ["fneg.f64", negate],
  ["fabs.f64", absolute],
];
