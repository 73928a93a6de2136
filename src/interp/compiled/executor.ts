import { hasVectors } from "../../wasm/engine.ts";
import { isPerInstruction } from "../contract/observes.ts";
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
import { contentOf, keepCode, keptCode } from "./module/kept-code.ts";
import { type CodeOptions, compiledCode, type ProgramCode, writtenCode } from "./module/program-code.ts";
import { Notifier } from "./running/notifier.ts";
import { CompiledProgram } from "./running/runner.ts";
import { Warming } from "./warming.ts";

/**
 * Executes programs as WebAssembly: full and partial warps, four lanes at a time. What it has no rule for is
 * executed by JavaScript, on the same registers and the same memory, and so is a launch of which somebody hears every
 * instruction. Who hears of memory is told by the module.
 */
export const compiled: Executor = {
  link: (context, observed = false) => linkAfter(context, observed, 0),
  made: (program) => known.get(contentOf(program)),
  // Another thread has nothing but these plain data and modules to give.
  take: (program, made) => void known.set(contentOf(program), made as Map<string, ProgramCode | undefined>),
};

/** The same once a launch is long enough for a module to be worth its making; until then JavaScript executes it. */
export const tiered: Executor = {
  link: (context, observed = false) => linkAfter(context, observed, patienceWith(context.program)),
};

/** Warp instructions that JavaScript executes in the time that a module takes to be made, about. */
const patienceWith = ({ code }: Program): number => 8192 + 64 * code.length;

/** Links a program; a module that is not there yet is made after so many warp instructions. */
function linkAfter(context: Context, observed: boolean, patience: number): LinkedProgram {
  // Who hears of each instruction has them executed one by one.
  const stepped = observed && context.observers.some(isPerInstruction);
  if (stepped || !isFor(context)) return javascript.link(context, observed);
  const threads = new Threads();
  const code = linkCode(context, builtinFor, (instruction, pc) => {
    const step = bind(instruction, pc, context);
    return observed ? observing(step, pc, instruction, context, threads) : step;
  });
  const link = (): LinkedProgram | undefined => {
    const program = codeFor(context, observed);
    return (
      program && new CompiledProgram(context, code, program, observed ? new Notifier(context, threads) : undefined)
    );
  };
  const there = patience === 0 || isMade(context, observed) ? link() : undefined;
  return there ?? new Warming(code, patience === 0 ? Number.POSITIVE_INFINITY : patience, link);
}

/**
 * Whether a launch can be compiled: not where steps are more than their plans say (fences of the async proxy, registers of
 * tcgen05.ld in flight), nor where memory of a supplier can be reached, whose addresses lie anywhere.
 */
function isFor({ lanes, memory, asynchrony, program }: Context): boolean {
  if (
    lanes % 4 !== 0 ||
    memory.linear.wasm === undefined ||
    memory.supply?.isReachable ||
    asynchrony.fences.proxies.active
  )
    return false;
  if (registersOfLoads(program) !== undefined) return false;
  return !program.code.some(({ plan }) => plan.shape === "channels") && hasVectors();
}

/** Modules by what the programs that they are made of contain; undefined where nothing in one can be compiled. */
const known = new WeakMap<object, Map<string, ProgramCode | undefined>>();

/** What a module is made for besides its program. */
const optionsOf = ({ lanes, memory, observable }: Context, observed: boolean): CodeOptions => ({
  lanes,
  pages: pagesOf(memory),
  observable,
  observed,
});
const pagesOf = ({ linear }: Memory): number => (2 * linear.distance) / 65536;

function modulesOf(program: Program): Map<string, ProgramCode | undefined> {
  const content = contentOf(program);
  const modules = known.get(content) ?? new Map<string, ProgramCode | undefined>();
  known.set(content, modules);
  return modules;
}

/** Whether a program's module need not be made: an earlier launch has made it, in this process or in one that kept it. */
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
