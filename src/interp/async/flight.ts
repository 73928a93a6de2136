import type { Operation } from "./operation.ts";

/** An operation that nobody has waited for yet. */
export interface Flight {
  readonly operation: Operation;
  /** Counts the operations of a launch. */
  readonly number: number;
  /** The moment at which its data move, of those that the engine counts; never unless a seed has drawn one. */
  readonly due: number;
  /** Its data have moved, although nobody may rely on it. */
  moved: boolean;
  /** What it reads has been waited for: that may be overwritten (`.read`). */
  sourceFree: boolean;
  /** The phase of its mbarrier in which it has arrived, once it has moved. */
  phase: number | undefined;
}

/** What an access or another operation does to bytes. */
export type Touch = "read" | "write" | "update";

/** What of a flight is in the way of a touch: what it writes, or what it still reads; undefined for neither. */
export function conflict(
  { operation, sourceFree }: Flight,
  start: number,
  bytes: number,
  touch: Touch,
): "writes" | "reads" | undefined {
  const meets = (range: { readonly start: number; readonly bytes: number }): boolean =>
    range.start < start + bytes && start < range.start + range.bytes;
  if (!(touch === "update" && operation.updates) && operation.writes.some(meets)) return "writes";
  return touch !== "read" && !sourceFree && operation.reads.some(meets) ? "reads" : undefined;
}
