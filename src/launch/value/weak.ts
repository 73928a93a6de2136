import { problem } from "../../host/problem.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { RunCommandOptions } from "../options.ts";

/**
 * The mode of weak memory, as the model allows it (PTX ISA 8): `every` outcome is searched, or each seed shows one at
 * `random`.
 */
export type Weak = "every" | "random";

const words: ReadonlyMap<string, Weak> = new Map([
  ["weak", "every"],
  ["weak:random", "random"],
]);

/** The value of `--memory`: `weak`, `weak:random`, or a path; a file that is called weak is `./weak`. */
export const readMemoryWord = (text: string): string | undefined =>
  text === "" || (text.startsWith("weak:") && !words.has(text)) ? undefined : text;

/** The mode of weak memory in `--memory`; undefined for a file. */
export const weakOf = ({ memory }: Pick<RunCommandOptions, "memory">): Weak | undefined => words.get(memory ?? "");

/** The file that `--memory` names. */
export const memoryFile = (options: Pick<RunCommandOptions, "memory">): string | undefined =>
  weakOf(options) === undefined ? options.memory : undefined;

/** The seed of one run, where memory is weak at random: its own, or that of the order of warps. */
export function weakSeed(options: Pick<RunCommandOptions, "memory" | "seed" | "schedule">): number | undefined {
  if (weakOf(options) !== "random") return undefined;
  const { schedule = "fixed", seed } = options;
  return seed ?? (schedule === "fixed" ? 0 : schedule.seed);
}

/** Options that conflict with weak memory. `lists`: the caller can list many outcomes. */
export function weakProblems(
  options: Pick<RunCommandOptions, "memory" | "seed" | "seeds" | "executor" | "precision">,
  lists: boolean,
): readonly Diagnostic[] {
  const weak = weakOf(options);
  const { seed, seeds, executor } = options;
  const refuse = (message: string, expected: string): Diagnostic => problem("PTX2003", message, { expected });
  if (seed !== undefined && weak !== "random")
    return [refuse("--seed is for --memory weak:random", "--schedule random:SEED for an order of warps and blocks")];
  if (seed !== undefined && seeds !== undefined)
    return [refuse(`--seed ${seed} and --seeds ${seeds.join("..")} cannot both be given`, "one of them")];
  if (weak === "every" && seeds !== undefined)
    return [refuse("--seeds is for --memory weak:random", "--memory weak alone, which lists all outcomes")];
  if (weak === "every" && !lists)
    return [refuse("--memory weak lists many outcomes, and this shows one run", "--memory weak:random --seed SEED")];
  if (weak !== undefined && options.precision)
    return [refuse("--precision follows no weak memory", "a run without --memory weak")];
  if (weak !== undefined && executor !== undefined && executor !== "js")
    return [refuse(`--executor ${executor} runs no weak memory`, "--executor js, or no --executor")];
  return [];
}
