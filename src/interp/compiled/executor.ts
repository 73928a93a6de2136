import { hasVectors } from "../../wasm/engine.ts";
import { areApart, isPerInstruction } from "../contract/observes.ts";
import type { Program } from "../contract/program.ts";
import { builtinFor } from "../driver/builtin.ts";
import { bind } from "../javascript/bind.ts";
import { javascript } from "../javascript/executor.ts";
import { linkCode } from "../javascript/linked-code.ts";
import { observing } from "../javascript/observed.ts";
import { Threads } from "../javascript/observed-access.ts";
import { registersOfLoads } from "../javascript/tensor-memory/watch-loads.ts";
import type { Memory } from "../memory/memory.ts";
import type { Context } from "../state/context.ts";
import type { Executor, LinkedProgram } from "../state/executor.ts";
import type { Step } from "../state/warp.ts";
import { contentOf, keepCode, keptCode } from "./module/kept-code.ts";
import { type CodeOptions, compiledCode, type ProgramCode, writtenCode } from "./module/program-code.ts";
import { LateAccesses } from "./running/late-accesses.ts";
import { Notifier } from "./running/notifier.ts";
import { CompiledProgram } from "./running/runner.ts";
import { lanesInRow } from "./segment/lanes-in-row.ts";
import { Warming, type Warmth } from "./warming.ts";

/**
 * Executes programs as WebAssembly: full and partial warps, four lanes at a time. JavaScript executes what has no rule
 * here, on the same registers and the same memory, and every launch with a per-instruction observer. The module itself
 * notifies observers of memory.
 */
export const compiled: Executor = {
  link: (context, observed = false) => linkAfter(context, observed, 0),
  made: (program) => known.get(contentOf(program)),
  // Another thread can pass only plain data and modules.
  take: (program, made) => void known.set(contentOf(program), made as Map<string, ProgramCode | undefined>),
};

/** The same, but compiles only launches long enough to pay for the module; until then JavaScript executes them. */
export const tiered: Executor = {
  link: (context, observed = false) => linkAfter(context, observed, patienceWith(context.program)),
};

/** About how many warp instructions JavaScript executes in the time it takes to compile a module. */
const patienceWith = ({ code }: Program): number => 8192 + 64 * code.length;

/** Links a program; if its module does not exist yet, compiles it after `patience` warp instructions. */
function linkAfter(context: Context, observed: boolean, patience: number): LinkedProgram {
  // A per-instruction observer needs the instructions executed one by one.
  const stepped = observed && context.observers.some(isPerInstruction);
  if (stepped || !isFor(context, observed)) return javascript.link(context, observed);
  const threads = new Threads();
  const warmth = warmthOf(context.program);
  const isThere = warmth.steps >= patience || isMade(context, observed);
  const code = linkCode(context, builtinFor, (instruction, pc) => {
    const make = (): Step => {
      const step = bind(instruction, pc, context);
      return observed ? observing(step, pc, instruction, context, threads) : step;
    };
    return isThere ? later(make) : make();
  });
  const link = (): LinkedProgram | undefined => {
    const program = codeFor(context, observed);
    return (
      program &&
      new CompiledProgram(context, code, program, observed ? new Notifier(context, threads, program) : undefined)
    );
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
 * Whether a launch can be compiled: not if its steps do more than their plans say (fences of the async proxy,
 * registers of tcgen05.ld in flight). Where an address lies that may be a supplier's, modules do not say, nor tell observers.
 */
function isFor({ lanes, memory, asynchrony, program }: Context, observed: boolean): boolean {
  if (lanes % 4 !== 0 || memory.linear.wasm === undefined || asynchrony.fences.proxies.active) return false;
  if (memory.supply?.isReachable && (observed || program.code.some(({ plan }) => plan.shape === "within")))
    return false;
  if (registersOfLoads(program) !== undefined) return false;
  return !program.code.some(({ plan }) => plan.shape === "channels") && hasVectors();
}

/** Modules by the content of their programs; undefined for a program in which nothing can be compiled. */
const known = new WeakMap<object, Map<string, ProgramCode | undefined>>();

/** What a module depends on besides its program. */
const optionsOf = (context: Context, observed: boolean): CodeOptions => {
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
  };
};
const pagesOf = ({ linear }: Memory): number => (2 * linear.distance) / 65536;

function modulesOf(program: Program): Map<string, ProgramCode | undefined> {
  const content = contentOf(program);
  const modules = known.get(content) ?? new Map<string, ProgramCode | undefined>();
  known.set(content, modules);
  return modules;
}

/** Whether a program's module exists already: an earlier launch made it, in this process or in one that stored it. */
function isMade(context: Context, observed: boolean): boolean {
  const { program } = context;
  const options = optionsOf(context, observed);
  const modules = modulesOf(program);
  const key = JSON.stringify(options);
  if (modules.has(key)) return true;
  const kept = keptCode(program, options);
  if (kept !== undefined) modules.set(key, kept);
  return kept !== undefined;
}

/** A program's module, made once for each size of memory and of warps; undefined where nothing in it can be compiled. */
function codeFor(context: Context, observed: boolean): ProgramCode | undefined {
  const { program } = context;
  const options = optionsOf(context, observed);
  const modules = modulesOf(program);
  const key = JSON.stringify(options);
  if (!isMade(context, observed)) {
    const written = writtenCode(program, options);
    modules.set(key, written && compiledCode(written));
    if (written !== undefined) keepCode(program, options, written);
  }
  return modules.get(key);
}
