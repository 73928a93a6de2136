import { chain, type Effect, flushOf, isOob, reluOf, same, saturateOf } from "./effects.ts";
import { add, div, type Exact, mul, negate, type Rounding, round, sqrt, unpack } from "./exact.ts";
import { type Fast, fastAdd, fastFma, fastMul } from "./fast.ts";
import { codes, type Format } from "./format.ts";
import { type FloatMode, nameOf } from "./mode.ts";
import type { Bits, Op } from "./op.ts";

/** a + b (9.7.3, 9.7.4.1, 9.7.5.1). With `from`, a is of that format and converted exactly. */
export const fadd = (f: Format, mode: FloatMode = {}): Op =>
  operation(
    "fadd",
    f,
    [mode.from ?? f, f],
    mode,
    (rnd) =>
      ([a, b]) =>
        add(a!, b!, rnd),
    fastAdd,
  );

/** a - b. A NaN operand gives the canonical NaN, so flipping the sign of b beforehand loses nothing. */
export const fsub = (f: Format, mode: FloatMode = {}): Op =>
  operation(
    "fsub",
    f,
    [mode.from ?? f, f],
    mode,
    (rnd) =>
      ([a, b]) =>
        add(a!, negate(b!), rnd),
    (from, to, rnd) => {
      const { signBit } = codes(to);
      const sum = fastAdd(from, to, rnd);
      return sum && ((a, b) => sum(a, (b ^ signBit) >>> 0, 0));
    },
  );

/** a * b (9.7.3, 9.7.4.3). */
export const fmul = (f: Format, mode: FloatMode = {}): Op =>
  operation(
    "fmul",
    f,
    [f, f],
    mode,
    () =>
      ([a, b]) =>
        mul(a!, b!),
    fastMul,
  );

/** a * b + c, rounded once (9.7.3, 9.7.4.4, 9.7.5.3). With `from`, a and b are of that format. */
export const ffma = (f: Format, mode: FloatMode = {}): Op => {
  const from = mode.from ?? f;
  return operation(
    "ffma",
    f,
    [from, from, f],
    mode,
    (rnd) =>
      ([a, b, c]) =>
        add(mul(a!, b!), c!, rnd),
    fastFma,
  );
};

/** a / b, correctly rounded (div.rnd). */
export const fdiv = (f: Format, mode: FloatMode = {}): Op =>
  operation(
    "fdiv",
    f,
    [f, f],
    mode,
    () =>
      ([a, b]) =>
        div(a!, b!),
  );

/** 1 / a, correctly rounded (rcp.rnd). */
export const frcp = (f: Format, mode: FloatMode = {}): Op => {
  const one: Exact = { kind: "finite", neg: false, sig: 1n, exp: 0 };
  return operation(
    "frcp",
    f,
    [f],
    mode,
    () =>
      ([a]) =>
        div(one, a!),
  );
};

/** The square root of a, correctly rounded (sqrt.rnd). */
export const fsqrt = (f: Format, mode: FloatMode = {}): Op =>
  operation(
    "fsqrt",
    f,
    [f],
    mode,
    () =>
      ([a]) =>
        sqrt(a!),
  );

type Compute = (operands: readonly Exact[]) => Exact;

/** The reference of an operation: unpack, compute, round once; no effects but the flushing of results. */
export function exactly(f: Format, takes: readonly Format[], mode: FloatMode, compute: Compute): Fast {
  const rnd = mode.rnd ?? "rn";
  const bits = (a: Bits, b: Bits, c: Bits): bigint => {
    const operands = [a, b, c].slice(0, takes.length);
    const exact = compute(operands.map((operand, at) => unpack(takes[at]!, BigInt(operand))));
    return round(f, rnd, exact, mode.ftz);
  };
  // A 64-bit format's values are bigints on both sides; `Fast` is typed for the others.
  return f.width === 64 ? (bits as unknown as Fast) : (a, b, c) => Number(bits(a, b, c));
}

function operation(
  what: string,
  f: Format,
  takes: readonly Format[],
  mode: FloatMode,
  computeWith: (rnd: Rounding) => Compute,
  fastFor?: (from: Format, to: Format, rnd: Rounding) => Fast | undefined,
): Op {
  const rnd = mode.rnd ?? "rn";
  const reference = exactly(f, takes, mode, computeWith(rnd));
  const fast = fastFor?.(takes[0]!, f, rnd);
  const kernel = fast && mode.ftz ? atBorder(f, fast, reference) : (fast ?? reference);
  return {
    name: nameOf(what, f, mode),
    takes: takes.map(({ width }) => width),
    gives: f.width,
    js: withEffects(f, takes.length, mode, kernel),
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
  const after = chain(sat ? saturateOf(f) : same, relu ? reluOf(f) : same);
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
