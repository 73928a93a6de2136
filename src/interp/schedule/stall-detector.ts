import type { Asynchrony } from "../async/asynchrony.ts";
import { LANES } from "../contract/launch/lane-mask.ts";
import { Liveness, type RegisterKey } from "../contract/liveness.ts";
import type { Program } from "../contract/program.ts";
import type { Memory, MemoryImage, PageImage } from "../memory/memory.ts";
import { copyPages, PAGE_BYTES } from "../memory/snapshot-pages.ts";
import { layout, type Warp, type WarpShape } from "../state/warp.ts";
import { giveUp, wakeReady } from "../warp/holding.ts";
import type { CtaSlot } from "./cta-slot.ts";
import type { Schedule } from "./schedule.ts";

/** All registers and all memory at one moment. */
interface Snapshot {
  readonly memory: MemoryImage;
  readonly blocks: readonly BlockSnapshot[];
}

interface BlockSnapshot {
  /** The pages that hold the registers of its warps. */
  readonly state: readonly Uint8Array[];
  /** By thread: its pc; -1 once it has exited. */
  readonly places: Int32Array;
}

/**
 * Takes snapshots, and compares two of them as every live thread sees them: the same memory, and the
 * same registers among those that the thread may still read from its pc on. Dead registers are left out, because an
 * executor need not even write them.
 */
class Snapshots {
  readonly #memory: Memory;
  readonly #program: Program;
  readonly #shape: WarpShape;
  #liveness: Liveness | undefined;

  constructor(memory: Memory, program: Program, shape: WarpShape) {
    this.#memory = memory;
    this.#program = program;
    this.#shape = shape;
  }

  /** A snapshot of now, which shares equal pages with an earlier one. */
  take(slots: readonly CtaSlot[], before?: Snapshot): Snapshot {
    const { u8 } = this.#memory.data;
    const blocks = slots.map(({ state, warps }, at) => ({
      state: copyPages(u8.subarray(state.start, state.end), before?.blocks[at]?.state),
      places: placesOf(warps),
    }));
    return { memory: this.#memory.save(before?.memory), blocks };
  }

  /** `now` was taken with `before` at hand. */
  same(before: Snapshot, now: Snapshot): boolean {
    return (
      before.blocks.length === now.blocks.length &&
      before.memory.pages.size === now.memory.pages.size &&
      [...now.memory.pages].every(([at, page]) => samePage(page, before.memory.pages.get(at))) &&
      now.blocks.every((block, at) => this.#sameBlock(before.blocks[at]!, block))
    );
  }

  #sameBlock(before: BlockSnapshot, now: BlockSnapshot): boolean {
    return now.state.every((page, at) => {
      const old = before.state[at];
      if (old === undefined) return false;
      if (page === old) return true;
      const [words, were] = [page, old].map(
        ({ buffer, byteOffset, length }) => new Int32Array(buffer, byteOffset, length >> 2),
      );
      return words!.every(
        (word, index) =>
          word === were![index] ||
          !this.#matters(at * PAGE_BYTES + 4 * index, word ^ were![index]!, before.places, now.places),
      );
    });
  }

  /** Whether a thread may read a word of a block's state, at an offset in bytes, of which these bits differ. */
  #matters(offset: number, bits: number, before: Int32Array, now: Int32Array): boolean {
    const { lanes } = this.#shape;
    const { r, p, executed, bytes } = layout(this.#shape);
    const first = Math.floor(offset / bytes) * LANES;
    const at = offset % bytes;
    const read = (key: RegisterKey, lane: number): boolean =>
      this.#isLive(before[first + lane]!, key) && this.#isLive(now[first + lane]!, key);
    if (at < r) return read(`q${Math.floor(at / (8 * lanes))}`, (at >> 3) % lanes);
    if (at < p) return read(`r${Math.floor((at - r) / (4 * lanes))}`, ((at - r) >> 2) % lanes);
    // Behind the registers lie the marks of executed instructions.
    if (at >= executed) return false;
    const key = `p${(at - p) >> 2}` as const;
    for (let lane = 0; lane < LANES; lane++) if ((bits >>> lane) & 1 && read(key, lane)) return true;
    return false;
  }

  #isLive(pc: number, key: RegisterKey): boolean {
    this.#liveness ??= Liveness.of(this.#program);
    return pc >= 0 && this.#liveness.after(pc, key);
  }
}

