import type { TensorReduction } from "../../contract/plan/plan-tensor-memory.ts";

/** The NaN that results are (PTX ISA 9.7.3). */
const NAN = 0x7fff_ffff;
const SIGN = 0x8000_0000;

/**
 * What tcgen05.ld.red makes of the words of one lane (9.7.17.8.3): the least or greatest, of floats as min.f32 and max.f32
 * order them: -0 below +0, and a NaN only where all are one, or with `.NaN` where one is.
 */
export function reducer({ op, type, abs, nan }: TensorReduction): (words: Uint32Array) => number {
  const key = keys[type];
  const sign = op === "min" ? -1 : 1;
  const isNan = (word: number): boolean => type === "f32" && (word & 0x7fff_ffff) > 0x7f80_0000;
  return (words) => {
    let best: number | undefined;
    let unordered = false;
    for (const each of words) {
      const word = abs ? (each & ~SIGN) >>> 0 : each;
      if (isNan(word)) unordered = true;
      else if (best === undefined || sign * (key(word) - key(best)) > 0) best = word;
    }
    return best === undefined || (unordered && nan) ? NAN : best;
  };
}

/** Numbers in the order of what the words mean. */
const keys: Readonly<Record<TensorReduction["type"], (word: number) => number>> = {
  u32: (word) => word >>> 0,
  s32: (word) => word | 0,
  // The bits of floats of one sign are in the order of their sizes.
  f32: (word) => (word & SIGN ? -1 - (word & 0x7fff_ffff) : word),
};
