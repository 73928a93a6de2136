import { compiled, tiered } from "./compiled/executor.ts";
import type { Crew } from "./crew/crew.ts";
import { Team } from "./crew/team.ts";
import { standard } from "./default-executor.ts";
import { javascript } from "./javascript/executor.ts";
import type { MachineOptions, Sanitize } from "./machine/launch.ts";
import { startSession } from "./machine/running.ts";
import type { Session } from "./machine/session.ts";
import type { Executor } from "./state/executor.ts";
import { RaceDetector } from "./tools/race.ts";

/** Checks that run along with a launch: all but `race` are on unless told. */
export interface Checks extends Sanitize {
  /** Data races in shared and global memory; makes a run many times slower. */
  readonly race?: boolean;
}

export interface SessionOptions extends Omit<MachineOptions, "executor"> {
  /** What executes the program: `default-executor.ts` says what, unless told. */
  readonly executor?: Executor;
  readonly sanitize?: Checks;
}

/** All executors, by the names by which users choose them and workers know them. */
export const executors: ReadonlyMap<string, Executor> = new Map([
  ["js", javascript],
  ["wasm", compiled],
]);

/** A session whose blocks a crew may run. */
export function teamOf(session: Session, crew: Crew): Team {
  // Who asks for help has more to do than a module takes to be made.
  const used = session.state?.executor === tiered ? compiled : session.state?.executor;
  const [name] = [...executors].find(([, executor]) => executor === used) ?? [undefined];
  return new Team(session, crew, name);
}

/** A launch under control, with the tools that its options ask for. */
export function createSession({ executor = standard, ...options }: SessionOptions): Session {
  const session = startSession({ ...options, executor });
  if (options.sanitize?.race) {
    const { program, grid, block, cluster, memory } = options;
    const report: Session["report"] = (finding) => session.report(finding);
    session.observe(new RaceDetector({ program, grid, block, cluster, limit: memory.limit, report }));
  }
  return session;
}
