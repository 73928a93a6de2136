import { fromF64, toF64 } from "./binary64/double.ts";
import { div, type Exact, finite, round, rsqrt, unpack } from "./exact/exact.ts";
import { f64, f64Upper } from "./format/format.ts";
import type { Op } from "./op.ts";

/**
 * rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 (9.7.3): they read the upper word of a, a number of 1.11.20 bits, and
 * write the upper word of d; the lower word is not read and becomes 0. Subnormal operands count as zeros of their sign,
 * subnormal results become them. The manual calls the result a gross approximation and gives no bound; ptxrun rounds
 * to the nearest number of 1.11.20 bits, ties to even (grade open).
 */
const upper = f64Upper;

interface GrossMode {
  /** Leaves the fast path out; tests compare the two. */
  readonly reference?: boolean | undefined;
}

/** 1 / a. */
export const frcpGross = (mode: GrossMode = {}): Op =>
  gross(
    "frcpGross",
    mode,
    (a) => div(finite(false, 1n, 0), a),
    (x) => 1 / x,
  );

/** 1 / the square root of a; NaN for what is negative, an infinity of its sign for a zero. */
export const frsqrtGross = (mode: GrossMode = {}): Op => gross("frsqrtGross", mode, rsqrt, (x) => 1 / Math.sqrt(x));

const EXPONENT = 0x7ff0_0000_0000_0000n;
const SIGN = 0x8000_0000_0000_0000n;
const HALF = 0x8000_0000;

function gross(what: string, mode: GrossMode, compute: (a: Exact) => Exact, quick: (x: number) => number): Op {
  const flush = (bits: bigint): bigint => ((bits & EXPONENT) === 0n ? bits & SIGN : bits & ~0xffff_ffffn);
  const evaluate = (a: bigint): bigint => round(upper, "rn", compute(unpack(upper, flush(a))), true);
  const js = (a: bigint): bigint => {
    const bits = toF64(quick(fromF64(flush(a))), f64.nan);
    const rest = Number(bits & 0xffff_ffffn);
    // `quick` is off by a unit or two of the last place: only near a tie does that decide.
    if (Math.abs(rest - HALF) < 8) return evaluate(a);
    return flush(rest > HALF ? bits + 0xffff_ffffn : bits);
  };
  return {
    name: `${what}.f64.ftz`,
    takes: [64],
    gives: 64,
    about: {
      kind: "function",
      operation: what.slice(1).replace("Gross", ""),
      format: upper,
      ftz: true,
      exactly: compute,
    },
    js: mode.reference ? evaluate : js,
  };
}
