import type { Read, Trace, Write } from "../event.ts";
import type { Orders } from "../order.ts";
import type { Candidate, Chosen } from "./candidate.ts";
import type { Node } from "./node.ts";

/**
 * The last rounds of the threads that go round a loop for ever, which an execution repeats without end: a lasso. Under weak
 * fairness every write becomes visible at some time, so that reads there return what stays in memory.
 */
export interface Lasso {
  readonly reads: readonly Node[];
  /** Rows of writes of the rounds: each writes what its atomic operation has read, so that memory stays as it is. */
  readonly silent: ReadonlySet<number>;
}

/** The lasso of a candidate, given the threads that loop; undefined where a round changes memory, or lacks someone at a barrier. */
export function lassoOf({ threads }: Candidate, looping: ReadonlyMap<number, Trace>): Lasso | undefined {
  const reads: Node[] = [];
  const silent = new Set<number>();
  const visits = new Map<string, number>();
  for (const [thread, { events, round }] of looping) {
    if (round === undefined) return undefined;
    const nodes = (threads[thread] ?? []).filter(({ position }) => position >= round);
    for (const node of nodes) {
      if (node.kind === "read") reads.push(node);
      if (node.kind !== "write") continue;
      const { atomic, value } = events[node.position] as Write;
      if (atomic === undefined || (events[atomic] as Read).value !== value) return undefined;
      silent.add(node.index);
    }
    // threads of a block that meet in their loops come to the barrier equally often
    const barriers = nodes.filter(({ kind }) => kind === "barrier").length;
    const block = nodes[0] ? `${nodes[0].placement.gpu} ${nodes[0].placement.block}` : "";
    if (nodes[0] && (visits.get(block) ?? barriers) !== barriers) return undefined;
    if (nodes[0]) visits.set(block, barriers);
  }
  return { reads, silent };
}

const overwriting = (lasso: Lasso, read: Node, piece: number, { nodes }: Pick<Orders, "nodes">): readonly Node[] =>
  nodes.filter(
    (write) =>
      write.kind === "write" &&
      write.thread >= 0 &&
      write.pieces.includes(piece) &&
      !lasso.silent.has(write.index) &&
      write.index !== read.index,
  );

/** What must be of coherence order so that the reads of a lasso return what stays: other writes come before. */
export function settling({ sources }: Candidate, orders: Orders, lasso: Lasso): Chosen[] {
  const { strong, co } = orders;
  return lasso.reads.flatMap((read) =>
    read.pieces.flatMap((piece, i): Chosen[] => {
      const from = sources[read.index]?.[i];
      if (from === undefined || from < 0) return [];
      return overwriting(lasso, read, piece, orders)
        .filter(({ index }) => index !== from && strong.has(index, from) && !co.has(index, from))
        .map(({ index }) => [index, from]);
    }),
  );
}

/** Whether the reads of a lasso return what stays: no write follows, but those that change nothing. */
export const isSettled = ({ sources }: Candidate, orders: Orders, lasso: Lasso): boolean =>
  lasso.reads.every((read) =>
    read.pieces.every((piece, i) =>
      overwriting(lasso, read, piece, orders).every(
        ({ index }) => !orders.co.has(sources[read.index]?.[i] as number, index),
      ),
    ),
  );
