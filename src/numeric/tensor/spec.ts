import type { ElementType, ScaleType } from "./element.ts";
import type { Unit } from "./rules.ts";

/** A matrix multiply-accumulate as data: D = A * B + C. */
export interface TileSpec {
  /** Rows of A, C and D. */
  readonly m: number;
  /** Columns of B, C and D. */
  readonly n: number;
  /** Elements of a row of A and of a column of B; with a sparse A those that were selected. For b1 it counts bits, a multiple of 32. */
  readonly k: number;
  readonly unit: Unit;
  readonly a: ElementType;
  readonly b: ElementType;
  readonly c: ElementType;
  readonly d: ElementType;
  /** mma.m8n8k4 of .f16, which not every target has tensor cores for. */
  readonly shape?: "m8n8k4";
  /**
   * Block scale (PTX ISA, Block Scaling for mma.sync): `block` neighbouring elements along K share one scale; floats
   * with a D of f32 alone.
   */
  readonly scale?: Scale;
  /** Only for f64; by default `rn`. */
  readonly rounding?: "rn" | "rz" | "rm" | "rp";
  /** Integers: what leaves s32 becomes its nearest number; without it the sum wraps. */
  readonly satfinite?: boolean;
  /** b1: what happens to two bits before they are counted. */
  readonly bits?: "xor" | "and";
}

export interface Scale {
  /** `mxf8f6f4`, or `mxf4` for .kind::mxf4 and .kind::mxf4nvf4. */
  readonly kind: "mxf8f6f4" | "mxf4";
  readonly type: ScaleType;
  /** 64: one factor for all of K = 64. */
  readonly block: 16 | 32 | 64;
}

export type Elements = Uint32Array | BigUint64Array;

/**
 * Computes all of D. A is row-major, m * k; B is by column, n * k (column j is b[j * k .. j * k + k - 1]); C and D are row-major,
 * m * n. `element.ts` says what a word holds; f64 has BigUint64Array, all others Uint32Array. Scales: `scaleA` is
 * row-major, m * (k / block), `scaleB` by column, n * (k / block). D may be C: an element of C is read before that of
 * D is written. Nothing is allocated, nothing but D is written, nothing is kept.
 */
export type Tile = (
  a: Elements,
  b: Elements,
  c: Elements,
  d: Elements,
  scaleA?: Uint32Array,
  scaleB?: Uint32Array,
) => void;
