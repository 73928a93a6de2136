import { type Flight, groupWords, kindOfQueue, laneOfQueue, ownLane, type Site, warpOfQueue } from "./operation.ts";

/**
 * A queue of bulk groups (cp.async, bulk, wgmma ...): the open group and the committed groups that are not waited for,
 * oldest first. Lanes of one warp that issued, committed and waited alike so far share a queue.
 */
export interface BulkQueue {
  readonly lanes: number;
  readonly open: readonly Flight[];
  readonly groups: readonly (readonly Flight[])[];
  /** The last wait and how many groups it left in flight, for messages. */
  readonly last: { readonly site: Site; readonly pending: number } | undefined;
}

/** Replaces operations of several lanes by those of the single lanes, everywhere else. */
type Split = (flights: readonly Flight[]) => void;

/** Queues by their number; `lanes` restricts an operation to some lanes of the queue's warp. */
export class BulkQueues {
  /** By warp and kind: its queues, whose sets of lanes are disjoint. */
  #queues: Map<number, readonly BulkQueue[]> = new Map();
  readonly #split: Split;

  constructor(split: Split) {
    this.#split = split;
  }

  /** Splits `lanes` by queue: one operation may cover the lanes of one queue. */
  parts(line: number, lanes: number): readonly number[] {
    const there = this.#queues.get(warpOfQueue(line));
    if (there === undefined || (there.length === 1 && there[0]!.lanes === lanes)) return [lanes];
    const parts = there.flatMap((each) => ((each.lanes & lanes) === 0 ? [] : [(each.lanes & lanes) >>> 0]));
    const others = (lanes & ~maskOf(there)) >>> 0;
    return others === 0 ? parts : [...parts, others];
  }

  /** Whether these lanes of a warp have one queue, with nothing in it, or none at all. */
  isIdle(line: number, lanes: number): boolean {
    const there = this.#queues.get(warpOfQueue(line)) ?? [];
    return there.length < 2 && there.every((each) => each.lanes === lanes && isIdle(each) && each.groups.length === 0);
  }

  /** Replaces the idle queue of a warp; without a last wait its own is kept. */
  put(line: number, queue: BulkQueue): void {
    const key = warpOfQueue(line);
    this.#queues.set(key, [{ ...queue, last: queue.last ?? this.#queues.get(key)?.[0]?.last }]);
  }

