import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Mismatch } from "./compare.ts";

/** One case, or one line that must be rejected (`name` is then its code and line). */
export interface CaseResult {
  readonly name: string;
  readonly line: number;
  readonly passed: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly mismatches: readonly Mismatch[];
  /** The command that runs it by hand. */
  readonly repeat?: string;
}

export interface FileResult {
  readonly file: string;
  readonly results: readonly CaseResult[];
  /** Problems of the file as a whole: any error fails it. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Counts for the last line: a file that is wrong as a whole is one failure. */
export function count(files: readonly FileResult[]): { passed: number; failed: number } {
  const results = files.flatMap((file) => file.results);
  const failed = results.filter(({ passed }) => !passed).length;
  const whole = files.filter(({ diagnostics }) => diagnostics.some(({ severity }) => severity === "error")).length;
  return { passed: results.length - failed, failed: failed + whole };
}
