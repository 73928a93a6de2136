import { type Axiom, axioms as everyAxiom } from "../axioms.ts";
import type { Barrier, Event, Initial, Litmus, Location, Read, Thread, Trace, Write } from "../event.ts";
import { asExecution } from "../execution.ts";
import { derive, type Orders } from "../order.ts";
import type { Bounds, Execution } from "../outcome.ts";
import { Room } from "../relation.ts";
import type { ByteRanges } from "./byte-ranges.ts";
import { Candidate, unresolved } from "./candidate.ts";
import { isTakenTwice, judged } from "./decide.ts";
import { ended, Finals } from "./ended.ts";
import { Hints } from "./hints.ts";
import { isSettled, lassoOf, settling } from "./lasso.ts";
import { type Attendant, contradictory, exchanged, isComplete, mayWait, meetingsFor } from "./meetings.ts";
import { completely, isRead, isWrite, type Meeting, type Node, overlap } from "./node.ts";
import { foresee, foreseeAny, remember } from "./remember.ts";
import { contestable, undecided } from "./undecided.ts";

/** Candidates between two questions whether the search goes on. */
const ASKED_EVERY = 64;

/** Thrown where an access cuts memory at a new byte: the search restarts with the finer pieces. */
export class Anew extends Error {}

/** The state of a thread in the search. */
interface Progress {
  /** What its reads returned so far. */
  readonly values: bigint[];
  trace: Trace;
  /** Events of the trace that are in the candidate. */
  added: number;
  /** Row of the last of them; -1 before the first. */
  last: number;
  /**
   * While it waits before a read: it has declined all sources with rows below this one, and waits for a later write.
   */
  declined: number;
}

/** A piece of a read whose value is guessed: some later write must write it. */
interface Guess {
  readonly read: Node;
  /** Which of the read's pieces, in their order. */
  readonly which: number;
  readonly piece: number;
  readonly value: bigint;
}

/** A source that a piece of a read may come from. */
interface Origin {
  readonly source: number;
  readonly value: bigint;
}

/**
 * Grows candidates event by event, depth first, and leaves a branch as soon as an axiom is contradicted. The next
 * thread depends only on the candidate, so that each execution is found exactly once.
 */
export class Search {
  /** Hints gathered in all branches, for the next search. */
  readonly seen = new Hints();
  /** Executions that were decided when all events were there: `run` yields the others. */
  readonly found: Execution[] = [];
  /** Most writes in one branch. */
  writes = 0;
  /** Whether some read had to take its value before all events were there, so that another search may guess more of them. */
  guesses = false;
  /** Whether no bound of the search left anything out. */
  complete = true;
  /** Whether some thread was stopped by its own bound, as a loop that goes on. */
  bounded = false;
  /** Whether some execution has a data race of operations of different sizes (PTX ISA 8.7.2). */
  mixed = false;
  /** Candidates that were followed to their end, allowed or not. */
  #ended = 0;
  /** How many of them there are when the caller is asked next whether the search goes on. */
  #asksAt = 0;
  readonly #litmus: Litmus;
  readonly #bounds: Bounds;
  readonly #axioms: readonly Axiom[];
  readonly #pieces: ByteRanges;
  readonly #hints: Hints;
  readonly #initial: readonly Initial[];
  readonly #candidate: Candidate;
  readonly #progress: Progress[];
  readonly #finals = new Finals();
  readonly #guesses: Guess[] = [];
  readonly #room = new Room();
  readonly #contested: boolean;
  /** Whether orders of writes and fences are chosen when all events are there: where all axioms stand. */
  readonly #late: boolean;

