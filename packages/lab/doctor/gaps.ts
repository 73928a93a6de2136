import { bytesOf } from "../../../src/host/memory/element.ts";
import type { Parameter } from "../../../src/interp/contract/program.ts";
import type { GuessedLaunch } from "../launches/guess.ts";

/** Elements of an output that nothing writes, in every period of it alike. */
export interface Gap {
  readonly parameter: Parameter;
  /** The elements of a period that are never written. */
  readonly missing: readonly number[];
  readonly period: number;
  /** Whether others are written twice, with nothing reading the first value. */
  readonly overwrites: boolean;
}

/** The longest period that is looked for, in elements, and how many of them there must be. */
const LONGEST = 64;
const LEAST = 4;

/** Outputs with regular holes: kernels that leave out an element do so for every thread. */
export function gapsOf({ values, uses }: GuessedLaunch): readonly Gap[] {
  return [...values].flatMap(([parameter, value]) => {
    const use = uses.get(parameter);
    if (value.kind !== "buffer" || use === undefined || !use.writes || use.reads || use.atomics || use.first < 0)
      return [];
    const size = bytesOf(value.type);
    const count = Math.floor(use.end / size);
    const written = Array.from({ length: count }, (_, index) => use.isStored(index * size));
    if (written.every((each) => each)) return [];
    for (let period = 2; period <= Math.min(LONGEST, count / LEAST); period++) {
      const missing = Array.from({ length: period }, (_, at) => at).filter((at) => !written[at]);
      const regular = missing.length > 0 && written.every((each, index) => each === written[index % period]);
      if (regular) return [{ parameter, missing, period, overwrites: use.overwrites }];
    }
    return [];
  });
}
