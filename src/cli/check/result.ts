import type { Diagnostic } from "../../source/diagnostic.ts";
import { Source, type Span } from "../../source/source.ts";
import type { Mismatch } from "./case/compare.ts";

/** What `--update` would write in place of an expectation that failed. */
export type ExpectationEdit =
  | { readonly kind: "text"; readonly source: Source; readonly span: Span; readonly text: string }
  /** A whole file next to the PTX, which may not be there yet. */
  | { readonly kind: "snapshot"; readonly path: string; readonly text: string };

/** One case, or one line that must be rejected (`name` is then its code and line). */
export interface CaseResult {
  readonly name: string;
  /** Where it is written. */
  readonly source: Source;
  readonly line: number;
  readonly passed: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly mismatches: readonly Mismatch[];
  /** With `--seeds`: the first that failed. */
  readonly seed?: number;
  /** The command that runs it by hand. */
  readonly repeat?: string;
  /** Empty when nothing can be written. */
  readonly edits: readonly ExpectationEdit[];
  /** `--update` wrote what it expects now: it failed and counts as passed. */
  readonly updated?: boolean;
}

/** One expectation that `--update` has rewritten. */
export interface Update {
  /** The case's name. */
  readonly name: string;
  readonly file: string;
  /** Absent for a snapshot, which is a file of its own. */
  readonly line?: number;
  readonly before: string;
  readonly after: string;
}

export interface FileResult {
  readonly file: string;
  readonly results: readonly CaseResult[];
  /** Problems of the file as a whole: any error fails it. */
  readonly diagnostics: readonly Diagnostic[];
  /** What `--update` has written. */
  readonly updates?: readonly Update[];
  /** The state of each file that was read for it, when it was read, by absolute path; see `stampOf`. */
  readonly reads?: ReadonlyMap<string, string>;
  /** Names of cases that `--filter` left out, where it left out all. */
  readonly others?: readonly string[];
}

export interface CaseCount {
  readonly passed: number;
  readonly failed: number;
}

/**
 * The same result, to be kept until the end: cases that have passed without a word need no text to point into, and a
 * hundred thousand files' texts are much.
 */
export function withoutTexts(result: FileResult): FileResult {
  const { results } = result;
  if (results.some(({ diagnostics }) => diagnostics.length > 0)) return result;
  const bare = new Map<string, Source>();
  const named = (name: string): Source => {
    const source = bare.get(name) ?? new Source(name, "");
    bare.set(name, source);
    return source;
  };
  return { ...result, results: results.map((each) => ({ ...each, source: named(each.source.name), edits: [] })) };
}

/** Counts for the last line: a file that is wrong as a whole is one failure. */
export function count(files: readonly FileResult[]): CaseCount {
  let passed = 0;
  let failed = 0;
  for (const { results, diagnostics } of files) {
    for (const result of results) {
      if (result.passed) passed += 1;
      else failed += 1;
    }
    if (isWrong(diagnostics)) failed += 1;
  }
  return { passed, failed };
}

/** True when a file is wrong as a whole. */
export const isWrong = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === "error");

/** Set in the environment, and not to a value that means no. */
export const isSet = (value: string | undefined): boolean => value !== undefined && !["", "0", "false"].includes(value);
