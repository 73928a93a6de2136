import type { Op } from "./relations.ts";

/** A phase of a barrier for each barrier operation, by its id: `barrier number`. */
export type Phases = ReadonlyMap<number, string>;

const barrier = ({ place: { gpu, cluster, block }, barrier: b }: Op): string =>
  `${gpu}.${cluster}.${block} ${b!.id} ${b!.count ?? 0}`;

/**
 * Every way to tell which threads meet (PTX ISA, barrier), where the threads in `stuck` wait for ever at their last operation and the others
 * have come to their end: phases of one barrier are numbered as they follow each other, and the threads of a phase are as many as the
 * barrier asks for, but in the last.
 */
export function* phasesOf(
  ops: readonly Op[],
  stuck: ReadonlySet<number>,
  threads: readonly Op["place"][],
): Generator<Phases> {
  const barriers = ops.filter((op) => op.barrier !== undefined);
  for (const numbers of assigned(barriers)) {
    const phases = new Map(barriers.map((op, at) => [op.id, `${barrier(op)} ${numbers[at]}`]));
    if (barriers.every((op) => isPossible(op, barriers, phases, stuck, threads)) && follow(ops, phases)) yield phases;
  }
}

function* assigned(barriers: readonly Op[], numbers: readonly number[] = []): Generator<number[]> {
  const next = barriers[numbers.length];
  if (next === undefined) {
    yield [...numbers];
    return;
  }
  const same = barriers.filter((op) => barrier(op) === barrier(next));
  const visit = same.filter((op) => op.thread === next.thread).indexOf(next);
  const most = next.barrier!.count === undefined ? [visit] : same.map((_, at) => at);
  for (const number of most) yield* assigned(barriers, [...numbers, number]);
}

function isPossible(
  op: Op,
  barriers: readonly Op[],
  phases: Phases,
  stuck: ReadonlySet<number>,
  threads: readonly Op["place"][],
): boolean {
  const phase = phases.get(op.id)!;
  const there = barriers.filter((other) => phases.get(other.id) === phase);
  const last = !barriers.some(({ thread, order }) => thread === op.thread && order > op.order);
  const waits = last && stuck.has(op.thread);
  let full: boolean;
  const { count } = op.barrier!;
  if (count === undefined)
    full = threads.every(
      (place, thread) =>
        place.block !== op.place.block || !stuck.has(thread) || there.some((other) => other.thread === thread),
    );
  else {
    const wanted = count / 32;
    full = there.length === wanted;
    if (there.length > wanted) return false;
    const number = Number(phase.slice(phase.lastIndexOf(" ") + 1));
    // all before this one are full, and none follows one that is not
    for (const other of barriers.filter((each) => barrier(each) === barrier(op))) {
      const theirs = Number(phases.get(other.id)!.split(" ").at(-1));
      if (!full && theirs > number) return false;
    }
    if (number > 0 && !barriers.some((each) => phases.get(each.id) === `${barrier(op)} ${number - 1}`)) return false;
  }
  return waits ? !full : full || op.barrier!.does === "arrive";
}

/** Threads that a barrier for all of a block does not wait for, as they have exited: none of the `stuck`. */
export const exited = (op: Op, ops: readonly Op[], phases: Phases): ReadonlySet<number> =>
  new Set(
    ops
      .filter(({ thread, place }) => thread >= 0 && place.block === op.place.block)
      .map(({ thread }) => thread)
      .filter((thread) => !ops.some((each) => each.thread === thread && phases.get(each.id) === phases.get(op.id))),
  );

/** Whether the phases follow each other: a thread waits for nobody who waits for what it does later, or for its exit. */
function follow(ops: readonly Op[], phases: Phases): boolean {
  const steps = new Map<string, Set<string>>();
  const step = (from: string, to: string) => steps.set(from, (steps.get(from) ?? new Set()).add(to));
  for (const a of ops) {
    if (a.barrier?.does !== "sync") continue;
    const phase = phases.get(a.id)!;
    step(phase, `exit ${a.thread}`);
    if (a.barrier.count === undefined) for (const thread of exited(a, ops, phases)) step(`exit ${thread}`, phase);
    for (const b of ops) if (b.barrier && a.thread === b.thread && a.order < b.order) step(phase, phases.get(b.id)!);
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(steps.get(from) ?? [])].some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))));
  return [...steps.keys()].every((phase) => !reaches(phase, phase));
}
