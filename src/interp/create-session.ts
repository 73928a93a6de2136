import { compiled, tiered } from "./compiled/executor.ts";
import type { Crew } from "./crew/crew.ts";
import { Member } from "./crew/member.ts";
import type { CrewMessage } from "./crew/message.ts";
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
  /** Data races in shared and global memory; makes a run some 5 to 15 times slower. */
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

/** One worker of a crew (see `Crew`): a thread makes one, and hands it all messages that it is posted, in their order. */
export interface CrewMember {
  /** Does what a message asks for; blocks of a grid take a while. Throws where something is wrong with this worker. */
  receive(message: CrewMessage): void;
}

/** The other side of a `Crew`, for the thread that is the worker. */
export function crewMember(): CrewMember {
  const member = new Member(executors);
  return {
    receive: (message) => {
      member.receive(message);
      if (message.kind === "range") member.conclude(true);
    },
  };
}

/** A session whose blocks a crew may run. */
export function teamOf(session: Session, crew: Crew): Team {
  // Who asks for help has more to do than a module takes to be made.
  const used = session.state?.executor === tiered ? compiled : session.state?.executor;
  const [found] = [...executors].filter(([, executor]) => executor === used);
  return new Team(session, crew, found && { name: found[0], executor: found[1] });
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
