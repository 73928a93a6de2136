import type { Signal } from "../environment/io.ts";
import type { Slicing } from "../environment/slicing.ts";
import { progressOf } from "../host/debugger/progress.ts";
import type { Kernel, Launch } from "../host/index.ts";
import { problem } from "../host/problem.ts";
import { nativeFailure } from "../interp/compiled/module/made-code.ts";
import { nativeCompiler } from "../interp/compiled/module/native-code.ts";
import type { Program } from "../interp/contract/program.ts";
import type { Stop } from "../interp/contract/stop.ts";
import { executors, teamOf } from "../interp/create-session.ts";
import type { Session } from "../interp/machine/session.ts";
import type { Team, Teamwork } from "../interp/worker-pool/team.ts";
import type { WorkerPool } from "../interp/worker-pool/worker-pool.ts";
import type { Diagnostic, Staged } from "../source/diagnostic.ts";
import { interrupted, outOfTime } from "./cut-short.ts";
import { type LaunchSizes, threadsIn } from "./extents.ts";
import type { Inputs } from "./input/launch-inputs.ts";
import type { RunCommandOptions } from "./options.ts";
import { weakProblems, weakSeed } from "./value/weak.ts";

/** Milliseconds of a slice, and the steps of the first one, when the speed is not known. */
const SLICE = 50;
const FIRST_SLICE = 64;

/** The default limit of steps: enough for any example, and an endless loop stops within about a minute. */
const STEPS = 100_000_000;

/** The options of the launch itself. */
type LaunchWords =
  | "grid" | "block" | "cluster" | "smem" | "stack" | "cooperative" | "schedule" | "async" | "sanitize"
  | "maxSteps" | "timeout" | "begun" | "thread" | "arch" | "executor" | "memory" | "seed"; // biome-ignore format: a list of names

/** Prepares a launch that has not run yet. `print` receives the output of printf. */
export function begin(
  kernel: Kernel,
  inputs: Inputs,
  options: Pick<RunCommandOptions, LaunchWords>,
  print?: (text: string) => void,
): Staged<Session | undefined> {
  const { grid, block, cluster, smem, stack, cooperative, sanitize, maxSteps = STEPS, arch } = options;
  const { async: moving } = options;
  const weak = weakSeed(options);
  const { schedule = weak === undefined ? undefined : { seed: weak } } = options;
  const unheeded = weakProblems(options, false);
  if (unheeded.length > 0) return { value: undefined, diagnostics: unheeded };
  const executor = options.executor === undefined ? undefined : executors.get(options.executor);
  if (options.executor === "native" && nativeCompiler() === undefined)
    return { value: undefined, diagnostics: [withoutCompiler()] };
  const outside = threadProblem(kernel.program, options);
  if (outside !== undefined) return { value: undefined, diagnostics: [outside] };
  const begun = kernel.session({
    args: inputs.args,
    registers: inputs.registers,
    sanitize,
    maxSteps,
    ...(inputs.carry === undefined ? {} : { carry: inputs.carry }),
    ...(grid === undefined ? {} : { grid }),
    ...(block === undefined ? {} : { block }),
    ...(stack === undefined ? {} : { stack }),
    ...(print === undefined ? {} : { print }),
    ...(arch === undefined ? {} : { arch }),
    ...(executor === undefined ? {} : { executor }),
    ...(weak === undefined ? {} : { weak: { seed: weak } }),
    ...(moving === undefined ? {} : { async: moving }),
    ...(smem === undefined ? {} : { dynamicShared: smem }),
    ...(cluster === undefined ? {} : { cluster }),
    ...(cooperative === undefined ? {} : { cooperative }),
    ...(schedule === undefined || schedule === "fixed" ? {} : { schedule }),
  });
  const failure = nativeFailure();
  return failure === undefined ? begun : { ...begun, diagnostics: [...begun.diagnostics, notCompiled(failure)] };
}

