import type { Rounding } from "../exact/exact.ts";
import type { FloatName, TypeName } from "./type.ts";

/**
 * An exact expression: what an instruction means before its result becomes bits. Numbers are integers without bounds
 * or reals with the infinities and NaN; an integer beside a real counts as a real. Nothing is rounded, wrapped or cut
 * unless a node says so. Closed data: each interpreter is one exhaustive switch over `node`.
 */
export type Expression =
  /** An operand, read by its type. */
  | { readonly node: "argument"; readonly name: string }
  /** An operand's bits as an unsigned integer, whatever its type. */
  | { readonly node: "bits"; readonly name: string }
  | { readonly node: "integer"; readonly value: bigint }
  | { readonly node: Binary; readonly a: Expression; readonly b: Expression }
  /** The lesser or greater; of reals -0 is below +0, and a NaN yields the other operand unless it `propagate`s. */
  | { readonly node: "min" | "max"; readonly a: Expression; readonly b: Expression; readonly propagate?: true }
  | { readonly node: Unary; readonly a: Expression }
  /** `a * 2^by`, and `a / 2^by` rounded toward -infinity; `by` is not negative. */
  | { readonly node: "shl" | "shr"; readonly a: Expression; readonly by: Expression }
  /** Zeros above the highest 1 of an unsigned number of `bits` bits; its bits in reverse. */
  | { readonly node: "clz" | "reverse"; readonly a: Expression; readonly bits: number }
  /** `bits` bits from bit `low` on, as a number with or without sign; an integer's sign goes on for ever above it. */
  | {
      readonly node: "slice";
      readonly a: Expression;
      readonly low: Expression;
      readonly bits: Expression;
      readonly signed: boolean;
    }
  /** Unsigned numbers of so many bits side by side, the highest first. */
  | { readonly node: "concat"; readonly parts: readonly { readonly of: Expression; readonly bits: number }[] }
  /** 1 where it holds, else 0. */
  | { readonly node: "relation"; readonly relation: Relation; readonly a: Expression; readonly b: Expression }
  /** 1 where a real has the property, else 0. */
  | { readonly node: "is"; readonly property: Property; readonly a: Expression }
  | { readonly node: "select"; readonly when: Expression; readonly yes: Expression; readonly no: Expression }
  /** A function of a real, to as many digits as rounding needs. */
  | { readonly node: "function"; readonly name: FunctionName; readonly a: Expression }
  /** A real rounded to an integer; infinities and NaN stay, a zero keeps its sign. */
  | { readonly node: "integral"; readonly rnd: Rounding; readonly a: Expression }
  /** `.ftz`: an operand of a float type that is subnormal counts as a zero of its sign. */
  | { readonly node: "flush"; readonly name: string }
  /** The bits of an unsigned number read as a value of the type. */
  | { readonly node: "as"; readonly type: TypeName; readonly a: Expression }
  /** A real with this sign: negative where `negative` is 1. */
  | { readonly node: "signed"; readonly a: Expression; readonly negative: Expression }
  /** Where the `count`-th 1 of 32 bits is, counted from bit `from` upward, or downward where count is negative; -1 if nowhere. */
  | { readonly node: "nth"; readonly a: Expression; readonly from: Expression; readonly count: Expression }
  /** A real rounded into a format in between: vISA executes in one type and writes another. */
  | { readonly node: "rounded"; readonly result: RoundResult }
  /** The same number, under the name that a derivation shows. */
  | { readonly node: "label"; readonly label: string; readonly a: Expression };

/**
 * `div` and `rem` of integers cut toward zero, and never divide by 0: an entry handles that case explicitly. `clmul` is the
 * product of two unsigned numbers without carries: of polynomials over the field of 0 and 1.
 */
export type Binary = "add" | "sub" | "mul" | "div" | "rem" | "and" | "or" | "xor" | "clmul";
/** `not` turns every bit of an integer over, -a - 1; `popc` counts the 1s of an unsigned one. */
export type Unary = "neg" | "abs" | "sqrt" | "not" | "popc";

export type IntegerRelation = "eq" | "ne" | "lt" | "le" | "gt" | "ge";
/** With a `u` it holds for a NaN too; `num` and `nan` ask for that alone. `ne` does not hold for a NaN. */
export type Relation = IntegerRelation | "equ" | "neu" | "ltu" | "leu" | "gtu" | "geu" | "num" | "nan";

/** What `testp` asks; a zero counts as normal. Of an operand: its format decides what is subnormal. */
export type Property = "finite" | "infinite" | "number" | "notanumber" | "normal" | "subnormal";

export type FunctionName = "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh";

/** A real rounded once into a format, then the modifiers' effects in this order: ftz, then sat or relu, then pzo. */
export interface RoundResult {
  readonly into: "round";
  readonly format: FloatName;
  /** `rs` adds `chance` below the last place and cuts. */
  readonly rnd: Rounding | "rs";
  /** A tiny result is a zero of its sign. Operands are flushed where the expression says so. */
  readonly ftz?: true;
  /** Into [+0, 1]; NaN becomes +0. */
  readonly sat?: true;
  /** What is negative, -0 too, becomes +0; NaN the canonical NaN. */
  readonly relu?: true;
  /** What is too large, infinities included, becomes the largest number of its sign. */
  readonly satfinite?: true;
  /** A zero is +0, whatever it was rounded from. */
  readonly pzo?: true;
  /** With `rs`: an unsigned number of `bits` bits. */
  readonly chance?: { readonly of: Expression; readonly bits: number };
  readonly of: Expression;
  /** The hardware only approximates this; ptxrun rounds the true value (grade unspecified). */
  readonly approximate?: true;
}
