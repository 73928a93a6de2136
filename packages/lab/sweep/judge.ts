import { type LaneApart, lanesApart } from "../../../src/present/working/distance.ts";
import type { Value } from "./side.ts";

/** A case whose results differ. */
export interface Difference {
  readonly number: number;
  readonly inputs: readonly bigint[];
  readonly results: readonly [bigint, bigint];
  /** The greatest distance of any lane; undefined where only one of the two is NaN. */
  readonly ulp: bigint | undefined;
}

/**
 * The findings of a sweep. All NaNs count as one value: the manual leaves their payload open (PTX ISA, Floating Point).
 */
export interface Findings {
  cases: number;
  differ: number;
  /** Cases where one result is NaN and the other is not. */
  nan: number;
  /** Cases that differ in nothing but the sign of a zero. */
  zeroSign: number;
  /** Cases with two NaNs of different bits, which do not count as different. */
  payload: number;
  worst: Difference | undefined;
  readonly examples: Difference[];
}

export const nothing = (): Findings => ({
  cases: 0,
  differ: 0,
  nan: 0,
  zeroSign: 0,
  payload: 0,
  worst: undefined,
  examples: [],
});

/** Counts one case whose bits differ; `inputs` is called where the case is kept. */
export function count(
  found: Findings,
  value: Value,
  number: number,
  results: readonly [bigint, bigint],
  inputs: () => readonly bigint[],
  most: number,
): void {
  const lanes = lanesApart(value.type, value.bits, ...results);
  const has = (kind: LaneApart["kind"]): boolean => lanes.some((each) => each.kind === kind);
  if (!has("number") && !has("nan") && !has("zero")) {
    if (has("payload")) found.payload++;
    return;
  }
  found.differ++;
  if (has("nan")) found.nan++;
  else if (!has("number")) found.zeroSign++;
  let apart = 0n;
  for (const each of lanes) if (each.apart > apart) apart = each.apart;
  const keep = found.examples.length < most;
  const isWorst = has("number") && (found.worst === undefined || apart > (found.worst.ulp ?? 0n));
  if (!keep && !isWorst) return;
  const ulp = has("nan") && !has("number") ? undefined : apart;
  const difference = { number, inputs: inputs(), results, ulp };
  if (keep) found.examples.push(difference);
  if (isWorst) found.worst = { ...difference, ulp: apart };
}
