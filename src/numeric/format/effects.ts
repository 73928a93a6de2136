import { codes, type Format } from "./format.ts";

/**
 * The effects that modifiers have on operands and results: functions from bits to bits, put around an operation once.
 * They exist for formats of up to 32 bits; no form of f64 has them.
 */
export type Effect = (bits: number) => number;

export const same: Effect = (bits) => bits;

/** `.ftz`: a subnormal becomes a zero of its sign. */
export function flushOf(f: Format): Effect {
  const { signBit, normal } = codes(f);
  const magnitude = signBit - 1;
  return (bits) => ((bits & magnitude) < normal ? (bits & signBit) >>> 0 : bits);
}

/** `.sat`: into [+0, 1]. NaN, -0 and all that is negative become +0 (grade manual; -0: ptxas, headers). */
function saturateOf(f: Format): Effect {
  const { signBit, infinity, one } = codes(f);
  return (bits) => (bits >= signBit || bits > infinity ? 0 : Math.min(bits, one));
}

/**
 * `.relu`: all that is negative, -0 included, becomes +0; NaN becomes the canonical NaN (grade manual; -0: ptxas, headers). Where
 * NaN is one code or none, it is canonical already.
 */
function reluOf(f: Format): Effect {
  const { signBit, infinity, nan } = codes(f);
  const magnitude = signBit - 1;
  if (f.specials !== "ieee") return (bits) => (bits >= signBit ? 0 : bits);
  return (bits) => ((bits & magnitude) > infinity ? nan : bits >= signBit ? 0 : bits);
}

/** `.pzo`: -0 becomes +0. */
function positiveZeroOf(f: Format): Effect {
  const { signBit } = codes(f);
  return (bits) => (bits === signBit ? 0 : bits);
}

type Clamps = { readonly [word in "sat" | "relu" | "pzo"]?: boolean | undefined };

/** What happens to a result: `.sat` or `.relu`, of which no form has both, or `.pzo`, to which `.relu` leaves nothing. */
export function clampOf(f: Format, { sat, relu, pzo }: Clamps): Effect {
  if (sat) return saturateOf(f);
  if (relu) return reluOf(f);
  return pzo ? positiveZeroOf(f) : same;
}
