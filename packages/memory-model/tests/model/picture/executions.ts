import type { Event, Initial, Location, Placement, Trace } from "../../../model/event.ts";
import type { Execution, Forbidden, RelationName } from "../../../model/outcome.ts";
import type { Column } from "../../../model/picture/sheet.ts";

/** Executions made by hand for the pictures: what each instruction did, and relations between events by name. */
export interface Example {
  readonly execution: Execution;
  readonly threads: readonly Column[];
  readonly forbidden?: Forbidden;
}

type Step = {
  readonly does: "R" | "W" | "fence" | "bar";
  readonly text: string;
  readonly x?: string;
  readonly value?: bigint;
} & {
  /** In the box of the step before: an element of its vector, the write of its atomic. */
  readonly joins?: "vector" | "atomic";
};

/** `R x 0 "ld..."` in short. */
export const step = (does: Step["does"], text: string, x?: string, value = 0n, joins?: Step["joins"]): Step => ({
  does,
  text,
  ...(x === undefined ? {} : { x, value }),
  ...(joins ? { joins } : {}),
});

interface Made {
  readonly placements?: readonly Placement[];
  readonly names?: readonly string[];
  /** `rf: [["b", "c"], ["init x", "d"]]`: events are called as the picture calls them. */
  readonly relations: Partial<Record<RelationName, readonly (readonly [string, string])[]>>;
  readonly registers?: readonly Readonly<Record<string, bigint>>[];
  readonly memory?: Readonly<Record<string, readonly bigint[]>>;
  readonly races?: readonly (readonly [string, string])[];
  readonly forbidden?: {
    axiom: string;
    section: string;
    cycle: readonly (readonly [string, Forbidden["cycle"][number]["by"], string])[];
  };
  readonly initial?: Readonly<Record<string, bigint>>;
}

export function made(steps: readonly (readonly Step[])[], the: Made): Example {
  const locations = new Map<string, Location>();
  const location = (name: string): Location => {
    const known = locations.get(name) ?? { name, at: 64 * locations.size, bytes: 4, alias: "" };
    locations.set(name, known);
    return known;
  };
  const traces = steps.map((each, thread): Trace => {
    const events = each.map(({ does, text, x, value = 0n, joins }, at): Event => {
      const order = joins === "vector" ? at - 1 : at;
      const base = { thread, order, text, needs: [] };
      if (does === "fence") return { ...base, kind: "fence", semantics: "sc", scope: "gpu" };
      if (does === "bar") return { ...base, kind: "barrier", of: "cta", id: 0, does: "sync" };
      const half = joins === "atomic" ? at - 1 : each[at + 1]?.joins === "atomic" ? at + 1 : undefined;
      const access = {
        semantics: "weak",
        scope: "sys",
        proxy: "generic",
        value,
        location: location(x ?? "x"),
      } as const;
      return {
        ...base,
        ...access,
        kind: does === "R" ? "read" : "write",
        ...(half === undefined ? {} : { atomic: half }),
      };
    });
    return { events, end: "done", registers: new Map(Object.entries(the.registers?.[thread] ?? {})) };
  });
  const initial = [...locations.values()].map(
    (where): Initial => ({ location: where, value: the.initial?.[where.name] ?? 0n }),
  );
  const at = (name: string): number => {
    if (name.startsWith("init ")) return initial.findIndex((one) => one.location.name === name.slice(5));
    return initial.length + name.charCodeAt(0) - 97;
  };
  const pairs = (list: readonly (readonly [string, string])[] = []) => list.map(([a, b]) => [at(a), at(b)] as const);
  const { po, rf, co, fr, sw, sc, cause } = the.relations;
  return {
    threads: steps.map((_, thread) => ({
      name: the.names?.[thread] ?? `P${thread}`,
      placement: the.placements?.[thread] ?? { block: thread, cluster: thread, gpu: 0 },
    })),
    execution: {
      events: [...initial, ...traces.flatMap(({ events }) => events)],
      traces,
      relations: {
        po: pairs(po),
        rf: pairs(rf),
        co: pairs(co),
        fr: pairs(fr),
        sw: pairs(sw),
        sc: pairs(sc),
        cause: pairs(cause),
      },
      memory: new Map(Object.entries(the.memory ?? {})),
      races: pairs(the.races),
      waiting: [],
      looping: [],
    },
    ...(the.forbidden
      ? {
          forbidden: {
            axiom: the.forbidden.axiom,
            section: the.forbidden.section,
            cycle: the.forbidden.cycle.map(([from, by, to]) => ({ from: at(from), by, to: at(to) })),
          },
        }
      : {}),
  };
}
