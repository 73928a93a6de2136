import { firstLane } from "../../contract/launch/lane-mask.ts";
import { reductionOf } from "../../contract/plan/reduction.ts";
import { record } from "../../javascript/advance.ts";
import type { LinkedCode } from "../../javascript/linked-code.ts";
import { markOf } from "../../memory/reduction-mark.ts";
import type { Scan } from "../../memory/scan-code.ts";
import { fourfold, STORED } from "../../memory/shadow.ts";
import type { Context } from "../../state/context.ts";
import type { Warp } from "../../state/warp.ts";
import { YIELD_BUDGET } from "../../warp/groups.ts";
import type { State } from "../boundary/state-layout.ts";
import type { ProgramCode } from "../module/program-code.ts";
import { CallStack } from "./call-stack.ts";
import { CleanRanges } from "./clean.ts";
import type { HeldCopies } from "./held-copies.ts";
import type { Notifier } from "./notifier.ts";

/** How many instances exist: each is numbered. */
let made = 0;

/** Executes the steps that a module leaves to JavaScript, and keeps track of the memory that is known to be clean. */
export class Fallback {
  /** Says which warp's steps are executed, while the module runs several. */
  turns: { warp(): Warp } | undefined;
  readonly #context: Context;
  readonly #code: LinkedCode;
  /** The range that an access is checked against, by pc. */
  readonly #rangeOf: Int32Array;
  readonly #state: State;
  readonly #ranges: CleanRanges;
  readonly #notifier: Notifier | undefined;
  readonly #copies: HeldCopies | undefined;
  /** Calls that the module has made. */
  readonly calls: CallStack;
  readonly #number: number = ++made;
  #warp: Warp | undefined;
  /** Instructions that the launch had executed when the module was entered. */
  #clock = 0;
  /** `Memory.worsened` when the clean ranges were last forgotten. */
  #worse = -1;
  #worseWindows = -1;
  /** The block whose shared memory is known. */
  #sharedOf = -1;

  constructor(
    context: Context,
    code: LinkedCode,
    { ranges, stored, calls }: Pick<ProgramCode, "ranges" | "stored" | "calls">,
    state: State,
    notifier: Notifier | undefined,
    copies: HeldCopies | undefined,
    scan: Scan,
  ) {
    this.#notifier = notifier;
    this.#copies = copies;
    this.calls = new CallStack(state, calls);
    this.#context = context;
    this.#code = code;
    this.#rangeOf = ranges;
    this.#state = state;
    this.#ranges = new CleanRanges(context.memory, scan, state.ranges, stored, reducedRanges(context, ranges));
  }

  /** Prepares to enter the module for a warp, or for several of its block (then `turns` says which one runs). */
  begin(warp: Warp, clock: number): void {
    if (this.#state.owner !== this.#number) this.#take();
    this.#warp = warp;
    this.#clock = clock;
    this.#state.shared = warp.shared;
    this.#findZone();
    if (this.#sharedOf !== warp.block) {
      this.#sharedOf = warp.block;
      this.#state.sharedClean = 0;
    }
    this.#forget();
  }

  /** Takes over the state, which belonged to another launch on this memory or to none. */
  #take(): void {
    const { memory, parameters, localStride, localBytes, sharedBytes, matrixRoom = 0, copyRoom = 0 } = this.#context;
    const state = this.#state;
    state.owner = this.#number;
    state.parameters = parameters;
    state.matrixRoom = matrixRoom;
    state.copyRoom = this.#copies === undefined ? 0 : copyRoom;
    state.localStride = localStride;
    state.localBytes = localBytes;
    state.sharedBytes = sharedBytes;
    state.storing = fourfold(memory.storing);
    this.#worse = -1;
    this.#worseWindows = -1;
    this.#sharedOf = -1;
  }

  /** Executes the step at `pc`, in a block that begins at `start`. */
  step(pc: number, start: number, executed: number, active: number): void {
    const warp = this.turns?.warp() ?? this.#warp!;
    warp.yieldBudget = YIELD_BUDGET;
    this.#do(warp, pc, start, executed, active);
    this.#state.spins = warp.yieldBudget < YIELD_BUDGET ? 1 : 0;
  }

