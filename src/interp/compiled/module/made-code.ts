import type { Program } from "../../contract/program.ts";
import { contentOf, keepCode, keptCode } from "./kept-code.ts";
import { type NativeCompiler, nativeCompiler } from "./native-code.ts";
import {
  type CodeFacts,
  type CodeOptions,
  compiledCode,
  loweredCode,
  type ProgramCode,
  writtenCode,
} from "./program-code.ts";

/** Modules by the content of their programs and their options; undefined for a program in which nothing can be compiled. */
const known = new WeakMap<object, Map<string, ProgramCode | undefined>>();

/** Modules that another process compiles; undefined for what cannot be compiled. */
const coming = new WeakMap<object, Map<string, ProgramCode | undefined>>();

/** Why the C compiler failed last. */
let failure: string | undefined;

/** What the C compiler said when it failed, once: WebAssembly has taken the place of what it was to make. */
export function nativeFailure(): string | undefined {
  const said = failure;
  failure = undefined;
  return said;
}

/** All modules of a program, which another thread can be sent. */
export const madeCode = (program: Program): object | undefined => known.get(contentOf(program));

/** Takes modules that another thread has sent. */
export const takeCode = (program: Program, made: object): void =>
  void known.set(contentOf(program), made as Map<string, ProgramCode | undefined>);

function modulesOf<Code>(all: WeakMap<object, Map<string, Code>>, program: Program): Map<string, Code> {
  const content = contentOf(program);
  const modules = all.get(content) ?? new Map<string, Code>();
  all.set(content, modules);
  return modules;
}

/** Whether a program's module exists already: an earlier launch made it, in this process or in one that stored it. */
export function isMade(program: Program, options: CodeOptions): boolean {
  const modules = modulesOf(known, program);
  const key = JSON.stringify(options);
  if (modules.has(key)) return true;
  const kept = options.native ? undefined : keptCode(program, options);
  if (kept !== undefined) modules.set(key, kept);
  return kept !== undefined;
}

/** A program's module, made once for each size of memory and of warps; undefined where nothing in it can be compiled. */
export function codeFor(program: Program, options: CodeOptions): ProgramCode | undefined {
  const modules = modulesOf(known, program);
  const key = JSON.stringify(options);
  if (!isMade(program, options))
    modules.set(key, options.native ? asNative(program, options) : asWasm(program, options));
  return modules.get(key);
}

function asWasm(program: Program, options: CodeOptions): ProgramCode | undefined {
  const written = writtenCode(program, options);
  if (written !== undefined) keepCode(program, options, written);
  return written && compiledCode(written);
}

/** By the C compiler; by the engine where there is none, or it fails. */
function asNative(program: Program, options: CodeOptions): ProgramCode | undefined {
  const { native: _, ...others } = options;
  const compiler = nativeCompiler();
  if (compiler === undefined) return codeFor(program, others);
  const { module, ...facts } = loweredCode(program, options) ?? {};
  if (module === undefined) return undefined;
  try {
    return { module: compiler.compile(module), ...(facts as CodeFacts) };
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
    return codeFor(program, others);
  }
}

/** Whether a native module is there; if none is, has it made beside what runs. */
export function isNativeThere(program: Program, options: CodeOptions): boolean {
  const compiler = nativeCompiler();
  if (compiler === undefined) return false;
  const [modules, others] = [modulesOf(known, program), modulesOf(coming, program)];
  const key = JSON.stringify(options);
  if (modules.has(key)) return true;
  if (!others.has(key)) others.set(key, beside(program, options, compiler));
  const next = others.get(key);
  if (next === undefined || !("path" in next.module) || !compiler.isThere(next.module)) return false;
  modules.set(key, next);
  others.delete(key);
  return true;
}

/** Nobody has asked for it: what fails costs nothing but speed. */
function beside(program: Program, options: CodeOptions, compiler: NativeCompiler): ProgramCode | undefined {
  const { module, ...facts } = loweredCode(program, options) ?? {};
  try {
    return module && { module: compiler.compileBeside(module), ...(facts as CodeFacts) };
  } catch {
    return undefined;
  }
}
