import { bitsIn, lanesOf } from "../contract/launch/lane-mask.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { Observer } from "../contract/observer.ts";
import type { Memory } from "../memory/memory.ts";
import { IN_FLIGHT_READ, IN_FLIGHT_WRITE } from "../memory/shadow.ts";
import type { AsyncImage } from "./async-image.ts";
import { type Arrival, type BarrierOperation, Barriers } from "./barriers.ts";
import { BulkQueues } from "./bulk-queues.ts";
import { Fences } from "./fences.ts";
import { conflict, readsLeft, type Touch } from "./flight.ts";
import { matches } from "./inspection.ts";
import { type AsyncFinding, type InTheWay, Judge } from "./judge.ts";
import { Marks } from "./marks.ts";
import { phasesBetween } from "./mbarrier-object.ts";
import { Moments, type Moving } from "./moving.ts";
import { Notifier } from "./notifier.ts";
import {
  type ByteRange,
  type Completion,
  type Flight,
  type HeldOperations,
  type HeldQueue,
  type Operation,
  ownLane,
  type Site,
} from "./operation.ts";
import { partsOf, putBehindParts } from "./together.ts";

interface AsynchronyOptions {
  readonly memory: Memory;
  readonly moving: Moving;
  readonly observers: readonly Observer[];
  /** Whether the program reads shared memory by the async proxy; false by default. */
  readonly proxies?: boolean;
  report(finding: AsyncFinding): void;
}

/**
 * The asynchronous operations of a launch, from the instruction that issues one to the wait that orders it. The
 * `Moving` policy decides when the data move. Until the wait, an operation conflicts with other accesses to its bytes
 * under every policy, so that a missing wait is always found.
 */
export class Asynchrony {
  readonly #memory: Memory;
  readonly #notifier: Notifier;
  readonly #report: AsynchronyOptions["report"];
  readonly #judge: Judge;
  readonly #moments: Moments;
  readonly #marks: Marks;
  readonly #lines: BulkQueues = new BulkQueues((flights) => this.#split(flights));
  /** In the order of issue. */
  #flights: Set<Flight> = new Set();
  /** By offset of their mbarrier object: the operations that signal there. */
  readonly #signals: Map<number, Set<Flight>> = new Map();
  /** By moment: the operations that move then. */
  readonly #due: Map<number, Flight[]> = new Map();
  /** Operations so far, and moments so far: calls of the engine and turns of warps. */
  #count = 0;
  #now = 0;
  readonly barriers: Barriers;
  /** Set when a wait of some thread may have come true; reset by the check of those waits. */
  changed = false;
  /** By offset of an mbarrier object: the last test of its phase that found the phase incomplete. */
  #polls: Map<number, BarrierOperation> = new Map();

  readonly fences: Fences;
  readonly #observers: readonly Observer[];
  readonly #hasProxies: boolean;
  /** What an executor holds instead of this; set by it. */
  held: HeldOperations | undefined;
  /** Whether data move only when a thread waits, or when none can go on. */
  readonly movesAtWaits: boolean;
  /** Whether data may move between two turns of warps. Otherwise they move only by what threads do, or when none can go on. */
  readonly movesBetweenTurns: boolean;
  /** Whether an operation has not been waited for yet. */
  readonly isInFlight = (flight: Flight): boolean => this.#flights.has(flight);

