import type { Kernel, Launch } from "../../host/index.ts";
import { problem } from "../../host/problem.ts";
import type { Stop } from "../../interp/session.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import type { RunOptions } from "./options.ts";
import type { Inputs } from "./setup.ts";

/** Warp instructions between two looks at the clock. */
const SLICE = 200_000;

/** Steps when nobody said otherwise: enough for any example, and a loop without end stops within a minute or so. */
const STEPS = 100_000_000;

/** The options that a launch itself takes. */
type LaunchWords =
  | "grid" | "block" | "cluster" | "smem" | "stack" | "cooperative" | "schedule" | "sanitize"
  | "maxSteps" | "timeout" | "thread"; // biome-ignore format: a list of names

/** Runs a kernel with its inputs to the end, a fault, or a limit of steps or of time. */
export function launch(
  kernel: Kernel,
  inputs: Inputs,
  options: Pick<RunOptions, LaunchWords>,
  now: () => number,
  print?: (text: string) => void,
): Staged<Launch | undefined> {
  const { grid, block, cluster, smem, stack, cooperative, schedule, sanitize, maxSteps = STEPS, timeout } = options;
  const outside = threadProblem(options);
  if (outside !== undefined) return { value: undefined, diagnostics: [outside] };
  const { value: session, diagnostics } = kernel.session({
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
  if (session === undefined) return { value: undefined, diagnostics };
  if (timeout === undefined) {
    const stop = session.run();
    return { value: { stop, findings: session.findings, session }, diagnostics };
  }
  const end = now() + timeout;
  let stop: Stop = session.run({ budget: SLICE });
  while (stop.reason === "budget") {
    stop = now() > end ? outOfTime(kernel, stop, timeout) : session.run({ budget: SLICE });
  }
  return { value: { stop, findings: session.findings, session }, diagnostics };
}

/** `--thread` must name a thread of the launch. */
function threadProblem({ thread, grid = [1, 1, 1], block = [1, 1, 1] }: Pick<RunOptions, "thread" | "grid" | "block">) {
  if (thread === undefined || thread === "all") return undefined;
  const blocks = grid[0] * grid[1] * grid[2];
  const threads = block[0] * block[1] * block[2];
  if (thread[0] < blocks && thread[1] < threads) return undefined;
  const message = `--thread ${thread.join("/")} is no thread of this launch`;
  return problem("PTX2003", message, { expected: `0/0 to ${blocks - 1}/${threads - 1}` });
}

function outOfTime(
  { program }: Kernel,
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
