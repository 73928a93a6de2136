import type { TensorShape } from "../matrix/tensor-fragments.ts";

/** How many blocks an instruction concerns: its own, or its own and its peer's (`.cta_group`). */
export type CtaGroup = 1 | 2;

/** What tcgen05.mma multiplies. */
export type TensorKind = "f16" | "tf32" | "f8f6f4" | "i8" | "mxf8f6f4" | "mxf4" | "mxf4nvf4";

/** What tcgen05.cp moves: rows of shared memory, and which lanes get them. */
export interface CopyShape {
  readonly rows: 4 | 32 | 64 | 128;
  /** Words of 32 bits in each row. */
  readonly columns: 4 | 8;
  /**
   * The lanes at which each run of rows arrives, counted from the lane of the address; the rows are as many runs of equal
   * length as there are lists. `[[0, 64]]`: all rows, twice.
   */
  readonly to: readonly (readonly number[])[];
}

/** Plans of tcgen05. An address of tensor memory has the lane in its upper half. */
export type TensorMemoryPlan =
  /** `[a], n`: alloc; `t, n`: dealloc; no operands: relinquish_alloc_permit. */
  | { readonly shape: "tcgen05 alloc"; readonly group: CtaGroup; readonly act: "alloc" | "dealloc" | "relinquish" }
  /** `{d, ...}, [t]{, half}` or with `red` `{d, ...}, x, [t]{, half}`. */
  | {
      readonly shape: "tcgen05 load";
      readonly form: TensorShape;
      readonly num: number;
      /** Each register holds the low halves of two neighbouring columns. */
      readonly packed: boolean;
      readonly red?: TensorReduction;
    }
  /** `[t], {b, ...}` or `[t], half, {b, ...}`. */
  | { readonly shape: "tcgen05 store"; readonly form: TensorShape; readonly num: number; readonly packed: boolean }
  /** No operands: wait::ld, wait::st. */
  | { readonly shape: "tcgen05 wait"; readonly for: "ld" | "st" }
  /** `[t], s`: from shared memory, by a descriptor. */
  | {
      readonly shape: "tcgen05 copy";
      readonly group: CtaGroup;
      readonly form: CopyShape;
      /** Elements of 4 or 6 bits become bytes. */
      readonly expand?: "b4x16_p64" | "b6x16_p32";
    }
  /** `[t]`. */
  | { readonly shape: "tcgen05 shift"; readonly group: CtaGroup }
  /** `[d], a, b ...`: its operands stand as `operands` says. */
  | {
      readonly shape: "tcgen05 multiply";
      readonly group: CtaGroup;
      readonly kind: TensorKind;
      readonly ws: boolean;
      readonly sparse: boolean;
      readonly ashift: boolean;
      /** Elements of K under one scale: `.scale_vec` says how many scales K has, `.blockN` how many elements one has. */
      readonly scale?: TensorScale;
      /** Which of these operands stand where, in the order of the syntax line. */
      readonly operands: readonly TensorOperand[];
    }
  /** `[mbar]{, mask}`. */
  | { readonly shape: "tcgen05 commit"; readonly group: CtaGroup; readonly multicast: boolean }
  /** No operands. */
  | { readonly shape: "tcgen05 fence"; readonly when: "before" | "after" };

export type TensorScale = "1X" | "2X" | "4X" | "block16" | "block32";
export type TensorOperand = "d" | "a" | "b" | "meta" | "idesc" | "mask" | "p" | "scale" | "sa" | "sb" | "zeros";

/** What tcgen05.ld.red makes of the columns of a lane. */
export interface TensorReduction {
  readonly op: "min" | "max";
  readonly type: "u32" | "s32" | "f32";
  readonly abs: boolean;
  readonly nan: boolean;
}