  /**
   * `hints` are the source of guesses: the `seen` of an earlier search. Where Coherence does not stand, what memory holds at
   * first may be contested `initially`.
   */
  constructor(
    litmus: Litmus,
    bounds: Bounds,
    axioms: readonly Axiom[],
    pieces: ByteRanges,
    hints: Hints,
    { initially = false }: { readonly initially?: boolean } = {},
  ) {
    this.#contested = initially;
    this.#late = axioms.length === everyAxiom.length;
    this.#litmus = litmus;
    this.#bounds = bounds;
    this.#axioms = axioms;
    this.#pieces = pieces;
    this.#hints = hints;
    this.#initial = pieces.initial(litmus.initial);
    this.#candidate = new Candidate(pieces, litmus.model ?? "manual");
    for (const each of this.#initial) this.#candidate.begin(each);
    this.#progress = litmus.threads.map((thread) => ({
      values: [],
      trace: thread.run([]),
      added: 0,
      last: -1,
      declined: 0,
    }));
  }

  /** @throws {Anew} */
  *run(): Generator<Execution> {
    yield* this.#settle();
  }

  /** Extends the candidate; `orders` are those of the candidate where they are known. */
  *#next(orders?: Orders): Generator<Execution> {
    const busy = this.#progress.findIndex((_, thread) => this.#ready(thread));
    if (busy >= 0) return yield* this.#add(busy);
    const asking = [...this.#progress.keys()].filter(
      (thread) =>
        (this.#progress[thread]?.trace.end === "asks" || this.#awaited(thread) !== undefined) && !this.#waits(thread),
    );
    for (const thread of this.#late ? asking : []) {
      const next = this.#without(thread);
      if (next) return yield* this.#postpone(thread, next);
    }
    if (asking.length === 0) {
      if (!orders) yield* this.#settle();
      else if (this.#late) this.#decide(orders);
      else yield* this.#end(orders);
      return;
    }
    this.guesses = true;
    const served = this.#foremost(asking.filter((thread) => this.#news(thread) && !this.#isBehind(thread, asking)));
    if (served !== undefined) return yield* this.#read(served);
    // all threads that may read wait for writes after other reads: some thread must read from a future write
    const guesser = asking.find((thread) => this.#hints.mayGuess(thread, this.#asked(thread)));
    if (guesser !== undefined) yield* this.#guess(guesser);
  }

  /**
   * Whether a thread is as far as one before it that is alike, of which no read has its source yet: the same execution is found
   * with the two exchanged.
   */
  #isBehind(thread: number, asking: readonly number[]): boolean {
    const own = this.#bounds.alike?.find((each) => each.includes(thread)) ?? [];
    const isFirst = (each: number): boolean =>
      !(this.#candidate.threads[each] ?? []).some(({ index }) => this.#candidate.sources[index] !== undefined);
    return own.some(
      (other) =>
        other < thread &&
        asking.includes(other) &&
        this.#progress[other]?.added === this.#progress[thread]?.added &&
        isFirst(other) &&
        isFirst(thread),
    );
  }

  /** Whether a thread has a certain event that is not yet added, and waits neither at a barrier nor for a source of a read. */
  #ready(thread: number): boolean {
    const { trace, added } = this.#progress[thread] as Progress;
    return added < settled(trace) && !this.#waits(thread) && this.#awaited(thread) === undefined;
  }

  /** Whether a thread waits at a barrier for others. */
  #waits(thread: number): boolean {
    const last = this.#candidate.threads[thread]?.at(-1);
    return last !== undefined && mayWait(last) && !isComplete(last, this.#attendants());
  }

  /** The threads, as barriers ask for them: one that comes to its end at a barrier exits when that is complete. */
  #attendants(): Attendant[] {
    const all = this.#progress.map(({ trace, added }, thread) => {
      const nodes = this.#candidate.threads[thread] ?? [];
      const ended = trace.end !== "asks" && added === trace.events.length && this.#awaited(thread) === undefined;
      const last = nodes.at(-1);
      const { placement } = this.#litmus.threads[thread] as Thread;
      return { placement, nodes, ended, exited: ended && !(last && mayWait(last)) };
    });
    for (let left = true; left; ) {
      const leaving = all.filter((each) => each.ended && !each.exited && isComplete(each.nodes.at(-1) as Node, all));
      for (const each of leaving) each.exited = true;
      left = leaving.length > 0;
    }
    return all;
  }

  /** Whether an axiom has to hold. */
  #stands(name: string): boolean {
    return this.#axioms.some((axiom) => axiom.name === name);
  }

  /**
   * The trace of a thread beyond the read that it waits at, whatever that read and those before it return whose source is
   * open; undefined where it depends on one of them.
   */
  #without(thread: number): Trace | undefined {
    const { trace, values } = this.#progress[thread] as Progress;
    if ((trace.events.at(-1) as Read).update) return undefined;
    const next = (this.#litmus.threads[thread] as Thread).run([...values, 0n]);
    const open = [...this.#postponed(thread).map(({ position }) => position), trace.events.length - 1];
    return next.used && !next.used.some((read) => open.includes(read)) ? next : undefined;
  }

  /** Reads of a thread whose source is open. */
  #postponed(thread: number): Node[] {
    const { sources, threads } = this.#candidate;
    return (threads[thread] ?? []).filter((node) => isRead(node) && sources[node.index] === undefined);
  }

  /** Adds a read whose source is chosen when all events are there. */
  *#postpone(thread: number, next: Trace): Generator<Execution> {
    const progress = this.#progress[thread] as Progress;
    const before = progress.trace;
    if (!this.#put(thread)) return;
    progress.values.push(0n);
    progress.trace = next;
    this.#foresee(thread, progress);
    yield* this.#next();
    progress.trace = before;
    progress.values.pop();
    this.#take(progress);
  }

  /** The read that a thread waits at: one that it awaits, or the next. */
  #asked(thread: number): Read {
    return (this.#awaited(thread)?.event ?? this.#progress[thread]?.trace.events.at(-1)) as Read;
  }

  /**
   * A read whose source is open, and on which depends what a thread does up to its next read, or from there on where all that is before
   * has been added: an event with the values that it has now would not be the thread's.
   */
  #awaited(thread: number): Node | undefined {
    const open = this.#late ? this.#postponed(thread) : [];
    if (open.length === 0) return undefined;
    const { values, trace, added } = this.#progress[thread] as Progress;
    const isNext = trace.end === "asks" && added === settled(trace);
    const { used = [] } = isNext ? (this.#litmus.threads[thread] as Thread).run([...values, 0n]) : trace;
    return open.find(({ position }) => used.includes(position));
  }

  /** Of some threads, the one that has passed the fewest barriers. */
  #foremost(threads: readonly number[]): number | undefined {
    const passed = (thread: number) =>
      this.#candidate.threads[thread]?.filter(({ kind }) => kind === "barrier").length ?? 0;
    let best: number | undefined;
    for (const thread of threads) if (best === undefined || passed(thread) < passed(best)) best = thread;
    return best;
  }

  /** Whether there is a write that a thread's read could return and has not declined. */
  #news(thread: number): boolean {
    const { location } = this.#asked(thread);
    const { declined } = this.#progress[thread] as Progress;
    if (declined === 0) return true;
    return this.#candidate.nodes.slice(declined).some((node) => isWrite(node) && overlap(node, { location }));
  }

  /** Adds the next event of a thread that is no read: a write may confirm the guesses of others. */
  *#add(thread: number): Generator<Execution> {
    const { trace, added } = this.#progress[thread] as Progress;
    const event = trace.events[added] as Event;
    if (event.kind === "exchange") return yield* this.#exchange(thread);
    if (event.kind !== "barrier") return yield* this.#addWith(thread);
    for (const meeting of meetingsFor(event, thread, this.#attendants())) yield* this.#addWith(thread, meeting);
  }

  /** Adds an exchange: those whom the thread has met have brought what it takes. */
  *#exchange(thread: number): Generator<Execution> {
    const progress = this.#progress[thread] as Progress;
    const before = progress.trace;
    const { nodes, threads } = this.#candidate;
    const value = exchanged(threads[thread] as Node[], nodes);
    if (!this.#put(thread)) return;
    progress.values.push(value);
    progress.trace = (this.#litmus.threads[thread] as Thread).run(progress.values);
    this.#foresee(thread, progress);
    yield* this.#next();
    progress.trace = before;
    progress.values.pop();
    this.#take(progress);
  }

  *#addWith(thread: number, meeting?: Meeting): Generator<Execution> {
    const progress = this.#progress[thread] as Progress;
    const node = this.#put(thread, meeting);
    if (!node) return;
    if (isWrite(node)) yield* this.#resolve(node, 0);
    // an event without a choice is judged together with the next one
    else if (node.kind === "fence" && node.strong.length > 0) yield* this.#settle();
    else yield* this.#next();
    this.#take(progress);
  }

  /** Every choice of the guesses, from one on, that a new write confirms. */
  *#resolve(write: Node, from: number): Generator<Execution> {
    const { location, value } = write.event as Write;
    for (const [i, guess] of this.#guesses.entries()) {
      if (i < from || !write.pieces.includes(guess.piece)) continue;
      const sources = this.#candidate.sources[guess.read.index] as number[];
      if (sources[guess.which] !== unresolved) continue;
      if (this.#pieces.part(location, value, guess.piece) !== guess.value) continue;
      sources[guess.which] = write.index;
      yield* this.#resolve(write, i + 1);
      sources[guess.which] = unresolved;
    }
    if (from > 0 || write.strong.length > 0 || write.excludes.length > 0) yield* this.#settle();
    else yield* this.#next();
  }

  /** Lets a thread read from each present write that it has not declined; or wait for a future one. */
  *#read(thread: number): Generator<Execution> {
    const progress = this.#progress[thread] as Progress;
    const { declined } = progress;
    const read = this.#asked(thread);
    const now = this.#candidate.nodes.length;
    if (this.#pieces.take(read.location, read.proxy)) throw new Anew();
    if (!this.#stands("No-Thin-Air")) this.seen.addGuesser(thread, read);
    const pieces = this.#pieces.of(read.location);
    const waits = this.#othersMayWrite(thread, pieces) ? [undefined] : [];
    const choices = [...combinations(pieces.map((piece) => this.#written(piece))), ...waits];
    for (const origins of choices) {
      progress.declined = origins ? 0 : now;
      if (!origins) yield* this.#next();
      else if (declined === 0 || origins.some(({ source }) => source >= declined))
        yield* this.#readFrom(thread, origins);
    }
    progress.declined = declined;
  }

  /** Lets a thread read values of future writes. */
  *#guess(thread: number): Generator<Execution> {
    const progress = this.#progress[thread] as Progress;
    const { declined } = progress;
    const pieces = this.#pieces.of(this.#asked(thread).location);
    progress.declined = 0;
    for (const origins of combinations(
      pieces.map((piece) => [...this.#written(piece), ...this.#expected(thread, piece)]),
    ))
      if (origins.some(({ source }) => source === unresolved)) yield* this.#readFrom(thread, origins);
    progress.declined = declined;
  }

  *#readFrom(thread: number, origins: readonly Origin[]): Generator<Execution> {
    const progress = this.#progress[thread] as Progress;
    const before = progress.trace;
    const guessed = this.#guesses.length;
    const sources = origins.map(({ source }) => source);
    const open = this.#awaited(thread);
    if (open) this.#candidate.sources[open.index] = sources;
    const node = open ?? this.#put(thread, sources);
    if (!node) return;
    for (const [which, { source, value }] of origins.entries())
      if (source === unresolved) this.#guesses.push({ read: node, which, piece: node.pieces[which] as number, value });
    const values = origins.map(({ value }) => value);
    const which = readsBefore(progress.trace, node.position);
    const old = progress.values.splice(which, 1, this.#pieces.whole((node.event as Read).location, values));
    progress.trace = (this.#litmus.threads[thread] as Thread).run(progress.values);
    this.#foresee(thread, progress);
    yield* this.#settle();
    progress.trace = before;
    progress.values.splice(which, 1, ...old);
    this.#guesses.length = guessed;
    if (open) this.#candidate.sources[open.index] = undefined;
    else this.#take(progress);
  }

  /** Records the future writes of a thread. */
  #foresee(thread: number, { trace, added }: Progress): void {
    for (const event of trace.events.slice(added))
      if (event.kind === "write" && this.#pieces.take(event.location, event.proxy)) throw new Anew();
    if (this.#stands("No-Thin-Air")) foresee(this.#candidate, thread, trace, added, this.seen, this.#pieces);
    else foreseeAny(thread, trace, added, this.seen, this.#pieces);
  }

  /** The values that the present writes give a piece. */
  #written(piece: number): Origin[] {
    const origins: Origin[] = [];
    for (const node of this.#candidate.nodes)
      if (isWrite(node) && node.location && node.pieces.includes(piece)) {
        const { value } = node.event as Initial | Write;
        origins.push({ source: node.index, value: this.#pieces.part(node.location, value, piece) });
      }
    return origins;
  }

  /** The values that future writes may give a piece, from what was seen so far. */
  #expected(thread: number, piece: number): Origin[] {
    const values = new Set<bigint>();
    for (const other of this.#progress.keys())
      if (this.#mayWrite(other, thread)) for (const value of this.#hints.values(other, piece)) values.add(value);
    return [...values].map((value) => ({ source: unresolved, value }));
  }

  /**
   * Whether a read of a thread may come from a later write of another one; or from its own, through another proxy, or
   * where it is asynchronous.
   */
  #mayWrite(writer: number, reader: number, read: Node["event"] = this.#asked(reader)): boolean {
    const { trace, added } = this.#progress[writer] as Progress;
    if (writer === reader && this.#pieces.plain && !("async" in read)) return false;
    return trace.end === "asks" || added < trace.events.length || this.#awaited(writer) !== undefined;
  }

  /** Whether other threads may still write to one of some pieces. */
  #othersMayWrite(thread: number, pieces: readonly number[]): boolean {
    // its own later writes come only where it has guessed one
    const mayGuess = this.#hints.mayGuess(thread, this.#asked(thread));
    return [...this.#progress.keys()].some(
      (other) =>
        (other !== thread || mayGuess) &&
        this.#mayWrite(other, thread) &&
        pieces.some((piece) => this.#hints.mayWrite(other, piece)),
    );
  }

  /**
   * Orders every pair that must be ordered, in both directions where nothing decides it, and continues with the
   * candidates that obey the axioms.
   */
  *#settle(): Generator<Execution> {
    if (!this.#goesOn()) return;
    this.#room.leave();
    const orders = derive(this.#candidate, this.#room);
    if (this.#axioms.some((axiom) => axiom.isBroken(orders)) || !this.#hopeful(orders)) {
      this.#ended++;
      return;
    }
    if (this.#late && isTakenTwice(orders, this.#candidate)) {
      this.#ended++;
      return;
    }
    remember(this.#candidate, this.seen, this.#pieces, this.#stands("No-Thin-Air"));
    // what is asked for are final states: orders that they do not show are chosen last, and once
    if (this.#late) return yield* this.#next(orders);
    const { coherence } = this.#candidate;
    const open = this.#stands("Coherence") ? undecided(orders) : contestable(orders, coherence, this.#contested);
    if (!open) return yield* this.#next(orders);
    const chosen = open.among === "fences" ? this.#candidate.fences : coherence;
    const { a, b } = open;
    for (const pair of [[a, b] as const, [b, a] as const]) {
      chosen.push(pair);
      yield* this.#settle();
      chosen.pop();
    }
  }

  /** Whether the bounds allow another candidate. */
  #goesOn(): boolean {
    const { executions, goesOn } = this.#bounds;
    this.complete &&= this.#ended <= executions;
    if (goesOn && this.complete && this.#ended >= this.#asksAt) {
      this.#asksAt = this.#ended + ASKED_EVERY;
      this.complete = goesOn(this.#ended);
    }
    return this.complete;
  }

  /** The ends of a candidate that has all its events. */
  #decide(orders: Orders): void {
    this.writes = Math.max(this.writes, this.#candidate.nodes.filter(isWrite).length);
    const stopped = [...this.#progress.entries()].flatMap(([thread, { trace }]): [number, Trace][] =>
      trace.end === "bound" && !this.#waits(thread) ? [[thread, trace]] : [],
    );
    this.bounded ||= stopped.length > 0;
    const lasso = lassoOf(this.#candidate, new Map(stopped));
    if (stopped.length > 0 && !(this.#bounds.loops && lasso)) return;
    // What has a guess that nobody is left to confirm is no execution, and is not asked for its ends: what these show counts as found
    // for all with the same key. So whatever counts as found is what some execution shows.
    if (this.#isUnconfirmed()) {
      this.#ended++;
      return;
    }
    const { coherence, fences, nodes } = this.#candidate;
    const [writes, scs] = [coherence.length, fences.length];
    const goesOn = (): boolean => this.#goesOn();
    const drops = (): void => {
      this.#ended++;
    };
    const finish = (now: Orders): Orders | undefined => {
      if (lasso && !isSettled(this.#candidate, now, lasso)) return undefined;
      return contradictory(nodes, this.#attendants(), now) ? undefined : now;
    };
    const judge = { candidate: this.#candidate, axioms: this.#axioms, room: this.#room, finish, goesOn, drops };
    const { watched } = this.#bounds;
    const read = ({ thread, position }: Node): boolean => {
      const names = watched?.registers[thread];
      const { sourcesOf, end } = (this.#progress[thread] as Progress).trace;
      if (!names || !sourcesOf || end !== "done" || this.#waits(thread)) return true;
      return [...names].some((name) => sourcesOf(name).includes(position));
    };
    const memory = (name: string): boolean => watched?.memory.has(name) ?? true;
    const asked = { pieces: this.#pieces, memory, read, key: watched && this.#key() };
    if (lasso) coherence.push(...settling(this.#candidate, orders, lasso));
    const now = coherence.length > writes ? judged(judge) : orders;
    if (now) ended(now, judge, this.#finals, asked, (end) => this.found.push(...this.#end(end)));
    coherence.length = writes;
    fences.length = scs;
  }

  /** Whether each guess can still be confirmed. */
  #hopeful({ base }: Orders): boolean {
    return this.#guesses.every(({ read, which, piece, value }) => {
      if (this.#candidate.sources[read.index]?.[which] !== unresolved) return true;
      return this.#progress.some(({ last }, thread) => {
        if (!this.#mayWrite(thread, read.thread, read.event) || !this.#hints.values(thread, piece).has(value))
          return false;
        // a read that precedes an event of a thread also precedes the later events of that thread, if it is not asynchronous
        if (last >= 0 && "async" in (this.#candidate.nodes[last] as Node).event) return true;
        return !(this.#pieces.plain && this.#stands("Causality") && last >= 0 && base.has(read.index, last));
      });
    });
  }

  /** Whether a guess is left that no write has confirmed: its write may lie behind a barrier where the thread waits for ever. */
  #isUnconfirmed(): boolean {
    return this.#candidate.sources.some((each) => each?.includes(unresolved));
  }

  /** What the values of reads whose source is chosen, and where who waits, say of a final state, and of the writes there are. */
  #key(): string {
    const threads = this.#progress.map(({ trace, values, added }, thread) => {
      const { end } = trace;
      const open = new Set(this.#postponed(thread).map(({ position }) => readsBefore(trace, position)));
      return `${end === "bound" ? "loops " : ""}${values.map((value, i) => (open.has(i) ? "" : value)).join()}${this.#waits(thread) ? ` waits at ${added}` : ""}`;
    });
    return threads.join(";");
  }

  *#end(orders: Orders): Generator<Execution> {
    this.#ended++;
    const { nodes } = this.#candidate;
    this.writes = Math.max(this.writes, nodes.filter(isWrite).length);
    if (this.#isUnconfirmed() || contradictory(nodes, this.#attendants(), orders)) return;
    const traces = this.#progress.map(({ added }, thread): Trace => {
      const trace = this.#traceOf(thread);
      if (this.#late && trace.end === "bound" && !this.#waits(thread)) return { ...trace, end: "loops" };
      if (!this.#waits(thread)) return trace;
      const { registers = trace.registers } = trace.events[added - 1] as Barrier;
      return { events: trace.events.slice(0, added), end: "waits", registers };
    });
    if (traces.some(({ end }) => end === "bound")) {
      this.bounded = true;
      return;
    }
    const execution = asExecution(this.#candidate.snapshot(), traces, this.#litmus.initial, this.#pieces);
    if (nodes.some(({ touches, pieces }) => touches.length > 0 && pieces.length > 1))
      this.mixed ||= execution.races.some(([a, b]) => !completely(nodes[a] as Node, nodes[b] as Node));
    yield execution;
  }

  /** The trace of a thread with the values of the sources that its reads have now. */
  #traceOf(thread: number): Trace {
    const { trace, values } = this.#progress[thread] as Progress;
    const { nodes, sources, threads } = this.#candidate;
    const now = [...values];
    for (const read of threads[thread] ?? []) {
      const from = sources[read.index];
      if (!isRead(read) || !from) continue;
      const parts = read.pieces.map((piece, i) => {
        const write = nodes[from[i] as number] as Node;
        return this.#pieces.part(write.location as Location, (write.event as Write).value, piece);
      });
      now[readsBefore(trace, read.position)] = this.#pieces.whole(read.location as Location, parts);
    }
    return (this.#litmus.threads[thread] as Thread).run(now);
  }

  /** Puts the next event of a thread into the candidate; undefined beyond the bound of events. */
  #put(thread: number, chosen?: number[] | Meeting): Node | undefined {
    const progress = this.#progress[thread] as Progress;
    const event = progress.trace.events[progress.added] as Event;
    if (event.kind === "read" || event.kind === "write") {
      if (this.#pieces.take(event.location, event.proxy)) throw new Anew();
      const memory = this.#candidate.nodes.filter((node) => node.thread >= 0 && node.location).length;
      if (memory >= this.#bounds.events) {
        this.complete = false;
        return undefined;
      }
    }
    const { placement } = this.#litmus.threads[thread] as Thread;
    const node = this.#candidate.add(event, thread, progress.added, placement, chosen);
    this.#before.push(progress.last);
    progress.last = node.index;
    progress.added++;
    return node;
  }

  /** For each added event, the row of its thread's event before it. */
  readonly #before: number[] = [];

  #take(progress: Progress): void {
    this.#candidate.remove();
    progress.last = this.#before.pop() as number;
    progress.added--;
  }
}

/** How many reads and exchanges of a trace are before a position. */
const readsBefore = ({ events }: Trace, position: number): number => {
  let count = 0;
  for (let i = 0; i < position; i++) if (events[i]?.kind === "read" || events[i]?.kind === "exchange") count++;
  return count;
};

/** Events of a trace that are certain: all but a read that waits for its value. */
const settled = ({ events, end }: Trace): number =>
  events.length - (end === "asks" && events.at(-1)?.kind === "read" ? 1 : 0);

/** Every way to take one of each list. */
function* combinations<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const [first, ...rest] = lists;
  if (!first) {
    yield [];
    return;
  }
  for (const one of first) for (const others of combinations(rest)) yield [one, ...others];
}
