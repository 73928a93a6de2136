import type { Orders } from "../order.ts";
import { Relation } from "../relation.ts";
import type { Chosen } from "./candidate.ts";
import type { Contest } from "./fixed.ts";
import { isWrite, type Node } from "./node.ts";

/** A pair that must be ordered but is not. */
export const undecided = ({ contests, co, sc }: Orders): Contest | undefined =>
  contests.find(({ among, a, b }) => {
    const order = among === "writes" ? co : sc;
    return !order.has(a, b) && !order.has(b, a);
  });

function closed(size: number, pairs: readonly Chosen[]): Relation {
  const order = new Relation(size);
  for (const [a, b] of pairs) order.add(a, b);
  return order.close();
}

/** Coherence order as it is chosen, whatever causality order says; an initial write comes first where nothing is chosen. */
export function chosenOrder(nodes: readonly Node[], coherence: readonly Chosen[]): Relation {
  const order = closed(nodes.length, coherence);
  for (const b of nodes)
    for (const a of isWrite(b) ? b.touches : [])
      if ((nodes[a] as Node).thread < 0 && !order.has(b.index, a)) order.add(a, b.index);
  return order;
}

/**
 * Where coherence order may contradict causality order: a pair of writes that either relates, and that is not yet chosen.
 * What memory holds at first comes first, unless it is `initially` contested, too.
 */
export function contestable(orders: Orders, coherence: readonly Chosen[], initially: boolean): Contest | undefined {
  const { nodes, co } = orders;
  const chosen = initially ? closed(nodes.length, coherence) : chosenOrder(nodes, coherence);
  for (const b of nodes)
    for (const a of isWrite(b) ? b.touches : [])
      if (isWrite(nodes[a] as Node) && (co.has(a, b.index) || co.has(b.index, a)))
        if (!chosen.has(a, b.index) && !chosen.has(b.index, a)) return { among: "writes", a, b: b.index };
  return undecided(orders);
}
