import { races } from "../axioms.ts";
import type { Initial, Location, Write } from "../event.ts";
import type { Orders } from "../order.ts";
import type { ByteRanges } from "./byte-ranges.ts";
import { decided, everyOrder, hasOpenFences, type Judge, judged, required } from "./decide.ts";
import { isRead, isWrite, type Node } from "./node.ts";

/** What is asked of the final states of a candidate that has all its events. */
export interface Asked {
  readonly pieces: ByteRanges;
  /** Whether a final value of memory is asked for. */
  readonly memory: (name: string) => boolean;
  /** Whether a register that is asked for depends on a read. */
  readonly read: (read: Node) => boolean;
  /** What the final states of this candidate have in common; undefined where each execution counts. */
  readonly key: string | undefined;
}

/** Final states that were found: a tree by what the reads return that are asked for. */
interface Found {
  readonly next: Map<bigint, Found>;
  /** Whether all that may end here has been found. */
  full: boolean;
}

/** What earlier candidates of a search have shown, so that others need not show it once more. */
export class Finals {
  /** Whether some execution has a data race. */
  raced = false;
  readonly #found = new Map<string, Found>();

  of(key: string): Found {
    return at(this.#found, key);
  }
}

function at<K>(all: Map<K, Found>, key: K): Found {
  const found = all.get(key) ?? { next: new Map(), full: false };
  all.set(key, found);
  return found;
}

/** Writes that give each piece of a read its value, and that value. */
interface Choice {
  readonly sources: number[];
  readonly value: bigint;
}

/**
 * The ways in which a candidate ends that has all its events, but reads whose source is open. Of the reads that no asked
 * register depends on, of orders of writes and of fences, nothing can be seen in a final state but the last writes: the first
 * choice that obeys the axioms stands for all, unless another one has the first data race.
 */
export function ended(orders: Orders, judge: Judge, finals: Finals, asked: Asked, take: (end: Orders) => void): void {
  const { candidate } = judge;
  // in the order of the threads: in that of the candidate they stand elsewhere where others come first to a barrier
  const open = candidate.threads.flat().filter((node) => isRead(node) && candidate.sources[node.index] === undefined);
  const shown = open.filter((read) => asked.read(read));
  const hidden = open.filter((read) => !asked.read(read));
  const found = asked.key === undefined ? undefined : finals.of(asked.key);
  new Ends(judge, finals, asked, shown, hidden, take).from(orders, 0, found);
}

/** A write, and the value that it gives a piece. */
interface Given {
  readonly index: number;
  readonly value: bigint;
}

class Ends {
  readonly #judge: Judge;
  readonly #finals: Finals;
  readonly #asked: Asked;
  readonly #shown: readonly Node[];
  readonly #hidden: readonly Node[];
  readonly #given = new Map<number, readonly Given[]>();
  /** Pieces of memory whose final value is asked for. */
  readonly #memory: ReadonlySet<number>;
  /** Whether two accesses conflict that are not morally strong. */
  readonly #mayRace: boolean;

  readonly #take: (end: Orders) => void;

  constructor(
    judge: Judge,
    finals: Finals,
    asked: Asked,
    shown: readonly Node[],
    hidden: readonly Node[],
    take: (end: Orders) => void,
  ) {
    this.#take = take;
    const named = judge.candidate.nodes.filter(
      (node) => isWrite(node) && asked.memory((node.location as Location).name),
    );
    this.#memory = new Set(named.flatMap(({ pieces }) => pieces));
    this.#judge = judge;
    this.#finals = finals;
    this.#asked = asked;
    this.#shown = shown;
    this.#hidden = hidden;
    this.#mayRace = conflict(judge.candidate.nodes);
  }

