import type { Use } from "./integers.ts";
import type { IntegerShadow, Thread } from "./shadow.ts";

/** An integer that had left its type, or been cut to it, and was then used as if it had not. */
export interface WrappedInteger {
  /** The instruction that it left its type in, or -1 where memory has it from, and the one that used it. */
  readonly pc: number;
  readonly usedAt: number;
  readonly use: Use;
  readonly why: IntegerShadow["why"];
  /** How often, and the first time: whose it was, what it was, and what it should have been. */
  count: number;
  readonly thread: Thread | undefined;
  readonly value: bigint;
  readonly exact: bigint;
}

/** A comparison, or a conversion to an integer, that exact values would have decided another way. */
export interface Decision {
  readonly pc: number;
  count: number;
  readonly thread: Thread;
  readonly value: number;
  readonly exact: number;
}

/** What is noticed while a launch runs, once for each place. */
export class Notes {
  readonly #wrapped = new Map<string, WrappedInteger>();
  readonly #decisions = new Map<number, Decision>();

  get wrapped(): readonly WrappedInteger[] {
    return [...this.#wrapped.values()];
  }

  get decisions(): readonly Decision[] {
    return [...this.#decisions.values()];
  }

  misuse({ pc, why }: IntegerShadow, use: Use, value: bigint, exact: bigint, usedAt: number, thread: Thread): void {
    const key = `${pc} ${usedAt}`;
    const known = this.#wrapped.get(key);
    if (known === undefined) this.#wrapped.set(key, { pc, usedAt, use, why, count: 1, thread, value, exact });
    else known.count++;
  }

  decided(pc: number, thread: Thread, value: number, exact: number): void {
    const known = this.#decisions.get(pc);
    if (known === undefined) this.#decisions.set(pc, { pc, count: 1, thread, value, exact });
    else known.count++;
  }
}
