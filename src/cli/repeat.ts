import { shellWord } from "../../packages/demangle/src/index.ts";
import { type Checked, type LaunchOptions, optionsOf } from "../../packages/lab/launches/run.ts";

/** A launch, as far as it says what to run. */
export type Repeated = Pick<Checked, "launch" | "way">;

/** The command line that repeats a run; `words` is what stands before the options. */
export function commandLine(words: readonly string[], entry: string | undefined, { launch, way }: Repeated): string {
  const options = optionsOf(launch, way, entry);
  const values = options.arg.flatMap((text) => ["-a", shellWord(text)]);
  return ["ptxrun", ...words.map(shellWord), ...wordsOf(options), ...values].join(" ");
}

/** Lines of `ptxrun check` for the launch, which fail as long as it has a fault or a finding if nothing else is `expected`. */
export function caseOf(
  name: string,
  entry: string | undefined,
  { launch, way }: Repeated,
  expected = "ends",
): readonly string[] {
  const options = optionsOf(launch, way, entry);
  const inputs = options.arg.join(" ");
  return [`//@ args: ${wordsOf(options).join(" ")}`, `//@ case ${name}: ${inputs} -> ${expected}`];
}

/** How many threads a launch has, and what they are given, without parameters. */
export function sizeWords({ grid, block, smem, cooperative }: LaunchOptions): readonly string[] {
  const words = ["--grid", extent(grid), "--block", extent(block)];
  if (smem !== undefined) words.push("--smem", String(smem));
  if (cooperative) words.push("--cooperative");
  return words;
}

function wordsOf(options: LaunchOptions): readonly string[] {
  const { entry, schedule, async: moving, sanitize } = options;
  const words = [...(entry === undefined ? [] : ["--entry", shellWord(entry)]), ...sizeWords(options)];
  if (schedule !== undefined && schedule !== "fixed") words.push("--schedule", `random:${schedule.seed}`);
  if (moving !== undefined) words.push("--async", moving.when === "random" ? `random:${moving.seed}` : moving.when);
  return sanitize.race ? [...words, "--sanitize", "mem,init,sync,race"] : words;
}

/** `2,1,1` as `2`. */
const extent = (sizes: readonly number[] = []): string => {
  const last = sizes.findLastIndex((size) => size > 1);
  return sizes.slice(0, Math.max(0, last) + 1).join(",");
};
