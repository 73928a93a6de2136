import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import type { Recorded, RecordedAccess } from "./recording.ts";

/** Threads that communicate, and the accesses by which they do, with what orders those, in the order of the run. */
export interface Excerpt {
  readonly threads: readonly ThreadId[];
  /** Without fences before the first access of their thread, or after the last one. */
  readonly events: readonly Recorded[];
  /** How often the threads communicate by the same instructions elsewhere, or earlier, and by which more than these. */
  readonly alike: number;
  readonly more: number;
}

/** Two accesses of two threads to the same bytes, the later one last, of which one writes; nobody has written between. */
type Meeting = readonly [RecordedAccess, RecordedAccess];

/** What two threads do to the same memory. */
interface Pair {
  readonly threads: readonly [string, string];
  /** Pairs of instructions by which they meet. */
  readonly sites: Set<string>;
  strong: boolean;
  weak: boolean;
  races: boolean;
}

/** Meetings of an excerpt at most. */
const MOST_MEETINGS = 8;

/** A thread by one word. */
export const nameOf = ({ block, warp, lane }: ThreadId): string => `${block} ${warp} ${lane}`;

const writes = ({ how }: RecordedAccess): boolean => how !== "load";

/** Words of four bytes that an access touches. */
function* wordsOf({ at, bytes }: RecordedAccess): Generator<number> {
  for (let word = at >>> 2; word <= (at + bytes - 1) >>> 2; word++) yield word;
}

/**
 * Chooses two threads, or three, of a run: those whose accesses race, if `raced` has pairs of instructions of which that was
 * found; then those that use the same memory in most ways, and both to synchronise and to pass data.
 */
