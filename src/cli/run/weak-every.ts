import { type ExitCode, exitOf, worst } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { problem } from "../../host/problem.ts";
import type { RunCommandOptions } from "../../launch/options.ts";

/** `ptxrun run --memory weak`: every outcome that the memory model allows, a line each. */
export async function runEvery(
  _file: string | undefined,
  options: RunCommandOptions,
  io: Io,
  _argv: readonly string[],
): Promise<ExitCode> {
  const found = [problem("PTX2003", "--memory weak is not there yet", { expected: "--memory weak:random" })];
  report(found, options, io);
  return worst(found.map(exitOf));
}
