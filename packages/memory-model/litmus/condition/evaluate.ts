import type { Comparison, Condition, Term } from "./condition.ts";

/** Looks up a term in one final state; numbers are literal. */
export type Lookup = (term: Exclude<Term, { readonly kind: "number" }>) => bigint;

/** Whether a condition is true of a final state. */
export function holds(condition: Condition, lookup: Lookup): boolean {
  switch (condition.kind) {
    case "and":
      return condition.all.every((each) => holds(each, lookup));
    case "or":
      return condition.all.some((each) => holds(each, lookup));
    case "not":
      return !holds(condition.of, lookup);
    case "constant":
      return condition.value;
    case "compare": {
      const value = (term: Term): bigint => (term.kind === "number" ? term.value : lookup(term));
      return compare(condition.by, value(condition.left), value(condition.right));
    }
  }
}

/**
 * Values of registers and memory are unsigned, and the widths of registers are not known here: a negative number equals
 * the value with the same bits in 16, 32 or 64 bits, and makes an ordering comparison signed.
 */
function compare(by: Comparison, left: bigint, right: bigint): boolean {
  if (left < 0n && right >= 0n) return compare(by, left, signedLike(right));
  if (right < 0n && left >= 0n) return compare(by, signedLike(left), right);
  switch (by) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
  }
}

/** The value as signed in the least width of 16, 32 and 64 bits that holds it. */
const signedLike = (value: bigint): bigint =>
  BigInt.asIntN([16, 32, 64].find((width) => value < 1n << BigInt(width)) ?? 64, value);
