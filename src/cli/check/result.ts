import type { Diagnostic } from "../../source/diagnostic.ts";
import { Source, type Span } from "../../source/source.ts";
import type { Mismatch } from "./case/compare.ts";

/** The replacement that `--update` would write for a failed expectation. */
export type ExpectationEdit =
  | { readonly kind: "text"; readonly source: Source; readonly span: Span; readonly text: string }
  /** A complete file next to the PTX, which may not exist yet. */
  | { readonly kind: "snapshot"; readonly path: string; readonly text: string };

/** One case, or one line that must be rejected (`name` is then its code and line). */
export interface CaseResult {
  readonly name: string;
  /** The text that contains it. */
  readonly source: Source;
  readonly line: number;
  readonly passed: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly mismatches: readonly Mismatch[];
  /** The values that differ after the first, which a diagnostic is about: a line each, and how many more there are. */
  readonly differences?: readonly string[];
  /** How long it took; not known of a line that must be rejected. */
  readonly milliseconds?: number;
  /** With `--seeds`: the first seed that failed. */
  readonly seed?: number;
  /** The command that runs it by hand. */
  readonly repeat?: string;
  /** Empty when nothing can be written. */
  readonly edits: readonly ExpectationEdit[];
  /** `--update` has rewritten it: it failed and counts as passed. */
  readonly updated?: boolean;
}

/** One expectation that `--update` has rewritten. */
export interface Update {
  /** The case's name. */
  readonly name: string;
  readonly file: string;
  /** Absent for a snapshot, which is a separate file. */
  readonly line?: number;
  readonly before: string;
  readonly after: string;
}

export interface FileResult {
  readonly file: string;
  readonly results: readonly CaseResult[];
  /** How long the file took, with reading it. */
  readonly milliseconds?: number;
  /** Diagnostics of the complete file: any error fails it. */
  readonly diagnostics: readonly Diagnostic[];
  /** What `--update` has written. */
  readonly updates?: readonly Update[];
  /** The state of each file that was read for it, at that time, by absolute path; see `stampOf`. */
  readonly reads?: ReadonlyMap<string, string>;
  /** Names of the cases that `--filter` excluded, where it excluded all. */
  readonly others?: readonly string[];
}

export interface CaseCount {
  readonly passed: number;
  readonly failed: number;
}

/**
 * The same result for keeping until the end: cases that passed without diagnostics need no text to point into, and a
 * hundred thousand files' texts need much memory.
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

/** Counts for the last line: a file-level error counts as one failure. */
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

/** True for a file-level error. */
export const isWrong = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === "error");
