import { Exit } from "../../environment/exit.ts";
import { quoted } from "../../environment/quoted.ts";
import type { WatchedSlicing } from "../../environment/slicing.ts";
import { problem } from "../../host/problem.ts";
import { ended, type RunOutcome } from "../../launch/once.ts";
import type { RunCommandOptions, ScheduleOption } from "../../launch/options.ts";
import { renderState } from "../../present/state.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";

/** `--seeds` makes the orders itself; `--schedule random:SEED` beside it would have no effect. */
export function twoOrders({
  seeds,
  schedule = "fixed",
}: Pick<RunCommandOptions, "seeds" | "schedule">): Diagnostic | undefined {
  if (seeds === undefined || schedule === "fixed") return undefined;
  const message = `--schedule random:${schedule.seed} and --seeds ${seeds.join("..")} cannot both be given`;
  return problem("PTX2003", message, { expected: "one of them" });
}

/**
 * Runs once with each seed, until one fails or leaves another state than the first did. That one is the outcome, with
 * the command that repeats it; when all agree, the last one is, and a note reports it.
 */
export async function eachSeed(
  [first, last]: readonly [first: number, last: number],
  once: (schedule: ScheduleOption) => Promise<RunOutcome>,
  argv: readonly string[],
  slicing: WatchedSlicing,
): Promise<RunOutcome> {
  let begin: string | undefined;
  for (let seed = first; ; seed++) {
    slicing.begin(`seed ${seed} of ${first}..${last}`);
    const outcome = await once({ seed });
    const { result, exit } = outcome;
    if (result === undefined) return outcome;
    if (result.signal !== undefined) return told(outcome, [stoppedAt(argv, first, seed)]);
    if (exit !== Exit.ok) return told(outcome, [repeating(argv, seed)]);
    const state = renderState(result.state);
    begin ??= state;
    if (state !== begin) return told(outcome, [differs(argv, first, seed)]);
    if (seed === last) return told(outcome, [agree(first, last)]);
    const signal = await slicing.rest();
    if (signal !== undefined)
      return told({ ...outcome, result: { ...result, signal } }, [stoppedAt(argv, first, seed + 1)]);
  }
}

function told(outcome: RunOutcome, more: readonly Diagnostic[]): RunOutcome {
  return ended([...outcome.diagnostics, ...more], outcome.result);
}

function agree(first: number, last: number): Diagnostic {
  const several = `all ${last - first + 1} seeds, ${first} to ${last}, end well and leave the same result`;
  const message = first === last ? `the only seed, ${first}, ends well` : several;
  return problem("PTX9007", message, { severity: "note" });
}

function stoppedAt(argv: readonly string[], first: number, seed: number): Diagnostic {
  const before = seed - first;
  const so = before === 0 ? "" : `; the ${before} before it end well and leave the same result`;
  return problem("PTX9005", `interrupted at seed ${seed}${so}`, {
    severity: "note",
    help: [{ message: `repeat it with ${repeatWith(argv, seed)}` }],
  });
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
