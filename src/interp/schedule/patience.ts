import type { Asynchrony } from "../async/asynchrony.ts";
import type { Memory, MemoryImage } from "../memory/memory.ts";
import { copyPages } from "../memory/snapshot-pages.ts";
import type { Warp } from "../state/warp.ts";
import { giveUp, wakeReady } from "../warp/holding.ts";
import type { CtaSlot } from "./cta-slot.ts";

/** All registers and all memory at one moment. */
interface Impression {
  readonly memory: MemoryImage;
  readonly states: readonly (readonly Uint8Array[])[];
}

/** What a snapshot keeps. */
export interface PatienceImage {
  readonly rounds: number;
  readonly impression: Impression | undefined;
}

/**
 * What happens when threads wait for what no instruction of another thread brings about by itself: first asynchronous
 * operations move their data, then waits that have a limit end. When all registers and all memory are the same after many
 * such rounds, nothing will ever change.
 */
export class Patience {
  readonly #memory: Memory;
  readonly #asynchrony: Asynchrony;
  readonly #slots: () => readonly CtaSlot[];
  /** Rounds in which waits ended without having got what they waited for. */
  #rounds = 0;
  #impression: Impression | undefined;

  constructor(memory: Memory, asynchrony: Asynchrony, slots: () => readonly CtaSlot[]) {
    this.#memory = memory;
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
    const { u8 } = this.#memory.data;
    const states = this.#slots().map(({ state }, at) =>
      copyPages(u8.subarray(state.start, state.end), before?.states[at]),
    );
    const now = { memory: this.#memory.save(before?.memory), states };
    this.#impression = now;
    return (
      before !== undefined &&
      before.states.length === states.length &&
      states.every((pages, at) => pages.every((page, index) => page === before.states[at]![index])) &&
      before.memory.pages.size === now.memory.pages.size &&
      [...now.memory.pages].every(([at, page]) => page === before.memory.pages.get(at))
    );
  }
}

const isPowerOfTwo = (count: number): boolean => (count & (count - 1)) === 0;
