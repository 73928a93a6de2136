import {
  type Executor,
  javascript,
  type Observer,
  type Program,
  type Session,
  type Stop,
} from "../../../src/interp/index.ts";
import { Comparison, type Side } from "./compare.ts";
import { Arena, type Manner } from "./launch.ts";
import { Random } from "./random.ts";

/** Two memories in which everything lies alike, one for each executor. */
export class Pair {
  readonly #executor: Executor;
  #arenas: readonly [Arena, Arena] = [new Arena(), new Arena()];
  /** Warp instructions that have been executed by one of the two. */
  steps = 0;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  /** Runs a program by JavaScript and by the other; gives the first difference, and how the run ended. */
  run(
    program: Program,
    manner: Manner,
    sizes: { block: number; grid: number },
  ): { difference: string | undefined; stop: Stop } {
    const { mixed } = manner;
    const other = mixed === undefined ? this.#executor : alternating(javascript, this.#executor, new Random(mixed));
    const sides: Side[] = [];
    let failed = true;
    try {
      const begin = (executor: Executor, at: 0 | 1): Side & { heard: string[] } => {
        const printed: string[] = [];
        const arena = this.#arenas[at];
        const session = arena.launch(executor, program, manner, sizes, printed);
        const side = { session, memory: arena.memory, printed, heard: [] };
        sides.push(side);
        if (manner.observed) session.observe(listener(side.heard));
        for (const part of manner.breakpoints) session.breakAt(Math.floor((part / 100) * program.code.length));
        return side;
      };
      const [one, two] = [begin(javascript, 0), begin(other, 1)];
      const comparison = new Comparison(program);
      const look = (stops: readonly [Stop, Stop]): string | undefined =>
        comparison.difference(one, two, stops, sizes, manner.unseen) ??
        (one.heard.join("\n") === two.heard.join("\n") ? undefined : firstUnlike(one.heard, two.heard));
      const [stop, difference] = follow(one.session, two.session, manner, look);
      this.steps += one.session.steps;
      failed = difference !== undefined;
      return { difference, stop };
    } catch (thrown) {
      const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
      return { difference: `an exception: ${text.split("\n").slice(0, 6).join("\n")}`, stop: { reason: "exit" } };
    } finally {
      // After a difference nobody knows what the memories hold.
      if (failed) this.#arenas = [new Arena(), new Arena()];
      else for (const { session } of sides) session.close();
    }
  }
}

/** Runs both to their end, and looks at every stop between. */
function follow(
  one: Session,
  two: Session,
  { budgets, breakpoints, rewound }: Manner,
  look: (stops: readonly [Stop, Stop]) => string | undefined,
): [Stop, string | undefined] {
  const both = (budget?: number): [Stop, string | undefined] => {
    const options = budget === undefined ? {} : { budget };
    const stops = [one.run(options), two.run(options)] as const;
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
    if (at > 400 && breakpoints.length > 0) {
      for (let id = 1; id <= breakpoints.length; id++) for (const session of [one, two]) session.clear(id);
    }
  }
}

/** Runs each turn of a warp in parts, by one executor or the other. */
function alternating(first: Executor, second: Executor, random: Random): Executor {
  return {
    link(context, observed) {
      const [one, two] = [first.link(context, observed), second.link(context, observed)];
      return {
        run(warp, budget, clock) {
          const part = random.chance(50) ? budget : Math.min(budget, 1 + random.below(12));
          return (random.chance(50) ? one : two).run(warp, part, clock);
        },
      };
    },
  };
}

function listener(heard: string[]): Observer {
  const note =
    (name: string) =>
    (...told: readonly unknown[]): void => {
      heard.push(
        `${name} ${told.map((each) => (typeof each === "object" ? JSON.stringify(each) : String(each))).join(" ")}`,
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

function firstUnlike(a: readonly string[], b: readonly string[]): string {
  let at = 0;
  while (a[at] === b[at]) at++;
  return `event ${at} of observers: ${a[at]} | ${b[at]}`;
}
