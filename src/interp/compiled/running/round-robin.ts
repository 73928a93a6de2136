import { bitsIn, firstLane, LANES, lowest } from "../../contract/launch/lane-mask.ts";
import type { Observer } from "../../contract/observer.ts";
import type { LinkedCode } from "../../javascript/linked-code.ts";
import type { Turns } from "../../state/executor.ts";
import type { Barrier, Warp } from "../../state/warp.ts";
import { noteArrival } from "../../warp/barrier.ts";
import { diverge } from "../../warp/groups.ts";
import type { Exports } from "../boundary/module-exports.ts";
import { MOST_BARRIERS, MOST_CHAIN_ROWS, type State } from "../boundary/state-layout.ts";
import type { ProgramCode } from "../module/program-code.ts";
import type { Fallback } from "./fallback.ts";
import type { LateAccesses } from "./late-accesses.ts";
import { readGroups } from "./waiting-groups.ts";

/** Runs the warps of a block round robin within the module. */
export class RoundRobin {
  readonly #code: LinkedCode;
  readonly #program: ProgramCode;
  readonly #exports: Exports;
  readonly #state: State;
  readonly #fallback: Fallback;
  readonly #observers: readonly Observer[];
  readonly #late: LateAccesses | undefined;
  #turns: Turns | undefined;
  #arrived = new Uint32Array();

  constructor(
    code: LinkedCode,
    program: ProgramCode,
    exports: Exports,
    state: State,
    fallback: Fallback,
    observers: readonly Observer[],
    late: LateAccesses | undefined,
  ) {
    this.#code = code;
    this.#program = program;
    this.#exports = exports;
    this.#state = state;
    this.#fallback = fallback;
    this.#observers = observers;
    this.#late = late;
  }

