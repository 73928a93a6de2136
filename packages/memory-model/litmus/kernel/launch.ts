import type { Io } from "../../../../src/environment/io.ts";
import { problem } from "../../../../src/host/problem.ts";
import { volume } from "../../../../src/interp/contract/launch/dim3.ts";
import { launchExtents } from "../../../../src/launch/extents.ts";
import { setUp } from "../../../../src/launch/input/inputs.ts";
import type { RunCommandOptions } from "../../../../src/launch/options.ts";
import { load } from "../../../../src/launch/program.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../../../src/source/diagnostic.ts";
import type { Source } from "../../../../src/source/source.ts";
import { operationsOf } from "./outcomes.ts";
import { type Launched, type Prepared, type Sizes, threadsOf } from "./threads.ts";

/** How large a launch may be whose outcomes are listed, how many executions are examined, and rounds of each loop. */
export const limits = { threads: 8, operations: 40, executions: 200_000, rounds: 4 } as const;

/** The failure of a launch that is larger than its limits. */
export const tooLarge = (message: string, expected: string): Diagnostic => problem("PTX6009", message, { expected });

/** A launch as the options describe it, as threads for the memory model. */
export function launchOf(source: Source, options: RunCommandOptions, io: Io): Staged<Launched | undefined> {
  const prepare = (): Staged<Prepared | undefined> => {
    const { value, diagnostics: wrong } = load(source, options, io.now);
    if (!value || hasErrors(wrong)) return { value: undefined, diagnostics: wrong };
    const all = [...wrong];
    const inputs = setUp(value, options, io, all);
    return {
      value: hasErrors(all) ? undefined : { kernel: value.kernel, module: value.module, inputs },
      diagnostics: all,
    };
  };
  const first = prepare();
  if (!first.value) return { value: undefined, diagnostics: first.diagnostics };
  const refuse = (message: string, expected: string) => ({
    value: undefined,
    diagnostics: [tooLarge(message, expected)],
  });
  const { grid, block, cluster } = launchExtents(first.value.kernel.program, options);
  const threads = volume(grid) * volume(block);
  if (threads > limits.threads)
    return refuse(
      `${threads} threads: each may see memory in its own way, and the ways multiply`,
      `${limits.threads} threads at most, by --grid and --block`,
    );
  const sizes: Sizes = { grid, block, cluster, smem: options.smem ?? 0 };
  const { value, diagnostics } = threadsOf(prepare, sizes, limits.rounds);
  const operations = value === undefined ? 0 : operationsOf(value, limits.operations);
  if (operations > limits.operations)
    return refuse(
      `${operations} or more memory operations of all threads`,
      `${limits.operations} at most: fewer threads or elements`,
    );
  return { value, diagnostics };
}