  /** Adds an operation, whose lanes share one queue, to the open group. */
  join(line: number, flight: Flight): void {
    this.#change(line, flight.operation.together?.lanes ?? ownLane(line), (before) => ({
      ...before,
      open: [...before.open, flight],
    }));
  }

  /** Commits the open group, which may be empty. */
  commit(line: number, lanes: number): void {
    this.#change(line, lanes, (before) => ({ ...before, open: [], groups: [...before.groups, before.open] }));
  }

  /** The groups that a wait orders, all but the last `pending`; with `take` they leave the queue. */
  due(line: number, lanes: number, pending: number, site: Site, take: boolean): readonly Flight[] {
    const last = { site, pending };
    const found: Flight[] = [];
    this.#change(line, lanes, (before) => {
      const count = Math.max(before.groups.length - pending, 0);
      for (const group of before.groups.slice(0, count)) found.push(...group);
      return { ...before, groups: take ? before.groups.slice(count) : before.groups, last };
    });
    this.#join(warpOfQueue(line));
    return found;
  }

  /** What is in flight of these lanes, which share a queue, oldest first. What no wait for groups has ordered leaves the queue, too. */
  left(line: number, lanes: number, isInFlight: (flight: Flight) => boolean): readonly Flight[] {
    if (!this.#queues.has(warpOfQueue(line))) return [];
    const found: Flight[] = [];
    this.#change(line, lanes, (before) => {
      const groups = before.groups.map((group) => group.filter(isInFlight));
      const open = before.open.filter(isInFlight);
      for (const group of [...groups, open]) found.push(...group);
      return { ...before, open, groups };
    });
    return found;
  }

  /** Removes a queue. */
  forget(line: number): void {
    const key = warpOfQueue(line);
    const lanes = ownLane(line);
    if (this.#queues.has(key))
      this.#queues.set(
        key,
        this.#cut(key, lanes).filter((each) => each.lanes !== lanes),
      );
  }

  /** Removes the queues of a block's threads. */
  end(block: number): void {
    if (this.#queues.size === 0) return;
    for (let key = 128 * block; key < 128 * (block + 1); key++) this.#queues.delete(key);
  }

  /** Replaces a flight by others. */
  replace(line: number, flight: Flight, by: readonly Flight[]): void {
    const replaced = (list: readonly Flight[]): readonly Flight[] =>
      list.includes(flight) ? list.flatMap((each) => (each === flight ? by : [each])) : list;
    const key = warpOfQueue(line);
    const there = this.#queues.get(key) ?? [];
    this.#queues.set(
      key,
      there.map((each) => ({ ...each, open: replaced(each.open), groups: each.groups.map(replaced) })),
    );
  }

  /** What would order a flight of a queue, and the last wait, which did not cover it. */
  advice(line: number, flight: Flight): { readonly help: string; readonly last: BulkQueue["last"] } {
    const { last } = this.#line(line);
    const words = groupWords[kindOfQueue(line)];
    const newer = this.newer(line, flight);
    if (newer === undefined)
      return { help: `its group is not committed yet: ${words.commit}, then ${words.wait(0)}`, last };
    const than = newer === 0 ? "no group is newer" : newer === 1 ? "one group is newer" : `${newer} groups are newer`;
    return { help: `${than} than its own: ${words.wait(newer)} waits for it`, last };
  }

  /** How many groups are newer than a flight's group; undefined where that is not committed yet. */
  newer(line: number, flight: Flight): number | undefined {
    const { groups } = this.#line(line);
    const at = groups.findIndex((group) => group.includes(flight));
    return at < 0 ? undefined : groups.length - 1 - at;
  }

  save(): ReadonlyMap<number, readonly BulkQueue[]> {
    return new Map(this.#queues);
  }

  restore(lines: ReadonlyMap<number, readonly BulkQueue[]>): void {
    this.#queues = new Map(lines);
  }

  #line(line: number): BulkQueue {
    const there = this.#queues.get(warpOfQueue(line)) ?? [];
    return there.find(({ lanes }) => (lanes >>> laneOfQueue(line)) & 1) ?? fresh(ownLane(line));
  }

  /** Changes the queues of these lanes; a queue that other lanes share is split first. */
  #change(line: number, lanes: number, change: (line: BulkQueue) => BulkQueue): void {
    const key = warpOfQueue(line);
    const there = this.#queues.get(key);
    const [only] = there ?? [];
    if (there?.length === 1 && only!.lanes === lanes) {
      this.#queues.set(key, [change(only!)]);
      return;
    }
    const mixed = (there ?? []).some((each) => (each.lanes & lanes) !== 0 && (each.lanes & ~lanes) !== 0);
    const made = (mixed ? this.#cut(key, lanes) : (there ?? [])).map((each) =>
      (each.lanes & lanes) === 0 ? each : change(each),
    );
    const others = (lanes & ~maskOf(made)) >>> 0;
    this.#queues.set(key, others === 0 ? made : [...made, change(fresh(others))]);
  }

  /** Splits queues of a warp until none mixes these lanes with others. */
  #cut(key: number, lanes: number): readonly BulkQueue[] {
    const isMixed = (line: BulkQueue): boolean => (line.lanes & lanes) !== 0 && (line.lanes & ~lanes) !== 0;
    const flights = this.#queues
      .get(key)!
      .flatMap((line) => (isMixed(line) ? [...line.groups.flat(), ...line.open] : []));
    this.#split(flights);
    return this.#queues.get(key)!.flatMap((line) => {
      if (!isMixed(line)) return [line];
      return [line.lanes & lanes, line.lanes & ~lanes].map((mask) => {
        const own = (list: readonly Flight[]): readonly Flight[] =>
          list.filter(({ operation }) => (mask >>> operation.thread.lane) & 1);
        return { lanes: mask >>> 0, open: own(line.open), groups: line.groups.map(own), last: line.last };
      });
    });
  }

  /** Merges idle queues whose last wait was the same. */
  #join(key: number): void {
    const there = this.#queues.get(key)!;
    if (there.length === 1) return;
    const made: BulkQueue[] = [];
    for (const line of there) {
      const like = made.findIndex((each) => isIdle(each) && isIdle(line) && isLike(each, line));
      if (like < 0) made.push(line);
      else made[like] = { ...line, lanes: (made[like]!.lanes | line.lanes) >>> 0 };
    }
    this.#queues.set(key, made);
  }
}

const fresh = (lanes: number): BulkQueue => ({ lanes: lanes >>> 0, open: [], groups: [], last: undefined });

const isIdle = ({ open, groups }: BulkQueue): boolean =>
  open.length === 0 && groups.every(({ length }) => length === 0);

const isLike = (a: BulkQueue, b: BulkQueue): boolean => a.last === b.last && a.groups.length === b.groups.length;

const maskOf = (lines: readonly BulkQueue[]): number => lines.reduce((mask, { lanes }) => mask | lanes, 0);
