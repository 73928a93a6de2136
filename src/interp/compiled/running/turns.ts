import { bitsIn, firstLane, LANES, lowest } from "../../contract/lane-mask.ts";
import type { LinkedCode } from "../../javascript/linked-code.ts";
import type { Turns } from "../../state/executor.ts";
import type { Barrier, Warp } from "../../state/warp.ts";
import { noteArrival } from "../../warp/barrier.ts";
import type { Exports } from "../boundary/module-exports.ts";
import {
  ARRIVED,
  BARRIER_ARRIVED,
  BARRIER_BYTES,
  BARRIER_THREADS,
  BARRIER_WAITING,
  BARRIERS,
  CHAIN_BEGUN,
  CHAIN_CTAID,
  CHAIN_GRID,
  CHAIN_LANES,
  CHAIN_LEFT,
  CHAIN_ROW_BYTES,
  CHAIN_ROWS,
  CHAIN_ROWS_COUNT,
  ENDED,
  LIVE_LANES,
  MOST_BARRIERS,
  MOST_CHAIN_ROWS,
  OPEN,
  READY,
  STEPS,
  STILL_ROUNDS,
  TURN,
  WARP_ACTIVE,
  WARP_BASE,
  WARP_BURNT,
  WARP_BYTES,
  WARP_CARRY,
  WARP_FUEL,
  WARP_LOCAL,
  WARP_NEXT,
  WARP_PC,
  WARPS,
  WHOLE,
} from "../boundary/places.ts";
import type { ProgramCode } from "../module/program-code.ts";
import type { Fallback } from "./fallback.ts";
import { readGroups } from "./waiting-groups.ts";

/** Lets the warps of a block take turns within the module. */
export class WarpTurns {
  readonly #code: LinkedCode;
  readonly #program: ProgramCode;
  readonly #exports: Exports;
  readonly #state: Int32Array;
  readonly #fallback: Fallback;

  constructor(code: LinkedCode, program: ProgramCode, exports: Exports, state: Int32Array, fallback: Fallback) {
    this.#code = code;
    this.#program = program;
    this.#exports = exports;
    this.#state = state;
    this.#fallback = fallback;
  }

  /** As `LinkedProgram.turns`. */
  take(turns: Turns, limit: number, clock: number): number {
    const { warps } = turns;
    if (warps.length > 32 || !this.#arePlain(warps)) return 0;
    const state = this.#state;
    this.#write(turns);
    this.#fallback.begin(warps[0]!, clock);
    this.#fallback.calls.begin();
    this.#fallback.warpOf = () => {
      this.#follow(turns);
      return warps[state[TURN >> 2]!]!;
    };
    try {
      this.#exports.turns(warps.length, limit);
      this.#follow(turns);
    } catch (fault) {
      this.#follow(turns);
      turns.next = state[TURN >> 2]!;
      const warp = warps[turns.next]!;
      warp.live = this.#exports.live.value >>> 0;
      readGroups(warp, state, 0);
      this.#read(warps, turns.next);
      this.#meet(warps);
      throw fault;
    } finally {
      this.#fallback.warpOf = undefined;
    }
    turns.next = state[TURN >> 2]!;
    turns.still = state[STILL_ROUNDS >> 2]!;
    const current = warps[turns.next];
    this.#read(warps, -1);
    if (current !== undefined) {
      this.#fallback.calls.tell(current, current.active);
      current.live = state[LIVE_LANES >> 2]! >>> 0;
      readGroups(current, state, 0);
    }
    this.#meet(warps);
    return state[STEPS >> 2]!;
  }

