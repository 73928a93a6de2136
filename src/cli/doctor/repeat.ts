import { shellWord } from "../../../packages/demangle/src/index.ts";
import { type Checked, type LaunchOptions, optionsOf } from "../../../packages/lab/doctor/runs.ts";

/** A launch, as far as it says what to run. */
export type Repeated = Pick<Checked, "launch" | "way">;

/** The command line that repeats a run. */
export function commandLine(file: string, entry: string, { launch, way }: Repeated): string {
  const options = optionsOf(launch, way, entry);
  const values = options.arg.flatMap((text) => ["-a", shellWord(text)]);
  return ["ptxrun", shellWord(file), ...wordsOf(options), ...values].join(" ");
}

/** Lines of `ptxrun check` that fail as long as the run has its problem. */
export function caseOf(name: string, entry: string, { launch, way }: Repeated): readonly string[] {
  const options = optionsOf(launch, way, entry);
  return [`//@ args: ${wordsOf(options).join(" ")}`, `//@ case ${name}: ${options.arg.join(" ")} ->`];
}

function wordsOf({ entry, grid, block, smem, cooperative, schedule, async: moving }: LaunchOptions): readonly string[] {
  const words = ["--entry", shellWord(entry ?? ""), "--grid", extent(grid), "--block", extent(block)];
  if (smem !== undefined) words.push("--smem", String(smem));
  if (cooperative) words.push("--cooperative");
  if (schedule !== undefined && schedule !== "fixed") words.push("--schedule", `random:${schedule.seed}`);
  if (moving !== undefined) words.push("--async", moving.when === "random" ? `random:${moving.seed}` : moving.when);
  return [...words, "--sanitize", "mem,init,sync,race"];
}

/** `2,1,1` as `2`. */
const extent = (sizes: readonly number[] = []): string => {
  const last = sizes.findLastIndex((size) => size > 1);
  return sizes.slice(0, Math.max(0, last) + 1).join(",");
};
