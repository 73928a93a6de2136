import type { Kernel, Launch } from "../../host/index.ts";
import { problem } from "../../host/problem.ts";
import type { Program } from "../../interp/contract/program.ts";
import type { Stop } from "../../interp/contract/stop.ts";
import type { Session } from "../../interp/machine/session.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import { type LaunchSizes, threadsIn } from "./extents.ts";
import type { RunCommandOptions } from "./options.ts";
import type { Inputs } from "./setup.ts";

/** Warp instructions between two checks of the clock. */
const SLICE = 200_000;

/** The default limit of steps: enough for any example, and an endless loop stops within about a minute. */
const STEPS = 100_000_000;

/** The options that a launch itself takes. */
type LaunchWords =
  | "grid" | "block" | "cluster" | "smem" | "stack" | "cooperative" | "schedule" | "sanitize"
  | "maxSteps" | "timeout" | "thread"; // biome-ignore format: a list of names

/** Prepares a launch that has not run yet. `print` takes what the program's printf prints. */
export function begin(
  kernel: Kernel,
  inputs: Inputs,
  options: Pick<RunCommandOptions, LaunchWords>,
  print?: (text: string) => void,
): Staged<Session | undefined> {
  const { grid, block, cluster, smem, stack, cooperative, schedule, sanitize, maxSteps = STEPS } = options;
  const outside = threadProblem(kernel.program, options);
  if (outside !== undefined) return { value: undefined, diagnostics: [outside] };
  return kernel.session({
    args: inputs.args,
    registers: inputs.registers,
    sanitize,
    maxSteps,
    ...(inputs.carry === undefined ? {} : { carry: inputs.carry }),
    ...(grid === undefined ? {} : { grid }),
    ...(block === undefined ? {} : { block }),
    ...(stack === undefined ? {} : { stack }),
    ...(print === undefined ? {} : { print }),
    ...(smem === undefined ? {} : { dynamicShared: smem }),
    ...(cluster === undefined ? {} : { cluster }),
    ...(cooperative === undefined ? {} : { cooperative }),
    ...(schedule === undefined || schedule === "fixed" ? {} : { schedule }),
  });
}

/** Runs a kernel with its inputs to the end, a fault, or a limit of steps or of time; `watch` sees it before it runs. */
export function launch(
  kernel: Kernel,
  inputs: Inputs,
  options: Pick<RunCommandOptions, LaunchWords>,
  now: () => number,
  print?: (text: string) => void,
  watch?: (session: Session) => void,
): Staged<Launch | undefined> {
  const { value: session, diagnostics } = begin(kernel, inputs, options, print);
  if (session === undefined) return { value: undefined, diagnostics };
  watch?.(session);
  let stop: Stop | undefined;
  for (const each of slices(kernel, session, options, now)) stop = each;
  if (stop === undefined) throw new Error("a launch that did not stop");
  return { value: { stop, findings: session.findings, session }, diagnostics };
}

/** Runs a session to its end, a slice at a time where time is limited or `budget` says so. */
export function* slices(
  { program }: Kernel,
  session: Session,
  { timeout }: Pick<RunCommandOptions, "timeout">,
  now: () => number,
  budget: () => number = () => (timeout === undefined ? Number.POSITIVE_INFINITY : SLICE),
): Generator<Stop> {
  const end = timeout === undefined ? Number.POSITIVE_INFINITY : now() + timeout;
  let stop: Stop = session.run({ budget: budget() });
  while (stop.reason === "budget") {
    yield stop;
    stop = timeout !== undefined && now() > end ? outOfTime(program, stop, timeout) : session.run({ budget: budget() });
  }
  yield stop;
}

/** `--thread` must name a thread of the launch. */
function threadProblem(program: Program, options: Pick<RunCommandOptions, "thread" | LaunchSizes>) {
  const { thread } = options;
  if (thread === undefined || thread === "all") return undefined;
  const { blocks, threads } = threadsIn(program, options);
  if (thread[0] < blocks && thread[1] < threads) return undefined;
  const message = `--thread ${thread.join("/")} is no thread of this launch`;
  return problem("PTX2003", message, { expected: `0/0 to ${blocks - 1}/${threads - 1}` });
}

function outOfTime(
  program: Program,
  { at, pc }: Stop & { reason: "budget" | "step" | "pause" },
  timeout: number,
): Stop {
  const diagnostic: Diagnostic = {
    code: "PTX6101",
    severity: "error",
    message: `still running after ${timeout / 1000} s`,
    source: program.source,
    span: program.code[pc]?.span ?? { start: 0, end: 0 },
    help: [{ message: "allow more time with --timeout, or look at the loop that this instruction is in" }],
  };
  return { reason: "trap", at, pc, diagnostic };
}
