import { fromF32, toF32 } from "./binary64/double.ts";
import { exp2, log2, tanh } from "./binary64/elementary.ts";
import { cos, sin } from "./binary64/sincos-reduction.ts";
import { type Exact, round, rsqrt, unpack } from "./exact/exact.ts";
import { exactLog2 } from "./exact/logarithm.ts";
import { exactExp2, exactTanh } from "./exact/transcendental.ts";
import { exactCos, exactSin } from "./exact/trigonometry.ts";
import { flushOf, same } from "./format/effects.ts";
import { codes, type Format, f32 } from "./format/format.ts";
import type { Op } from "./op.ts";

/**
 * The `.approx` functions. The manual only bounds their error and the hardware's bits are not recorded (grade open);
 * ptxrun rounds them correctly, to nearest even, which every bound allows:
 *
 * | form | bound (doc) |
 * |---|---|
 * | tanh.approx.f16 | absolute 2^-10.987 |
 * | tanh.approx.bf16 | absolute 2^-8 |
 * | tanh.approx.f32 | relative 2^-11 |
 * | ex2.approx.f16 | relative 2^-9.9 |
 * | ex2.approx.ftz.bf16 | relative 2^-7 |
 * | ex2.approx.f32 | relative 2^-22 |
 * | lg2.approx.f32 | absolute 2^-22 between 0.5 and 2, relative 2^-22 elsewhere |
 * | sin.approx.f32, cos.approx.f32 | absolute 2^-20.5 up to 2 pi, 2^-14.7 up to 100 pi, none beyond |
 * | rsqrt.approx.f32 | relative 2^-22.9 |
 * | rcp.approx.f32 | 1 ulp |
 * | sqrt.approx.f32 | relative 2^-23 |
 * | div.approx.f32, div.full.f32 | 2 ulp |
 *
 * The last three are the correctly rounded operations of `arithmetic.ts`.
 */
interface ApproxMode {
  /** Subnormal operands count as zeros of their sign, and subnormal results become them. */
  readonly ftz?: boolean | undefined;
  /** Leaves the fast path out; tests compare the two. */
  readonly reference?: boolean | undefined;
}

/** tanh a (9.7.3, 9.7.4.9). */
export const ftanh = (f: Format, mode: ApproxMode = {}): Op => approximation("ftanh", f, mode, exactTanh, tanh);

/** 2^a (9.7.3, 9.7.4.10). */
export const fex2 = (f: Format, mode: ApproxMode = {}): Op => approximation("fex2", f, mode, exactExp2, exp2);

/** The logarithm of a to base 2 (9.7.3); NaN for what is negative. */
export const flg2 = (f: Format, mode: ApproxMode = {}): Op => approximation("flg2", f, mode, exactLog2, log2);

/** sin a, a in radians (9.7.3). */
export const fsin = (f: Format, mode: ApproxMode = {}): Op => approximation("fsin", f, mode, exactSin, sin);

/** cos a, a in radians (9.7.3). */
export const fcos = (f: Format, mode: ApproxMode = {}): Op => approximation("fcos", f, mode, exactCos, cos);

/** 1 / the square root of a (9.7.3). */
export const frsqrt = (f: Format, mode: ApproxMode = {}): Op =>
  approximation("frsqrt", f, mode, rsqrt, (x) => 1 / Math.sqrt(x));

/** A function on doubles that hold a number of f32, within 2^-41 of the true value, relatively. */
type Quick = (x: number) => number;

function approximation(what: string, f: Format, mode: ApproxMode, compute: (x: Exact) => Exact, quick: Quick): Op {
  const { ftz = false, reference } = mode;
  const signature = {
    name: `${what}.${f.name}${ftz ? ".ftz" : ""}`,
    takes: [f.width],
    gives: f.width,
    about: { kind: "function", operation: what.slice(1), format: f, ftz, exactly: compute } as const,
  };
  const bits = (a: number | bigint): bigint => round(f, "rn", compute(unpack(f, BigInt(a))), ftz);
  if (f.width === 64) return { ...signature, js: bits };
  const before = ftz ? flushOf(f) : same;
  const evaluate = (a: number): number => Number(bits(before(a)));
  if (reference) return { ...signature, js: evaluate };
  return { ...signature, js: f === f32 ? settled(quick, evaluate, ftz) : remembered(signature.name, evaluate) };
}

/** More than what a `Quick` may be off. */
const TOLERANCE = 2 ** -40;

/**
 * Rounds what `quick` gives to f32 where its error cannot matter: where both ends of the interval that holds the true
 * value have the same code. Elsewhere, about once in 2^15 values, the exact function decides.
 */
function settled(quick: Quick, evaluate: (a: number) => number, ftz: boolean): (a: number) => number {
  const flush = ftz ? flushOf(f32) : same;
  const { signBit, normal } = codes(f32);
  return (a) => {
    const value = quick(fromF32(flush(a)));
    const margin = value * TOLERANCE;
    const d = toF32(value);
    // 0, infinity and NaN are exact.
    if (!(margin > 0 || margin < 0) || !Number.isFinite(margin)) return d;
    if (toF32(value - margin) !== toF32(value + margin)) return evaluate(a);
    if (!ftz) return d;
    // Whether a result is subnormal is decided before the exponent has a bound (see `arithmetic.ts`).
    return (d & (signBit - 1)) === normal ? evaluate(a) : flush(d);
  };
}

/** Results of 16-bit forms, computed once an input is met; one more than the code, since 0 means not yet. */
const caches = new Map<string, Uint32Array>();

function remembered(name: string, evaluate: (a: number) => number): (a: number) => number {
  const cache = caches.get(name) ?? new Uint32Array(0x10000);
  caches.set(name, cache);
  return (a) => {
    const known = cache[a]!;
    if (known) return known - 1;
    const result = evaluate(a);
    cache[a] = result + 1;
    return result;
  };
}
