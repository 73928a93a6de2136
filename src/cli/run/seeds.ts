import { problem } from "../../host/problem.ts";
import { renderState } from "../../present/state.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { Exit, exitOf, worst } from "../exit.ts";
import { quoted } from "../usage.ts";
import type { RunOutcome } from "./once.ts";
import type { ScheduleOption } from "./options.ts";

/**
 * Runs once with each seed, until one fails or leaves another state than the first did. That one is the outcome, with
 * the command that repeats it; when all agree, the last one is.
 */
export function eachSeed(
  [first, last]: readonly [first: number, last: number],
  once: (schedule: ScheduleOption) => RunOutcome,
  argv: readonly string[],
): RunOutcome {
  let begin: string | undefined;
  for (let seed = first; ; seed++) {
    const outcome = once({ seed });
    const { result, exit, diagnostics } = outcome;
    if (result === undefined) return outcome;
    if (exit !== Exit.ok) return told(outcome, diagnostics, [repeating(argv, seed)]);
    const state = renderState(result.state);
    begin ??= state;
    if (state !== begin) return told(outcome, diagnostics, [differs(argv, first, seed)]);
    if (seed === last) return outcome;
  }
}

function told(outcome: RunOutcome, before: readonly Diagnostic[], more: readonly Diagnostic[]): RunOutcome {
  const diagnostics = [...before, ...more];
  return { ...outcome, diagnostics, exit: worst(diagnostics.map(exitOf)) };
}

const repeating = (argv: readonly string[], seed: number): Diagnostic =>
  problem("PTX9005", `the seed is ${seed}`, {
    severity: "note",
    help: [{ message: `repeat it with ${repeatWith(argv, seed)}` }],
  });

const differs = (argv: readonly string[], first: number, seed: number): Diagnostic =>
  problem("PTX4010", `seed ${seed} leaves another result than seed ${first}`, {
    severity: "error",
    help: [{ message: `compare ${repeatWith(argv, first)}` }, { message: `with ${repeatWith(argv, seed)}` }],
  });

/** The command line with one seed in place of many. */
function repeatWith(argv: readonly string[], seed: number): string {
  const kept = argv.filter(
    (word, at) => !/^--(seeds|schedule)(=|$)/.test(word) && !/^--(seeds|schedule)$/.test(argv[at - 1] ?? ""),
  );
  return ["ptxrun", ...kept.map(quoted), "--schedule", `random:${seed}`].join(" ");
}
