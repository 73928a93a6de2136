import type { Flight } from "./operation.ts";

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
