import { bitsIn, lowest } from "../contract/launch/lane-mask.ts";
import type { Flight } from "./operation.ts";

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
