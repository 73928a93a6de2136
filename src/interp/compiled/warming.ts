import { advance } from "../javascript/advance.ts";
import type { LinkedCode } from "../javascript/linked-code.ts";
import type { LinkedProgram, Turns } from "../state/executor.ts";
import type { Warp } from "../state/warp.ts";

/** A program that JavaScript executes until it has run for long enough; then it goes on as another has linked it. */
export class Warming implements LinkedProgram {
  readonly #code: LinkedCode;
  readonly #link: () => LinkedProgram | undefined;
  #left: number;
  #linked: LinkedProgram | undefined;

  /** `patience`: warp instructions until `link` is asked, once; where it gives nothing, all stays as it is. */
  constructor(code: LinkedCode, patience: number, link: () => LinkedProgram | undefined) {
    this.#code = code;
    this.#left = patience;
    this.#link = link;
  }

  run(warp: Warp, budget: number, clock: number): number {
    if (this.#linked !== undefined) return this.#linked.run(warp, budget, clock);
    const executed = advance(warp, this.#code, budget, clock);
    this.#left -= executed;
    if (this.#left <= 0) {
      this.#left = Number.POSITIVE_INFINITY;
      this.#linked = this.#link();
    }
    return executed;
  }

  turns(turns: Turns, budget: number, clock: number): number {
    return this.#linked?.turns?.(turns, budget, clock) ?? 0;
  }
}
