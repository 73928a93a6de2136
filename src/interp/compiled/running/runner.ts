import { areApart } from "../../contract/observes.ts";
import { advance, advanceRun, canAdvance } from "../../javascript/advance.ts";
import type { LinkedCode } from "../../javascript/linked-code.ts";
import type { Context } from "../../state/context.ts";
import type { LinkedProgram, Turns } from "../../state/executor.ts";
import type { Warp } from "../../state/warp.ts";
import { reconverge } from "../../warp/groups.ts";
import { NOBODY } from "../boundary/module-globals.ts";
import { type State, stateOf } from "../boundary/state-layout.ts";
import type { ProgramCode } from "../module/program-code.ts";
import { Fallback } from "./fallback.ts";
import { HeldCopies } from "./held-copies.ts";
import { type Callee, Instance } from "./instance.ts";
import type { LateAccesses } from "./late-accesses.ts";
import type { Notifier } from "./notifier.ts";
import { RoundRobin } from "./round-robin.ts";
import { readGroups, writeGroups } from "./waiting-groups.ts";

/** More than any launch executes in one go. */
const ENDLESS = 0x7fff_ffff;

/** True while a module runs: JavaScript executes what observers start meanwhile, since the state is shared. */
let inModule = false;

/** A program in WebAssembly, linked to a launch; the steps of `code` execute what is not compiled. */
export class CompiledProgram implements LinkedProgram {
  readonly #code: LinkedCode;
  readonly #program: ProgramCode;
  readonly #instance: Instance;
  readonly #callee: Callee;
  readonly #state: State;
  readonly #buffer: ArrayBufferLike;
  readonly #late: LateAccesses | undefined;
  readonly #copies: HeldCopies | undefined;
  readonly turns?: NonNullable<LinkedProgram["turns"]>;

  constructor(context: Context, code: LinkedCode, program: ProgramCode, notifier: Notifier | undefined) {
    const { memory } = context;
    this.#code = code;
    this.#program = program;
    this.#buffer = memory.linear.buffer;
    this.#late = notifier?.late;
    this.#state = stateOf(this.#buffer);
    this.#copies = HeldCopies.of(context, this.#late !== undefined);
    this.#instance = Instance.of(program, memory.linear);
    const { exports } = this.#instance;
    const fallback = new Fallback(context, code, program, this.#state, notifier, this.#copies, exports);
    const { observers } = context;
    const roundRobin = new RoundRobin(code, program, exports, this.#state, fallback, observers, this.#late);
    this.#callee = { fallback, roundRobin };
    // The scheduler lets the moments of asynchronous operations pass; observers hear of those as it runs warps.
    const isLate = notifier === undefined || notifier.late !== undefined;
    const scheduled = program.asynchronous && (context.asynchrony.movesBetweenTurns || !isLate);
    // Observers that look at warps find them up to date only where JavaScript schedules them.
    // The scheduler says which warps meet at barriers, too.
    const meets = context.asynchrony.fences.proxies.active;
    if (!scheduled && !meets && (notifier === undefined || areApart(observers))) this.turns = this.#runTurns;
  }

  /** `turns`, one function for all launches: closures that they store outlive them (`device-launches.ts`). */
  #runTurns(turns: Turns, budget: number, clock: number): number {
    if (inModule) return 0;
    const { block } = turns.warps[0]!;
    const { roundRobin } = this.#callee;
    return this.#inModule(block, true, () => roundRobin.run(turns, Math.min(budget, ENDLESS), clock));
  }

  close(): void {
    this.#late?.close();
    this.#copies?.release();
  }

  run(warp: Warp, budget: number, clock: number): number {
    // The module cannot reach the registers of a warp that a tool has made.
    if (warp.r.buffer !== this.#buffer || inModule) return advance(warp, this.#code, budget, clock);
    let executed = 0;
    while (canAdvance(warp, this.#code, budget - executed)) {
      const entry = this.#program.entries[warp.pc]!;
      if (entry >= 0 && isPlain(warp)) {
        const done = this.#enter(warp, entry, budget - executed, clock + executed);
        executed += done;
        if (done > 0) continue;
      }
      executed += this.outside(warp, budget - executed, clock + executed);
    }
    return executed;
  }

  /** Runs instructions that the module lacks, up to the next control instruction; returns how many. */
  outside(warp: Warp, budget: number, clock: number): number {
    return advanceRun(warp, this.#code, budget, clock);
  }

  /** Runs what enters the module, for warps of a block; `alone` if it is the only resident one. */
  #inModule<Result>(block: number, alone: boolean, run: () => Result): Result {
    inModule = true;
    this.#instance.exports.late.value = this.#late?.begin(block, alone) ?? 0;
    try {
      return this.#instance.enter(this.#callee, run);
    } finally {
      this.#late?.drain();
      inModule = false;
    }
  }

  /** Runs blocks of the module from `entry` on; returns the number of instructions. */
  #enter(warp: Warp, entry: number, budget: number, clock: number): number {
    const state = this.#state;
    const { waiting, ctaSync, depth } = warp;
    this.#callee.fallback.begin(warp, clock);
    this.#callee.fallback.calls.begin(warp);
    state.budgetLeft = warp.yieldBudget;
    state.carry = warp.carry;
    state.local = warp.local;
    const ones = waiting.length === 0 || waiting[0]!.rank === warp.rank;
    state.oneRank = ones ? 1 : 0;
    const { openBarriers, clusterOpen, tensor } = ctaSync;
    const alone = warp.parked.length === 0 && openBarriers === 0 && !clusterOpen && tensor.blocks.length === 0;
    state.mayExit = alone ? 1 : 0;
    writeGroups(warp, state, this.#program.entries);
    const meet = Math.min(warp.reconvergeAt, NOBODY);
    const limit = Math.min(budget, ENDLESS);
    let next: number;
    state.turn = warp.index;
    const { exports } = this.#instance;
    try {
      next = this.#inModule(warp.block, false, () =>
        exports.run(entry, warp.base, warp.active | 0, warp.live | 0, meet, limit),
      );
    } catch (fault) {
      warp.live = exports.live.value >>> 0;
      readGroups(warp, state, depth, ones);
      throw fault;
    }
    warp.pc = next < 0 ? ~next : this.#program.starts[next]!;
    warp.yieldBudget = state.budgetLeft;
    warp.carry = state.carry;
    warp.active = state.activeLanes;
    warp.live = state.liveLanes;
    this.#callee.fallback.calls.notify(warp, warp.active);
    readGroups(warp, state, depth, ones);
    if (warp.active === 0 || warp.pc >= warp.reconvergeAt) reconverge(warp);
    return state.steps;
  }
}

/** Whether the waiting groups are all of one rank, and wait behind the current group or fewer calls deep. */
function isPlain({ waiting, rank, depth, reconvergeAt }: Warp): boolean {
  const first = waiting[0];
  if (first === undefined) return true;
  if (rank > first.rank || waiting.at(-1)!.rank !== first.rank || first.depth > depth) return false;
  return first.depth === depth ? reconvergeAt === first.pc : reconvergeAt === Number.POSITIVE_INFINITY;
}
