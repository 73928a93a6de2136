/** The parts of `ptxrun check --reporter json` (schema/check-1.json) that the test explorer shows. */
export interface Report {
  readonly schema: "ptxrun.check/1";
  readonly files: readonly FileReport[];
}

export interface FileReport {
  readonly file: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly cases: readonly CaseReport[];
}

interface CaseReport {
  readonly name: string;
  readonly source: string;
  /** Counted from 1. */
  readonly line: number;
  readonly passed: boolean;
  readonly mismatches: readonly Mismatch[];
  readonly diagnostics: readonly Diagnostic[];
  readonly repeat?: string;
}

interface Mismatch {
  readonly what: string;
  readonly type: string;
  readonly expected: Value;
  readonly got: Value;
  readonly ulp?: string;
}

interface Value {
  readonly bits: string;
  readonly value: string;
}

interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly source: string;
  readonly line: number;
  readonly column: number;
  readonly expected?: string;
}

/** One thing that went wrong, as the test explorer shows it: two texts that differ, or a sentence, at a place. */
export interface Failure {
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly source: string;
  /** Counted from 0. */
  readonly line: number;
  readonly column: number;
}

export interface Outcome {
  readonly name: string;
  readonly source: string;
  /** Counted from 0. */
  readonly line: number;
  /** None if it passed. */
  readonly failures: readonly Failure[];
}

/** Reads what `check` has printed; throws where it is no report of it, as when the options were wrong. */
export function readReport(text: string): Report {
  const read: unknown = JSON.parse(text);
  if (typeof read !== "object" || read === null || !("schema" in read) || read.schema !== "ptxrun.check/1")
    throw new Error("this is no report of ptxrun check");
  return read as Report;
}

/** What came of each case, and what is wrong with the file as a whole. */
export function outcomesOf({ diagnostics, cases }: FileReport): {
  readonly whole: readonly Failure[];
  readonly cases: readonly Outcome[];
} {
  return { whole: diagnostics.map(failureOf), cases: cases.map(outcomeOf) };
}

function outcomeOf({ name, source, line, passed, mismatches, diagnostics, repeat }: CaseReport): Outcome {
  const failures = [...mismatches.map((each) => mismatchOf(each, source, line)), ...diagnostics.map(failureOf)];
  // It failed, and nothing says why: it must not look as if it had passed.
  if (!passed && failures.length === 0)
    failures.push({
      message: repeat === undefined ? "it failed" : `it failed: ${repeat}`,
      source,
      line: line - 1,
      column: 0,
    });
  return { name, source, line: line - 1, failures: passed ? [] : failures };
}

const inWords = ({ bits, value }: Value): string => (bits === value ? bits : `${value} (${bits})`);

function mismatchOf({ what, type, expected, got, ulp }: Mismatch, source: string, line: number): Failure {
  const apart = ulp === undefined ? "" : `, ${ulp} ulp apart`;
  return {
    message: `${what} (${type}) is ${inWords(got)}, expected ${inWords(expected)}${apart}`,
    expected: inWords(expected),
    actual: inWords(got),
    source,
    line: line - 1,
    column: 0,
  };
}

function failureOf({ code, message, expected, source, line, column }: Diagnostic): Failure {
  const wanted = expected === undefined ? "" : `; expected: ${expected}`;
  return { message: `${code}: ${message}${wanted}`, source, line: line - 1, column: column - 1 };
}
