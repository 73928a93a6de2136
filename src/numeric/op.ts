import type { Operation } from "./operation/operation.ts";

/** How wide a value is, in bits; 1 is a predicate. Up to 32 bits are a `number` (unsigned), 64 and 128 a `bigint`. */
export type Width = 1 | 8 | 16 | 32 | 64 | 128;

/** A value as it crosses a module border: its bits, never a float. */
export type Bits = number | bigint;

/**
 * A named operation on bit patterns: the unit that every execution tier understands.
 *
 * `js` is the meaning. It gets and gives unsigned bits of the widths stated here, one lane at a time; a predicate is
 * 0 or 1. Two ops with one name must be the same operation, since a tier may have a faster loop for a name.
 */
export interface Op<F extends (...operands: never[]) => Bits = (...operands: never[]) => Bits> {
  readonly name: string;
  readonly takes: readonly Width[];
  readonly gives: Width;
  readonly js: F;
  /** Its meaning as data. */
  readonly operation?: Operation;
}

export type Op1<A extends Bits = number, D extends Bits = number> = Op<(a: A) => D>;
export type Op2<A extends Bits = number, D extends Bits = number> = Op<(a: A, b: A) => D>;
export type Op3<A extends Bits = number, D extends Bits = number> = Op<(a: A, b: A, c: A) => D>;

/**
 * An addition that takes the carry flag (0 or 1) last and gives one bit more than its width: the new carry on top.
 * For 32 bits that is a number below 2^33, for 64 a bigint below 2^65.
 */
export interface CarryOp {
  readonly name: string;
  readonly width: 32 | 64;
  readonly arity: 2 | 3;
  /** Its meaning as data. */
  readonly operation?: Operation;
  readonly js:
    | ((a: number, b: number, c: number, carry: number) => number)
    | ((a: bigint, b: bigint, c: bigint, carry: bigint) => bigint);
}