  /** Executes steps whose accesses are not known to be clean, and grows the clean ranges by what they touch. */
  redo(from: number, to: number, start: number, executed: number, active: number): void {
    const warp = this.turns?.warp() ?? this.#warp!;
    const { scratch, sharedBytes, program } = this.#context;
    for (let pc = from; pc < to; pc++) {
      this.#do(warp, pc, start, executed, active);
      const { shape } = program.code[pc]!.plan;
      if (shape !== "load" && shape !== "store" && shape !== "atomic") continue;
      const range = this.#rangeOf[pc]!;
      if (range >= 0) this.#ranges.grow(range, scratch.at[firstLane(warp.active)]!);
      else if (sharedBytes > 0) {
        const known = this.#state.sharedClean;
        this.#state.sharedClean = this.#ranges.shared(warp.shared, known, sharedBytes);
      }
    }
  }

  /** Notifies observers that lanes have executed the access at `pc`; the state has their addresses. */
  notify(pc: number, lanes: number, start: number, executed: number, active: number): void {
    const warp = this.turns?.warp() ?? this.#warp!;
    this.calls.notify(warp, active);
    this.#stand(warp, pc, start, executed, active);
    try {
      this.#notifier!.access(warp, pc, lanes);
    } catch (fault) {
      warp.active = active >>> 0;
      record(warp, this.#code.guarded, start, pc);
      throw fault;
    }
    this.#forget();
  }

  /** Notifies observers, and what knows of proxies, that lanes have executed the warp operation at `pc` together. */
  met(pc: number, lanes: number, start: number, executed: number): void {
    const warp = this.turns?.warp() ?? this.#warp!;
    this.#stand(warp, pc, start, executed, lanes);
    this.#notifier?.met(warp, lanes);
    this.#context.asynchrony.fences.proxies.met([warp]);
  }

  /** Grows a clean range: an access at `at` was right although the range did not contain it. */
  learn(range: number, at: number): void {
    this.#ranges.grow(range, at);
  }

  /** Whether the module may hold copies of the warp. */
  hold(): boolean {
    this.#ranges.copies();
    return this.#copies!.hold(this.turns?.warp() ?? this.#warp!);
  }

  /** Fills in the shadow of local memory that was never touched. */
  know(at: number, bytes: number): void {
    this.#context.memory.know(at, bytes);
  }

  /** Brings the warp's pc, mask and clock up to date, for steps and observers. */
  #stand(warp: Warp, pc: number, start: number, executed: number, active: number): void {
    warp.active = active >>> 0;
    warp.pc = pc;
    warp.clock = this.#clock + executed;
    warp.from = start;
    warp.carry = this.#state.carry;
  }

  /** Executes one step. A fault leaves the warp as `LinkedProgram.run` says. */
  #do(warp: Warp, pc: number, start: number, executed: number, active: number): void {
    const state = this.#state;
    this.calls.notify(warp, active);
    this.#stand(warp, pc, start, executed, active);
    const late = this.#notifier?.late;
    late?.drain();
    try {
      this.#code.steps[pc]!(warp);
    } catch (fault) {
      warp.active = active >>> 0;
      record(warp, this.#code.guarded, start, pc);
      throw fault;
    }
    late?.refresh();
    state.carry = warp.carry;
    this.#findZone();
    this.#forget();
  }

  /** Where a supplier's memory lies, which is decided when it is first touched. */
  #findZone(): void {
    const { supply } = this.#context.memory;
    if (supply === undefined) return;
    const { zone } = supply;
    const state = this.#state;
    state.reachLast = supply.start - 1;
    // No address has this high word.
    state.zoneHigh = zone?.high ?? -1;
    state.zoneDelta = zone?.delta ?? 0;
    state.zoneStart = zone?.start ?? 0;
    state.zoneLast = (zone?.bytes ?? 1) - 1;
  }

  /** Forgets the clean ranges if the shadow of memory has become worse. */
  #forget(): void {
    const { worsened } = this.#context.memory;
    if (worsened.global !== this.#worse) {
      this.#worse = worsened.global;
      this.#ranges.forget();
    }
    if (worsened.windows === this.#worseWindows) return;
    this.#worseWindows = worsened.windows;
    this.#state.sharedClean = 0;
  }
}

/** The ranges that only one kind of reduction is checked against, with the mark of its cells once it has happened. */
function reducedRanges({ program, observable }: Context, rangeOf: Int32Array): ReadonlyMap<number, number> {
  const marks = new Map<number, number>();
  for (const [pc, instruction] of program.code.entries()) {
    const range = rangeOf[pc]!;
    if (range < 0) continue;
    const reduction = reductionOf(instruction, program, observable);
    const mark = reduction === undefined ? 0 : markOf(reduction) | fourfold(STORED);
    marks.set(range, marks.has(range) && marks.get(range) !== mark ? 0 : mark);
  }
  return new Map([...marks].filter(([, mark]) => mark !== 0));
}
