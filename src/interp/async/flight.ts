import type { Flight } from "./operation.ts";

/** How an access or another operation touches bytes. */
export type Touch = "read" | "write" | "update";

/** Which bytes of a flight conflict with a touch: those it writes, or those it still reads; undefined for neither. */
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
