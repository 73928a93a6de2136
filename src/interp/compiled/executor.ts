import { LANES } from "../contract/lane-mask.ts";
import type { Program } from "../contract/program.ts";
import { builtinFor } from "../driver/builtin.ts";
import { bind } from "../javascript/bind.ts";
import { javascript } from "../javascript/executor.ts";
import { linkCode } from "../javascript/linked-code.ts";
import type { Context } from "../state/context.ts";
import type { Executor } from "../state/executor.ts";
import { codeOf, type ProgramCode } from "./program-code.ts";
import { CompiledProgram } from "./runner.ts";

/**
 * Executes programs as WebAssembly: full and partial warps of 32 lanes, four lanes at a time. What it has no rule for, and
 * all that somebody observes, is executed by JavaScript, on the same registers and the same memory.
 */
export const compiled: Executor = {
  link(context, observed = false) {
    if (observed || !isFor(context)) return javascript.link(context, observed);
    const program = codeFor(context);
    if (program === undefined) return javascript.link(context, observed);
    const code = linkCode(context, builtinFor, (instruction, pc) => bind(instruction, pc, context));
    return new CompiledProgram(context, code, program);
  },
};

/** Launches whose steps are more than their plans say (fences of the async proxy), and what no module is made for. */
function isFor({ lanes, memory, asynchrony, program }: Context): boolean {
  if (lanes !== LANES || memory.linear.wasm === undefined || asynchrony.fences.proxies.active) return false;
  return !program.code.some(({ plan }) => plan.shape === "channels");
}

const known = new WeakMap<Program, Map<string, ProgramCode | undefined>>();

/** A program's module, made once for each size of memory; undefined where the engine does not take it. */
function codeFor({ program, memory, observable }: Context): ProgramCode | undefined {
  const pages = (2 * memory.linear.distance) / 65536;
  const key = `${pages} ${observable}`;
  const modules = known.get(program) ?? new Map<string, ProgramCode | undefined>();
  known.set(program, modules);
  if (!modules.has(key)) modules.set(key, codeOf(program, { pages, observable }));
  return modules.get(key);
}
