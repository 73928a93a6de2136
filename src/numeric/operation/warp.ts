import type { Operation } from "./operation.ts";
import { textOf } from "./text.ts";

/**
 * What lanes of a warp compute from each other's operands (PTX ISA, shfl.sync, vote.sync and others), as data. All
 * lanes of the membermask have reconverged by then; other lanes take no part.
 */
export type WarpOperation =
  /** The lanes only wait for each other. */
  | { readonly among: "sync" }
  /**
   * `d|p, a, b, c`: d is a of the lane that `source` says, p whether that lane is `inRange`; where it is not, a lane
   * keeps its own a. Both are computed from the operands `lane`, `b`, `bound` and `segment` of the manual's pseudo-code.
   */
  | { readonly among: "shuffle"; readonly mode: string; readonly source: Operation; readonly inRange: Operation }
  /** `d, p`: what the predicates of all lanes have in common, the same in every lane; `ballot` is all of them as a mask. */
  | { readonly among: "vote"; readonly mode: "all" | "any" | "uni" | "ballot" }
  /**
   * `d, a`: the lanes whose a is this lane's (`any`). `d|p, a`: all of them where a is the same everywhere, else 0 (`all`).
   */
  | { readonly among: "match"; readonly mode: "any" | "all"; readonly bits: 32 | 64 }
  /** `d, a`: `each` of every lane's a, then all of these as one by `join`, in order of lane; the same in every lane. */
  | { readonly among: "reduce"; readonly each?: Operation; readonly join: Operation }
  /** `d|p`: the lowest lane leads. */
  | { readonly among: "elect" };

/** Widths of an operand or a result; 1 is a predicate. */
type LaneWidth = 1 | 32 | 64;

/** The operands behind the results, membermask excluded, and the results. */
export function warpOperands(operation: WarpOperation): {
  readonly takes: readonly LaneWidth[];
  readonly gives: readonly LaneWidth[];
} {
  switch (operation.among) {
    case "sync":
      return { takes: [], gives: [] };
    case "shuffle":
      return { takes: [32, 32, 32], gives: [32, 1] };
    case "vote":
      return { takes: [1], gives: [operation.mode === "ballot" ? 32 : 1] };
    case "match":
      return { takes: [operation.bits], gives: operation.mode === "any" ? [32] : [32, 1] };
    case "reduce":
      return { takes: [32], gives: [32] };
    case "elect":
      return { takes: [], gives: [32, 1] };
  }
}

/** What lanes of a warp do with each other, on one line. */
export function warpText(operation: WarpOperation): string {
  switch (operation.among) {
    case "sync":
      return "waits for the other lanes";
    case "shuffle":
      return `d = a of lane ${textOf(operation.source, "j")}, p = ${textOf(operation.inRange, "p").slice(4)}`;
    case "vote":
      return operation.mode === "ballot" ? "d = the lanes whose p holds" : `d = ${operation.mode} of p of all lanes`;
    case "match":
      return operation.mode === "any"
        ? "d = the lanes whose a is the same"
        : "d = all lanes where a is the same in all, else 0";
    case "reduce":
      return `d = all lanes' a joined by ${textOf(operation.join)}`;
    case "elect":
      return "d = the lowest lane, p = whether it is this one";
  }
}

const keys = new WeakMap<WarpOperation, string>();

/** The operation written out: lanes exchange where they have come to the same one. */
export function warpKey(operation: WarpOperation): string {
  const known = keys.get(operation);
  if (known !== undefined) return known;
  const key = JSON.stringify(operation, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
  keys.set(operation, key);
  return key;
}
