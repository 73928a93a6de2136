import type { Asynchrony } from "../async/asynchrony.ts";
import { blockOf, sizeOf } from "../contract/launch/cluster-rank.ts";
import { volume } from "../contract/launch/dim3.ts";
import { Random, shuffled } from "../contract/launch/random.ts";
import type { Memory } from "../memory/memory.ts";
import type { Turns } from "../state/executor.ts";
import type { Warp } from "../state/warp.ts";
import { refillBudget } from "../warp/groups.ts";
import { chainOf } from "./chain.ts";
import {
  allocateCtaSlot,
  type CtaNeeds,
  type CtaRegisters,
  type CtaSlot,
  freeCtaSlot,
  hasEnded,
  isReady,
  registerBytes,
  reopenCtaSlot,
  startBlock,
  takeBlock,
} from "./cta-slot.ts";
import { KeptRegisters } from "./kept-registers.ts";
import type { Part, Schedule } from "./schedule.ts";
import { restoreSlot, type SchedulerImage, saveSlot } from "./scheduler-image.ts";
import { StallDetector } from "./stall-detector.ts";

/** Blocks that run side by side at most. */
const MOST_RESIDENT = 1024;
/** Rounds without progress before one more cluster begins; compiled code asks a round earlier (`PATIENT_ROUNDS`). */
const STILL = 16;

/**
 * Decides which warp runs when. Warps of resident blocks run round robin; a cluster that ends leaves its slots
 * to the next. When all runnable warps use up their yield budget again and again, they may be waiting for a block that
 * has not begun, so one more cluster begins. With a seed the next warp, the length of its turn and the order of the
 * clusters are drawn. Nothing here depends on time.
 */
export class Scheduler {
  slots: CtaSlot[] = [];
  readonly #kept: KeptRegisters = new KeptRegisters();
  /** The slot and warp whose turn it is; `next` counts the clusters that have begun. */
  slot = 0;
  warp = 0;
  next = 0;
  /** Instructions left in this turn. */
  slice: number = Number.POSITIVE_INFINITY;
  /** True when all live threads of all resident blocks wait, and no block can begin. */
  stuck = false;
  /** True when a second block would have begun beside the running one, which `Schedule.part` forbids. */
  crowded = false;
  /** Rounds since a warp came to a barrier or to its end. */
  #still = 0;
  /** Clusters from this index on are held back for now. */
  #end: number;
  readonly #memory: Memory;
  readonly #schedule: Schedule;
  readonly #asynchrony: Asynchrony;
  /** Threads of a block, and clusters of the launch. */
  readonly #threads: number;
  readonly #clusters: number;
  /** Which cluster begins as the nth. */
  readonly #order: (index: number) => number;
  readonly #random: Random | undefined;
  #stalls: StallDetector;
  /** The slot that there was, where `close` has freed it and it was the only one. */
  #only: CtaSlot | undefined;

  constructor(memory: Memory, schedule: Schedule) {
    const { grid, cluster, seed, needs, asynchrony } = schedule;
    this.#memory = memory;
    this.#schedule = schedule;
    this.#asynchrony = asynchrony;
    this.#threads = volume(needs.block);
    this.#stalls = new StallDetector(memory, schedule, () => this.slots);
    this.#clusters = volume(grid) / sizeOf(cluster);
    this.next = schedule.part?.first ?? 0;
    this.#end = schedule.part?.end ?? this.#clusters;
    this.#random = seed === undefined ? undefined : new Random(seed);
    this.#order = this.#random === undefined ? (index) => index : shuffled(this.#clusters, this.#random);
  }

