import { firstLane } from "../../contract/launch/lane-mask.ts";
import { reductionOf } from "../../contract/plan/reduction.ts";
import { record } from "../../javascript/advance.ts";
import type { LinkedCode } from "../../javascript/linked-code.ts";
import { markOf } from "../../memory/reduction-mark.ts";
import { fourfold, STORED } from "../../memory/shadow.ts";
import type { Context } from "../../state/context.ts";
import type { Warp } from "../../state/warp.ts";
import type { Scan } from "../boundary/module-exports.ts";
import type { State } from "../boundary/state-layout.ts";
import type { ProgramCode } from "../module/program-code.ts";
import { CallStack } from "./call-stack.ts";
import { CleanRanges } from "./clean.ts";
import type { Notifier } from "./notifier.ts";

/** How many have been made: each has a number of its own. */
let made = 0;

/** Executes the steps that a module asks for, and keeps what it knows of memory. */
export class Fallback {
  /** Whose steps they are, where that is not told with each of them. */
  warpOf: (() => Warp) | undefined;
  readonly #context: Context;
  readonly #code: LinkedCode;
  /** The range that an access is checked against, by pc. */
  readonly #rangeOf: Int32Array;
  readonly #state: State;
  readonly #ranges: CleanRanges;
  readonly #notifier: Notifier | undefined;
  /** Calls that the module has made. */
  readonly calls: CallStack;
  readonly #number: number = ++made;
  #warp: Warp | undefined;
  /** Instructions that the launch had executed when the module was entered. */
  #clock = 0;
  /** How often the shadow of memory had become worse when what was known was forgotten last. */
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
    scan: () => Scan,
  ) {
    this.#notifier = notifier;
    this.calls = new CallStack(state, calls);
    this.#context = context;
    this.#code = code;
    this.#rangeOf = ranges;
    this.#state = state;
    this.#ranges = new CleanRanges(context.memory, scan, state.ranges, stored, reducedRanges(context, ranges));
  }

  /** The module is about to be entered for a warp, or for several of its block (`warpOf` says for which one then). */
  begin(warp: Warp, clock: number): void {
    if (this.#state.owner !== this.#number) this.#take();
    this.#warp = warp;
    this.#clock = clock;
    this.#state.shared = warp.shared;
    if (this.#sharedOf !== warp.block) {
      this.#sharedOf = warp.block;
      this.#state.sharedClean = 0;
    }
    this.#forget();
  }

  /** Another launch on this memory has had the state, or nobody: what it says is not about this one. */
  #take(): void {
    const { memory, parameters, localStride, localBytes, sharedBytes } = this.#context;
    const state = this.#state;
    state.owner = this.#number;
    state.parameters = parameters;
    state.localStride = localStride;
    state.localBytes = localBytes;
    state.sharedBytes = sharedBytes;
    state.storing = fourfold(memory.storing);
    this.#worse = -1;
    this.#worseWindows = -1;
    this.#sharedOf = -1;
  }

  /** The step at `pc`, in a block that begins at `start`. */
  step(pc: number, start: number, executed: number, active: number): void {
    this.#do(this.warpOf?.() ?? this.#warp!, pc, start, executed, active);
  }

  /** Steps that may touch memory that nobody knows to be clean; then more of it is known. */
  redo(from: number, to: number, start: number, executed: number, active: number): void {
    const warp = this.warpOf?.() ?? this.#warp!;
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

  /** Lanes have executed the access at `pc`; where they went lies in the state. */
  tell(pc: number, lanes: number, start: number, executed: number, active: number): void {
    const warp = this.#warp!;
    this.calls.tell(warp, active);
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

  /** Lanes have executed the warp operation at `pc` together. */
  met(pc: number, lanes: number, start: number, executed: number): void {
    const warp = this.#warp!;
    this.#stand(warp, pc, start, executed, lanes);
    this.#notifier!.met(warp, lanes);
  }

  /** An access at `at` was right although nobody knew the bytes to be clean: more of the range is known. */
  learn(range: number, at: number): void {
    this.#ranges.grow(range, at);
  }

  /** Fills in the shadow of local memory that nobody has touched. */
  know(at: number, bytes: number): void {
    this.#context.memory.know(at, bytes);
  }

  /** The warp is about to execute an instruction, or has just done so, as others see it. */
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
    this.calls.tell(warp, active);
    this.#stand(warp, pc, start, executed, active);
    try {
      this.#code.steps[pc]!(warp);
    } catch (fault) {
      warp.active = active >>> 0;
      record(warp, this.#code.guarded, start, pc);
      throw fault;
    }
    state.carry = warp.carry;
    this.#forget();
  }

  /** What was known of memory is not true any more, where its shadow has become worse. */
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

/** The ranges that one kind of reduction alone is checked against, and how its cells are marked once it has happened. */
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
