import type { ByteRange, Flight } from "./operation.ts";

/** How an access or another operation touches bytes. */
export type Touch = "read" | "write" | "update";

/** What a flight reads, without what has been waited for. */
export const readsLeft = ({ operation: { reads }, sourceFree, freed }: Flight): readonly ByteRange[] =>
  sourceFree ? [] : freed === 0 ? reads : reads.slice(freed);

/** Which bytes of a flight conflict with a touch: those it writes, or those it still reads; undefined for neither. */
export function conflict(flight: Flight, start: number, bytes: number, touch: Touch): "writes" | "reads" | undefined {
  const { operation } = flight;
  const meets = (range: { readonly start: number; readonly bytes: number }): boolean =>
    range.start < start + bytes && start < range.start + range.bytes;
  if (!(touch === "update" && operation.updates) && operation.writes.some(meets)) return "writes";
  return touch !== "read" && readsLeft(flight).some(meets) ? "reads" : undefined;
}
