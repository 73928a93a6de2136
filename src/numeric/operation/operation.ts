import type { Expression, RoundResult } from "./expression.ts";
import type { TypeName } from "./type.ts";

/**
 * What an instruction computes from its operands, for one lane: an exact expression, and the one place where the number
 * becomes bits. Pure data, so that the reference, the fast loops, the derivation, one line of text and a compiler all
 * read the same meaning.
 */
export interface Operation {
  /** The operands in their order. */
  readonly takes: readonly Argument[];
  readonly gives: TypeName;
  readonly result: Result;
}

export interface Argument {
  readonly name: string;
  readonly type: TypeName;
}

/** How an exact number becomes bits. */
export type Result =
  /** An integer modulo 2^width. */
  | { readonly into: "wrap"; readonly type: TypeName; readonly of: Expression }
  /** The nearest number of an integer type; what is given is an integer, an infinity, or a real that is whole. */
  | { readonly into: "clamp"; readonly type: TypeName; readonly of: Expression }
  /** An unsigned integer modulo 2^width; where `out`, the bit above is the new CC.CF. The operand `CF` is the old one. */
  | { readonly into: "carry"; readonly type: TypeName; readonly of: Expression; readonly out: boolean }
  | RoundResult
  /** 1 where the expression is not 0. */
  | { readonly into: "predicate"; readonly of: Expression }
  | { readonly into: "choose"; readonly when: Expression; readonly yes: Result; readonly no: Result }
  | LanesResult;

/** The same operation on slices of the operands: packed halves, bytes of a SIMD video instruction. */
export interface LanesResult {
  readonly into: "lanes";
  /** One operation a lane; they differ only where an instruction's lanes do. */
  readonly lanes: readonly Lane[];
  /** The bits that no lane writes; by default 0. */
  readonly onto?: Expression;
}

/** One lane: which bits its operation takes, and where its result lies. */
export interface Lane {
  readonly operation: Operation;
  /** For each operand of the operation, in their order. */
  readonly takes: readonly Slice[];
  readonly low: number;
  readonly bits: number;
}

/** `bits` bits of the operand `of` from bit `low` on. */
export interface Slice {
  readonly of: string;
  readonly low: number;
  readonly bits: number;
}
