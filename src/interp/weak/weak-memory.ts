import type { Random } from "../contract/launch/random.ts";
import { type Reach, reachOf } from "../contract/memory-consistency.ts";
import { History, type Origin, type Written } from "./history.ts";
import { type Agent, acquire, both, morallyStrong, nothing, type Released, released } from "./released.ts";
import { View } from "./view.ts";

/** How an operation on memory orders others, and in which scope. A fence acquires and releases likewise. */
interface Order {
  /** -1: weak. */
  readonly reach: Reach;
  readonly acquires: boolean;
  readonly releases: boolean;
}

/** A thread's view, and what it acquires or releases once a fence or a stronger operation follows (PTX ISA 8.8). */
export class ThreadView {
  readonly agent: Agent;
  view: View = new View();
  /** Releases read by strong operations: for a later acquiring fence, and by word for a later acquiring read of it. */
  #pending: Released = nothing;
  #pendingByWord: Map<number, Released> = new Map();
  /** What fences released, for later strong writes; and by word what releasing writes of it released. */
  #fenced: Released = nothing;
  #released: Map<number, Released> = new Map();

  constructor(agent: Agent) {
    this.agent = agent;
  }

  copy(): ThreadView {
    const copied = new ThreadView(this.agent);
    copied.view = this.view.copy();
    copied.#pending = this.#pending;
    copied.#pendingByWord = new Map(this.#pendingByWord);
    copied.#fenced = this.#fenced;
    copied.#released = new Map(this.#released);
    return copied;
  }

  /** The thread has read these writes, all of them in these words. */
  read(words: readonly number[], origins: readonly Origin[], { reach, acquires }: Order): void {
    if (reach >= 0) this.hear(words, this.carried(origins, reach), { reach, acquires });
  }