  /** The ends, with sources of the shown reads from one on. */
  from(orders: Orders, which: number, found: Found | undefined): void {
    if (found?.full) return;
    const read = this.#shown[which];
    if (!read) {
      this.#last(orders, found);
      return;
    }
    const { candidate } = this.#judge;
    for (const { sources, value } of this.#choices(read, orders)) {
      const next = found && at(found.next, value);
      if (next?.full) continue;
      candidate.sources[read.index] = sources;
      const orders = judged(this.#judge);
      if (orders && required(orders, this.#judge).loop() < 0) this.from(orders, which + 1, next);
    }
    candidate.sources[read.index] = undefined;
    if (found) found.full = this.#isFull(read, found);
  }

  /** The ends once the sources of the shown reads are chosen. */
  #last(orders: Orders, found: Found | undefined): void {
    const { candidate } = this.#judge;
    let now: Orders | undefined = orders;
    if (found && this.#isRacing(orders) && (this.#hidden.length > 0 || hasOpenFences(orders))) {
      this.#racing(orders);
      // the end that races has this final state, too
      found.full = this.#finals.raced && !this.#asksOfMemory();
      now = found.full ? undefined : judged(this.#judge);
    }
    if (!now) return;
    const finish = (end: Orders): Orders | undefined => {
      for (const whole of this.#filled(end, 0)) return whole;
      return undefined;
    };
    // where executions count, that of each order of fences does which a race may depend on
    const every = !found && this.#isRacing(now) && hasOpenFences(now);
    for (const end of decided(now, { ...this.#judge, finish }, (write) => this.#isAsked(write), every)) {
      if (found && this.#isRacing(end)) this.#finals.raced = true;
      this.#take(end);
      if (found) found.full = (!this.#mayRace || this.#finals.raced) && !this.#asksOfMemory();
      for (const read of this.#hidden) candidate.sources[read.index] = undefined;
    }
  }

  /**
   * An end that has a data race, if there is one: what is still open, an order of fences or a source, may let causality order
   * relate more, but not less.
   */
  #racing(orders: Orders): void {
    const { coherence, fences, sources } = this.#judge.candidate;
    const [writes, scs] = [coherence.length, fences.length];
    for (const end of everyOrder(orders, this.#judge))
      for (const whole of this.#filled(end, 0))
        if (this.#judge.finish(whole) && this.#isRacing(whole)) {
          this.#finals.raced = true;
          this.#take(whole);
          for (const read of this.#hidden) sources[read.index] = undefined;
          coherence.length = writes;
          fences.length = scs;
          return;
        }
  }

  #isRacing(orders: Orders): boolean {
    return this.#mayRace && !this.#finals.raced && !races(orders).next().done;
  }

  /** The ends with sources of the hidden reads from one on; those that are most likely allowed come first. */
  *#filled(orders: Orders, which: number): Generator<Orders> {
    const read = this.#hidden[which];
    if (!read) {
      if (this.#judge.finish(orders)) yield orders;
      return;
    }
    const { sources } = this.#judge.candidate;
    const { cause, perLocation, co } = orders;
    const here = read.index;
    const rank = ({ sources: [from = 0] }: Choice): number => {
      if (!cause.has(from, here) && !perLocation.has(from, here)) return Number.POSITIVE_INFINITY;
      return this.#judge.candidate.nodes.filter(({ index }) => co.has(from, index)).length;
    };
    const ranked = this.#choices(read, orders).map((choice) => ({ choice, rank: rank(choice) }));
    for (const { choice } of ranked.sort((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))) {
      sources[here] = choice.sources;
      const next = judged(this.#judge);
      if (next) yield* this.#filled(next, which + 1);
    }
    sources[here] = undefined;
  }

  /** What a read may return as far as its orders tell. */
  #choices(read: Node, { cause, co, perLocation, strong, flow }: Orders): Choice[] {
    const to = read.index;
    let choices: { sources: number[]; values: bigint[] }[] = [{ sources: [], values: [] }];
    for (const piece of read.pieces) {
      const there = this.#givenTo(piece);
      const hidden = (from: number): boolean => there.some(({ index }) => cause.has(index, to) && co.has(from, index));
      const may = there.filter(
        ({ index }) =>
          !cause.has(to, index) &&
          !flow.has(to, index) &&
          !(strong.has(to, index) && perLocation.has(to, index)) &&
          !hidden(index),
      );
      choices = choices.flatMap(({ sources, values }) =>
        may.map(({ index, value }) => ({ sources: [...sources, index], values: [...values, value] })),
      );
    }
    if (read.pieces.length === 1) return choices.map(({ sources, values: [value = 0n] }) => ({ sources, value }));
    const location = read.location as Location;
    return choices.map(({ sources, values }) => ({ sources, value: this.#asked.pieces.whole(location, values) }));
  }

  /** Whether each value that any write gives a read has been found. */
  #isFull(read: Node, { next }: Found): boolean {
    const [piece = 0, ...others] = read.pieces;
    if (others.length > 0) return false;
    return this.#givenTo(piece).every(({ value }) => next.get(value)?.full === true);
  }

  /** The writes to a piece, each with the value that it gives it. */
  #givenTo(piece: number): readonly Given[] {
    const known = this.#given.get(piece);
    if (known) return known;
    const given = this.#judge.candidate.nodes
      .filter((node) => isWrite(node) && node.pieces.includes(piece))
      .map(({ index, location, event }) => {
        const { value } = event as Initial | Write;
        return { index, value: this.#asked.pieces.part(location as Location, value, piece) };
      });
    this.#given.set(piece, given);
    return given;
  }

  #asksOfMemory(): boolean {
    return this.#judge.candidate.nodes.some((node) => isWrite(node) && node.thread >= 0 && this.#isAsked(node));
  }

  /** Whether a write is to bytes whose final value is asked for, by whatever name. */
  #isAsked(write: Node): boolean {
    return write.pieces.some((piece) => this.#memory.has(piece));
  }
}

/** Whether two accesses of different threads conflict that are not morally strong: they race where nothing orders them. */
export const conflict = (nodes: readonly Node[]): boolean =>
  nodes.some((b) =>
    b.touches.some((row) => {
      const a = nodes[row] as Node;
      if (a.thread < 0 || a.thread === b.thread || !(isWrite(a) || isWrite(b))) return false;
      return !b.strong.includes(row);
    }),
  );