const withoutCompiler = (): Diagnostic =>
  problem("PTX2253", "--executor native compiles kernels by a C compiler, and there is none", {
    expected: "cc, gcc or clang on the PATH, or the path of one in CC",
    help: [{ message: "--executor wasm needs none" }],
  });

const notCompiled = (failure: string): Diagnostic =>
  problem("PTX2254", `the C compiler failed: ${failure}`, {
    severity: "warning",
    help: [{ message: "the launch runs as WebAssembly instead, with the same results" }],
  });

/** A launch that has ended, and the signal that ended it; with a worker pool, how it was shared. */
export type Launched = Launch & { readonly signal?: Signal; readonly teamwork?: Teamwork };

/**
 * Runs a kernel with its inputs to the end, a fault, a limit of steps or of time, or a signal; `watch` receives the
 * session before it runs.
 */
export async function launch(
  kernel: Kernel,
  inputs: Inputs,
  options: Pick<RunCommandOptions, LaunchWords>,
  slicing: Slicing,
  print?: (text: string) => void,
  watch?: (session: Session) => void,
  workerPool?: WorkerPool,
): Promise<Staged<Launched | undefined>> {
  const { value: session, diagnostics } = begin(kernel, inputs, options, print);
  if (session === undefined) return { value: undefined, diagnostics };
  watch?.(session);
  const team = workerPool && teamOf(session, workerPool);
  const ended = await runSlices(session, options, slicing, undefined, team);
  const { steps, findings } = session;
  return { value: { ...ended, steps, findings, session, ...(team && { teamwork: team.work }) }, diagnostics };
}

/** How a session that is run in slices ended. */
export interface SlicedEnd {
  readonly stop: Stop;
  /** Set when a signal ended it. */
  readonly signal?: Signal;
}

/**
 * Runs a session to its end, a slice of some milliseconds at a time, so that signals arrive, time is measured and
 * progress is shown. `most` limits the steps of a slice; where it returns 0, the run ends there with reason `budget`.
 * With a worker pool only time limits a slice.
 */
export async function runSlices(
  session: Session,
  { timeout, begun }: Pick<RunCommandOptions, "timeout" | "begun">,
  slicing: Slicing,
  most: () => number = () => Number.POSITIVE_INFINITY,
  team?: Team,
): Promise<SlicedEnd> {
  const progress = () => progressOf(session);
  let began = slicing.now();
  const end = timeout === undefined ? Number.POSITIVE_INFINITY : (begun ?? began) + timeout;
  for (let budget = FIRST_SLICE; ; ) {
    const stop = team === undefined ? session.run({ budget: Math.min(budget, most()) }) : team.run(SLICE);
    if (stop.reason !== "budget" || most() <= 0) return { stop };
    const now = slicing.now();
    if (now > end && timeout !== undefined) {
      team?.stop();
      return { stop: outOfTime(session, stop, timeout) };
    }
    budget = nextSlice(budget, now - began);
    const signal = await slicing.rest(progress);
    if (signal !== undefined) {
      team?.stop();
      return { stop: interrupted(session, stop, signal), signal };
    }
    began = slicing.now();
  }
}

/** Steps of the next slice, from the duration of the last one of `budget` steps; at most four times as many. */
const nextSlice = (budget: number, took: number): number =>
  Math.ceil(Math.min(4 * budget, Math.max(budget / 4, took > 0 ? (budget * SLICE) / took : Number.POSITIVE_INFINITY)));

/** `--thread` must name a thread of the launch. */
function threadProblem(program: Program, options: Pick<RunCommandOptions, "thread" | LaunchSizes>) {
  const { thread } = options;
  if (thread === undefined || thread === "all") return undefined;
  const { blocks, threads } = threadsIn(program, options);
  if (thread[0] < blocks && thread[1] < threads) return undefined;
  const message = `--thread ${thread.join("/")} is not a thread of this launch`;
  return problem("PTX2003", message, { expected: `0/0 to ${blocks - 1}/${threads - 1}` });
}
