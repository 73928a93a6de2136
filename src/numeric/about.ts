import type { FloatRelation, IntRelation } from "./compare.ts";
import type { ConvertMode, NumberType } from "./convert-mode.ts";
import type { Exact } from "./exact/exact.ts";
import type { Format } from "./format/format.ts";
import type { IntType } from "./integer.ts";
import type { FloatMode } from "./mode.ts";
import type { Op } from "./op.ts";
import type { Property } from "./property.ts";

/** What an operation is, as data, for whoever explains it or proves it against the reference; `js` is the meaning. */
export type About =
  /** One exact result, rounded once. Operands are of `takes`, the result of `format`. */
  | {
      readonly kind: "arithmetic";
      readonly operation: "add" | "sub" | "mul" | "fma" | "div" | "rcp" | "sqrt";
      readonly format: Format;
      readonly takes: readonly Format[];
      readonly mode: FloatMode;
      /** A divisor above this magnitude counts as infinite (div.approx). */
      readonly mostDivisor?: number;
    }
  /** A function whose result ptxrun rounds to nearest even although the hardware only approximates it. */
  | {
      readonly kind: "function";
      readonly operation: string;
      readonly format: Format;
      readonly ftz: boolean;
      /** More digits of the true value than the format has. */
      readonly exactly: (x: Exact) => Exact;
    }
  | {
      readonly kind: "extremum";
      readonly least: boolean;
      readonly format: Format;
      readonly mode: FloatMode;
      readonly arity: 2 | 3;
      /** Of the magnitudes. */
      readonly abs?: boolean | undefined;
    }
  | {
      readonly kind: "sign";
      readonly operation: "neg" | "abs" | "copysign";
      readonly format: Format;
      readonly ftz: boolean;
    }
  | { readonly kind: "property"; readonly format: Format; readonly property: Property }
  | {
      readonly kind: "float relation";
      readonly format: Format;
      readonly relation: FloatRelation;
      readonly ftz: boolean;
    }
  | { readonly kind: "integer relation"; readonly type: IntType; readonly relation: IntRelation }
  /** set: a relation, perhaps combined with a predicate, as a number. */
  | {
      readonly kind: "set";
      readonly of: Op;
      readonly yes: number;
      readonly combine?: "and" | "or" | "xor" | undefined;
    }
  /** slct: a where c is at least 0. */
  | { readonly kind: "slct"; readonly atLeastZero: Op }
  | { readonly kind: "conversion"; readonly from: NumberType; readonly to: NumberType; readonly mode: ConvertMode }
  /** cvt.rs: numbers of f32, and random bits in the last operand, `chanceBits` of them for each lane. */
  | {
      readonly kind: "random";
      readonly format: Format;
      readonly mode: Pick<ConvertMode, "relu" | "satfinite">;
      readonly chanceBits: number;
      readonly lanes: readonly RandomLane[];
    }
  /** One operation on each slice of the operands. */
  | { readonly kind: "lanes"; readonly of: Op; readonly lanes: readonly Lane[] };

/** One lane of a stochastic rounding: which operand, where its result lies, and its part of the random bits. */
export interface RandomLane {
  readonly operand: number;
  readonly low: number;
  readonly bits: number;
  readonly chance: (random: number) => number;
}

/** `bits` bits of an operand from bit `low` on. */
export interface Slice {
  readonly operand: number;
  readonly low: number;
  readonly bits: number;
}

/** Which slices one lane takes, and where its result lies. */
export interface Lane {
  readonly takes: readonly Slice[];
  readonly low: number;
  readonly bits: number;
}