/** Whether a page is the same wherever a thread may reach it: registers and an executor's own notes do not count. */
function samePage(now: PageImage, before: PageImage | undefined): boolean {
  if (now === before) return true;
  if (before === undefined || now.shadow !== before.shadow) return false;
  return now.data.every((byte, at) => byte === before.data[at] || now.shadow[at] === 0);
}

function placesOf(warps: readonly Warp[]): Int32Array {
  const places = new Int32Array(warps.length * LANES).fill(-1);
  for (const { index, active, pc, waiting, parked } of warps)
    for (const group of [{ mask: active, pc }, ...waiting, ...parked])
      for (let lane = 0; lane < LANES; lane++) if ((group.mask >>> lane) & 1) places[index * LANES + lane] = group.pc;
  return places;
}

/** What a snapshot keeps. */
export interface StallImage {
  readonly rounds: number;
  readonly snapshot: Snapshot | undefined;
}

/**
 * Acts when threads wait for what no other thread's instruction directly causes: first asynchronous operations move
 * their data, then waits with a time limit end. When all memory and all live registers are the same after many such
 * rounds, nothing will ever change.
 */
export class StallDetector {
  readonly #snapshots: Snapshots;
  readonly #asynchrony: Asynchrony;
  readonly #slots: () => readonly CtaSlot[];
  /** Rounds in which waits timed out. */
  #rounds = 0;
  #snapshot: Snapshot | undefined;

  constructor(
    memory: Memory,
    { asynchrony, program, needs }: Pick<Schedule, "asynchrony" | "program" | "needs">,
    slots: () => readonly CtaSlot[],
  ) {
    this.#snapshots = new Snapshots(memory, program, needs.shape);
    this.#asynchrony = asynchrony;
    this.#slots = slots;
  }

  /** At the end of a turn: releases threads whose condition holds. */
  wake(): boolean {
    if (!this.#asynchrony.changed) return false;
    this.#asynchrony.changed = false;
    const woken = wakeReady(this.#warps());
    if (woken) this.#forget();
    return woken;
  }

  /** Called when no thread can go on: moves data until one can; false when there is nothing left to move. */
  move(): boolean {
    do if (this.wake()) return true;
    while (this.#asynchrony.drain());
    return false;
  }

  /** Called when nothing is left to move either: ends waits with a time limit. False when that leads nowhere. */
  giveUp(): boolean {
    this.#rounds++;
    if (isPowerOfTwo(this.#rounds) && this.#isSame()) return false;
    return giveUp(this.#warps());
  }

  /**
   * Threads have been spinning for `still` rounds without progress. They may be waiting for data
   * that move, or for a thread whose wait has a time limit. True when they test an mbarrier object for ever.
   */
  spins(still: number): boolean {
    if (!isPowerOfTwo(still)) return false;
    if (this.move() || giveUp(this.#warps())) return false;
    return this.#asynchrony.polls.size > 0 && this.#isSame();
  }

  save(): StallImage {
    return { rounds: this.#rounds, snapshot: this.#snapshot };
  }

  restore({ rounds, snapshot }: StallImage): void {
    this.#rounds = rounds;
    this.#snapshot = snapshot;
  }

  #forget(): void {
    this.#rounds = 0;
    this.#snapshot = undefined;
  }

  #warps(): readonly Warp[] {
    return this.#slots().flatMap(({ running, warps }) => (running ? warps : []));
  }

  /** Whether nothing has changed since the last call. */
  #isSame(): boolean {
    const before = this.#snapshot;
    this.#snapshot = this.#snapshots.take(this.#slots(), before);
    return before !== undefined && this.#snapshots.same(before, this.#snapshot);
  }
}

const isPowerOfTwo = (count: number): boolean => (count & (count - 1)) === 0;
