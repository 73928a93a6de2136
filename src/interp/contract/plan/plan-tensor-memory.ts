import type { Preference } from "../../../numeric/tensor/two-of-four.ts";
import type { TensorShape } from "../matrix/tensor-fragments.ts";

/** The blocks of an instruction: only the block itself, or also its peer (`.cta_group`). */
export type CtaGroup = 1 | 2;

/** Element kinds of tcgen05.mma. */
export type TensorKind = "f16" | "tf32" | "f8f6f4" | "i8" | "ti16" | "mxf8f6f4" | "mxf4" | "mxf4nvf4";

/** The shape of a tcgen05.cp: rows of shared memory, and the lanes that receive them. */
export interface CopyShape {
  readonly rows: 4 | 32 | 64 | 128;
  /** Words of 32 bits in each row. */
  readonly columns: 4 | 8;
  /**
   * The lanes that receive each run of rows, relative to the lane of the address; the rows are divided into as many
   * equal runs as there are lists. `[[0, 64]]`: all rows, twice.
   */
  readonly to: readonly (readonly number[])[];
}

/** Plans of tcgen05. An address of tensor memory has the lane in its upper half. */
export type TensorMemoryPlan =
  /** `[a], n`: alloc; `t, n`: dealloc; no operands: relinquish_alloc_permit. */
  | {
      readonly shape: "tcgen05 alloc";
      readonly group: CtaGroup;
      readonly act: "alloc" | "dealloc" | "relinquish";
      readonly exclusive: boolean;
    }
  /** `{d, ...}{, x}, [t]{, half}`, x with `red`; with `compress` `{m, ...}, {d, ...}{, x}, [t]`. */
  | {
      readonly shape: "tcgen05 load";
      readonly form: TensorShape;
      readonly num: number;
      /** Each register holds the low halves of two neighbouring columns. */
      readonly packed: boolean;
      readonly red?: TensorReduction;
      /** Two of each four columns are kept in d, their indices of 2 bits in m. */
      readonly compress?: Preference;
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
      /** Elements of 4 or 6 bits are expanded to bytes. */
      readonly expand?: "b4x16_p64" | "b6x16_p32";
    }
  /** `[t]`. */
  | { readonly shape: "tcgen05 shift"; readonly group: CtaGroup }
  /** `[d], a, b ...`: its operands are in the order of `operands`. */
  | {
      readonly shape: "tcgen05 multiply";
      readonly group: CtaGroup;
      readonly kind: TensorKind;
      readonly ws: boolean;
      readonly sparse: boolean;
      readonly ashift: boolean;
      /** Elements of K under one scale: `.scale_vec` is the number of scales of K, `.blockN` the elements of each. */
      readonly scale?: TensorScale;
      /** The operands present, in the order of the syntax line. */
      readonly operands: readonly TensorOperand[];
    }
  /** `[mbar]{, mask}`. */
  | {
      readonly shape: "tcgen05 commit";
      readonly group: CtaGroup;
      readonly multicast: boolean;
      /** Only what mma reads of A in shared memory (`.sync_restrict::shared::read::mma::a`). */
      readonly readsOfA: boolean;
    }
  /** No operands. */
  | { readonly shape: "tcgen05 fence"; readonly when: "before" | "after" };

export type TensorScale = "1X" | "2X" | "4X" | "block16" | "block32";
export type TensorOperand = "d" | "a" | "b" | "meta" | "idesc" | "mask" | "p" | "scale" | "sa" | "sb" | "zeros";

/** The reduction of tcgen05.ld.red over the columns of a lane. */
export interface TensorReduction {
  readonly op: "min" | "max";
  readonly type: "u32" | "s32" | "f32";
  readonly abs: boolean;
  readonly nan: boolean;
}
