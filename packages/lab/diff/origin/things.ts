import type { OneRun } from "./follow.ts";
import type { Ran } from "./step.ts";

/** The values of a thread of a run, and the operations that made them. */
export class Things {
  readonly #values = new Set<bigint>();
  readonly #reads = new Set<string>();
  readonly #applied = new Set<string>();

  constructor(run: OneRun) {
    for (const step of run.trace.steps) {
      for (const bits of [...step.results, ...step.reads]) this.#values.add(run.plain(bits));
      this.#reads.add(readsOf(run, step.reads));
      this.#applied.add(applied(run, step));
    }
  }

  hasValue(run: OneRun, bits: bigint): boolean {
    return this.#values.has(run.plain(bits));
  }

  /** Whether some step has read these together, in any order. */
  hasReads(run: OneRun, reads: readonly bigint[]): boolean {
    return this.#reads.has(readsOf(run, reads));
  }

  /** Whether some step has the same result from the same operands. */
  hasApplied(run: OneRun, step: Ran): boolean {
    return this.#applied.has(applied(run, step));
  }
}

const readsOf = ({ plain }: OneRun, reads: readonly bigint[]): string => reads.map(plain).map(String).sort().join(" ");

/** The operands and result of a step, operands in any order. */
export const applied = (run: OneRun, { reads, results }: Ran): string =>
  `${readsOf(run, reads)} gives ${results.map(run.plain).join(" ")}`;
