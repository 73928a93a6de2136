import { bitsIn, lowest } from "../contract/launch/lane-mask.ts";
import type { Flight, Operation } from "./operation.ts";

/** The single lanes' flights of an operation that several lanes issued together, in order of lane. */
export function partsOf(whole: Flight): readonly Flight[] {
  const { together } = whole.operation;
  if (together === undefined) return [whole];
  const { lanes, among } = together;
  const parts: Flight[] = [];
  for (let lane = 0; lane < 32; lane++) {
    const number = whole.number + bitsIn(among & lowest(lane));
    if ((lanes >>> lane) & 1) parts.push({ ...whole, operation: together.of(lane), number });
  }
  return parts;
}

/** A flight behind others of which some were replaced by `parts`: it is behind those of its lanes. */
export function behindParts(flight: Flight, parts: ReadonlyMap<Flight, readonly Flight[]>): Flight {
  const lanes = maskOf(flight.operation);
  const after = flight.operation.after?.flatMap((earlier) =>
    (parts.get(earlier) ?? [earlier]).filter(({ operation }) => (maskOf(operation) & ~lanes) === 0),
  );
  return { ...flight, operation: { ...flight.operation, ...(after && { after }) } };
}

const maskOf = ({ together, thread }: Operation): number => together?.lanes ?? 1 << thread.lane;
