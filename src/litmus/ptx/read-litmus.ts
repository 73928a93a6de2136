import type { Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import type { LitmusTest, ReadOptions } from "../litmus-test.ts";

/** Whether a text is a litmus test in plain PTX: it has a line `//@ litmus`. */
export const isLitmus = (text: string): boolean => /^[ \t]*\/\/@ litmus\b/m.test(text);

/** Reads a litmus test in plain PTX; undefined, with diagnostics, where something is wrong. */
export function readLitmus(_source: Source, _options: ReadOptions = {}): Staged<LitmusTest | undefined> {
  return { value: undefined, diagnostics: [] };
}
