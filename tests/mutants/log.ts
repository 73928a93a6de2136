import { existsSync, readFileSync } from "node:fs";
import type { Mutant } from "./mutation.ts";

/** What is to be done: read by the process that runs tests. */
export interface Plan {
  readonly mutants: readonly Mutant[];
  readonly tests: readonly string[];
  /** The file to which that process says what it did, a line each. */
  readonly log: string;
  /** The file in which processes write a byte for each mutant that they come to. */
  readonly seen: string;
  /** Where libraries of C with the mutants inside are. */
  readonly built?: string;
}

/** Bytes of that file. */
export const SEEN = 65536;

/** What the unchanged sources needed for a test file. */
export interface Base {
  readonly kind: "base";
  readonly file: string;
  readonly passes: boolean;
  /** CPU seconds. */
  readonly cpu: number;
  readonly ticks: number;
  /** Mutants whose places it came to. */
  readonly reached: readonly number[];
  /** The same for each test, where tests are processes of their own and share nothing. */
  readonly tests?: Readonly<Record<string, readonly number[]>>;
}

export interface Verdict {
  readonly kind: "verdict";
  readonly id: number;
  /** What saw it: a test, or that it never ended; undefined where nothing did. */
  readonly killed?: string;
  /** How many test files came to its place. */
  readonly files: number;
}

export type Line =
  | Base
  | Verdict
  | { readonly kind: "process"; readonly pid: number }
  /** A test file begins, which may take so many CPU seconds. */
  | { readonly kind: "begin"; readonly id: number; readonly file: string; readonly most: number }
  | { readonly kind: "unusable"; readonly file: string }
  | { readonly kind: "end" };

/** The whole lines of a log so far. */
export const readLog = (file: string): readonly Line[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Line)
    : [];
