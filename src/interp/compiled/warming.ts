import { advance } from "../javascript/advance.ts";
import type { LinkedCode } from "../javascript/linked-code.ts";
import type { LinkedProgram, Turns } from "../state/executor.ts";
import type { Warp } from "../state/warp.ts";

/** Warp instructions that JavaScript has executed of a program, in all its launches. */
export interface Warmth {
  steps: number;
}

/** A program that JavaScript executes until it has run long enough; then the program that `link` returns takes over. */
export class Warming implements LinkedProgram {
  readonly #code: LinkedCode;
  readonly #link: () => LinkedProgram | undefined;
  readonly #warmth: Warmth;
  #patience: number;
  #linked: LinkedProgram | undefined;

  /** Calls `link` once, when `patience` warp instructions have run; if it returns undefined, JavaScript goes on. */
  constructor(
    code: LinkedCode,
    patience: number,
    link: () => LinkedProgram | undefined,
    warmth: Warmth = { steps: 0 },
  ) {
    this.#code = code;
    this.#warmth = warmth;
    this.#patience = patience;
    this.#link = link;
  }

  run(warp: Warp, budget: number, clock: number): number {
    if (this.#linked !== undefined) return this.#linked.run(warp, budget, clock);
    const executed = advance(warp, this.#code, budget, clock);
    this.#warmth.steps += executed;
    if (this.#warmth.steps >= this.#patience) {
      this.#patience = Number.POSITIVE_INFINITY;
      this.#linked = this.#link();
    }
    return executed;
  }

  close(): void {
    this.#linked?.close?.();
  }

  turns(turns: Turns, budget: number, clock: number): number {
    return this.#linked?.turns?.(turns, budget, clock) ?? 0;
  }
}
