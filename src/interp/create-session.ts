import { compiled, native, tiered } from "./compiled/executor.ts";
import { Random } from "./contract/launch/random.ts";
import { standard } from "./default-executor.ts";
import { javascript } from "./javascript/executor.ts";
import type { MachineOptions, Sanitize } from "./machine/launch.ts";
import { type Begin, startSession } from "./machine/running.ts";
import type { Session } from "./machine/session.ts";
import type { Executor } from "./state/executor.ts";
import { RaceDetector } from "./tools/race/race.ts";
import { weakly } from "./weak/executor.ts";
import { WeakLaunch } from "./weak/weak-launch.ts";
import { WeakMemory } from "./weak/weak-memory.ts";
import { Team } from "./worker-pool/team.ts";
import type { WorkerPool } from "./worker-pool/worker-pool.ts";

/** Checks that run along with a launch: all but `race` are on unless told. */
export interface Checks extends Sanitize {
  /** Data races in shared and global memory; makes a run some 1 to 5 times slower, and up to 15 where accesses may race. */
  readonly race?: boolean;
}

export interface SessionOptions extends Omit<MachineOptions, "executor"> {
  /** What executes the program: `default-executor.ts` says what, unless told. */
  readonly executor?: Executor;
  readonly sanitize?: Checks;
  /** Memory is as weak as the memory model allows; what is drawn is the same for the same seed (32 bits). */
  readonly weak?: { readonly seed: number };
}

/** The weak memory of a session that has one. */
const weakLaunches = new WeakMap<Session, WeakLaunch>();
export const weakLaunchOf = (session: Session): WeakLaunch | undefined => weakLaunches.get(session);

/** All executors, by the names by which users choose them and workers know them. */
export const executors: ReadonlyMap<string, Executor> = new Map([
  ["js", javascript],
  ["wasm", compiled],
  ["native", native],
]);

/** A session whose blocks a worker pool may run. */
export function teamOf(session: Session, workerPool: WorkerPool): Team {
  // Who asks for help has more to do than a module takes to be made.
  const used = session.state?.executor === tiered ? compiled : session.state?.executor;
  const [found] = [...executors].filter(([, executor]) => executor === used);
  return new Team(session, workerPool, found && { name: found[0], executor: found[1] });
}

/** A launch under control, with the tools that its options ask for. */
export function createSession({ weak, executor = standard, ...options }: SessionOptions): Session {
  const launch = weak && new WeakLaunch(new WeakMemory(options.memory.data.u32, new Random(weak.seed)), options);
  const begin: Begin = ({ program, grid, block, dynamicShared, parameters }, print) => {
    const { registers: _, carry: __, own: ___, workspace: ____, cluster: _____, ...shared } = options;
    const { requiredCluster: cluster } = program.limits;
    const asked = { program, grid, block, dynamicShared, parameters, print, depth: (options.depth ?? 0) + 1 };
    return createSession({ ...shared, ...asked, registersReadable: false, executor, ...(cluster && { cluster }) });
  };
  const session = startSession({ ...options, executor: launch === undefined ? executor : weakly(launch) }, begin);
  if (launch !== undefined) {
    weakLaunches.set(session, launch);
    session.observe(launch);
  }
  if (options.sanitize?.race) {
    const { program, grid, block, cluster, memory } = options;
    const report: Session["report"] = (finding, instead) => session.report(finding, instead);
    const rangeAt = (at: number) => memory.allocations.find(at);
    session.observe(new RaceDetector({ program, grid, block, cluster, limit: memory.limit, rangeAt, report }));
  }
  return session;
}
