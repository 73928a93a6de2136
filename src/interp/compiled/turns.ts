import type { LinkedCode } from "../javascript/linked-code.ts";
import type { Turns } from "../state/executor.ts";
import type { Warp } from "../state/warp.ts";
import type { Fallback } from "./fallback.ts";
import type { Exports } from "./module-exports.ts";
import {
  ARRIVED,
  ENDED,
  LIVE_LANES,
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
} from "./places.ts";
import type { ProgramCode } from "./program-code.ts";
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
    this.#fallback.warpOf = () => warps[state[TURN >> 2]!]!;
    try {
      this.#exports.turns(warps.length, limit);
    } catch (fault) {
      turns.next = state[TURN >> 2]!;
      const warp = warps[turns.next]!;
      warp.live = this.#exports.live.value >>> 0;
      readGroups(warp, state, 0);
      this.#read(warps, turns.next);
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
    return state[STEPS >> 2]!;
  }

  /** Whether each of them is one group, or none, that begins or goes on where a block of the module does. */
  #arePlain(warps: readonly Warp[]): boolean {
    const { ctaSync } = warps[0]!;
    if (ctaSync.openBarriers > 0 || ctaSync.clusterOpen || ctaSync.tensor.blocks.length > 0) return false;
    for (const { waiting, parked, rank, depth, live, active, pc } of warps) {
      if (waiting.length > 0 || parked.length > 0 || rank !== 0 || depth !== 0 || live !== active) return false;
      if (live !== 0 && this.#program.entries[pc]! < 0) return false;
    }
    return true;
  }

  #write({ warps, next, still, threads }: Turns): void {
    const state = this.#state;
    let ready = 0;
    let live = 0;
    for (const [index, warp] of warps.entries()) {
      const at = (WARPS + index * WARP_BYTES) >> 2;
      state[at + (WARP_BASE >> 2)] = warp.base;
      state[at + (WARP_LOCAL >> 2)] = warp.local;
      state[at + (WARP_ACTIVE >> 2)] = warp.active;
      state[at + (WARP_NEXT >> 2)] = this.#program.entries[warp.pc]!;
      state[at + (WARP_FUEL >> 2)] = warp.fuel;
      state[at + (WARP_BURNT >> 2)] = warp.burnt;
      state[at + (WARP_CARRY >> 2)] = warp.carry;
      if (warp.active !== 0) ready |= 1 << index;
      for (let rest = warp.live; rest !== 0; rest &= rest - 1) live++;
    }
    state[TURN >> 2] = next;
    state[READY >> 2] = ready;
    state[ARRIVED >> 2] = 0;
    state[ENDED >> 2] = 0;
    state[STILL_ROUNDS >> 2] = still;
    state[WHOLE >> 2] = live === threads ? 1 : 0;
  }

  /** Takes over what has become of the warps; of `faulted` the step that failed has told it. */
  #read(warps: readonly Warp[], faulted: number): void {
    const state = this.#state;
    const arrived = state[ARRIVED >> 2]!;
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
      if (!((arrived >>> index) & 1)) continue;
      // It waits in the module: it comes to the barrier once more, where everybody can see it.
      warp.pc = ~state[at + (WARP_PC >> 2)]!;
      this.#code.controls[warp.pc]!(warp);
    }
  }
}
