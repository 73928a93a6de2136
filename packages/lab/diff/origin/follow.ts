import type { Program } from "../../../../src/interp/contract/program.ts";
import type { CodeMap } from "./code-map.ts";
import type { ThreadTrace } from "./step.ts";

/** The actions of one thread in two runs, and the mapping between their programs. */
export interface Both {
  readonly a: OneRun;
  readonly b: OneRun;
  readonly map: CodeMap;
}

export interface OneRun {
  readonly program: Program;
  readonly trace: ThreadTrace;
  /** Makes an address of a buffer equal in both runs; other bits stay unchanged. */
  readonly plain: (bits: bigint) => bigint;
}

/**
 * Where the difference comes from, steps by their index: `here`, when a step of each run had the same operands and
 * another result, or one run has a step that the other lacks; from memory, that two loads have read at one place; from
 * another lane of the warp.
 */
export type From =
  | {
      readonly kind: "here";
      readonly why: Why;
      readonly a?: number;
      readonly b?: number;
      /** For control flow: the branches that diverged. */
      readonly branch?: { readonly a?: number; readonly b?: number };
      /** The comparisons and branches before them. */
      readonly way?: { readonly a?: readonly number[]; readonly b?: readonly number[] };
    }
  | { readonly kind: "memory"; readonly a: number; readonly b: number }
  | { readonly kind: "lanes"; readonly lane: number; readonly a: number; readonly b: number };

/** `course`: the runs take different branches after these steps. */
export type Why = "operation" | "operand" | "guard" | "course" | "only";

/**
 * The chain of steps from `to` on that a later one depends on, both included; nothing if there is no such
 * dependence.
 */
export function pathBack({ steps }: ThreadTrace, from: number, to: number): readonly number[] {
  const next = new Map<number, number>();
  const queue = [from];
  for (let at = queue.shift(); at !== undefined && next.size < 100_000; at = queue.shift()) {
    if (at === to) {
      const path = [at];
      for (let behind = next.get(at); behind !== undefined; behind = next.get(behind)) path.push(behind);
      return path;
    }
    const step = steps[at];
    for (const each of [...(step?.from ?? []), step?.guardFrom]) {
      if (each === undefined || each < to || each === from || next.has(each)) continue;
      next.set(each, at);
      queue.push(each);
    }
  }
  return [];
}
