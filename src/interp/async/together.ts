import { bitsIn, lowest } from "../contract/launch/lane-mask.ts";
import type { Flight, Operation } from "./operation.ts";

/** The single lanes' flights of an operation that several lanes issued together, in order of lane. */
export function partsOf(whole: Flight): readonly Flight[] {
  const { together } = whole.operation;
  if (together === undefined) return [whole];
  const { lanes, among } = together;
  const { after } = whole.operation;
  const parts: Flight[] = [];
  for (let lane = 0; lane < 32; lane++) {
    const number = whole.number + bitsIn(among & lowest(lane));
    if (!((lanes >>> lane) & 1)) continue;
    const own = together.of(lane);
    parts.push({ ...whole, operation: after === undefined ? own : { ...own, after }, number });
  }
  return parts;
}

/** Puts a flight that is behind others, some of which were replaced by `parts`, behind those of its lanes. */
export function putBehindParts(flight: Flight, parts: ReadonlyMap<Flight, readonly Flight[]>): void {
  const { operation } = flight;
  const { after = [] } = operation;
  const lanes = maskOf(operation);
  const isOwn = ({ operation: of }: Flight): boolean => (maskOf(of) & ~lanes) === 0;
  if (after.every((earlier) => !parts.has(earlier) && isOwn(earlier))) return;
  flight.operation = { ...operation, after: after.flatMap((each) => parts.get(each) ?? [each]).filter(isOwn) };
}

const maskOf = ({ together, thread }: Operation): number => together?.lanes ?? 1 << thread.lane;
