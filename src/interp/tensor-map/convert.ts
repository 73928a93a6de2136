import type { TensorElement } from "./element.ts";
import type { Fill } from "./tensor-map.ts";

/**
 * What out-of-bounds elements are filled with: zeros, or the NaN that `fma.oob` knows. Only its half-precision pattern
 * 0x7ff7 is known (see `fma.rn.oob`); those of wider types are by analogy.
 */
export function fillOf({ global, float }: TensorElement, fill: Fill): bigint {
  if (fill === "zero" || !float) return 0n;
  const bits = BigInt(global * 8);
  return (1n << (bits - 1n)) - 9n;
}

/**
 * How a load converts the 32 bits of an element on its way to shared memory: `.ftz` types lose subnormals, tf32 is
 * rounded to nearest even with its low 13 bits 0 (PTX ISA 5.5.1). Undefined for types that are copied unchanged.
 */
export function converterOf({ name }: TensorElement): ((bits: number) => number) | undefined {
  if (name === "f32.ftz") return flushed;
  if (name === "tf32") return rounded;
  return name === "tf32.ftz" ? (bits) => rounded(flushed(bits)) : undefined;
}

const flushed = (bits: number): number => ((bits & 0x7f80_0000) === 0 ? (bits & 0x8000_0000) >>> 0 : bits);

function rounded(bits: number): number {
  if ((bits & 0x7f80_0000) === 0x7f80_0000) return (bits & 0x7f_ffff) === 0 ? bits : 0x7fff_e000;
  return ((bits + 0xfff + ((bits >>> 13) & 1)) & 0xffff_e000) >>> 0;
}