export function choose(all: readonly Recorded[], raced: readonly (readonly [number, number])[]): Excerpt | undefined {
  const races = new Set(raced.map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`));
  const pairs = pairsOf(all, races);
  const worth = (pair: Pair): number =>
    pair.sites.size + (pair.strong && pair.weak ? 100 : 0) + (pair.races ? 1000 : 0);
  const best = pairs.reduce<Pair | undefined>(
    (most, pair) => (most === undefined || worth(pair) > worth(most) ? pair : most),
    undefined,
  );
  if (best === undefined) return undefined;
  const third = thirdOf(best, pairs);
  return excerptOf(all, new Set([...best.threads, ...(third === undefined ? [] : [third])]), races);
}

const siteOf = ([a, b]: Meeting): string => `${Math.min(a.pc, b.pc)} ${Math.max(a.pc, b.pc)}`;

const isStrong = ([a, b]: Meeting): boolean => a.strong && b.strong;

/** Where threads meet, in the order of the run. */
function* meetingsIn(all: readonly Recorded[]): Generator<Meeting> {
  const words = new Map<number, { write: RecordedAccess | undefined; reads: RecordedAccess[] }>();
  for (const each of all) {
    if (each.kind !== "access") continue;
    const name = nameOf(each.thread);
    for (const word of wordsOf(each)) {
      const before = words.get(word) ?? { write: undefined, reads: [] };
      words.set(word, before);
      const others = [...(before.write === undefined ? [] : [before.write]), ...(writes(each) ? before.reads : [])];
      for (const other of others) if (nameOf(other.thread) !== name) yield [other, each];
      if (writes(each)) {
        before.write = each;
        before.reads = [];
      } else if (before.reads.length < MOST_READERS) before.reads.push(each);
    }
  }
}

/** Reads of a word that a write may meet, at most. */
const MOST_READERS = 4;

function pairsOf(all: readonly Recorded[], races: ReadonlySet<string>): readonly Pair[] {
  const pairs = new Map<string, Pair>();
  for (const meeting of meetingsIn(all)) {
    const threads = [nameOf(meeting[0].thread), nameOf(meeting[1].thread)] as const;
    const key = [...threads].sort().join();
    const pair = pairs.get(key) ?? { threads, sites: new Set<string>(), strong: false, weak: false, races: false };
    pairs.set(key, pair);
    pair.sites.add(siteOf(meeting));
    pair.races ||= races.has(siteOf(meeting));
    if (isStrong(meeting)) pair.strong = true;
    else pair.weak = true;
  }
  return [...pairs.values()];
}

/** A thread that synchronises with one of two by instructions by which they do not with each other. */
function thirdOf({ threads, sites }: Pair, pairs: readonly Pair[]): string | undefined {
  let best: { readonly name: string; readonly more: number } | undefined;
  for (const pair of pairs) {
    const [one, other] = pair.threads;
    const name = threads.includes(one) ? other : threads.includes(other) ? one : undefined;
    if (name === undefined || threads.includes(name) || !pair.strong) continue;
    const more = [...pair.sites].filter((site) => !sites.has(site)).length;
    if (more > (best?.more ?? 0)) best = { name, more };
  }
  return best?.name;
}

/** The accesses by which some threads meet: of those by the same instructions the last ones, as a loop that waits ends by them. */
function excerptOf(
  all: readonly Recorded[],
  names: ReadonlySet<string>,
  races: ReadonlySet<string>,
): Excerpt | undefined {
  const last = new Map<string, Meeting>();
  let count = 0;
  for (const [a, b] of meetingsIn(all)) {
    if (!names.has(nameOf(a.thread)) || !names.has(nameOf(b.thread))) continue;
    last.set(`${nameOf(a.thread)} ${a.pc} ${nameOf(b.thread)} ${b.pc}`, [a, b]);
    count++;
  }
  const rank = (meeting: Meeting): number => (races.has(siteOf(meeting)) ? 0 : isStrong(meeting) ? 1 : 2);
  const chosen = [...last.values()].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_MEETINGS);
  const own = all.filter(({ thread }) => names.has(nameOf(thread)));
  const accesses = new Set(chosen.flat());
  const kept = own.filter((each) => each.kind !== "access" || accesses.has(each));
  const threads = new Map([...accesses].map(({ thread }) => [nameOf(thread), thread]));
  const events = new Set<Recorded>();
  for (const name of threads.keys()) {
    const mine = kept.filter(({ thread }) => nameOf(thread) === name);
    const rounds = mine.filter((each, at) => each.kind !== "access" || !isRepeated(each, mine[at + 1]));
    const [from, to] = [
      rounds.findIndex(({ kind }) => kind === "access"),
      rounds.findLastIndex(({ kind }) => kind === "access"),
    ];
    for (const [at, each] of rounds.entries())
      if (each.kind === "barrier" || (at >= from && at <= to)) events.add(each);
  }
  return {
    threads: [...threads.values()].sort((a, b) => a.block - b.block || a.warp - b.warp || a.lane - b.lane),
    events: meetingOnly(kept.filter((each) => events.has(each))),
    alike: count - last.size,
    more: last.size - chosen.length,
  };
}

/** Whether the next event of a thread is the same access in the next round of a loop. */
const isRepeated = (access: RecordedAccess, next: Recorded | undefined): boolean =>
  next?.kind === "access" && next.pc === access.pc && next.at === access.at && access.how !== "store";

/** Leaves out barriers at which one of the threads alone is, and those behind which, or since the same one before, nothing is accessed. */
function meetingOnly(events: readonly Recorded[]): Recorded[] {
  const comers = new Map<number, string[]>();
  for (const each of events)
    if (each.kind === "barrier") comers.set(each.phase, [...(comers.get(each.phase) ?? []), nameOf(each.thread)]);
  const last = events.findLastIndex(({ kind }) => kind === "access");
  const needless = new Set<number>();
  let idle: string | undefined = "";
  let since = false;
  for (const [at, each] of events.entries()) {
    if (each.kind === "access") since = true;
    if (each.kind !== "barrier") continue;
    const met = comers.get(each.phase)!;
    const which = `${each.of} ${each.id} ${met.join()}`;
    if (met.length < 2 || at > last || (!since && (idle === "" || idle === which))) needless.add(each.phase);
    else if (met.at(-1) === nameOf(each.thread)) {
      idle = which;
      since = false;
    }
  }
  return events.filter((each) => each.kind !== "barrier" || !needless.has(each.phase));
}
