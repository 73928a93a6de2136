import { fusesMultiplyAdd } from "../../../wasm/fused.ts";
import type { Program } from "../../contract/program.ts";
import { type CodeOptions, compiledCode, type ProgramCode, type WrittenCode } from "./program-code.ts";

/** Where a program comes from, so that code compiled for it can be reused. */
export interface Origin {
  /** The same object for programs that differ only in the name of their text. */
  readonly content: object;
  /** Where code is kept beyond the process, keyed by words besides the program; see `host/module/store.ts`. */
  readonly shelf?: Shelf | undefined;
}

export interface Shelf {
  get(words: readonly string[]): unknown;
  set(words: readonly string[], code: object): void;
}

const origins = new WeakMap<Program, Origin>();
/** What has been looked up, by content: a program that is launched often is looked up once. */
const sought = new WeakMap<object, Set<string>>();

/** Records where a program comes from, before it is launched. */
export function noteOrigin(program: Program, origin: Origin): void {
  origins.set(program, origin);
}

/** The object that stands for all programs with the same content as this one. */
export const contentOf = (program: Program): object => origins.get(program)?.content ?? program;

/** The code that was kept for a program; undefined if there is none, or this engine does not accept it. */
export function keptCode(program: Program, options: CodeOptions): ProgramCode | undefined {
  const shelf = origins.get(program)?.shelf;
  if (shelf === undefined) return undefined;
  const words = wordsOf(options);
  const key = words.join();
  const content = contentOf(program);
  const before = sought.get(content) ?? new Set<string>();
  if (before.has(key)) return undefined;
  sought.set(content, before.add(key));
  try {
    const found = shelf.get(words) as WrittenCode | undefined;
    return found?.entries.length === program.code.length + 1 ? compiledCode(found) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the code of a program, if its origin has a shelf for it. */
export function keepCode(program: Program, options: CodeOptions, code: WrittenCode): void {
  origins.get(program)?.shelf?.set(wordsOf(options), code);
}

/** Key of kept code: all that it depends on besides the program. It differs between machines. */
const wordsOf = (options: CodeOptions): readonly string[] => [
  "code",
  JSON.stringify(options),
  fusesMultiplyAdd() ? "fused" : "unfused",
];
