import { type Barrier, type Event, type Exchange, type Initial, type Placement, packed } from "../event.ts";
import { Relation } from "../relation.ts";
import { isRead, type Meeting, type Node } from "./node.ts";

/** A thread, as far as barriers ask: where it runs, its events so far, and whether it has exited. */
export interface Attendant {
  readonly placement: Placement;
  readonly nodes: readonly Node[];
  readonly exited: boolean;
}

const barrierOf = (node: Node): Barrier => node.event as Barrier;

/** One barrier of one block, cluster or warp, for one number of threads. */
function placeOf({ of, id, count, operation = "" }: Barrier, { gpu, cluster, block, warp }: Placement): string {
  if (of === "cluster") return `cluster ${gpu}.${cluster}`;
  const place = `${of} ${gpu}.${cluster}.${block}`;
  return of === "warp" ? `${place}.${warp} ${id} ${operation}` : `${place} ${id} ${count ? count : "all"}`;
}

const placeOfMeeting = (meeting: Meeting): string => meeting.slice(0, meeting.lastIndexOf(" "));

/** Whether a thread at `a` is among those that a barrier of a thread at `b` is for. */
function reaches({ of, id }: Barrier, a: Placement, b: Placement): boolean {
  if (a.gpu !== b.gpu || a.cluster !== b.cluster || (of !== "cluster" && a.block !== b.block)) return false;
  return of !== "warp" || (a.warp === b.warp && a.lane !== undefined && ((id >>> a.lane) & 1) === 1);
}

/** Whether a barrier waits for a number of threads: who comes first. */
const waitsForSome = ({ of, count }: Barrier): boolean => of === "cta" && count !== undefined && count > 0;

const meets = (node: Node, meeting: Meeting): boolean => node.meeting === meeting;

/** The meetings that the next event of a thread, a barrier, may belong to. */
export function meetingsFor(event: Barrier, thread: number, all: readonly Attendant[]): Meeting[] {
  const { placement, nodes } = all[thread] as Attendant;
  const place = placeOf(event, placement);
  if (!waitsForSome(event)) {
    const before = nodes.filter(
      ({ meeting, event: earlier }) =>
        meeting !== undefined &&
        placeOfMeeting(meeting) === place &&
        // a cluster's arrive and wait are two halves of one visit, counted separately
        (event.of !== "cluster" || (earlier as Barrier).does === event.does),
    );
    return [`${place} ${before.length}`];
  }
  const begun = new Map<Meeting, Node>();
  for (const node of all.flatMap((each) => each.nodes))
    if (node.meeting !== undefined && placeOfMeeting(node.meeting) === place) begun.set(node.meeting, node);
  const open = [...begun].filter(([, node]) => !isComplete(node, all)).map(([meeting]) => meeting);
  return [...open, `${place} ${begun.size}`];
}

/** Whether the meeting of a barrier event takes place: whoever waits in it may go on. */
export function isComplete(node: Node, all: readonly Attendant[]): boolean {
  const { of, does, count } = barrierOf(node);
  const meeting = node.meeting as Meeting;
  const there = all.filter(({ placement }) => reaches(barrierOf(node), placement, node.placement));
  const arrivals = ({ nodes }: Attendant): number => nodes.filter((each) => meets(each, meeting)).length;
  switch (of) {
    case "warp":
      // lanes that no thread of the test is have exited
      return there.every((each) => each.exited || arrivals(each) > 0);
    case "cluster":
      return there.every(
        (each) =>
          does !== "wait" ||
          each.exited ||
          each === all[node.thread] ||
          each.nodes.some((other) => meets(other, meeting) && barrierOf(other).does === "arrive"),
      );
    case "cta":
      if (!count) return there.every((each) => each.exited || arrivals(each) > 0);
  }
  // a warp arrives when all its threads have that have not exited; a number that is none of warps is one of threads
  const warps = new Map<number, number>();
  for (const [thread, each] of all.entries()) {
    const came = arrivals(each);
    if (!there.includes(each) || (each.exited && came === 0)) continue;
    const warp = count % 32 === 0 ? (each.placement.warp ?? -1 - thread) : -1 - thread;
    warps.set(warp, Math.min(warps.get(warp) ?? came, came));
  }
  const came = [...warps.values()].reduce((sum, each) => sum + each, 0);
  return came >= (count % 32 === 0 ? count / 32 : count);
}

/** The barrier that an exchange of a thread belongs to: the one before it. */
const barrierBefore = (nodes: readonly Node[]): Node | undefined => nodes.findLast(({ kind }) => kind === "barrier");

/** Who has met at a barrier, by lane of a warp or index of the thread. */
function metAt(barrier: Node, nodes: readonly Node[]): Map<number, Node> {
  const isWarp = barrierOf(barrier).of === "warp";
  const met = nodes.filter((each) => meets(each, barrier.meeting as Meeting) && barrierOf(each).brings !== undefined);
  return new Map(met.map((each) => [isWarp ? (each.placement.lane ?? 0) : each.thread, each]));
}