  /** The thread has read what releases this, in these words. */
  hear(words: readonly number[], message: Released, { reach, acquires }: Pick<Order, "reach" | "acquires">): void {
    this.#pending = both(this.#pending, message);
    for (const word of words) {
      const all = both(this.#pendingByWord.get(word) ?? nothing, message);
      if (all.size > 0) this.#pendingByWord.set(word, all);
      if (acquires) acquire(this.view, all, this.agent, reach);
    }
  }

  /** What a read with `reach` observes (8.9.2): the releases of the writes that are morally strong with it. */
  carried(origins: readonly Origin[], reach: Reach): Released {
    let all = nothing;
    for (const { by, reach: theirs, message } of origins)
      if (morallyStrong(by, theirs, this.agent, reach)) all = both(all, message);
    return all;
  }

  /** What a write of these words releases, beside what it carries on. */
  write(words: readonly number[], { reach, releases }: Order): Released {
    if (reach < 0) return nothing;
    let message = this.#fenced;
    if (releases) {
      const own = released(nothing, this.agent, this.view, reach);
      for (const word of words) this.#released.set(word, both(this.#released.get(word) ?? nothing, own));
    }
    for (const word of words) message = both(message, this.#released.get(word) ?? nothing);
    return message;
  }

  acquire(reach: Reach): void {
    acquire(this.view, this.#pending, this.agent, reach);
  }

  release(reach: Reach): void {
    this.#fenced = released(this.#fenced, this.agent, this.view, reach);
  }
}

/** An access of one thread: `bytes` bytes at `at`, an offset in memory. */
export interface Access extends Order {
  readonly by: Agent;
  readonly at: number;
  readonly bytes: number;
}

/** A value that a thread may read: the word, and its value at that time. */
export interface Readable {
  /** Bytes as memory has them. */
  readonly bytes: Uint8Array;
  /** True for the value in memory: every other value is out of date. */
  readonly newest: boolean;
}

/** Words in use at most. Beyond that all histories are dropped, and every thread sees the newest values. */
const ROOM = 1 << 16;

/**
 * Memory that is as weak as the model allows (PTX ISA 8), for threads that execute one operation after the other. It
 * keeps for each word the writes in coherence order, and for each thread how new its reads have to be: its own reads
 * and writes, and what it has acquired through release and acquire patterns, fences and barriers. A read sees memory
 * as it was at some time since then; a write takes place at some time since then, behind what its thread knows. A load
 * may be postponed, so that it returns what is written later (load buffering). Every drawn execution satisfies the
 * axioms, but not every such execution is drawn: docs/memory-model.md says which are not.
 *
 * Memory itself holds the newest values. `act` does the access to it: meanwhile memory holds what a read is to
 * return.
 */
export class WeakMemory {
  readonly #random: Random;
  readonly #words: Uint32Array;
  #histories: Map<number, History> = new Map();
  #threads: Map<number, ThreadView> = new Map();
  /** What fence.sc operations release to later ones in Fence-SC order (8.9.3): here the order of execution. */
  #fences: Released = nothing;
  /** By offset of an mbarrier object: what those have released that have arrived there. */
  #objects: ReadonlyMap<number, Released> = new Map();
  #now = 0;

  /** `words`: all of memory. */
  constructor(words: Uint32Array, random: Random) {
    this.#words = words;
    this.#random = random;
  }

  /**
   * The time of the newest write that a load where its thread stands must see: it may be done later, as long as nothing of
   * the thread needs it. No store, load or atomic operation of its thread on the same word, no release, no fence and no
   * barrier may come before it.
   */
  standing(access: Access): number {
    return leastOf(access, this.#thread(access.by));
  }

  /** Whether to put off the loads that a warp is about to do. */
  postpones(): boolean {
    return this.#random.below(4) === 0;
  }

  /** Whether a warp with postponed loads lets others go on before it does what comes next. */
  yields(): boolean {
    return this.#random.below(4) === 0;
  }

  /** Does a read: it returns what memory holds while `act` runs. `since`: what `standing` said where the load stands. */
  load(access: Access, act: () => void, since?: number): void {
    const words = accessedWords(access);
    if (!words.some((word) => this.#histories.has(word))) {
      act();
      return;
    }
    const thread = this.#thread(access.by);
    const times = this.#times(access, since ?? leastOf(access, thread));
    const time = this.#random.below(2) === 0 ? times.at(-1)! : times[this.#random.below(times.length)]!;
    const origins: Origin[] = [];
    for (const word of words) {
      const found = this.#histories.get(word)?.found(time, maskOf(access, word)) ?? [];
      this.#words[word] = this.#histories.get(word)?.value(time) ?? this.#words[word]!;
      for (const { time: written, origins: from } of found) {
        // An access that is not morally strong with the write does not observe it (8.9.2): the next one may go back.
        if (from.some(({ by, reach }) => morallyStrong(by, reach, access.by, access.reach)))
          thread.view.see(word, written);
        origins.push(...from);
      }
    }
    try {
      act();
    } finally {
      this.#showNewest(words);
    }
    thread.read(words, origins, access);
  }

  /** Does a write: its value is what `act` leaves in memory. */
  store(access: Access, act: () => void): void {
    const words = this.#open(access);
    act();
    const thread = this.#thread(access.by);
    const message = thread.write(words, access);
    const time = this.#place(access, words, thread);
    this.#write(access, words, time, [{ by: access.by, reach: access.reach, message }], false);
  }

  /**
   * Does an atomic operation. `reads`: the value that it read is used. `mayFail`: if memory stays as it was, the
   * operation may have written nothing.
   */
  atomic(access: Access, { reads, mayFail }: { reads: boolean; mayFail: boolean }, act: () => void): void {
    const words = this.#open(access);
    const thread = this.#thread(access.by);
    const [found, time] = this.#moment(access, words, thread);
    const histories = words.map((word) => this.#histories.get(word)!);
    const before = histories.map((history) => history.value(found));
    for (const [at, word] of words.entries()) this.#words[word] = before[at]!;
    act();
    const origins = words.flatMap((word, at) =>
      histories[at]!.found(found, maskOf(access, word)).flatMap((write) => write.origins),
    );
    if (reads) thread.read(words, origins, access);
    const message = both(thread.write(words, access), thread.carried(origins, access.reach));
    const own: Origin = { by: access.by, reach: access.reach, message };
    const failed = mayFail && words.every((word, at) => this.#words[word] === before[at]);
    this.#write(access, words, time, failed ? [...origins, own] : [own], true);
  }

  /** `orders`: it is fence.sc, which acquires and releases. */
  fence(by: Agent, { reach, acquires, releases }: Order, orders: boolean): void {
    const thread = this.#thread(by);
    if (acquires) thread.acquire(reach);
    if (orders) {
      acquire(thread.view, this.#fences, by, reach);
      this.#fences = released(this.#fences, by, thread.view, reach);
    }
    if (releases) thread.release(reach);
  }

  /** Threads have synchronised at a barrier: each sees everything that came before it in any of them. */
  meet(agents: readonly Agent[]): void {
    if (this.#histories.size === 0) return;
    const threads = agents.map((agent) => this.#thread(agent));
    const all = new View();
    for (const { view } of threads) all.join(view);
    for (const thread of threads) thread.view = all.copy();
  }

  /**
   * An asynchronous operation writes these bytes, with the newest values; nothing is ordered behind that but what has waited for
   * it. Where they are not known, all threads see what it has written.
   */
  move(writes: readonly Range[], updates: boolean, act: () => void): void {
    const ranges = writes.map(({ start, bytes }) => ({ at: start, bytes }));
    for (const range of ranges) this.#open(range);
    act();
    if (ranges.length === 0) {
      this.forget();
      return;
    }
    const time = ++this.#now;
    for (const range of ranges)
      for (const word of accessedWords(range)) {
        const written = { time, mask: maskOf(range, word), value: this.#words[word]!, origins: [], joined: updates };
        this.#histories.get(word)?.add(written);
      }
  }

  /** A thread has waited for an operation that has written these bytes; or that has told the mbarrier object at `where`. */
  land(by: Agent, writes: readonly Range[], where?: number): void {
    const view = new View();
    for (const { start, bytes } of writes)
      for (const word of accessedWords({ at: start, bytes }))
        view.see(word, this.#histories.get(word)?.writes.at(-1)?.time ?? 0);
    if (where === undefined) this.#thread(by).view.join(view);
    else this.#tell(where, released(nothing, by, view, reachOf("cluster")));
  }

  /** A thread has arrived at an mbarrier object, which is always up to date. */
  arrive(by: Agent, where: number, order: Order): void {
    this.#tell(where, this.#thread(by).write([where >>> 2], order));
  }

  /** A thread has found a phase of an mbarrier object complete. */
  complete(by: Agent, where: number, order: Order): void {
    this.#thread(by).hear([where >>> 2], this.#objects.get(where) ?? nothing, order);
  }

  /** These threads have ended. */
  end(agents: readonly Agent[]): void {
    for (const { index } of agents) this.#threads.delete(index);
  }

  /** From now on all threads see the newest values: memory was changed from elsewhere. */
  forget(): void {
    this.#histories.clear();
    this.#threads.clear();
    this.#objects = new Map();
    this.#fences = nothing;
  }

  /** The values that a thread could read now, the newest first, without duplicates. */
  readable(access: Access): readonly Readable[] {
    const found = new Map<string, Readable>();
    for (const time of this.#times(access, leastOf(access, this.#thread(access.by))).toReversed()) {
      const bytes = Uint8Array.from({ length: access.bytes }, (_, index) => {
        const at = access.at + index;
        const value = this.#histories.get(at >>> 2)?.value(time) ?? this.#words[at >>> 2]!;
        return value >>> (8 * (at & 3));
      });
      const key = bytes.join();
      if (!found.has(key)) found.set(key, { bytes, newest: found.size === 0 });
    }
    return [...found.values()];
  }

  /** Words of which a thread could read several values, by their offsets in memory. */
  unsettled(by: Agent): readonly { readonly at: number; readonly values: readonly Readable[] }[] {
    return [...this.#histories.keys()]
      .sort((a, b) => a - b)
      .map((word) => ({ at: 4 * word, values: this.readable({ ...plainly, by, at: 4 * word }) }))
      .filter(({ values }) => values.length > 1);
  }

  save(): WeakImage {
    return {
      histories: copied(this.#histories),
      threads: copied(this.#threads),
      objects: this.#objects,
      fences: this.#fences,
      now: this.#now,
      random: this.#random.state,
      byteLength: 256 * this.#histories.size + 1024 * this.#threads.size,
    };
  }

  restore(image: WeakImage): void {
    this.#histories = copied(image.histories);
    this.#threads = copied(image.threads);
    this.#objects = image.objects;
    this.#fences = image.fences;
    this.#now = image.now;
    this.#random.state = image.random;
  }

  #tell(where: number, message: Released): void {
    if (message.size === 0) return;
    this.#objects = new Map(this.#objects).set(where, both(this.#objects.get(where) ?? nothing, message));
  }

  #thread(agent: Agent): ThreadView {
    let thread = this.#threads.get(agent.index);
    if (thread === undefined) {
      thread = new ThreadView(agent);
      this.#threads.set(agent.index, thread);
    }
    return thread;
  }

  /** The words of an access that is about to write them, each with its history. */
  #open(access: Pick<Access, "at" | "bytes">): readonly number[] {
    const words = accessedWords(access);
    if (this.#histories.size + words.length > ROOM) this.forget();
    for (const word of words)
      if (!this.#histories.has(word)) this.#histories.set(word, new History(this.#words[word]!));
    return words;
  }

  /** Times at which a thread may read memory, from one on; the last one is the newest state. */
  #times(access: Access, least: number): readonly number[] {
    const times = new Set([least]);
    for (const word of accessedWords(access))
      for (const { time, mask } of this.#histories.get(word)?.writes ?? [])
        if (time > least && (mask & maskOf(access, word)) !== 0) times.add(time);
    return [...times].sort((a, b) => a - b);
  }

  /** The time of a write: mostly the newest, else before a write that its thread does not know yet. */
  #place(access: Access, words: readonly number[], thread: ThreadView): number {
    const last = ++this.#now;
    if (this.#random.below(4) !== 0) return last;
    const gaps = this.#gaps(access, words, thread);
    return gaps.length === 0 ? last : gaps[this.#random.below(gaps.length)]![1];
  }

  /** When an atomic operation reads, and when it writes: mostly the newest, else with no write between, either. */
  #moment(access: Access, words: readonly number[], thread: ThreadView): readonly [read: number, write: number] {
    const last = ++this.#now;
    if (this.#random.below(4) !== 0) return [Number.POSITIVE_INFINITY, last];
    const gaps = this.#gaps(access, words, thread);
    return gaps.length === 0 ? [Number.POSITIVE_INFINITY, last] : gaps[this.#random.below(gaps.length)]!;
  }

  /** Where a write fits before others that its thread does not know: behind which time, and its own. */
  #gaps(access: Access, words: readonly number[], thread: ThreadView): (readonly [behind: number, time: number])[] {
    const histories = words.map((word) => this.#histories.get(word)!);
    const least = Math.max(leastOf(access, thread), ...histories.map(({ writes }) => writes[0]!.time));
    const times = new Set([least]);
    for (const { writes } of histories) for (const { time } of writes) if (time > least) times.add(time);
    const ordered = [...times].sort((a, b) => a - b);
    return ordered
      .slice(0, -1)
      .map((time, at) => [time, (time + ordered[at + 1]!) / 2] as const)
      .filter(([, time]) => !times.has(time))
      .filter(([, time]) => words.every((word, at) => histories[at]!.takes(time, maskOf(access, word))));
  }

  #write(access: Access, words: readonly number[], time: number, origins: readonly Origin[], joined: boolean): void {
    const { view } = this.#thread(access.by);
    for (const word of words) {
      const written: Written = { time, mask: maskOf(access, word), value: this.#words[word]!, origins, joined };
      this.#histories.get(word)!.add(written);
      view.see(word, time);
    }
    this.#showNewest(words);
  }

  #showNewest(words: readonly number[]): void {
    for (const word of words)
      this.#words[word] = this.#histories.get(word)?.value(Number.POSITIVE_INFINITY) ?? this.#words[word]!;
  }
}

/** Bytes of memory's buffer. */
interface Range {
  readonly start: number;
  readonly bytes: number;
}

/** All that it knows at one moment. */
export interface WeakImage {
  readonly histories: ReadonlyMap<number, History>;
  readonly threads: ReadonlyMap<number, ThreadView>;
  readonly objects: ReadonlyMap<number, Released>;
  readonly fences: Released;
  readonly now: number;
  readonly random: number;
  readonly byteLength: number;
}

/** Any access: the set of possible values does not depend on its memory order. */
const plainly = { reach: -1, acquires: false, releases: false, bytes: 4 } as const;

const copied = <T extends { copy(): T }>(all: ReadonlyMap<number, T>): Map<number, T> =>
  new Map([...all].map(([key, each]) => [key, each.copy()]));

/** The newest write of an access's words that its thread has to see. */
const leastOf = (access: Access, { view }: ThreadView): number =>
  Math.max(...accessedWords(access).map((word) => view.at(word)));

function accessedWords({ at, bytes }: Pick<Access, "at" | "bytes">): readonly number[] {
  const first = at >>> 2;
  return Array.from({ length: ((at + bytes - 1) >>> 2) - first + 1 }, (_, index) => first + index);
}

/** The bytes of a word that an access touches. */
function maskOf({ at, bytes }: Pick<Access, "at" | "bytes">, word: number): number {
  const from = Math.max(at - 4 * word, 0);
  const to = Math.min(at + bytes - 4 * word, 4);
  return ((1 << to) - 1) & ~((1 << from) - 1);
}
