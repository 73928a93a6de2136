import { advance } from "../javascript/advance.ts";
import type { LinkedCode } from "../javascript/linked-code.ts";
import type { LinkedProgram, Turns } from "../state/executor.ts";
import type { Warp } from "../state/warp.ts";

/** Warp instructions that have been executed of a program, in all its launches: by JavaScript, or by all where all are counted. */
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

  isOutdated(): boolean {
    return this.#linked?.isOutdated?.() ?? false;
  }

  turns(turns: Turns, budget: number, clock: number): number {
    return this.#linked?.turns?.(turns, budget, clock) ?? 0;
  }
}

/** A program whose instructions are counted, since it may be worth a better compiler; `isOutdated` says that this has its module. */
export class Counted implements LinkedProgram {
  readonly #linked: LinkedProgram;
  readonly #warmth: Warmth;
  readonly isOutdated: () => boolean;

  constructor(linked: LinkedProgram, warmth: Warmth, isOutdated: () => boolean) {
    this.#linked = linked;
    this.#warmth = warmth;
    this.isOutdated = isOutdated;
  }

  run(warp: Warp, budget: number, clock: number): number {
    const executed = this.#linked.run(warp, budget, clock);
    this.#warmth.steps += executed;
    return executed;
  }

  turns(turns: Turns, budget: number, clock: number): number {
    const executed = this.#linked.turns?.(turns, budget, clock) ?? 0;
    this.#warmth.steps += executed;
    return executed;
  }

  close(): void {
    this.#linked.close?.();
  }
}