  /** Tells which blocks the module has begun since it was entered, or since that was told. */
  #follow({ chain }: Turns): void {
    const begun = this.#state[CHAIN_BEGUN >> 2]!;
    if (begun === 0) return;
    this.#state[CHAIN_BEGUN >> 2] = 0;
    chain!.begin(begun);
  }

  /** Whether each of them is one group, or none, that begins or goes on where a block of the module does. */
  #arePlain(warps: readonly Warp[]): boolean {
    const { ctaSync } = warps[0]!;
    if (ctaSync.clusterOpen || ctaSync.tensor.blocks.length > 0) return false;
    for (const { waiting, parked, rank, depth, live, active, pc } of warps) {
      if (waiting.length > 0 || rank !== 0 || depth !== 0) return false;
      const [group] = parked;
      if (group !== undefined) {
        const { on, mask } = group;
        if (parked.length > 1 || active !== 0 || mask !== live || group.depth !== 0 || group.pc !== pc) return false;
        if (on.kind !== "barrier" || on.site.act !== "sync" || this.#program.entries[group.pc + 1]! < 0) return false;
      } else if (live !== active || (live !== 0 && this.#program.entries[pc]! < 0)) return false;
    }
    return ctaSync.openBarriers === 0 || ctaSync.barriers.every((barrier) => isOfWarps(barrier, warps));
  }

  #write({ warps, next, still, threads, chain }: Turns): void {
    const state = this.#state;
    const rows = chain?.rows ?? [];
    state[CHAIN_LEFT >> 2] = chain === undefined || rows.length > MOST_CHAIN_ROWS ? 0 : chain.most;
    state[CHAIN_BEGUN >> 2] = 0;
    for (let axis = 0; axis < 3; axis++) state[(CHAIN_CTAID >> 2) + axis] = chain?.ctaid[axis] ?? 0;
    for (let axis = 0; axis < 2; axis++) state[(CHAIN_GRID >> 2) + axis] = chain?.grid[axis] ?? 0;
    state[CHAIN_LANES >> 2] = lowest(threads - LANES * (warps.length - 1));
    state[CHAIN_ROWS_COUNT >> 2] = rows.length;
    for (let at = 0; at < rows.length && at < MOST_CHAIN_ROWS; at++) {
      state[(CHAIN_ROWS + at * CHAIN_ROW_BYTES) >> 2] = rows[at]!.at;
      state[(CHAIN_ROWS + at * CHAIN_ROW_BYTES + 4) >> 2] = 4 * rows[at]!.axis;
    }
    let ready = 0;
    let live = 0;
    const { ctaSync } = warps[0]!;
    state.fill(0, BARRIERS >> 2, (BARRIERS + MOST_BARRIERS * BARRIER_BYTES) >> 2);
    state[OPEN >> 2] = ctaSync.openBarriers;
    for (const [number, barrier] of ctaSync.barriers.entries()) {
      if (barrier === undefined) continue;
      const at = (BARRIERS + number * BARRIER_BYTES) >> 2;
      state[at + (BARRIER_THREADS >> 2)] = barrier.whole ? -1 : barrier.threads;
      state[at + (BARRIER_ARRIVED >> 2)] = barrier.warps;
      ctaSync.barriers[number] = undefined;
    }
    ctaSync.openBarriers = 0;
    let arrived = 0;
    for (const [index, warp] of warps.entries()) {
      const at = (WARPS + index * WARP_BYTES) >> 2;
      const group = warp.parked.pop();
      if (group?.on.kind === "barrier") {
        // From here on it waits in the module.
        warp.pc = group.pc + 1;
        warp.active = warp.live;
        state[at + (WARP_PC >> 2)] = ~group.pc;
        state[(BARRIERS + group.on.number * BARRIER_BYTES + BARRIER_WAITING) >> 2]! |= 1 << index;
        arrived |= 1 << index;
      }
      state[at + (WARP_BASE >> 2)] = warp.base;
      state[at + (WARP_LOCAL >> 2)] = warp.local;
      state[at + (WARP_ACTIVE >> 2)] = warp.active;
      state[at + (WARP_NEXT >> 2)] = this.#program.entries[warp.pc]!;
      state[at + (WARP_FUEL >> 2)] = warp.fuel;
      state[at + (WARP_BURNT >> 2)] = warp.burnt;
      state[at + (WARP_CARRY >> 2)] = warp.carry;
      if (warp.active !== 0 && group === undefined) ready |= 1 << index;
      live += bitsIn(warp.live);
    }
    state[TURN >> 2] = next;
    state[READY >> 2] = ready;
    state[ARRIVED >> 2] = arrived;
    state[ENDED >> 2] = 0;
    state[STILL_ROUNDS >> 2] = still;
    state[WHOLE >> 2] = live === threads ? 1 : 0;
  }

  /** Takes over what has become of the warps; of `faulted` the step that failed has told it. */
  #read(warps: readonly Warp[], faulted: number): void {
    const state = this.#state;
    const ended = state[ENDED >> 2]!;
    for (const [index, warp] of warps.entries()) {
      if (index === faulted) continue;
      // It may have been told of calls that have returned since.
      if (warp.depth !== 0) {
        warp.depth = 0;
        warp.activations = [];
      }
      if (warp.live === 0) continue;
      const at = (WARPS + index * WARP_BYTES) >> 2;
      const next = state[at + (WARP_NEXT >> 2)]!;
      warp.fuel = state[at + (WARP_FUEL >> 2)]!;
      warp.burnt = state[at + (WARP_BURNT >> 2)]!;
      warp.carry = state[at + (WARP_CARRY >> 2)]! >>> 0;
      warp.active = state[at + (WARP_ACTIVE >> 2)]! >>> 0;
      warp.pc = next < 0 ? ~next : this.#program.starts[next]!;
      if ((ended >>> index) & 1) warp.live = 0;
      else warp.live = warp.active;
    }
  }

  /** Warps that have come to barriers in the module come there once more, where everybody can see it. */
  #meet(warps: readonly Warp[]): void {
    const state = this.#state;
    if (state[OPEN >> 2] === 0) return;
    for (let number = 0; number < MOST_BARRIERS; number++) {
      const at = (BARRIERS + number * BARRIER_BYTES) >> 2;
      const passed = state[at + (BARRIER_ARRIVED >> 2)]! & ~state[at + (BARRIER_WAITING >> 2)]!;
      for (let rest = passed; rest !== 0; rest &= rest - 1)
        noteArrival(warps[firstLane(rest)]!, number, state[at + (BARRIER_THREADS >> 2)]!);
    }
    for (let rest = state[ARRIVED >> 2]!; rest !== 0; rest &= rest - 1) {
      const index = firstLane(rest);
      const warp = warps[index]!;
      warp.pc = ~state[(WARPS + index * WARP_BYTES + WARP_PC) >> 2]!;
      this.#code.controls[warp.pc]!(warp);
    }
  }
}

/** Whether only whole warps have come to a barrier. Nobody votes there: whoever does waits in a group that is not plain. */
const isOfWarps = (barrier: Barrier | undefined, warps: readonly Warp[]): boolean =>
  barrier === undefined ||
  warps.every(({ index, live }) => barrier.arrived[index] === ((barrier.warps >>> index) & 1 ? live : 0));
