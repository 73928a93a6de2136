import { f32, f64 } from "../numeric/format.ts";
import type { Hot } from "./hot.ts";

/** The NaNs that an operation generates (PTX ISA 9.7.3); the host would pass an operand's payload on. */
const NAN32 = Number(f32.nan);
const NAN64 = f64.nan;

// A sum or product of two singles, rounded to double and then to single, is rounded right: a double has more than
// twice as many bits (2 * 24 + 2). A third operand breaks that.

const add32: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const sum = f[a + lane]! + f[b + lane]!;
      if (Number.isNaN(sum)) r[d + lane] = NAN32;
      else f[d + lane] = sum;
    }
  };

const sub32: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const difference = f[a + lane]! - f[b + lane]!;
      if (Number.isNaN(difference)) r[d + lane] = NAN32;
      else f[d + lane] = difference;
    }
  };

const mul32: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const product = f[a + lane]! * f[b + lane]!;
      if (Number.isNaN(product)) r[d + lane] = NAN32;
      else f[d + lane] = product;
    }
  };

/**
 * The product is exact in double, and the sum is rounded there first. That does harm only when it comes to lie halfway
 * between two singles, since halves are doubles and rounding never crosses one. Halfway means that the same step
 * beyond it is a single again: then, and for NaN and overflow, the operation itself decides.
 */
const fma32: Hot = (lanes, { js }, d, a, b, c) => {
  const fma = js as (a: number, b: number, c: number) => number;
  return ({ r, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const sum = f[a + lane]! * f[b + lane]! + f[c + lane]!;
      const near = Math.fround(sum);
      const beyond = sum + (sum - near);
      if (near === sum || (Math.fround(beyond) !== beyond && near - near === 0)) f[d + lane] = near;
      else r[d + lane] = fma(r[a + lane]!, r[b + lane]!, r[c + lane]!);
    }
  };
};

const add64: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, d: f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const sum = f[a + lane]! + f[b + lane]!;
      if (Number.isNaN(sum)) q[d + lane] = NAN64;
      else f[d + lane] = sum;
    }
  };

const sub64: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, d: f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const difference = f[a + lane]! - f[b + lane]!;
      if (Number.isNaN(difference)) q[d + lane] = NAN64;
      else f[d + lane] = difference;
    }
  };

const mul64: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, d: f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const product = f[a + lane]! * f[b + lane]!;
      if (Number.isNaN(product)) q[d + lane] = NAN64;
      else f[d + lane] = product;
    }
  };

/** Rounded to nearest, without effects: what the host computes. */
export const floats: readonly (readonly [string, Hot])[] = [
  ["fadd.f32.rn", add32],
  ["fsub.f32.rn", sub32],
  ["fmul.f32.rn", mul32],
  ["ffma.f32.rn", fma32],
  ["fadd.f64.rn", add64],
  ["fsub.f64.rn", sub64],
  ["fmul.f64.rn", mul64],
];