  /** Notifies observers of a barrier that is complete in the module. */
  completed(number: number): void {
    this.#follow(this.#turns!);
    const { warps } = this.#turns!;
    const { barriers, warps: ran } = this.#state;
    const arrived = this.#arrived;
    for (let index = 0; index < warps.length; index++)
      arrived[index] = (barriers.arrived[number]! >>> index) & 1 ? ran.active[index]! : 0;
    const whole = barriers.threads[number]! < 0;
    if (whole && this.#late?.completed(number)) return;
    this.#late?.drain();
    for (const observer of this.#observers) observer.barrier?.(warps[0]!.block, number, arrived, whole);
    this.#late?.refresh();
  }

  /** Notifies observers that the module has begun the next block of a chain. */
  began(): void {
    this.#follow(this.#turns!);
    this.#late?.refresh();
  }

  /** The warp whose turn it is. */
  warp(): Warp {
    const turns = this.#turns!;
    this.#follow(turns);
    return turns.warps[this.#state.turn]!;
  }

  /** As `LinkedProgram.turns`. */
  run(turns: Turns, limit: number, clock: number): number {
    const { warps } = turns;
    if (warps.length > 32 || !this.#arePlain(warps)) return 0;
    const state = this.#state;
    this.#turns = turns;
    if (this.#arrived.length !== warps.length) this.#arrived = new Uint32Array(warps.length);
    this.#write(turns);
    this.#fallback.begin(warps[0]!, clock);
    this.#fallback.calls.begin();
    this.#fallback.turns = this;
    try {
      this.#exports.roundRobin(warps.length, limit);
      this.#follow(turns);
    } catch (fault) {
      this.#follow(turns);
      this.#exports.settle();
      turns.next = state.turn;
      const warp = warps[turns.next]!;
      warp.live = this.#exports.live.value >>> 0;
      readGroups(warp, state, 0);
      this.#read(warps, turns.next);
      this.#meet(warps);
      throw fault;
    } finally {
      this.#fallback.turns = undefined;
    }
    turns.next = state.turn;
    turns.still = state.stillRounds;
    const current = warps[turns.next];
    this.#read(warps, -1);
    if (current !== undefined) {
      this.#fallback.calls.notify(current, current.active);
      current.live = state.liveLanes;
      readGroups(current, state, 0);
    }
    this.#meet(warps);
    if (current !== undefined) this.#release(current);
    return state.steps;
  }

  /** Reports the blocks that the module has begun since the last call. */
  #follow({ chain }: Turns): void {
    const begun = this.#state.chainBegun;
    if (begun === 0) return;
    this.#state.chainBegun = 0;
    const late = this.#late;
    const notified = late?.makeRoom() ?? 0;
    for (let ahead = notified; ahead < begun; ahead++) {
      if (late !== undefined) late.began();
      else chain!.notify(ahead);
    }
    chain!.begin(begun);
  }

  /** Whether each warp is one group, or has ended, and goes on where a block of the module begins. */
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
    // The scheduler has to say that a block with operations in flight has ended.
    const alone = chain === undefined || rows.length > MOST_CHAIN_ROWS || this.#program.asynchronous;
    state.chainLeft = alone ? 0 : chain.most;
    state.chainBegun = 0;
    for (let axis = 0; axis < 3; axis++) state.chainCtaid[axis] = chain?.ctaid[axis] ?? 0;
    for (let axis = 0; axis < 2; axis++) state.chainGrid[axis] = chain?.grid[axis] ?? 0;
    state.chainLanes = lowest(threads - LANES * (warps.length - 1));
    state.chainRowCount = rows.length;
    for (let at = 0; at < rows.length && at < MOST_CHAIN_ROWS; at++) {
      state.chainRows.at[at] = rows[at]!.at;
      state.chainRows.axis[at] = 4 * rows[at]!.axis;
    }
    let ready = 0;
    let live = 0;
    const { ctaSync } = warps[0]!;
    const { barriers } = state;
    for (const row of [barriers.threads, barriers.arrived, barriers.waiting]) row.fill(0);
    state.openBarriers = ctaSync.openBarriers;
    for (const [number, barrier] of ctaSync.barriers.entries()) {
      if (barrier === undefined) continue;
      barriers.threads[number] = barrier.whole ? -1 : barrier.threads;
      barriers.arrived[number] = barrier.warps;
      ctaSync.barriers[number] = undefined;
    }
    ctaSync.openBarriers = 0;
    let arrived = 0;
    for (const [index, warp] of warps.entries()) {
      const group = warp.parked.pop();
      if (group?.on.kind === "barrier") {
        // From here on the warp waits in the module.
        warp.pc = group.pc + 1;
        warp.active = warp.live;
        state.warps.barrierPc[index] = ~group.pc;
        barriers.waiting[group.on.number]! |= 1 << index;
        arrived |= 1 << index;
      }
      state.warps.base[index] = warp.base;
      state.warps.local[index] = warp.local;
      state.warps.active[index] = warp.active;
      state.warps.next[index] = this.#program.entries[warp.pc]!;
      state.warps.yieldBudget[index] = warp.yieldBudget;
      state.warps.burnt[index] = warp.burnt;
      state.warps.carry[index] = warp.carry;
      if (warp.active !== 0 && group === undefined) ready |= 1 << index;
      live += bitsIn(warp.live);
    }
    state.turn = next;
    state.readyWarps = ready;
    state.waitingWarps = arrived;
    state.phaseWarps = 0;
    state.heldLanes = 0;
    state.endedWarps = 0;
    state.stillRounds = still;
    state.whole = live === threads ? 1 : 0;
  }

  /** Reads the warps' state back from the module; that of `faulted` was set by the step that failed. */
  #read(warps: readonly Warp[], faulted: number): void {
    const { endedWarps, warps: ran } = this.#state;
    for (const [index, warp] of warps.entries()) {
      if (index === faulted) continue;
      // The warp may still have activations of calls that have returned.
      if (warp.depth !== 0) {
        warp.depth = 0;
        warp.activations = [];
      }
      if (warp.live === 0) continue;
      const next = ran.next[index]!;
      warp.yieldBudget = ran.yieldBudget[index]!;
      warp.burnt = ran.burnt[index]!;
      warp.carry = ran.carry[index]!;
      warp.active = ran.active[index]!;
      warp.pc = next < 0 ? ~next : this.#program.starts[next]!;
      if ((endedWarps >>> index) & 1) warp.live = 0;
      else warp.live = warp.active;
    }
  }

  /** Repeats in JavaScript the arrival of lanes that wait in the module for others of the current warp. */
  #release(warp: Warp): void {
    const { heldLanes, heldPc } = this.#state;
    if (heldLanes === 0) return;
    this.#state.heldLanes = 0;
    const { pc, active } = warp;
    if (active !== 0) diverge(warp, pc, active);
    warp.pc = heldPc;
    warp.active = heldLanes;
    this.#code.controls[heldPc]!(warp);
  }

  /** Repeats in JavaScript the arrivals at barriers that are still open in the module. */
  #meet(warps: readonly Warp[]): void {
    const { openBarriers, barriers, waitingWarps, warps: ran } = this.#state;
    if (openBarriers === 0) return;
    for (let number = 0; number < MOST_BARRIERS; number++) {
      const passed = barriers.arrived[number]! & ~barriers.waiting[number]!;
      for (let rest = passed; rest !== 0; rest &= rest - 1)
        noteArrival(warps[firstLane(rest)]!, number, barriers.threads[number]!);
    }
    for (let rest = waitingWarps; rest !== 0; rest &= rest - 1) {
      const index = firstLane(rest);
      const warp = warps[index]!;
      warp.pc = ~ran.barrierPc[index]!;
      this.#code.controls[warp.pc]!(warp);
    }
  }
}

/** Whether only complete warps have come to a barrier. None of them votes (bar.red): a group that does is not plain. */
const isOfWarps = (barrier: Barrier | undefined, warps: readonly Warp[]): boolean =>
  barrier === undefined ||
  warps.every(({ index, live }) => barrier.arrived[index] === ((barrier.warps >>> index) & 1 ? live : 0));
