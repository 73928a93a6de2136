import type { Orders } from "./order.ts";
import type { Forbidden } from "./outcome.ts";
import type { Relation } from "./relation.ts";
import { isRead, isWrite, type Node } from "./search/node.ts";

type Step = Forbidden["cycle"][number];
type By = Step["by"];

/** An axiom of section 8.10, and how an execution contradicts it. */
export interface Axiom {
  readonly name: string;
  readonly section: string;
  /** The requirement, in one sentence. */
  readonly demands: string;
  /** A cycle that it forbids; undefined where the execution obeys it. */
  readonly broken: (orders: Orders) => Step[] | undefined;
  /** Whether there is such a cycle, where nobody asks which. */
  readonly isBroken: (orders: Orders) => boolean;
}

/** The axioms of the memory consistency model; where two forbid the same, the first is named. */
export const axioms: readonly Axiom[] = [
  {
    name: "SC-per-Location",
    section: "8.10.5",
    demands: "at each location, what morally strong operations see of each other agrees with program order",
    isBroken: ({ perLocation }) => perLocation.loop() >= 0,
    broken({ poHere, communication, perLocation, rf, fr }) {
      const at = perLocation.loop();
      if (at < 0) return undefined;
      const steps = poHere.copy().join(communication);
      const seen = (a: number, b: number): By => (rf.has(a, b) ? "rf" : fr.has(a, b) ? "fr" : "co");
      return along(steps, at, at, (a, b) => (communication.has(a, b) ? seen(a, b) : "po"));
    },
  },
  {
    name: "Causality",
    section: "8.10.6",
    demands: "a read takes no write that it precedes in causality order, and none that is overwritten before it",
    isBroken: ({ rf, fr, cause }) => rf.isTurnedIn(cause) || fr.isTurnedIn(cause),
    broken(orders) {
      for (const [write, read] of orders.rf.pairs())
        if (orders.cause.has(read, write)) return [step(write, read, "rf"), ...causes(orders, read, write)];
      for (const [read, write] of orders.fr.pairs())
        if (orders.cause.has(write, read)) return [step(read, write, "fr"), ...causes(orders, write, read)];
      return undefined;
    },
  },
  {
    name: "Coherence",
    section: "8.10.1",
    demands: "coherence order agrees with causality order, and no write precedes itself in it",
    isBroken: ({ co }) => co.loop() >= 0,
    broken({ co, coherenceSteps, cause }) {
      const at = co.loop();
      if (at < 0) return undefined;
      return along(coherenceSteps, at, at, (a, b) => (cause.has(a, b) ? "cause" : "co"));
    },
  },
  {
    name: "Atomicity",
    section: "8.10.3",
    demands: "no morally strong write comes between the two halves of an atomic operation",
    // SC-per-Location also requires that a read takes all its bytes from a morally strong write or none: such a write
    // has all bytes of the read, so one that follows the source of some byte, and is that of another, makes a cycle of
    // rf and fr.
    isBroken: (orders) => intervening(orders) !== undefined,
    broken: intervening,
  },
  {
    name: "Fence-SC",
    section: "8.10.2",
    demands: "the order of the fence.sc operations agrees with causality order",
    isBroken: ({ sc, base }) => sc.isTurnedIn(base),
    broken(orders) {
      for (const [a, b] of orders.sc.pairs())
        if (orders.base.has(b, a)) return [step(a, b, "sc"), ...causes(orders, b, a)];
      return undefined;
    },
  },
  {
    name: "No-Thin-Air",
    section: "8.10.4",
    demands: "no value comes to be only because it was read",
    isBroken: ({ flow }) => flow.loop() >= 0,
    broken({ rf, dep, flow }) {
      const at = flow.loop();
      return at < 0 ? undefined : along(rf.copy().join(dep), at, at, (a, b) => (dep.has(a, b) ? "dep" : "rf"));
    },
  },
];

/** A write that comes between the halves of an atomic operation. */
function intervening({ nodes, rmw, strong, co, fr }: Orders): Step[] | undefined {
  for (const [read, own] of rmw.pairs())
    for (const write of nodes) {
      const at = write.index;
      if (
        at !== own &&
        (strong.has(at, own) || apart(write, nodes[own] as Node)) &&
        fr.has(read, at) &&
        co.has(at, own)
      )
        return [step(read, at, "fr"), step(at, own, "co"), step(own, read, "rmw")];
    }
  return undefined;
}

const step = (from: number, to: number, by: By): Step => ({ from, to, by });

/** Whether two atomic operations exclude each other (8.7.2), in either order. */
const apart = (a: Node, b: Node): boolean => a.excludes.includes(b.index) || b.excludes.includes(a.index);

/** A shortest path in a relation, each step by its name. */
function along(steps: Relation, from: number, to: number, name: (a: number, b: number) => By): Step[] {
  const way = steps.way(from, to) ?? [from, to];
  return way.slice(1).map((b, i) => step(way[i] as number, b, name(way[i] as number, b)));
}

/** Why X precedes Y in causality order: through what each thread observes, program order and synchronization. */
export function causes(orders: Orders, x: number, y: number): Step[] {
  const { nodes, observation, rf, rmw, base, sync, sc, po } = orders;
  if (!base.has(x, y)) {
    for (const z of nodes)
      if (isRead(z) && observation.has(x, z.index) && (z.index === y || base.has(z.index, y))) {
        const seen = along(rf.copy().join(rmw), x, z.index, (a, b) => (rmw.has(a, b) ? "rmw" : "rf"));
        return z.index === y ? seen : [...seen, ...causes(orders, z.index, y)];
      }
    return [step(x, y, "cause")];
  }
  const steps = po.copy().join(sync);
  return along(steps, x, y, (a, b) => (sc.has(a, b) ? "sc" : sync.has(a, b) ? "sw" : "po"));
}

/** Pairs in a data race (8.7.1): they conflict, are not morally strong, and causality order does not relate them. */
export function* races({ nodes, strong, cause }: Orders): Generator<readonly [number, number]> {
  for (const b of nodes)
    for (const index of b.touches) {
      const a = nodes[index] as Node;
      if (a.thread < 0 || b.thread < 0 || !(isWrite(a) || isWrite(b))) continue;
      if (strong.has(index, b.index) || cause.has(index, b.index) || cause.has(b.index, index)) continue;
      yield [index, b.index];
    }
}
