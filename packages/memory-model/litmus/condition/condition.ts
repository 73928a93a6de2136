import type { Span } from "../../../../src/source/source.ts";

/** A claim about a final state. */
export type Condition =
  | { readonly kind: "and" | "or"; readonly all: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition }
  | { readonly kind: "constant"; readonly value: boolean }
  | { readonly kind: "compare"; readonly by: Comparison; readonly left: Term; readonly right: Term };

export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** One side of a comparison. */
export type Term =
  /** A register of a thread, `P1:r0`, at its end. */
  | { readonly kind: "register"; readonly thread: string; readonly name: string; readonly span: Span }
  /** The value in memory at the end: `x`, `x[1]`. */
  | { readonly kind: "memory"; readonly name: string; readonly span: Span }
  /** An address: `&x`. */
  | { readonly kind: "address"; readonly name: string; readonly span: Span }
  /** How many threads wait for ever at a barrier: `deadlock` is that some do. */
  | { readonly kind: "waiting"; readonly span: Span }
  /** How many threads never end, as they wait or loop: `nontermination` is that some do not, `terminated` that all do. */
  | { readonly kind: "endless"; readonly span: Span }
  | { readonly kind: "number"; readonly value: bigint; readonly span: Span };

/** A term as tables call it. */
export const termText = (term: Term): string => {
  switch (term.kind) {
    case "register":
      return `${term.thread}:${term.name}`;
    case "memory":
      return term.name;
    case "address":
      return `&${term.name}`;
    case "waiting":
    case "endless":
      return term.kind;
    case "number":
      return String(term.value);
  }
};

/** All comparisons of a condition, in their order. */
export function comparisonsOf(condition: Condition): readonly Extract<Condition, { readonly kind: "compare" }>[] {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.all.flatMap(comparisonsOf);
    case "not":
      return comparisonsOf(condition.of);
    case "constant":
      return [];
    case "compare":
      return [condition];
  }
}

/** All terms of a condition, in their order. */
export const termsOf = (condition: Condition): readonly Term[] =>
  comparisonsOf(condition).flatMap(({ left, right }) => [left, right]);

/** Whether a condition asks who waits or loops for ever: others speak only of executions in which every thread ends. */
export const asksOfEnds = (condition: Condition): boolean =>
  termsOf(condition).some(({ kind }) => kind === "waiting" || kind === "endless");
