import type { Code } from "./codes/index.ts";
import type { Source, Span } from "./source.ts";

export type Severity = "error" | "warning" | "note";

/** Another place that explains a diagnostic: "declared .b32 here". */
export interface Related {
  readonly source: Source;
  readonly span: Span;
  readonly message: string;
}

/** A way out; with `replace` an editor or `--fix` can take it. */
export interface Help {
  readonly message: string;
  readonly replace?: { readonly span: Span; readonly text: string };
}

/** A line of the program that PTX was compiled from; a column of 0 means that the compiler knew none. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Of a line in a function that was inlined: where the function that contains it all calls the outermost of them. */
  readonly inlinedAt?: Omit<Location, "inlinedAt">;
}

/** One problem, as data. Rendering lives in `src/present`. */
export interface Diagnostic {
  /** Stable and searchable: `ptxrun explain PTX1203` prints its page. Never reused. */
  readonly code: Code;
  readonly severity: Severity;
  /** What is wrong, in one line, lower case, no full stop. */
  readonly message: string;
  readonly source: Source;
  readonly span: Span;
  /** What would have been right here, in a few words; printed beside the underline. */
  readonly expected?: string;
  readonly related?: readonly Related[];
  /** For a diagnostic of a run: the line that the instruction was compiled from. */
  readonly compiledFrom?: Location;
  /** The thread that a diagnostic of a run is about: its block, its warp in the block, its lane in the warp. */
  readonly thread?: { readonly block: number; readonly warp: number; readonly lane: number };
  readonly help?: readonly Help[];
  /** Of a case that failed: the fault or the finding by which it did. */
  readonly cause?: Diagnostic;
  /** What the header lacks, where the error is that it is too old. */
  readonly needs?: Needed;
  /** Anchor of the manual's section that says so. */
  readonly manual?: string;
}

/** What a text's header has to say for something in it: a version (78 is 7.8), and a target with its suffix. */
export interface Needed {
  readonly ptx: number;
  readonly sm: number;
  readonly only?: "a" | "f";
  readonly families?: readonly number[];
}

/** A stage returns what it could build and the problems; it never throws for bad input. */
export interface Staged<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** True when something in the list is an error, so that later stages cannot run. */
export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === "error");
