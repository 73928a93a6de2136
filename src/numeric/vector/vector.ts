import type { SaturatingInstruction, ScalarInstruction, VectorInstruction } from "../../wasm/instructions.ts";

/**
 * 128 bits: a value of four lanes of a warp, or of two lanes if it is 64 bits wide. A tree whose equal parts are one
 * object (`VectorMaker` sees to it). Closed data without effects, so that it may be computed anywhere and more than once.
 */
export type Vector =
  /** A value that the client supplies, such as an operand, by a number that the client chooses. */
  | { readonly node: "input"; readonly at: number }
  /** Four words, the first lowest. */
  | { readonly node: "constant"; readonly words: readonly [number, number, number, number] }
  /** One instruction of WebAssembly on v128 values. */
  | { readonly node: "op"; readonly name: PureInstruction; readonly parts: readonly Vector[] }
  /** All lanes by the same number of bits. */
  | { readonly node: "shift"; readonly name: ShiftInstruction; readonly of: Vector; readonly by: number }
  /** Sixteen bytes of two values, by number: the second's begin at 16. */
  | { readonly node: "shuffle"; readonly a: Vector; readonly b: Vector; readonly bytes: readonly number[] }
  /** Lane by lane, for what has no instruction on vectors: `run` on the lanes of the parts. */
  | { readonly node: "lanes"; readonly shape: LaneShape; readonly parts: readonly Vector[]; readonly run: Scalar }
  /**
   * `usual`; but if any bit of `when` is set, the function `instead` computes the complete vector from `inputs`. For
   * cases that are rare and take much code.
   */
  | {
      readonly node: "rarely";
      readonly when: Vector;
      readonly usual: Vector;
      readonly instead: VectorFunction;
      readonly inputs: readonly Vector[];
    };

/** Instructions from one to three v128 to one. */
export type PureInstruction = Exclude<
  VectorInstruction,
  ShiftInstruction | `${string}.splat` | `${string}_true` | `${string}.bitmask`
>;
export type ShiftInstruction = Extract<VectorInstruction, `${string}.shl` | `${string}.shr_s` | `${string}.shr_u`>;

/** How a value is cut into lanes: the type of what `Scalar` sees. */
export type LaneShape = "i32x4" | "i64x2" | "f32x4" | "f64x2";

/** A function of a module from `takes` v128 to one: its inputs are numbered from 0. */
export interface VectorFunction {
  /** Different functions have different names. */
  readonly name: string;
  readonly takes: number;
  readonly gives: Vector;
}

/** The function of one lane of each part; its result has the shape's type. */
export type Scalar =
  | { readonly code: "part"; readonly at: number }
  | { readonly code: "i32"; readonly value: number }
  | { readonly code: "i64"; readonly value: bigint }
  | { readonly code: "f32" | "f64"; readonly value: number }
  | {
      readonly code: "op";
      readonly name: Exclude<ScalarInstruction, "drop" | "unreachable" | "return"> | SaturatingInstruction;
      readonly parts: readonly Scalar[];
    };

/**
 * What four lanes hold of an operand or of a result, by its width: bits of up to 32 lie in one vector, a lane each,
 * zero-extended; those of 64 bits in two, the first with lanes 0 and 1. A predicate is one vector, all bits of a lane
 * set or none.
 */
export type Value = Vector | Wide;
export type Wide = readonly [Vector, Vector];

export const isWide = (value: Value): value is Wide => Array.isArray(value);