  /** Begins the first blocks; false when memory does not hold even one cluster. */
  begin(): boolean {
    if (!this.#admit()) return false;
    // They wait for each other: begun one by one, each would make all those before it spin for a turn.
    while (this.#schedule.cooperative && this.#admit());
    if (this.#random !== undefined) {
      for (let more = this.#random.below(8); more > 0; more--) this.#admit();
      this.#draw(this.#random);
    }
    return true;
  }

  /**
   * Begins anew after `close`, with other parameters, as `begin` of a new scheduler would; false where that has to be made,
   * because the launch had more than one slot, or its memory would lie elsewhere.
   */
  again(parameters: Uint8Array): boolean {
    const { needs, keepsRegisters, cluster, cooperative, part, fresh } = this.#schedule;
    const isPlain = !keepsRegisters && cluster === undefined && !cooperative && part === undefined;
    const slot = isPlain && this.#only && this.#random === undefined && reopenCtaSlot(this.#memory, needs, this.#only);
    if (!slot) return false;
    this.#only = undefined;
    fresh.hold(parameters);
    this.#stalls = new StallDetector(this.#memory, this.#schedule, () => this.slots);
    [this.slot, this.warp, this.next] = [0, 0, 0];
    this.slice = Number.POSITIVE_INFINITY;
    this.stuck = false;
    this.crowded = false;
    this.#still = 0;
    this.#end = this.#clusters;
    this.slots = [slot];
    this.#enter(this.slots);
    return true;
  }

  /** The warp whose turn it is; undefined when all blocks have ended, or when no thread can go on. */
  get current(): Warp | undefined {
    return this.slots[this.slot]?.warps[this.warp];
  }

  /** True when all blocks that began have ended, and the others are held back. */
  get held(): boolean {
    const waits = this.#end < this.#clusters || this.#schedule.part !== undefined;
    return waits && this.next >= this.#end && this.slots.every(({ running }) => !running);
  }

  /** Holds back all blocks that have not begun. */
  hold(): void {
    this.#end = this.next;
  }

  /** When `held`, with at most one slot: continues with these blocks, as if those before them had run here. */
  resume({ first, end }: Part): void {
    this.next = first;
    this.#end = end;
    // The same value as behind the end of a block.
    this.#still = first === 0 ? 0 : -1;
    this.slot = first < end ? 0 : this.slots.length;
    this.warp = 0;
    this.crowded = false;
    if (first < end) this.#enter(this.slots);
  }

  /** Keeps the registers of a block that has run elsewhere, if registers are kept. */
  take(block: number, registers: CtaRegisters): void {
    if (block < this.keeps) this.#kept.keep(block, registers);
  }

  /** Copies the final state of the grid's last block from a memory with the same layout. */
  takeLast(carries: readonly number[], from: Pick<Memory, "data" | "shadow">): void {
    takeBlock(this.#memory, this.slots[0]!, this.#clusters - 1, carries, from);
  }

  /** How many blocks of a launch have their registers kept, from the first one on. */
  get keeps(): number {
    if (!this.#schedule.keepsRegisters) return 0;
    return KeptRegisters.most(registerBytes(this.#schedule.needs));
  }

  /** The memory that holds the registers. */
  get data(): Memory["data"] {
    return this.#memory.data;
  }

  get shape(): CtaNeeds["shape"] {
    return this.#schedule.needs.shape;
  }

  /**
   * Lets `take` schedule the warps of the only resident block, from the current one on; returns its result,
   * or 0 where there are more blocks or the order is drawn.
   */
  turns(take: (turns: Turns) => number): number {
    const slot = this.slots[this.slot];
    if (this.#random !== undefined || this.slots.length !== 1 || slot === undefined || !slot.running) return 0;
    const chain = chainOf(this.#schedule, this.#memory, slot, this.next, this.#end, (count) => {
      this.next += count;
    });
    const turns: Turns = { warps: slot.warps, threads: this.#threads, next: this.warp, still: this.#still, chain };
    let executed = 0;
    try {
      executed = take(turns);
    } finally {
      this.warp = turns.next;
    }
    if (executed === 0) return 0;
    this.#still = turns.still;
    if (hasEnded(slot)) {
      this.warp = 0;
      this.turn();
    } else if (this.warp === slot.warps.length) this.#seek();
    return executed;
  }

  /** Ends the current warp's turn. */
  turn(): void {
    const slot = this.slots[this.slot]!;
    const warp = slot.warps[this.warp];
    if (warp?.active === 0) this.#still = -1;
    else if (warp !== undefined && warp.yieldBudget <= 0)
      refillBudget(warp, this.#schedule.fresh.dispatchSlot === undefined);
    if (warp?.live === 0 && hasEnded(slot)) this.#retire(slot);
    else this.warp++;
    this.#asynchrony.turn();
    this.#stalls.wake();
    if (this.#random === undefined) this.#seek();
    else this.#draw(this.#random);
  }

  /** Finds the next warp that can run, from the current place on. */
  #seek(): void {
    for (;;) {
      const slot = this.slots[this.slot];
      if (slot === undefined) {
        if (!this.#another()) return;
        continue;
      }
      if (slot.running) {
        const { warps } = slot;
        for (let at = this.warp; at < warps.length; at++)
          if (warps[at]!.active !== 0) {
            this.warp = at;
            return;
          }
      }
      this.slot++;
      this.warp = 0;
    }
  }

  /** Begins the next round, with one more cluster if there was no progress; false when there is none. */
  #another(): boolean {
    this.#still++;
    let more =
      this.#schedule.waits && this.#still >= STILL && this.slots.some(({ running }) => running) && this.#admit();
    if (more) this.#still = 0;
    if (!more && !this.slots.some(isReady)) {
      const running = this.slots.some(({ running }) => running);
      more = running && (this.#stalls.move() || this.#admit() || this.#stalls.giveUp());
      this.stuck = running && !more;
      if (!more) return false;
    } else if (this.#still > STILL && this.#stalls.spins(this.#still)) {
      this.stuck = true;
      return false;
    }
    this.slot = 0;
    this.warp = 0;
    return true;
  }

  /** Draws the next warp, and for how many instructions it runs. */
  #draw(random: Random): void {
    // Rarer with more blocks: a block that waits for one that has not begun needs it only some time.
    if (random.below(8 * this.slots.length ** 2) === 0) this.#admit();
    this.#still++;
    if (this.#still > STILL * this.slots.length && this.#stalls.spins(this.#still)) {
      this.#stop();
      return;
    }
    do {
      let ready = 0;
      for (const slot of this.slots) if (slot.running) for (const { active } of slot.warps) if (active !== 0) ready++;
      if (ready === 0) continue;
      this.slice = 1 + random.below(1 << random.below(10));
      let left = random.below(ready);
      for (this.slot = 0; ; this.slot++) {
        const { running, warps } = this.slots[this.slot]!;
        for (this.warp = 0; running && this.warp < warps.length; this.warp++)
          if (warps[this.warp]!.active !== 0 && left-- === 0) return;
      }
    } while (this.#stalls.move() || this.#admit() || this.#stalls.giveUp());
    this.#stop();
  }

  /** Ends scheduling: no warp gets another turn. */
  #stop(): void {
    this.slot = this.slots.length;
    this.stuck = this.slots.some(({ running }) => running);
  }

  #retire(slot: CtaSlot): void {
    this.#schedule.asynchrony.end(slot.block, slot.shared?.start ?? 0, slot.shared?.end ?? 0);
    this.#keepSlot(slot, slot.block === 0);
    slot.running = false;
    this.warp = 0;
    for (const observer of this.#schedule.observers) observer.end?.(slot.block);
    if (this.next >= this.#end) return;
    if (this.#schedule.cluster === undefined) {
      this.#start(slot, this.#order(this.next++));
      return;
    }
    const cluster = this.#clusterOf(slot);
    if (cluster.every(({ running }) => !running)) this.#enter(cluster);
  }

  /** The slots of one cluster. */
  #clusterOf(slot: CtaSlot): readonly CtaSlot[] {
    const size = sizeOf(this.#schedule.cluster);
    const first = size * Math.floor(this.slots.indexOf(slot) / size);
    return this.slots.slice(first, first + size);
  }

  /** Copies a block's registers out of the memory. */
  #keepSlot(slot: CtaSlot, always: boolean): void {
    const { keepsRegisters, ended } = this.#schedule;
    if (!keepsRegisters) return;
    if (ended !== undefined) ended(slot);
    else this.#kept.copy(slot, this.#memory.data, always);
  }

  /** A warp that still runs, or has run and whose registers are kept. */
  find(block: number, warp: number): Warp | undefined {
    const slot = this.slots.find((slot) => slot.block === block);
    if (slot !== undefined) return slot.warps[warp];
    return this.#kept.find(block, warp, this.shape);
  }

  #admit(): boolean {
    const size = sizeOf(this.#schedule.cluster);
    // A block that another one waits for must not be held back.
    if (this.#schedule.part === undefined && this.slots.length > 0) this.#end = this.#clusters;
    if (this.next >= this.#end || this.slots.length + size > MOST_RESIDENT) {
      // Another block may begin beside the last one of the grid only if all blocks have begun.
      this.crowded ||= this.#schedule.part !== undefined && this.next < this.#clusters;
      return false;
    }
    if (this.#schedule.part !== undefined && this.slots.length > 0) {
      this.crowded = true;
      return false;
    }
    const cluster: CtaSlot[] = [];
    for (let rank = 0; rank < size; rank++) {
      const slot = allocateCtaSlot(this.#memory, this.#schedule.needs, this.slots.length + rank);
      if (slot === undefined) {
        for (const made of cluster) freeCtaSlot(this.#memory, made);
        return false;
      }
      cluster.push(slot);
    }
    const syncs = cluster.map(({ ctaSync }) => ctaSync);
    for (const sync of syncs) sync.cluster = syncs;
    this.slots.push(...cluster);
    this.#enter(cluster);
    return true;
  }

  /** Cancels the cluster that would begin next and returns its first block; undefined when all have begun. */
  cancel(): number | undefined {
    return this.next >= this.#clusters ? undefined : this.#blockOf(this.#order(this.next++), 0);
  }

  #blockOf(index: number, rank: number): number {
    const { grid, cluster } = this.#schedule;
    return cluster === undefined ? index : blockOf(index, rank, grid, cluster);
  }

  #enter(slots: readonly CtaSlot[]): void {
    const index = this.#order(this.next++);
    for (const [rank, slot] of slots.entries()) this.#start(slot, this.#blockOf(index, rank));
  }

  #start(slot: CtaSlot, block: number): void {
    const { fresh, carry, observers } = this.#schedule;
    startBlock(this.#memory, slot, block, this.#threads, fresh, carry);
    for (const observer of observers) observer.begin?.(block);
  }

  /** A copy of all state outside the memory's image; registers that equal those of `before` are shared. */
  save(before?: SchedulerImage): SchedulerImage {
    const { u8 } = this.#memory.data;
    return {
      slots: this.slots.map((slot, at) => saveSlot(slot, u8, before?.slots[at])),
      kept: this.#kept.save(),
      position: [this.slot, this.warp, this.next],
      slice: this.slice,
      stuck: this.stuck,
      random: this.#random?.state,
      still: this.#still,
      asynchrony: this.#schedule.asynchrony.save(),
      stalls: this.#stalls.save(),
      mapChanges: this.#schedule.mapChanges.save(),
    };
  }

  /** Called before the memory's image is restored: registers of slots that did not exist then become zeros. */
  restore(image: SchedulerImage, memory: () => void): void {
    const { u8 } = this.#memory.data;
    for (const { state } of this.slots.slice(image.slots.length)) u8.fill(0, state.start, state.end);
    memory();
    this.slots = image.slots.map((slot) => restoreSlot(slot, u8));
    this.#kept.restore(image.kept);
    [this.slot, this.warp, this.next] = image.position;
    this.#still = image.still;
    this.#schedule.asynchrony.restore(image.asynchrony);
    this.#stalls.restore(image.stalls);
    this.#schedule.mapChanges.restore(image.mapChanges);
    this.slice = image.slice;
    this.stuck = image.stuck;
    if (this.#random !== undefined && image.random !== undefined) this.#random.state = image.random;
  }

  /** Frees the memory of all slots. Registers that can be read now stay readable, the current block's first. */
  close(): void {
    const current = this.slots[this.slot];
    this.#kept.begin();
    if (current !== undefined) this.#keepSlot(current, true);
    for (const slot of this.slots) {
      if (slot !== current && !this.#kept.has(slot.block)) this.#keepSlot(slot, false);
      freeCtaSlot(this.#memory, slot);
    }
    this.#only = this.slots.length === 1 ? this.slots[0] : undefined;
    this.slots = [];
    this.slot = 0;
  }
}
