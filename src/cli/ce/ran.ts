import type { Bench } from "../../../packages/lab/launches/bench.ts";
import { isFirstGuess } from "../../../packages/lab/launches/first-guess.ts";
import type { GuessedLaunch } from "../../../packages/lab/launches/guess.ts";
import { type LaunchOptions, optionsOf, tryToBegin } from "../../../packages/lab/launches/run.ts";
import type { Slicing } from "../../environment/slicing.ts";
import type { ElementType } from "../../host/index.ts";
import { KeptOutput } from "../../launch/dump/kept-output.ts";
import { runSlices } from "../../launch/launch.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";

/** What a buffer held before a launch, undefined where nothing had been written, and what it holds now. */
export interface Held {
  readonly type: ElementType;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
}

/** A launch that has ended. */
export interface Ran {
  readonly options: LaunchOptions;
  /** By the number of the parameter that points there. */
  readonly buffers: ReadonlyMap<number, Held>;
  readonly printed: string;
  /** The fault that ended it, and what was found. */
  readonly problems: readonly Diagnostic[];
}

/** What a launch may take: warp instructions, and milliseconds from when it was begun with. */
export interface Limits {
  readonly maxSteps: number;
  readonly timeout: number;
  readonly begun: number;
}

const ORDINARY = { data: "ordinary", seed: 1 } as const;
const CHECKS = { mem: true, init: true, sync: true, race: true } as const;

/** Runs a launch with every check, as long as its steps and the time of the command last; undefined where it is refused, and why. */
export async function ran(
  bench: Bench,
  launch: GuessedLaunch,
  limits: Limits,
  slicing: Slicing,
): Promise<Staged<Ran | undefined>> {
  const printed = new KeptOutput();
  const how = { sanitize: CHECKS, maxSteps: limits.maxSteps };
  const { value: run, diagnostics } = tryToBegin(bench, launch, ORDINARY, how, (text) => printed.add(text));
  if (run === undefined) return { value: undefined, diagnostics };
  const held = [...launch.values].flatMap(([parameter, value], at) => {
    const named = run.buffers.get(parameter);
    const isFilled = value.kind === "text" || value.reads || value.zeroed;
    return named === undefined ? [] : [{ at, ...named, before: isFilled ? named.buffer.read() : undefined }];
  });
  const { stop } = await runSlices(run.session, limits, slicing);
  const buffers = new Map(held.map(({ at, type, before, buffer }) => [at, { type, before, after: buffer.read() }]));
  const findings = run.session.findings.filter((each) => !isFirstGuess(each, bench.program));
  const problems = [...(stop.reason === "trap" ? [stop.diagnostic] : []), ...findings];
  run.session.close();
  const options = optionsOf(launch, ORDINARY, undefined);
  return { value: { options, buffers, printed: printed.text, problems }, diagnostics };
}