const rowsOf = (thread: number, positions: readonly number[], nodes: readonly Node[]): number[] =>
  nodes.filter((each) => each.thread === thread && positions.includes(each.position)).map(({ index }) => index);

/** What an exchange of a thread gives, once its barrier is complete. */
export function exchanged(ours: readonly Node[], nodes: readonly Node[]): bigint {
  const barrier = barrierBefore(ours) as Node;
  return packed(new Map([...metAt(barrier, nodes)].map(([key, node]) => [key, barrierOf(node).brings?.value ?? 0n])));
}

/** Rows of the reads on which it depends what an exchange of a thread gives. */
export function broughtTo(
  { event }: { readonly event: Event | Initial },
  ours: readonly Node[],
  nodes: readonly Node[],
): number[] {
  const { from } = event as Exchange;
  const met = [...metAt(barrierBefore(ours) as Node, nodes)];
  return met.flatMap(([key, node]) =>
    from === undefined || from.includes(key) ? rowsOf(node.thread, barrierOf(node).brings?.needs ?? [], nodes) : [],
  );
}

/** Whether an event is a barrier that waits for others: `arrive` does not. */
export const mayWait = ({ kind, event }: Node): boolean => kind === "barrier" && (event as Barrier).does !== "arrive";

/**
 * Which threads synchronize at barriers (PTX ISA 8.9.4): `bar.sync`, `bar.red` and `bar.arrive` with the `bar.sync` and
 * `bar.red` of the same phase, `barrier.cluster.arrive` with the `barrier.cluster.wait` of it. Adds the pairs to `sync`.
 */
export function meet(nodes: readonly Node[], sync: Relation): Relation {
  for (const [, there] of gathered(nodes))
    for (const from of there)
      for (const to of there) {
        if (from.thread === to.thread || barrierOf(from).relaxed) continue;
        const { of, does } = barrierOf(to);
        const leaves = barrierOf(from).does;
        if (of === "cluster" ? leaves !== "wait" && does !== "arrive" : does === "sync") sync.add(from.index, to.index);
      }
  return sync;
}

/**
 * What comes behind a barrier comes after what others needed to come there; and where all of a block attend, after the exit of
 * those who do not, and so after their reads: adds these pairs to what depends on what.
 */
export function leave(nodes: readonly Node[], dep: Relation): void {
  for (const node of nodes) {
    if (!mayWait(node)) continue;
    const behind = nodes.filter(({ before }) => before.includes(node.index));
    for (const other of nodes)
      if (other.thread !== node.thread && meets(other, node.meeting as Meeting))
        for (const row of other.needs) for (const later of behind) dep.add(row, later.index);
    if (waitsForSome(barrierOf(node))) continue;
    const attending = new Set(nodes.filter((each) => meets(each, node.meeting as Meeting)).map(({ thread }) => thread));
    for (const read of nodes)
      if (isRead(read) && !attending.has(read.thread) && reaches(barrierOf(node), read.placement, node.placement))
        for (const later of behind) dep.add(read.index, later.index);
  }
}

/**
 * Whether the meetings that an execution chose cannot follow each other: a barrier has one phase after the other, the last
 * of which may lack threads, and no thread waits for what comes later in it.
 */
export function contradictory(
  nodes: readonly Node[],
  all: readonly Attendant[],
  { po, base, meetings }: { readonly po: Relation; readonly base: Relation; readonly meetings: Relation },
): boolean {
  if (nodes.every(({ meeting }) => meeting === undefined)) return false;
  const waits = po.copy().join(meetings).close();
  if (nodes.some(({ index, before }) => before.some((earlier) => waits.has(index, earlier)))) return true;
  const phases = [...gathered(nodes).values()].filter(([node]) => node && waitsForSome(barrierOf(node)));
  const place = ([node]: Node[]): string => placeOfMeeting(node?.meeting as Meeting);
  const follows = new Relation(phases.length);
  for (const [i, earlier] of phases.entries())
    for (const [j, later] of phases.entries())
      if (i !== j && place(earlier) === place(later))
        if (earlier.some((a) => later.some((b) => base.has(a.index, b.index)))) follows.add(i, j);
  if (follows.close().loop() >= 0) return true;
  const unfinished = phases.flatMap((phase, i) => (isComplete(phase[0] as Node, all) ? [] : [i]));
  return unfinished.some((i) =>
    phases.some(
      (other, j) =>
        i !== j && place(other) === place(phases[i] as Node[]) && (follows.has(i, j) || unfinished.includes(j)),
    ),
  );
}

/** The events of each meeting. */
function gathered(nodes: readonly Node[]): Map<Meeting, Node[]> {
  const meetings = new Map<Meeting, Node[]>();
  for (const node of nodes) {
    if (node.meeting === undefined) continue;
    const there = meetings.get(node.meeting);
    if (there) there.push(node);
    else meetings.set(node.meeting, [node]);
  }
  return meetings;
}
