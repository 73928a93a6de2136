import { instantiate } from "../../wasm/engine.ts";
import { firstLane } from "../contract/lane-mask.ts";
import { advanceRun, canAdvance, record } from "../javascript/advance.ts";
import type { LinkedCode } from "../javascript/linked-code.ts";
import type { Context } from "../state/context.ts";
import type { LinkedProgram } from "../state/executor.ts";
import type { Warp } from "../state/warp.ts";
import { reconverge } from "../warp/groups.ts";
import { CleanRanges } from "./clean.ts";
import {
  CARRY,
  FUEL_LEFT,
  LOCAL,
  LOCAL_STRIDE,
  PARAMETERS,
  RANGES,
  SHARED,
  SHARED_CLEAN,
  STATE_BYTES,
  STEPS,
} from "./places.ts";
import type { ProgramCode } from "./program-code.ts";

/** More than any launch executes in one go. */
const ENDLESS = 0x7fff_ffff;

/** A number that the module and JavaScript share. */
interface Global {
  value: number;
}

/** What the module exports. */
interface Exports {
  run(block: number, base: number, active: number): number;
  readonly state: Global;
  readonly meet: Global;
  readonly limit: Global;
}

/** A program in WebAssembly, linked to a launch; what it does not know is done by the steps of `code`. */
export class CompiledProgram implements LinkedProgram {
  readonly #context: Context;
  readonly #code: LinkedCode;
  readonly #program: ProgramCode;
  readonly #exports: Exports;
  readonly #state: Int32Array;
  readonly #ranges: CleanRanges;
  #warp: Warp | undefined;
  /** Instructions that the launch had executed when the module was entered. */
  #clock = 0;
  /** The shadow of memory has become worse since the ranges were looked at, when the memory's count differs. */
  #worse = -1;
  /** How much of which block's shared memory is clean. */
  #sharedOf = -1;

  constructor(context: Context, code: LinkedCode, program: ProgramCode) {
    const { memory } = context;
    this.#context = context;
    this.#code = code;
    this.#program = program;
    this.#state = new Int32Array(memory.linear.buffer, 0, STATE_BYTES / 4);
    this.#ranges = new CleanRanges(memory, this.#state);
    const exports = instantiate(program.module, {
      memory: memory.linear.wasm!,
      redo: (from: number, to: number, start: number, executed: number) => this.#redo(from, to, start, executed),
      step: (pc: number, start: number, executed: number) => this.#step(pc, start, executed),
    });
    this.#exports = exports as unknown as Exports;
    this.#exports.state.value = 0;
  }

  run(warp: Warp, budget: number, clock: number): number {
    let executed = 0;
    while (canAdvance(warp, this.#code, budget - executed)) {
      const entry = this.#program.entries[warp.pc]!;
      if (entry >= 0 && this.#program.lasts[warp.pc]! < warp.reconvergeAt && isPlain(warp)) {
        const done = this.#enter(warp, entry, budget - executed, clock + executed);
        executed += done;
        if (done > 0) continue;
      }
      executed += advanceRun(warp, this.#code, budget - executed, clock + executed);
    }
    return executed;
  }

  /** Runs blocks of the module from `entry` on; gives how many instructions that were. */
  #enter(warp: Warp, entry: number, budget: number, clock: number): number {
    const state = this.#state;
    const { meet, limit } = this.#exports;
    this.#prepare(warp);
    this.#warp = warp;
    this.#clock = clock;
    state[FUEL_LEFT >> 2] = warp.fuel;
    state[CARRY >> 2] = warp.carry;
    meet.value = warp.reconvergeAt === Number.POSITIVE_INFINITY ? ENDLESS : warp.reconvergeAt;
    limit.value = Math.min(budget, ENDLESS);
    warp.pc = this.#exports.run(entry, warp.base, warp.active | 0);
    warp.fuel = state[FUEL_LEFT >> 2]!;
    warp.carry = state[CARRY >> 2]! >>> 0;
    if (warp.pc >= warp.reconvergeAt) reconverge(warp);
    return state[STEPS >> 2]!;
  }

  /** Tells the module where the warp's memory lies, and forgets what was known of memory if that has changed. */
  #prepare(warp: Warp): void {
    const state = this.#state;
    const { memory, parameters, localStride } = this.#context;
    state[PARAMETERS >> 2] = parameters;
    state[SHARED >> 2] = warp.shared;
    state[LOCAL >> 2] = warp.local;
    state[LOCAL_STRIDE >> 2] = localStride;
    if (memory.worsened !== this.#worse) {
      this.#worse = memory.worsened;
      this.#sharedOf = -1;
      state.fill(0, RANGES >> 2);
    }
    if (this.#sharedOf === warp.block) return;
    this.#sharedOf = warp.block;
    state[SHARED_CLEAN >> 2] = 0;
  }

  #step(pc: number, start: number, executed: number): void {
    const warp = this.#warp!;
    this.#state[CARRY >> 2] = this.#do(warp, pc, start, executed);
  }

  /** Instructions that may touch memory that nobody knows to be clean; then more of it is known. */
  #redo(from: number, to: number, start: number, executed: number): void {
    const warp = this.#warp!;
    const { scratch, sharedBytes, program } = this.#context;
    let carry = 0;
    for (let pc = from; pc < to; pc++) {
      carry = this.#do(warp, pc, start, executed);
      const { shape } = program.code[pc]!.plan;
      if (shape !== "load" && shape !== "store") continue;
      const range = this.#program.ranges[pc]!;
      if (range !== 0) this.#ranges.grow(range >> 2, scratch.at[firstLane(warp.active)]!);
      else if (warp.shared > 0) {
        const known = this.#state[SHARED_CLEAN >> 2]!;
        this.#state[SHARED_CLEAN >> 2] = this.#ranges.shared(warp.shared, known, sharedBytes);
      }
    }
    this.#state[CARRY >> 2] = carry;
  }

  /** Executes one step in JavaScript; gives CC.CF. A fault leaves the warp as `LinkedProgram.run` says. */
  #do(warp: Warp, pc: number, start: number, executed: number): number {
    const { active } = warp;
    warp.pc = pc;
    warp.clock = this.#clock + executed;
    warp.from = start;
    warp.carry = this.#state[CARRY >> 2]! >>> 0;
    try {
      this.#code.steps[pc]!(warp);
    } catch (fault) {
      warp.active = active;
      record(warp, this.#code.guarded, start, pc);
      throw fault;
    }
    const { memory } = this.#context;
    if (memory.worsened !== this.#worse) this.#prepare(warp);
    this.#state[CARRY >> 2] = warp.carry;
    return warp.carry;
  }
}

/** Whether no group but those at one rank and depth, all of them behind, wait for the current one. */
function isPlain(warp: Warp): boolean {
  const { waiting, rank, depth, reconvergeAt } = warp;
  const first = waiting[0];
  if (first === undefined) return true;
  const last = waiting.at(-1)!;
  return (
    reconvergeAt === first.pc &&
    rank <= first.rank &&
    last.rank === first.rank &&
    first.depth === depth &&
    last.depth === depth
  );
}
