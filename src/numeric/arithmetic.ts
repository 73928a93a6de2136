import type { About } from "./about.ts";
import {
  type Fast,
  type FastFor,
  fastAdd,
  fastDiv,
  fastFma,
  fastMul,
  fastRcp,
  fastSqrt,
  fastSub,
} from "./binary64/fast.ts";
import { add, div, type Exact, finite, mul, negate, type Rounding, round, sqrt, unpack } from "./exact/exact.ts";
import { clampOf, type Effect, flushOf, isOob, same } from "./format/effects.ts";
import { codes, type Format, f32 } from "./format/format.ts";
import { type FloatMode, nameOf } from "./mode.ts";
import type { Bits, Op } from "./op.ts";

/** a + b (9.7.3, 9.7.4.1, 9.7.5.1). With `from`, a is of that format and converted exactly. */
export const fadd = (f: Format, mode: FloatMode = {}): Op =>
  operation("add", f, [mode.from ?? f, f], mode, (a, b, _, rnd) => add(a, b, rnd), fastAdd);

/** a - b (9.7.3, 9.7.4.2, 9.7.5.2), with `from` as in `fadd`. */
export const fsub = (f: Format, mode: FloatMode = {}): Op =>
  operation("sub", f, [mode.from ?? f, f], mode, (a, b, _, rnd) => add(a, negate(b), rnd), fastSub);

/** a * b (9.7.3, 9.7.4.3). */
export const fmul = (f: Format, mode: FloatMode = {}): Op => operation("mul", f, [f, f], mode, mul, fastMul);

/** a * b + c, rounded once (9.7.3, 9.7.4.4, 9.7.5.3). With `from`, a and b are of that format. */
export const ffma = (f: Format, mode: FloatMode = {}): Op => {
  const from = mode.from ?? f;
  return operation("fma", f, [from, from, f], mode, (a, b, c, rnd) => add(mul(a, b), c, rnd), fastFma);
};

/** a / b, correctly rounded (div.rnd of 9.7.3). */
export const fdiv = (f: Format, mode: FloatMode = {}): Op => operation("div", f, [f, f], mode, div, fastDiv);

/**
 * div.approx.f32 (9.7.3): a * (1 / b). Where |b| is above 2^126 the reciprocal is flushed to 0, so that d is a zero, or NaN
 * for an infinite a; elsewhere the bound is 2 ulp, and ptxrun rounds the quotient correctly (grade open).
 */
export const fdivApprox = (mode: Pick<FloatMode, "ftz"> = {}): Op => {
  const { name, js, takes, gives } = fdiv(f32, mode);
  const divide = js as (a: number, b: number) => number;
  const { signBit, infinity, nan } = codes(f32);
  const magnitude = signBit - 1;
  return {
    name: name.replace("fdiv", "fdivApprox"),
    takes,
    gives,
    about: { kind: "arithmetic", operation: "div", format: f32, takes: [f32, f32], mode, mostDivisor: TWO_126 },
    js: (a: number, b: number) => {
      const size = b & magnitude;
      if (size <= TWO_126 || size >= infinity) return divide(a, b);
      return (a & magnitude) >= infinity ? nan : ((a ^ b) & signBit) >>> 0;
    },
  };
};

/** 2^126 as f32. */
const TWO_126 = 0x7e80_0000;

/** 1 / a, correctly rounded (rcp.rnd of 9.7.3). */
export const frcp = (f: Format, mode: FloatMode = {}): Op =>
  operation("rcp", f, [f], mode, (a) => div(ONE, a), fastRcp);

/** The square root of a, correctly rounded (sqrt.rnd of 9.7.3). */
export const fsqrt = (f: Format, mode: FloatMode = {}): Op => operation("sqrt", f, [f], mode, sqrt, fastSqrt);

const ONE = finite(false, 1n, 0);
const ZERO = finite(false, 0n, 0);

/** What an operation means on exact numbers; operands beyond its arity are 0. */
type Compute = (a: Exact, b: Exact, c: Exact, rnd: Rounding) => Exact;

/** The reference of an operation: unpack, compute, round once; of the effects only the flushing of results. */
function exactly(f: Format, takes: readonly Format[], mode: FloatMode, compute: Compute): Fast {
  const rnd = mode.rnd ?? "rn";
  const read = (operand: Bits, at: number): Exact => {
    const from = takes[at];
    return from ? unpack(from, BigInt(operand)) : ZERO;
  };
  const bits = (a: Bits, b: Bits, c: Bits): bigint =>
    round(f, rnd, compute(read(a, 0), read(b, 1), read(c, 2), rnd), mode.ftz);
  // A 64-bit format's values are bigints on both sides; `Fast` is typed for the others.
  return f.width === 64 ? (bits as unknown as Fast) : (a, b, c) => Number(bits(a, b, c));
}

function operation(
  what: (About & { kind: "arithmetic" })["operation"],
  f: Format,
  takes: readonly Format[],
  mode: FloatMode,
  compute: Compute,
  fastFor: FastFor,
): Op {
  const reference = exactly(f, takes, mode, compute);
  const fast = mode.reference ? undefined : fastFor(takes[0]!, f, mode.rnd ?? "rn");
  const kernel = fast && mode.ftz ? atBorder(f, fast, reference) : (fast ?? reference);
  return {
    name: nameOf(`f${what}`, f, mode),
    takes: takes.map(({ width }) => width),
    gives: f.width,
    js: withEffects(f, takes.length, mode, kernel),
    about: { kind: "arithmetic", operation: what, format: f, takes, mode },
  };
}

/**
 * Whether `.ftz` flushes a result is decided by the value before rounding (f16), or rounded as if the exponent had no
 * bound (f32); it is in doubt only where the rounded result is the smallest normal number.
 */
function atBorder(f: Format, fast: Fast, reference: Fast): Fast {
  const { signBit, normal } = codes(f);
  const flush = flushOf(f);
  return (a, b, c) => {
    const d = fast(a, b, c);
    return (d & (signBit - 1)) === normal ? reference(a, b, c) : flush(d);
  };
}

function withEffects(f: Format, arity: number, mode: FloatMode, kernel: Fast): Op["js"] {
  const { ftz, sat, relu, oob } = mode;
  if (f.width === 64) {
    if (ftz || sat || relu || oob) throw new Error("an operation on f64 with an effect");
    return kernel as Op["js"];
  }
  const before = ftz ? flushOf(f) : same;
  const after = clampOf(f, mode);
  const wrapped = around(arity, before, kernel, after);
  // +0 wins over every other rule, a NaN in c included; c itself does not count (grade open).
  return oob ? (a: number, b: number, c: number) => (isOob(a) || isOob(b) ? 0 : wrapped(a, b, c)) : wrapped;
}

function around(arity: number, before: Effect, kernel: Fast, after: Effect): Fast {
  if (before === same) return after === same ? kernel : (a, b, c) => after(kernel(a, b, c));
  switch (arity) {
    case 1:
      return (a, b, c) => after(kernel(before(a), b, c));
    case 2:
      return (a, b, c) => after(kernel(before(a), before(b), c));
    default:
      return (a, b, c) => after(kernel(before(a), before(b), before(c)));
  }
}
