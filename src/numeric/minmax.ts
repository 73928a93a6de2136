import { flushOf, same } from "./format/effects.ts";
import { codes, type Format } from "./format/format.ts";
import { type FloatMode, nameOf } from "./mode.ts";
import type { Op } from "./op.ts";

/**
 * The smaller of a and b (9.7.3, 9.7.4.7). -0 is below +0. One NaN gives the other operand, two NaNs or `.NaN` the
 * canonical NaN (the manual's pseudo-code forgets an `else` there). `.xorsign.abs` takes magnitudes and gives the
 * result the XOR of both signs, a NaN's sign included (grade doc).
 */
export const fmin = (f: Format, mode: FloatMode = {}): Op => extremum("fmin", f, mode, true);

/** The larger of a and b; otherwise as `fmin`. */
export const fmax = (f: Format, mode: FloatMode = {}): Op => extremum("fmax", f, mode, false);

/**
 * The smallest of a, b and c (9.7.3): min of min(a, b) and c, so that one NaN, or two, give way to a number. `.abs` takes
 * magnitudes.
 */
export const fmin3 = (f: Format, mode: ExtremumMode = {}): Op => extremum3("fmin3", fmin, f, mode);

/** The largest of a, b and c; otherwise as `fmin3`. */
export const fmax3 = (f: Format, mode: ExtremumMode = {}): Op => extremum3("fmax3", fmax, f, mode);

interface ExtremumMode {
  readonly ftz?: boolean | undefined;
  readonly nan?: boolean | undefined;
  readonly abs?: boolean | undefined;
}

function extremum3(what: string, two: typeof fmin, f: Format, { abs, ...mode }: ExtremumMode): Op {
  const { js } = two(f, mode);
  const pick = js as (a: number, b: number) => number;
  const { signBit } = codes(f);
  const magnitude = signBit - 1;
  return {
    name: `${nameOf(what, f, mode, false)}${abs ? ".abs" : ""}`,
    takes: [f.width, f.width, f.width],
    gives: f.width,
    about: { kind: "extremum", least: what === "fmin3", format: f, mode, arity: 3, abs },
    js: abs
      ? (a: number, b: number, c: number) => pick(pick(a & magnitude, b & magnitude), c & magnitude)
      : (a: number, b: number, c: number) => pick(pick(a, b), c),
  };
}

function extremum(what: string, f: Format, mode: FloatMode, least: boolean): Op {
  const signature = {
    name: nameOf(what, f, mode, false),
    takes: [f.width, f.width],
    gives: f.width,
    about: { kind: "extremum", least, format: f, mode, arity: 2 } as const,
  };
  if (f.width === 64) return { ...signature, js: extremum64(f, mode, least) };
  const { signBit, infinity, nan } = codes(f);
  const magnitude = signBit - 1;
  const flush = mode.ftz ? flushOf(f) : same;
  // Sign and magnitude to an integer in the order of the values, with -0 just below +0.
  const rank = (x: number): number => (x >= signBit ? -1 - (x & magnitude) : x);
  const pick = (a: number, b: number): number => {
    const aNan = (a & magnitude) > infinity;
    const bNan = (b & magnitude) > infinity;
    if (aNan || bNan) return mode.nan || (aNan && bNan) ? nan : aNan ? b : a;
    return rank(a) < rank(b) === least ? a : b;
  };
  if (!mode.xorsignAbs) return { ...signature, js: (a: number, b: number) => pick(flush(a), flush(b)) };
  return {
    ...signature,
    js: (a: number, b: number) => {
      const d = pick(flush(a) & magnitude, flush(b) & magnitude);
      return d > infinity ? nan : (d | ((a ^ b) & signBit)) >>> 0;
    },
  };
}

function extremum64(f: Format, { ftz, nan, xorsignAbs }: FloatMode, least: boolean) {
  if (ftz || nan || xorsignAbs) throw new Error("min or max of f64 with an effect");
  const signBit = 1n << 63n;
  const infinity = 0x7ff0_0000_0000_0000n;
  const rank = (x: bigint): bigint => (x >= signBit ? signBit - 1n - x : x);
  return (a: bigint, b: bigint): bigint => {
    const aNan = (a & (signBit - 1n)) > infinity;
    const bNan = (b & (signBit - 1n)) > infinity;
    if (aNan || bNan) return aNan && bNan ? f.nan : aNan ? b : a;
    return rank(a) < rank(b) === least ? a : b;
  };
}
