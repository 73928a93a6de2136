import { LANES } from "../../contract/launch/lane-mask.ts";
import type { LateLoads as Listener, WarpAccess } from "../../contract/observer.ts";
import type { Allocation } from "../../memory/allocation.ts";
import type { Context } from "../../state/context.ts";
import { late, MOST_LATE } from "../boundary/late-layout.ts";

/** The name of the memory where loads wait, which only compiled launches have. */
export const LATE_LOADS = "loads to notify of";

/** How often an instruction's loads may differ from those before in vain. */
const PATIENCE = 32;

/** Loads that the module lets wait: an observer is notified of them before anything else, many at once. */
export class LateLoads {
  readonly #context: Context;
  readonly #listener: Listener;
  /** By instruction: its pc. */
  readonly #pcs: readonly number[];
  readonly #allocation: Allocation;
  readonly #words: Int32Array;
  /** By instruction: the listener's number of its loads, whether they are of shared memory, and what is left of `PATIENCE`. */
  readonly #noted = new Int32Array(MOST_LATE);
  readonly #shared = new Uint8Array(MOST_LATE);
  readonly #patience = new Int32Array(MOST_LATE).fill(PATIENCE);
  #version = -1;
  #block = -1;

  private constructor(context: Context, listener: Listener, pcs: readonly number[], allocation: Allocation) {
    this.#context = context;
    this.#listener = listener;
    this.#pcs = pcs;
    this.#allocation = allocation;
    this.#words = new Int32Array(context.memory.linear.buffer, allocation.start, late.bytes / 4);
    this.#words.fill(0);
  }

  /**
   * Undefined where the only observer has to hear of everything at once, or no memory is left; where a tool may take snapshots,
   * which have all allocations; or where the program calls the driver, whose allocations must not depend on the executor's.
   */
  static of(context: Context, pcs: readonly number[]): LateLoads | undefined {
    const { memory, observers, program } = context;
    const [only, ...others] = observers;
    if (only?.late === undefined || others.length > 0 || pcs.length === 0 || context.observable) return undefined;
    if (program.functions.some(({ entry }) => typeof entry === "string")) return undefined;
    const request = { name: LATE_LOADS, bytes: late.bytes, align: 16, kind: "state", shadow: 0 } as const;
    const start = memory.reserve(request);
    const allocation = start === undefined ? undefined : memory.allocations.find(start);
    return allocation && new LateLoads(context, only.late, pcs, allocation);
  }

  /** Gives the memory back. */
  close(): void {
    const { memory } = this.#context;
    const there = memory.allocations.find(this.#allocation.start);
    // One of a snapshot that was restored is a copy.
    if (there?.name === LATE_LOADS && there.start === this.#allocation.start) memory.release(there);
  }

  /** Before a module runs warps of a block: where the loads wait in memory; 0 where none may. */
  begin(block: number): number {
    if (!this.#isThere) return 0;
    this.#block = block;
    this.refresh();
    return this.#allocation.start;
  }

  /** After the observer was notified of something: asks what may be late now. */
  refresh(): void {
    const words = this.#words;
    const listener = this.#listener;
    words[late.global / 4] = listener.isOpen(this.#block, "global") ? 1 : 0;
    words[late.shared / 4] = listener.isOpen(this.#block, "shared") ? 1 : 0;
    if (listener.version === this.#version) return;
    this.#version = listener.version;
    words.fill(0, late.length / 4, late.length / 4 + MOST_LATE);
  }

  /** The observer was notified of a load of all lanes of a warp at once: the next ones like it may wait. */
  learn(access: WarpAccess, shared: number): void {
    const { pc, space, bytes, where, block } = access;
    const instruction = this.#pcs.indexOf(pc);
    if (instruction < 0 || this.#patience[instruction]! <= 0 || block !== this.#block) return;
    if ((space !== "global" && space !== "shared") || !this.#listener.isOpen(block, space)) return;
    const noted = this.#listener.note(access);
    if (noted === undefined) return;
    this.#patience[instruction]!--;
    this.#noted[instruction] = noted;
    this.#shared[instruction] = space === "shared" ? 1 : 0;
    const words = this.#words;
    const first = where[0]!;
    let [low, high] = [0, 0];
    for (let lane = 0; lane < LANES; lane++) {
      const more = where[lane]! - first;
      words[late.lanes / 4 + LANES * instruction + lane] = more;
      if (more < low) low = more;
      else if (more > high) high = more;
    }
    const [start, end] =
      space === "shared" ? [shared, shared + this.#context.sharedBytes] : this.#listener.within(first);
    words[late.from / 4 + instruction] = start - low;
    words[late.length / 4 + instruction] = Math.max(0, end - start + low - high - bytes + 1);
  }

  /** Notifies the observer of the loads that wait. `met`: all threads of the block have come to a barrier. */
  drain(met = false): void {
    const words = this.#words;
    const count = words[late.count / 4]!;
    if (count === 0 || !this.#isThere) return;
    words[late.count / 4] = 0;
    const listener = this.#listener;
    let skipped = 0;
    for (let at = late.waiting / 4; at < late.waiting / 4 + 2 * count; at += 2) {
      const what = words[at]!;
      const instruction = what & 0xffff;
      this.#patience[instruction] = PATIENCE;
      if (met && this.#shared[instruction] === 1) skipped++;
      else listener.load(this.#noted[instruction]!, this.#block, what >> 16, words[at + 1]!);
    }
    if (skipped > 0) listener.skip(this.#block, skipped);
  }

  /** A snapshot that was restored may lack the memory. */
  get #isThere(): boolean {
    return this.#context.memory.allocations.find(this.#allocation.start) === this.#allocation;
  }
}
