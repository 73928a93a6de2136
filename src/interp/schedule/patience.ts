import type { Asynchrony } from "../async/asynchrony.ts";
import type { Memory } from "../memory/memory.ts";
import type { Warp } from "../state/warp.ts";
import { giveUp, wakeReady } from "../warp/holding.ts";
import type { CtaSlot } from "./cta-slot.ts";
import { type Impression, Impressions } from "./impression.ts";
import type { Schedule } from "./schedule.ts";

/** What a snapshot keeps. */
export interface PatienceImage {
  readonly rounds: number;
  readonly impression: Impression | undefined;
}

/**
 * What happens when threads wait for what no instruction of another thread brings about by itself: first asynchronous
 * operations move their data, then waits that have a limit end. When all memory and all registers that anybody may still
 * read are the same after many such rounds, nothing will ever change.
 */
export class Patience {
  readonly #impressions: Impressions;
  readonly #asynchrony: Asynchrony;
  readonly #slots: () => readonly CtaSlot[];
  /** Rounds in which waits ended without having got what they waited for. */
  #rounds = 0;
  #impression: Impression | undefined;

  constructor(
    memory: Memory,
    { asynchrony, program, needs }: Pick<Schedule, "asynchrony" | "program" | "needs">,
    slots: () => readonly CtaSlot[],
  ) {
    this.#impressions = new Impressions(memory, program, needs.shape);
    this.#asynchrony = asynchrony;
    this.#slots = slots;
  }

  /** At the end of a turn: whoever has what he waits for goes on. */
  wake(): boolean {
    if (!this.#asynchrony.changed) return false;
    this.#asynchrony.changed = false;
    const woken = wakeReady(this.#warps());
    if (woken) this.#forget();
    return woken;
  }

  /** Nobody can go on: moves data until somebody can; false when there is nothing left to move. */
  move(): boolean {
    do if (this.wake()) return true;
    while (this.#asynchrony.drain());
    return false;
  }

  /** Nobody can go on, and nothing is left to move: ends waits that have a limit. False when that leads nowhere. */
  giveUp(): boolean {
    this.#rounds++;
    if (isPowerOfTwo(this.#rounds) && this.#isSame()) return false;
    return giveUp(this.#warps());
  }

  /**
   * Threads have been going round and round, `still` times, without anybody getting anywhere. They may be waiting for data
   * that move, or for somebody whose wait has a limit. True when they ask an mbarrier object for ever.
   */
  spins(still: number): boolean {
    if (!isPowerOfTwo(still)) return false;
    if (this.move() || giveUp(this.#warps())) return false;
    return this.#asynchrony.polls.size > 0 && this.#isSame();
  }

  save(): PatienceImage {
    return { rounds: this.#rounds, impression: this.#impression };
  }

  restore({ rounds, impression }: PatienceImage): void {
    this.#rounds = rounds;
    this.#impression = impression;
  }

  #forget(): void {
    this.#rounds = 0;
    this.#impression = undefined;
  }

  #warps(): readonly Warp[] {
    return this.#slots().flatMap(({ running, warps }) => (running ? warps : []));
  }

  /** Whether nothing has changed since it was asked last. */
  #isSame(): boolean {
    const before = this.#impression;
    this.#impression = this.#impressions.take(this.#slots(), before);
    return before !== undefined && this.#impressions.same(before, this.#impression);
  }
}

const isPowerOfTwo = (count: number): boolean => (count & (count - 1)) === 0;
