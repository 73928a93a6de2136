import { teamOf } from "../../../src/interp/create-session.ts";
import {
  type Executor,
  javascript,
  type Observer,
  type Program,
  type Session,
  type Stop,
} from "../../../src/interp/index.ts";
import { InProcessPool } from "../../unit/interp/worker-pool/in-process-pool.ts";
import { alternating, warming } from "./changing.ts";
import { Comparison, type Side } from "./compare.ts";
import { Arena, type Manner } from "./launch.ts";
import { Random } from "./random.ts";

/** Bytes of memory behind which few programs have anything. */
const LARGE = 600_000;

/** What two runs of a program show. */
export interface Compared {
  readonly difference: string | undefined;
  readonly stop: Stop;
  /** Opcodes of what has run. */
  readonly ran: readonly string[];
  /** The other executor has code of its own for the program: some programs both leave to JavaScript. */
  readonly compiled: boolean;
}

/** Two memories in which everything lies alike, one for each executor. */
export class Pair {
  readonly #executor: Executor;
  #arenas: readonly [Arena, Arena] = [new Arena(), new Arena()];
  /** Warp instructions that have been executed by one of the two. */
  steps = 0;

  readonly #workerPool: InProcessPool | undefined;
  /** Programs of which workers have run blocks. */
  shared = 0;

  /** `workers`: how many run the blocks of the other's launches; none, and it runs them itself. */
  constructor(executor: Executor, workers = 0) {
    this.#executor = executor;
    this.#workerPool = workers === 0 ? undefined : new InProcessPool(workers);
  }

  /** Runs a program by JavaScript and by the other; gives the first difference, how the run ended, and what has run. */
  run(program: Program, manner: Manner, sizes: { block: number; grid: number }): Compared {
    const { mixed, patience } = manner;
    const late = patience === undefined ? this.#executor : warming(this.#executor, patience);
    const other = mixed === undefined ? late : alternating(javascript, late, new Random(mixed));
    const sides: Side[] = [];
    const twins: Session[] = [];
    let failed = true;
    try {
      const begin = (executor: Executor, at: 0 | 1): Side & { heard: string[] } => {
        const printed: string[] = [];
        const arena = this.#arenas[at];
        const session = arena.launch(executor, program, manner, sizes, printed);
        if (manner.twin) twins.push(arena.launch(executor, program, manner, sizes, printed));
        const side = { session, memory: arena.memory, printed, heard: [] };
        sides.push(side);
        if (manner.observed) {
          session.observe(listener(side.heard, () => session.steps));
          session.observe(ofWarps(side.heard));
        }
        for (const part of manner.breakpoints) session.breakAt(Math.floor((part / 100) * program.code.length));
        return side;
      };
      const [one, two] = [begin(javascript, 0), begin(other, 1)];
      const comparison = new Comparison(program);
      const look = (stops: readonly [Stop, Stop]): string | undefined =>
        comparison.difference(one, two, stops, sizes, manner.unseen) ??
        unlikeSteps(twins) ??
        (one.heard.join("\n") === two.heard.join("\n") ? undefined : firstUnlike(one.heard, two.heard));
      const [stop, difference] =
        this.#workerPool === undefined
          ? follow(one.session, two.session, twins, manner, look)
          : this.#byCrew(one, two, this.#workerPool, (stops) =>
              comparison.afterCrew(one, two, stops, sizes, manner.unseen),
            );
      this.steps += one.session.steps;
      failed = difference !== undefined;
      const made = this.#executor.made?.(program);
      const compiled = made instanceof Map && [...made.values()].some((code) => code !== undefined);
      return { difference, stop, ran: comparison.ran(one, sizes), compiled };
    } catch (thrown) {
      const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
      return {
        difference: `an exception: ${text.split("\n").slice(0, 6).join("\n")}`,
        stop: { reason: "exit" },
        ran: [],
        compiled: false,
      };
    } finally {
      // After a difference nobody knows what the memories hold.
      if (failed) this.#arenas = [new Arena(), new Arena()];
      else {
        // Memory of the device heap that a program has not given back is not there for the next one; and what one that
        // needs much has touched would be copied each time that somebody asks whether anything changes. What an access
        // without the check of bounds has left in nobody's memory would stay there, and a seed by itself would not find it.
        const { live, heapBytes } = sides[0]!.memory.allocations;
        const large = live.some(({ end }) => end > LARGE);
        for (const { session } of sides) session.close();
        for (const session of twins) session.close();
        if (heapBytes > 0 || large || manner.unchecked) this.#arenas = [new Arena(), new Arena()];
      }
    }
  }

  /** One session by itself, the other with a worker pool. */
  #byCrew(
    one: Side,
    two: Side,
    workerPool: InProcessPool,
    look: (stops: readonly [Stop, Stop]) => string | undefined,
  ): [Stop, string | undefined] {
    const team = teamOf(two.session, workerPool);
    const stops = [one.session.run(), team.run(Number.POSITIVE_INFINITY)] as const;
    if (team.work.rounds > 0) this.shared++;
    return [stops[0], look(stops)];
  }
}