  constructor({ memory, moving, observers, proxies = false, report }: AsynchronyOptions) {
    this.fences = new Fences(proxies, report);
    this.#memory = memory;
    this.#notifier = new Notifier(memory, observers);
    this.movesAtWaits = moving.when === "late";
    this.movesBetweenTurns = moving.when === "random";
    this.#observers = observers;
    this.#hasProxies = proxies;
    this.#report = report;
    this.#moments = new Moments(moving);
    this.#marks = new Marks(memory);
    this.barriers = new Barriers(memory);
    this.#judge = new Judge({
      memory,
      report,
      marks: this.#marks,
      barriers: this.barriers,
      inTheWay: (...touch) => this.inTheWay(...touch),
      advice: (flight) => this.advice(flight)?.help,
    });
  }

  /**
   * Whether lanes issue operations one by one, instead of one operation for several lanes of a warp: needed where a
   * moment is drawn for each lane, or where observers are notified of each lane's accesses. Observers come after this is made.
   */
  get apart(): boolean {
    return this.movesBetweenTurns || this.#observers.length > 0 || this.#hasProxies;
  }

  /** The operations that have not been waited for yet, in the order of issue. */
  get flights(): Iterable<Flight> {
    this.held?.release();
    this.#split(this.#flights);
    return this.#flights;
  }

  get idle(): boolean {
    this.held?.release();
    return this.#flights.size === 0;
  }

  /** Whether an executor may hold operations of these lanes of a queue's warp: nothing is in flight. */
  mayHold(line: number, lanes: number): boolean {
    return this.#flights.size === 0 && this.#lines.isIdle(line, lanes);
  }

  /** Takes over what an executor has held, whose bytes are marked; `count` single lanes' operations have begun meanwhile. */
  take(queues: readonly HeldQueue[], count: number): void {
    const flights: Flight[] = [];
    for (const { line, lanes, groups, last } of queues) {
      const made = groups.map((group) =>
        group.map(({ operation, number }) => flightOf(operation, this.#count + number, Number.POSITIVE_INFINITY)),
      );
      for (const group of made) flights.push(...group);
      this.#lines.put(line, { lanes, open: made.pop()!, groups: made, last });
    }
    for (const flight of flights.sort((a, b) => a.number - b.number)) {
      this.#flights.add(flight);
      this.#marks.take(flight);
    }
    this.#count += count;
  }

  /** Issues an operation. A conflict is a finding, as two operations in flight have no order. */
  issue(operation: Operation): Flight {
    this.held?.release();
    this.#tick();
    this.#judge.begins(operation);
    this.fences.begins(operation);
    const flight = this.#begin(operation);
    this.#count++;
    return flight;
  }

  /**
   * Issues one instruction's operations for several lanes of a warp, known to be free of conflicts. `make` makes the
   * operation of a set of lanes: those that share their groups in `line`, the queue of one of them.
   */
  issueTogether(line: number, lanes: number, make: (lanes: number) => Operation): void {
    this.held?.release();
    this.#tick();
    const parts = this.#lines.parts(line, lanes).map(make);
    for (const part of parts) this.#begin(part);
    this.#count += bitsIn(lanes);
  }

  /**
   * The same of operations that happen behind all that is in flight in the queues of their lanes, such as one arrival for each lane.
   * `after` is that of the lanes.
   */
  issueBehind(line: number, lanes: number, make: (lanes: number, after: readonly Flight[]) => Operation): void {
    this.held?.release();
    this.#tick();
    const shares = this.#lines.parts(line, lanes);
    // Lanes arrive one behind the other, whichever queues they have.
    const parts = shares.length === 1 ? shares : lanesOf(lanes).map((lane) => (1 << lane) >>> 0);
    for (const part of parts) {
      const operation = make(part, this.#lines.left(line, part, this.isInFlight));
      this.fences.begins(operation);
      this.#begin(operation);
    }
    this.#count += bitsIn(lanes);
  }

  #begin(operation: Operation): Flight {
    const due = this.#moments.draw(this.#now);
    const flight = flightOf(operation, this.#count, due);
    this.#flights.add(flight);
    this.#note(flight);
    this.#marks.add(flight);
    if (operation.completion.kind === "group") this.#lines.join(operation.completion.line, flight);
    if (due <= this.#now) this.move(flight);
    else if (Number.isFinite(due)) this.#schedule(flight);
    return flight;
  }

  /** Commits the open group of a queue, or of the queues of these lanes of its warp. */
  commit(line: number, lanes: number = ownLane(line)): void {
    this.held?.release();
    this.#tick();
    this.#lines.commit(line, lanes);
  }

  /**
   * Waits for all groups of a queue, or of these lanes of its warp, but the last `pending`: they have happened from
   * now on. With `reads` only the bytes that they read may be touched again.
   */
  wait(line: number, pending: number, site: Site, reads: boolean = false, lanes: number = ownLane(line)): void {
    this.held?.release();
    this.#tick();
    for (const flight of this.#lines.due(line, lanes, pending, site, !reads)) {
      if (reads) this.#freeSource(flight);
      else this.order(flight);
    }
  }

  /** Waits for all operations of a queue, or of these lanes of its warp, committed or not. */
  waitAll(line: number, site: Site, lanes: number = ownLane(line)): void {
    this.held?.release();
    this.#lines.commit(line, lanes);
    this.wait(line, 0, site, false, lanes);
  }

  /** Moves the data of an operation now, if they have not moved yet. */
  move(flight: Flight): void {
    if (!flight.moved) for (const each of this.#inOnePhase(flight)) this.#move(each);
  }

  /** Marks an operation as having happened. */
  order(flight: Flight): void {
    if (!this.#flights.has(flight)) return;
    this.move(flight);
    const { after, afterReads, completion } = flight.operation;
    for (const earlier of after ?? []) this.order(earlier);
    for (const earlier of afterReads ?? []) this.#freeSource(earlier, true);
    this.#flights.delete(flight);
    if (completion.kind === "mbarrier") this.#signals.get(completion.at)?.delete(flight);
    this.#marks.remove(flight);
    this.fences.proxies.landed(flight.operation);
    this.#notifier.done(flight);
    flight.operation.ordered?.();
  }

  /** Operations in flight that conflict with an access to these bytes, whose pages must be known. */
  inTheWay(start: number, bytes: number, touch: Touch): readonly InTheWay[] {
    this.held?.release();
    const mask = touch === "read" ? IN_FLIGHT_WRITE : IN_FLIGHT_WRITE | IN_FLIGHT_READ;
    if (this.#flights.size === 0 || !this.#marks.marked({ start, bytes }, mask)) return [];
    this.#split(this.#marks.near({ start, bytes }));
    return this.#marks.near({ start, bytes }).flatMap((flight) => {
      const how = conflict(flight, start, bytes, touch);
      return how === undefined ? [] : [{ flight, how }];
    });
  }

  /** How many groups were committed after a flight's group; undefined where that is not committed. */
  newerGroups(flight: Flight): number | undefined {
    const { completion } = flight.operation;
    return completion.kind === "group" ? this.#lines.newer(completion.line, flight) : undefined;
  }

  /** What would order a flight of a group, and the last wait, which did not cover it. */
  advice(flight: Flight): ReturnType<BulkQueues["advice"]> | undefined {
    const { completion } = flight.operation;
    return completion.kind === "group" ? this.#lines.advice(completion.line, flight) : undefined;
  }

  /** A thread arrives at an mbarrier object, or changes what it counts; or each of these lanes does (see `Barriers.arrive`). */
  arrive(at: number, arrival: Arrival, by: BarrierOperation, lanes?: number): ReturnType<Barriers["arrive"]> {
    this.#tick();
    const made = this.barriers.arrive(at, arrival, by, lanes);
    if ("after" in made && made.after.phase !== made.before.phase) this.changed = true;
    if (arrival.count > 0) this.fences.proxies.arrived(by.thread, at);
    this.#notifier.counted(by.thread, at, arrival.order);
    return made;
  }

  /**
   * A test found the phase of an mbarrier object incomplete: operations that signal there move their data now, so
   * that a loop around the test terminates.
   */
  poll(at: number, by: BarrierOperation): void {
    this.#polls.set(at, by);
    this.#hasten(at);
  }

  /** The last unsuccessful test of a phase, by the offset of the object. */
  get polls(): ReadonlyMap<number, BarrierOperation> {
    return this.#polls;
  }

  /** A thread has seen that a phase of an mbarrier object is complete: what arrived in it has happened. */
  observe(at: number, phase: number, by: ThreadId): void {
    this.#polls.delete(at);
    const seen = [...(this.#signals.get(at) ?? [])].filter(
      (flight) => flight.phase !== undefined && phasesBetween(flight.phase, phase) >= 0,
    );
    for (const flight of seen) this.order(flight);
    this.fences.proxies.observed(
      by,
      at,
      seen.map(({ operation }) => operation.thread),
    );
  }

  /** A scheduling turn of a warp has ended. */
  turn(): void {
    if (this.#flights.size > 0) this.#tick();
  }

  /**
   * Called when no thread can go on: moves the data of operations that threads may wait for, oldest first, and of all
   * others when that completes no phase. False when nothing was left to move.
   */
  drain(): boolean {
    this.held?.release();
    const left = [...this.#flights].filter(({ moved }) => !moved);
    if (left.length === 0) return false;
    const signals = left.filter(({ operation }) => operation.completion.kind === "mbarrier");
    for (const flight of this.#moments.shuffle(signals.length > 0 ? signals : left))
      for (const each of this.#inOnePhase(flight)) {
        this.move(each);
        if (this.changed) return true;
      }
    return true;
  }

  /**
   * A block ends, whose shared memory is `[start, end)`: operations that its threads issued, and those that touch its
   * memory, happen now.
   */
  end(block: number, start: number, end: number): void {
    this.held?.release();
    if (this.#flights.size > 0) this.#endFlights(block, start, end);
    this.#lines.end(block);
    this.fences.end(block, start, end);
  }

  #endFlights(block: number, start: number, end: number): void {
    const inside = (range: ByteRange): boolean => range.start >= start && range.start < end;
    const touches = (flight: Flight): boolean => flight.operation.writes.some(inside) || readsLeft(flight).some(inside);
    const ends = (flight: Flight): boolean => flight.operation.thread.block === block || touches(flight);
    this.#split([...this.#flights].filter(ends));
    for (const flight of [...this.#flights].filter(ends)) {
      const { completion } = flight.operation;
      if (completion.kind === "group") this.#lines.forget(completion.line);
      this.#judge.unawaited(flight, touches(flight));
      this.order(flight);
    }
  }

  save(): AsyncImage {
    this.held?.release();
    return {
      flights: [...this.#flights].map((flight) => ({ flight, state: { ...flight } })),
      lines: this.#lines.save(),
      moments: [this.#count, this.#now],
      random: this.#moments.state,
      changed: this.changed,
      barriers: this.barriers.save(),
      polls: new Map(this.#polls),
      fences: this.fences.save(),
    };
  }

  /** Called after the memory has been restored. */
  restore({ flights, lines, moments, random, changed, barriers, polls, fences }: AsyncImage): void {
    this.held?.drop();
    this.fences.restore(fences);
    this.#flights = new Set(flights.map(({ flight, state }) => Object.assign(flight, state)));
    this.#lines.restore(lines);
    [this.#count, this.#now] = moments;
    this.#moments.state = random;
    this.changed = changed;
    this.barriers.restore(barriers);
    this.#polls = new Map(polls);
    this.#marks.rebuild(this.#flights);
    this.#due.clear();
    this.#signals.clear();
    for (const flight of this.#flights) this.#note(flight);
    for (const flight of this.#flights) if (!flight.moved && Number.isFinite(flight.due)) this.#schedule(flight);
  }

  /** Replaces an operation of several lanes by one operation for each lane, and so those that it happens behind; returns these. */
  #split(flights: Iterable<Flight>): ReadonlyMap<Flight, readonly Flight[]> {
    const parts = new Map<Flight, readonly Flight[]>();
    const splitOne = (flight: Flight): void => {
      if (flight.operation.together === undefined || parts.has(flight)) return;
      for (const earlier of flight.operation.after ?? []) splitOne(earlier);
      parts.set(flight, partsOf(flight));
    };
    for (const flight of flights) splitOne(flight);
    if (parts.size === 0) return parts;
    for (const there of this.#signals.values())
      for (const flight of there) for (const own of parts.get(flight) ?? [flight]) putBehindParts(own, parts);
    const all = [...this.#flights].flatMap((each) => parts.get(each) ?? [each]);
    this.#flights = new Set(all.sort((a, b) => a.number - b.number));
    for (const [whole, own] of parts) {
      const { completion } = whole.operation;
      if (completion.kind === "group") this.#lines.replace(completion.line, whole, own);
      if (completion.kind === "mbarrier") this.#replaceSignal(completion.at, whole, own);
      this.#marks.replace(whole, own);
    }
    return parts;
  }

  /** Replaces an operation that signals at `at`. */
  #replaceSignal(at: number, whole: Flight, parts: readonly Flight[]): void {
    const there = [...(this.#signals.get(at) ?? [])];
    this.#signals.set(at, new Set(there.flatMap((each) => (each === whole ? parts : [each]))));
  }

  /** An operation, or those of its lanes where their arrivals do not fall into one phase. */
  #inOnePhase(flight: Flight): readonly Flight[] {
    const { completion, together } = flight.operation;
    if (together === undefined || completion.kind !== "mbarrier") return [flight];
    if (this.barriers.awaits(completion.at, bitsIn(together.lanes))) return [flight];
    return this.#split([flight]).get(flight) ?? [flight];
  }

  #hasten(at: number): void {
    for (const flight of [...(this.#signals.get(at) ?? [])]) this.move(flight);
  }

  #note(flight: Flight): void {
    const { completion } = flight.operation;
    if (completion.kind !== "mbarrier") return;
    const there = this.#signals.get(completion.at);
    if (there === undefined) this.#signals.set(completion.at, new Set([flight]));
    else there.add(flight);
  }

  #schedule(flight: Flight): void {
    const there = this.#due.get(flight.due);
    if (there === undefined) this.#due.set(flight.due, [flight]);
    else there.push(flight);
  }

  /** Advances by one moment: operations that are due move. */
  #tick(): void {
    this.#now++;
    const due = this.#due.get(this.#now);
    if (due === undefined) return;
    this.#due.delete(this.#now);
    for (const flight of due) this.move(flight);
  }

  #move(flight: Flight): void {
    const { operation } = flight;
    const { pipeline } = operation;
    if (pipeline !== undefined)
      for (const earlier of this.#flights)
        if (earlier.number < flight.number && earlier.operation.pipeline === pipeline) this.move(earlier);
    for (const earlier of [...(operation.after ?? []), ...(operation.afterReads ?? [])]) this.move(earlier);
    flight.moved = true;
    this.#notifier.moves(operation);
    for (const { start, bytes } of operation.writes) this.#memory.initialise(start, bytes);
    for (const { start, bytes } of operation.indeterminate ?? []) this.#memory.forget(start, bytes);
    if (operation.completion.kind === "mbarrier") this.#arrive(flight, operation.completion);
  }

  /** Signals an operation's mbarrier object, after its data have moved. */
  #arrive(flight: Flight, { at, bytes, arrivals = 0, inspects }: Completion & { kind: "mbarrier" }): void {
    const { site, thread, reads, after = [], afterReads = [], together } = flight.operation;
    const found = inspects !== undefined && matches(this.#memory.data, reads, inspects);
    const arrival = { count: arrivals, completes: bytes, ...(found && { reports: 0 }) };
    const made = this.barriers.arrive(at, arrival, { site, thread }, together?.lanes);
    if (!("after" in made)) {
      const { code, message, related } = made;
      this.#report({
        code,
        severity: "error",
        thread,
        site,
        message: `${message}, when it completes`,
        related,
        help: [],
      });
      return;
    }
    flight.phase = made.before.phase;
    if (made.after.phase !== made.before.phase) this.changed = true;
    // A thread that sees the phase complete also observes this operation and those before it.
    for (const each of [...after, flight]) this.#notifier.done(each, at);
    for (const each of afterReads) this.#tellReads(each, true);
    this.#notifier.arrived(thread, site, at);
  }

  /** With `early` only what it reads early. */
  #freeSource(flight: Flight, early = false): void {
    const { operation, sourceFree, freed } = flight;
    if (!this.#flights.has(flight) || sourceFree || (early && freed === (operation.early ?? 0))) return;
    // At the latest now the source is read; the write may become visible later, but nothing can tell the difference.
    this.move(flight);
    this.#tellReads(flight, early);
    this.#marks.freeSource(flight, early);
  }

  /** An early read is told of as often as it is waited for, which says no less of its order. */
  #tellReads(flight: Flight, early: boolean): void {
    if (flight.reported) return;
    const reads = readsLeft(flight);
    this.#notifier.read(flight, early ? reads.slice(0, (flight.operation.early ?? 0) - flight.freed) : reads);
  }
}

const flightOf = (operation: Operation, number: number, due: number): Flight => ({
  operation,
  number,
  due,
  moved: false,
  sourceFree: false,
  freed: 0,
  phase: undefined,
  reported: false,
});
