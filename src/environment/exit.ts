import type { Diagnostic } from "../source/diagnostic.ts";
import type { Signal } from "./io.ts";

/** What ptxrun's exit codes mean; nothing else in the command line names a number. */
export const Exit = {
  ok: 0,
  /** A golden check failed. */
  check: 1,
  usage: 2,
  /** PTX rejected. */
  rejected: 3,
  /** A fault in the program run. */
  fault: 4,
  /** Valid PTX that ptxrun does not implement. */
  gap: 5,
  /** A limit reached. */
  limit: 6,
  /** A sanitizer finding. */
  finding: 7,
  /** A bug in ptxrun. */
  bug: 70,
  /** Ctrl-C: 128 plus the signal's number, as in shells. */
  interrupted: 130,
  /** What `kill` and `timeout` send. */
  terminated: 143,
} as const;
export type ExitCode = (typeof Exit)[keyof typeof Exit];

/** Most severe first; a run that ends in several ways exits with the first that applies. */
const order: readonly ExitCode[] = [
  Exit.bug,
  Exit.usage,
  Exit.rejected,
  Exit.terminated,
  Exit.interrupted,
  Exit.limit,
  Exit.fault,
  Exit.gap,
  Exit.finding,
  Exit.check,
  Exit.ok,
];

/** The exit code for the first digit of a diagnostic's code. */
const byArea: ReadonlyMap<string, ExitCode> = new Map<string, ExitCode>([
  ["1", Exit.rejected],
  ["2", Exit.usage],
  ["3", Exit.fault],
  ["4", Exit.finding],
  ["5", Exit.gap],
  ["6", Exit.limit],
  ["7", Exit.check],
  ["8", Exit.rejected],
]);

/** The exit code of one diagnostic. Only an error changes it; warnings and notes exit 0. */
export function exitOf({ code, severity }: Diagnostic): ExitCode {
  return severity === "error" ? (byArea.get(code.slice(3, 4)) ?? Exit.ok) : Exit.ok;
}

/** The exit code of a command that a signal has ended. */
export const exitOfSignal = (signal: Signal): ExitCode => (signal === "SIGINT" ? Exit.interrupted : Exit.terminated);

/** The most severe of several. */
export const worst = (codes: Iterable<ExitCode>): ExitCode => {
  const all = new Set(codes);
  return order.find((code) => all.has(code)) ?? Exit.ok;
};
