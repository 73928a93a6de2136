import { type Interval, ofBits, within } from "../../lower/exact/interval.ts";
import type { Expression } from "../../operation/expression.ts";
import type { VectorMaker } from "../maker.ts";
import type { Vector, Wide } from "../vector.ts";

/** Expressions of integers as vectors: rules for one kind of node use this to lower its parts. */
export interface Integers {
  readonly make: VectorMaker;
  /** Where every value of an expression lies. */
  interval(x: Expression): Interval | undefined;
  /**
   * Four words that are congruent modulo 2^bits, by default 32. The word of a number that fits 32 bits, with sign or
   * without, is the number itself.
   */
  word(x: Expression, bits?: number): Vector | undefined;
  /** Four numbers of 64 bits that are congruent modulo 2^64. */
  pair(x: Expression): Wide | undefined;
  /** All bits of a lane where the expression is not 0, else none. */
  mask(x: Expression): Vector | undefined;
}

export const signed32: Interval = ofBits(32n, true);
export const unsigned32: Interval = ofBits(32n, false);
export const signed64: Interval = ofBits(64n, true);
export const unsigned64: Interval = ofBits(64n, false);
export const boolean: Interval = ofBits(1n, false);

/** Does every value of the expression lie in the interval? */
export function fits({ interval }: Pick<Integers, "interval">, x: Expression, outer: Interval): boolean {
  const own = interval(x);
  return own !== undefined && within(own, outer);
}

/** How the bits of a vector are read: so wide, with or without sign. */
export interface Domain {
  readonly bits: 32 | 64;
  readonly signed: boolean;
}

const domains: readonly (readonly [Domain, Interval])[] = [
  [{ bits: 32, signed: true }, signed32],
  [{ bits: 32, signed: false }, unsigned32],
  [{ bits: 64, signed: true }, signed64],
  [{ bits: 64, signed: false }, unsigned64],
];

/** The cheapest reading that holds every value of all the expressions. */
export const domainOf = (integers: Integers, ...all: readonly Expression[]): Domain | undefined =>
  domains.find(([, interval]) => all.every((x) => fits(integers, x, interval)))?.[0];

export const isInteger = (x: Expression, value: bigint): boolean => x.node === "integer" && x.value === value;

/** An expression without its labels. */
export const unlabelled = (x: Expression): Expression => (x.node === "label" ? unlabelled(x.a) : x);

/** What a sum is made of. */
export const termsOf = (x: Expression): readonly Expression[] => {
  const of = unlabelled(x);
  return of.node === "add" ? [...termsOf(of.a), ...termsOf(of.b)] : [of];
};

export const mapped = <T, R>(x: T | undefined, to: (x: T) => R): R | undefined => (x === undefined ? undefined : to(x));
