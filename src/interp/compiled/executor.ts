import { hasVectors } from "../../wasm/engine.ts";
import { LANES } from "../contract/lane-mask.ts";
import type { Program } from "../contract/program.ts";
import { builtinFor } from "../driver/builtin.ts";
import { bind } from "../javascript/bind.ts";
import { javascript } from "../javascript/executor.ts";
import { linkCode } from "../javascript/linked-code.ts";
import type { Memory } from "../memory/memory.ts";
import type { Context } from "../state/context.ts";
import type { Executor, LinkedProgram } from "../state/executor.ts";
import { codeOf, type ProgramCode } from "./program-code.ts";
import { CompiledProgram } from "./runner.ts";
import { Warming } from "./warming.ts";

/**
 * Executes programs as WebAssembly: full and partial warps of 32 lanes, four lanes at a time. What it has no rule for, and
 * all that somebody observes, is executed by JavaScript, on the same registers and the same memory.
 */
export const compiled: Executor = {
  link: (context, observed = false) => linkAfter(context, observed, 0),
};

/** The same once a launch is long enough for a module to be worth its making; until then JavaScript executes it. */
export const tiered: Executor = {
  link: (context, observed = false) => linkAfter(context, observed, patienceWith(context.program)),
};

/** Warp instructions that JavaScript executes in the time that a module takes to be made, about. */
const patienceWith = ({ code }: Program): number => 8192 + 64 * code.length;

/** Links a program; a module that is not there yet is made after so many warp instructions. */
function linkAfter(context: Context, observed: boolean, patience: number): LinkedProgram {
  if (observed || !isFor(context)) return javascript.link(context, observed);
  const code = linkCode(context, builtinFor, (instruction, pc) => bind(instruction, pc, context));
  const link = (): LinkedProgram | undefined => {
    const program = codeFor(context);
    return program && new CompiledProgram(context, code, program);
  };
  const there = patience === 0 || isMade(context) ? link() : undefined;
  return there ?? new Warming(code, patience === 0 ? Number.POSITIVE_INFINITY : patience, link);
}

/** Launches whose steps are more than their plans say (fences of the async proxy), and what no module is made for. */
function isFor({ lanes, memory, asynchrony, program }: Context): boolean {
  if (lanes !== LANES || memory.linear.wasm === undefined || asynchrony.fences.proxies.active) return false;
  return !program.code.some(({ plan }) => plan.shape === "channels") && hasVectors();
}

const known = new WeakMap<Program, Map<string, ProgramCode | undefined>>();

/** What a module is made for besides its program. */
const keyOf = ({ memory, observable }: Context): string => `${pagesOf(memory)} ${observable}`;
const pagesOf = ({ linear }: Memory): number => (2 * linear.distance) / 65536;

const isMade = (context: Context): boolean => known.get(context.program)?.has(keyOf(context)) === true;

/** A program's module, made once for each size of memory; undefined where nothing in it can be compiled. */
function codeFor(context: Context): ProgramCode | undefined {
  const { program, memory, observable } = context;
  const modules = known.get(program) ?? new Map<string, ProgramCode | undefined>();
  known.set(program, modules);
  const key = keyOf(context);
  if (!modules.has(key)) modules.set(key, codeOf(program, { pages: pagesOf(memory), observable }));
  return modules.get(key);
}