/** Runs both to their end, and looks at every stop between. */
function follow(
  one: Session,
  two: Session,
  twins: readonly Session[],
  { budgets, breakpoints, rewound }: Manner,
  look: (stops: readonly [Stop, Stop]) => string | undefined,
): [Stop, string | undefined] {
  const both = (budget?: number): [Stop, string | undefined] => {
    const options = budget === undefined ? {} : { budget };
    const stops = [one.run(options), two.run(options)] as const;
    for (const twin of twins) twin.run(options);
    return [stops[0], look(stops)];
  };
  if (rewound) {
    const before = both(budgets[0] ?? 20);
    if (before[1] !== undefined || before[0].reason !== "budget") return before;
    const kept = [one.snapshot(), two.snapshot()] as const;
    const first = both();
    if (first[1] !== undefined) return first;
    one.restore(kept[0]);
    two.restore(kept[1]);
  }
  for (let at = 0; ; at++) {
    const [stop, difference] = both(budgets.length === 0 || at > 60 ? undefined : budgets[at % budgets.length]);
    const over = stop.reason === "exit" || stop.reason === "trap";
    if (difference !== undefined || over) return [stop, difference];
    if (at > 60 && breakpoints.length > 0) {
      for (let id = 1; id <= breakpoints.length; id++) for (const session of [one, two]) session.clear(id);
    }
  }
}

function unlikeSteps([one, two]: readonly Session[]): string | undefined {
  return one?.steps === two?.steps ? undefined : `steps of the twins: ${one?.steps} | ${two?.steps}`;
}

function listener(heard: string[], steps: () => number): Observer {
  const note =
    (name: string) =>
    (...told: readonly unknown[]): void => {
      heard.push(
        `${steps()} ${name} ${told.map((each) => (typeof each === "object" ? JSON.stringify(each) : String(each))).join(" ")}`,
      );
    };
  return {
    load: note("load"),
    store: note("store"),
    atomic: note("atomic"),
    fence: note("fence"),
    warpSync: note("sync"),
  };
}

/** Hears what the lanes of a warp do at once. */
const ofWarps = (heard: string[]): Observer => ({
  access: (access) => {
    const { how, pc, block, warp, lanes, space, bytes, addresses, where } = access;
    const each: unknown[] = [];
    for (let lane = 0; lane < 32; lane++)
      if ((lanes >>> lane) & 1)
        each.push(addresses[2 * lane], addresses[2 * lane + 1], where[lane], how === "store" && access.value(lane));
    heard.push([how, pc, block, warp, lanes, space, bytes, ...each].join(" "));
  },
});

function firstUnlike(a: readonly string[], b: readonly string[]): string {
  let at = 0;
  while (a[at] === b[at]) at++;
  return `event ${at} of observers: ${a[at]} | ${b[at]}`;
}
