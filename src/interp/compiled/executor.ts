import { hasVectors } from "../../wasm/engine.ts";
import { areApart, isPerInstruction } from "../contract/observes.ts";
import type { Program } from "../contract/program.ts";
import { builtinFor } from "../driver/builtin.ts";
import { bind } from "../javascript/bind.ts";
import { javascript } from "../javascript/executor.ts";
import { linkCode } from "../javascript/linked-code.ts";
import { observing } from "../javascript/observed.ts";
import { Threads } from "../javascript/observed-access.ts";
import { watchedSteps } from "../javascript/watched-steps.ts";
import type { Memory } from "../memory/memory.ts";
import type { Context } from "../state/context.ts";
import type { Executor, LinkedProgram } from "../state/executor.ts";
import type { Step } from "../state/warp.ts";
import { contentOf } from "./module/kept-code.ts";
import { codeFor, isMade, isNativeThere, madeCode, takeCode } from "./module/made-code.ts";
import { compilesLong } from "./module/native-code.ts";
import type { CodeOptions, ProgramCode } from "./module/program-code.ts";
import { LateAccesses } from "./running/late-accesses.ts";
import { Notifier } from "./running/notifier.ts";
import { CompiledProgram } from "./running/runner.ts";
import { lanesInRow } from "./segment/lanes-in-row.ts";
import { Counted, Warming, type Warmth } from "./warming.ts";

/**
 * Executes programs as WebAssembly: full and partial warps, four lanes at a time. JavaScript executes what has no rule
 * here, on the same registers and the same memory, and every launch with a per-instruction observer. The module itself
 * notifies observers of memory.
 */
export const compiled: Executor = {
  link: (context, observed = false) => linkAfter(context, observed, 0),
  made: madeCode,
  take: takeCode,
};

/** The same modules by a C compiler, with vectors of eight lanes; where there is none, or observers are told, by the engine. */
export const native: Executor = {
  ...compiled,
  link: (context, observed = false) => linkAfter(context, observed, 0, true),
};

/** The same, but compiles only launches long enough to pay for the module; until then JavaScript executes them. */
export const tiered: Executor = {
  link: (context, observed = false) => linkAfter(context, observed, patienceWith(context.program)),
};

/** About how many warp instructions JavaScript executes in the time it takes to compile a module. */
const patienceWith = ({ code }: Program): number => 8192 + 64 * code.length;

/** Warp instructions after which a program has run for so long that a C compiler, which takes a second, may be worth it. */
const LONG = 2 ** 26;

/** Links a program; if its module does not exist yet, compiles it after `patience` warp instructions. */
function linkAfter(context: Context, observed: boolean, patience: number, native = false): LinkedProgram {
  // A per-instruction observer needs the instructions executed one by one.
  const stepped = observed && context.observers.some(isPerInstruction);
  if (stepped || !isFor(context, observed)) return javascript.link(context, observed);
  const threads = new Threads();
  const warmth = warmthOf(context.program);
  const { program } = context;
  const options = optionsOf(context, observed, native);
  const isThere = warmth.steps >= patience || isMade(program, options);
  const code = linkCode(context, builtinFor, (instruction, pc) => {
    const make = (): Step => {
      const step = bind(instruction, pc, context);
      return observed ? observing(step, pc, instruction, context, threads) : step;
    };
    return isThere ? later(make) : make();
  });
  const linked = (made: ProgramCode): LinkedProgram =>
    new CompiledProgram(context, code, made, observed ? new Notifier(context, threads, made) : undefined);
  const link = (): LinkedProgram | undefined => {
    const made = codeFor(program, options);
    if (made === undefined || native || observed || !compilesLong()) return made && linked(made);
    const better = optionsOf(context, observed, true);
    const isBetter = (): boolean => warmth.steps >= LONG && isNativeThere(program, better);
    return isBetter() ? linked(codeFor(program, better)!) : new Counted(linked(made), warmth, isBetter);
  };
  const there = isThere ? link() : undefined;
  return there ?? new Warming(code, warmth.steps >= patience ? Number.POSITIVE_INFINITY : patience, link, warmth);
}

/** By the content of programs: launches that are too short by themselves pay for the module together. */
const warmths = new WeakMap<object, Warmth>();

function warmthOf(program: Program): Warmth {
  const content = contentOf(program);
  const warmth = warmths.get(content) ?? { steps: 0 };
  warmths.set(content, warmth);
  return warmth;
}

/** A step that is made when it is first executed: of most instructions a module leaves none to JavaScript. */
function later(make: () => Step): Step {
  let made: Step | undefined;
  return (warp) => {
    made ??= make();
    made(warp);
  };
}

/**
 * Whether a launch can be compiled: not if observers are told, and some steps do more than their plans say. Where an address lies that
 * may be a supplier's, modules do not say, nor tell observers.
 */
function isFor({ lanes, memory, program }: Context, observed: boolean): boolean {
  if (lanes % 4 !== 0 || memory.linear.wasm === undefined || !hasVectors()) return false;
  if (memory.supply?.isReachable && (observed || program.code.some(({ plan }) => plan.shape === "within")))
    return false;
  const isWatched = observed ? watchedSteps(program) : undefined;
  return !program.code.some(({ plan }, pc) => plan.shape === "channels" || isWatched?.(pc));
}

/** What a module depends on besides its program. */
const optionsOf = (context: Context, observed: boolean, native: boolean): CodeOptions => {
  const { lanes, memory, observable, block, matrixRoom, target, observers } = context;
  return {
    lanes,
    pages: pagesOf(memory),
    inRow: lanesInRow(block),
    ...(matrixRoom !== undefined && { target }),
    observable,
    observed,
    ...(observed && areApart(observers) && { apart: true, late: LateAccesses.areFor(context) }),
    ...(memory.supply?.isReachable && { supplied: true }),
    ...(native && !observed && { native }),
  };
};
const pagesOf = ({ linear }: Memory): number => (2 * linear.distance) / 65536;
