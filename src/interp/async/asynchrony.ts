import type { Observer } from "../contract/observer.ts";
import type { ThreadId } from "../contract/thread-id.ts";
import type { Memory } from "../memory/memory.ts";
import { IN_FLIGHT_READ, IN_FLIGHT_WRITE, WINDOWED } from "../memory/shadow.ts";
import { conflict, type Flight, type Touch } from "./flight.ts";
import { type Line, Lines } from "./lines.ts";
import { Marks } from "./marks.ts";
import { packBarrier, phasesBetween, settled, unpackBarrier } from "./mbarrier-object.ts";
import { Moments, type Moving } from "./moving.ts";
import type { ByteRange, Operation, Site } from "./operation.ts";

/** A mistake of the program that the engine sees by itself. `with`: the other operation that has a part in it. */
export interface AsyncFinding {
  readonly code: "PTX4022" | "PTX4023" | "PTX4024";
  readonly severity: "error" | "note";
  readonly thread: ThreadId;
  readonly site: Site;
  /** What happened, behind the opcode. */
  readonly message: string;
  readonly related: readonly { readonly site: Site; readonly thread: ThreadId; readonly message: string }[];
  readonly help: readonly string[];
}

interface AsynchronyOptions {
  readonly memory: Memory;
  readonly moving: Moving;
  readonly observers: readonly Observer[];
  report(finding: AsyncFinding): void;
}

/** An operation in the way of an access, and what it does to the bytes. */
export interface InTheWay {
  readonly flight: Flight;
  readonly how: "writes" | "reads";
}

/**
 * The asynchronous operations of a launch between the instructions that ask for them and the waits that order them. When
 * the data move is the policy's affair; what an operation touches is in the way of others until it is waited for,
 * whenever that is, so that a wait that is missing is found under every policy.
 */
export class Asynchrony {
  readonly #memory: Memory;
  readonly #observers: readonly Observer[];
  readonly #report: AsynchronyOptions["report"];
  readonly #moments: Moments;
  readonly #marks: Marks;
  readonly #lines: Lines = new Lines();
  /** In the order in which they were asked for. */
  #flights: Set<Flight> = new Set();
  /** By moment: what has to move then. */
  readonly #due: Map<number, Flight[]> = new Map();
  /** Operations so far, and moments so far: calls of the engine and turns of warps. */
  #count = 0;
  #now = 0;
  /** Set when the phase of an mbarrier object has been completed, until somebody has looked for whoever waits for it. */
  completed = false;

  constructor({ memory, moving, observers, report }: AsynchronyOptions) {
    this.#memory = memory;
    this.#observers = observers;
    this.#report = report;
    this.#moments = new Moments(moving);
    this.#marks = new Marks(memory);
  }

  /** What nobody has waited for yet, in the order in which it was asked for. */
  get flights(): Iterable<Flight> {
    return this.#flights;
  }

  get idle(): boolean {
    return this.#flights.size === 0;
  }

  /** Begins an operation. What is in the way of it is a finding, as two operations in flight have no order. */
  issue(operation: Operation): Flight {
    this.#tick();
    this.#judge(operation);
    const due = this.#moments.draw(this.#now);
    const flight: Flight = {
      ...{ operation, number: this.#count++, due },
      ...{ moved: false, sourceFree: false, phase: undefined },
    };
    this.#flights.add(flight);
    this.#marks.add(flight);
    if (operation.completion.kind === "group") this.#lines.join(operation.completion.line, flight);
    if (due <= this.#now) this.#move(flight);
    else if (Number.isFinite(due)) this.#schedule(flight);
    return flight;
  }

  /** What a line has asked for since the last time becomes a group. */
  commit(line: number): void {
    this.#tick();
    this.#lines.commit(line);
  }

  /**
   * Waits for all groups of a line but the last `pending`: they have happened from now on. With `reads` only what they
   * read may be touched again.
   */
  wait(line: number, pending: number, site: Site, reads: boolean = false): void {
    this.#tick();
    for (const flight of this.#lines.due(line, pending, site, !reads)) {
      if (reads) this.#freeSource(flight);
      else this.order(flight);
    }
  }

  /** Waits for all that a line has asked for, committed or not. */
  waitAll(line: number, site: Site): void {
    this.#lines.commit(line);
    this.wait(line, 0, site);
  }

  /** What a line has in flight, oldest first. */
  inLine(line: number): readonly Flight[] {
    return this.#lines.all(line);
  }

  /** Moves its data now, if they have not yet. */
  move(flight: Flight): void {
    if (!flight.moved) this.#move(flight);
  }

  /** From now on an operation has happened. */
  order(flight: Flight): void {
    if (!this.#flights.has(flight)) return;
    this.move(flight);
    this.#flights.delete(flight);
    this.#marks.remove(flight);
    this.#tell(flight);
  }

  /** Operations in flight that are in the way of an access to these bytes, whose pages must be known. */
  inTheWay(start: number, bytes: number, touch: Touch): readonly InTheWay[] {
    const mask = touch === "read" ? IN_FLIGHT_WRITE : IN_FLIGHT_WRITE | IN_FLIGHT_READ;
    if (this.#flights.size === 0 || !this.#marks.marked({ start, bytes }, mask)) return [];
    return this.#marks.near({ start, bytes }).flatMap((flight) => {
      const how = conflict(flight, start, bytes, touch);
      return how === undefined ? [] : [{ flight, how }];
    });
  }

  /** What would order a flight of a group, and the last wait, which has left it. */
  advice(flight: Flight): ReturnType<Lines["advice"]> | undefined {
    const { completion } = flight.operation;
    return completion.kind === "group" ? this.#lines.advice(completion.line, flight) : undefined;
  }

  /** Somebody has seen that a phase of an mbarrier object is complete: what arrived in it has happened. */
  observe(at: number, phase: number): void {
    for (const flight of [...this.#flights]) {
      const { completion } = flight.operation;
      if (completion.kind !== "mbarrier" || completion.at !== at || flight.phase === undefined) continue;
      if (phasesBetween(flight.phase, phase) >= 0) this.order(flight);
    }
  }

  /** A turn of a warp has ended. */
  turn(): void {
    if (this.#flights.size > 0) this.#tick();
  }

  /**
   * Nobody else can go on: moves the data of what somebody may wait for, oldest first, and of all that is left when that
   * completes no phase. False when nothing was left to move.
   */
  drain(): boolean {
    const left = [...this.#flights].filter(({ moved }) => !moved);
    if (left.length === 0) return false;
    const signals = left.filter(({ operation }) => operation.completion.kind === "mbarrier");
    for (const flight of this.#moments.shuffle(signals.length > 0 ? signals : left)) {
      this.move(flight);
      if (this.completed) break;
    }
    return true;
  }

  /** Moves the data of what arrives at an mbarrier object, since somebody asks again and again whether it has. */
  hasten(at: number): void {
    for (const flight of [...this.#flights]) {
      const { completion } = flight.operation;
      if (completion.kind === "mbarrier" && completion.at === at) this.move(flight);
    }
  }

  /**
   * A block ends, whose shared memory is `[start, end)`: what its threads have asked for, and what touches its memory,
   * happens now.
   */
  end(block: number, start: number, end: number): void {
    const inside = (range: ByteRange): boolean => range.start >= start && range.start < end;
    for (const flight of [...this.#flights]) {
      const { operation } = flight;
      const touches = operation.writes.some(inside) || operation.reads.some(inside);
      if (operation.thread.block !== block && !touches) continue;
      if (operation.completion.kind === "group") this.#lines.forget(operation.completion.line);
      this.#unawaited(flight, touches);
      this.order(flight);
    }
  }

  save(): AsyncImage {
    return {
      flights: [...this.#flights].map((flight) => ({ flight, state: { ...flight } })),
      lines: this.#lines.save(),
      moments: [this.#count, this.#now],
      random: this.#moments.state,
      completed: this.completed,
    };
  }

  /** After the memory has been put back. */
  restore({ flights, lines, moments, random, completed }: AsyncImage): void {
    this.#flights = new Set(flights.map(({ flight, state }) => Object.assign(flight, state)));
    this.#lines.restore(lines);
    [this.#count, this.#now] = moments;
    this.#moments.state = random;
    this.completed = completed;
    this.#marks.rebuild(this.#flights);
    this.#due.clear();
    for (const flight of this.#flights) if (!flight.moved && Number.isFinite(flight.due)) this.#schedule(flight);
  }

  #schedule(flight: Flight): void {
    const there = this.#due.get(flight.due);
    if (there === undefined) this.#due.set(flight.due, [flight]);
    else there.push(flight);
  }

  /** One more moment: what is due moves. */
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
    flight.moved = true;
    operation.perform();
    for (const { start, bytes } of operation.writes) this.#memory.initialise(start, bytes);
    const { completion } = operation;
    if (completion.kind === "mbarrier") this.#arrive(flight, completion.at, completion.bytes, completion.arrivals ?? 0);
  }

  /** What an operation tells its mbarrier object when its data have moved. */
  #arrive(flight: Flight, at: number, bytes: number, arrivals: number): void {
    const { u64 } = this.#memory.data;
    const state = unpackBarrier(u64[at >>> 3]!);
    flight.phase = state.phase;
    const next = settled({ ...state, tx: state.tx - bytes, pending: state.pending - arrivals });
    u64[at >>> 3] = packBarrier(next);
    if (next.phase !== state.phase) this.completed = true;
  }

  #freeSource(flight: Flight): void {
    if (!this.#flights.has(flight) || flight.sourceFree) return;
    // What it reads is read at the latest now; what it writes may well be seen later, but nobody can tell.
    this.move(flight);
    this.#marks.freeSource(flight);
  }

  /** Two operations in flight on the same bytes, at least one of which writes them. */
  #judge(operation: Operation): void {
    const { reads, writes, updates, pipeline } = operation;
    for (const range of [...reads, ...writes]) this.#memory.know(range.start, range.bytes);
    const meet = (range: ByteRange, touch: Touch): void => {
      for (const { flight, how } of this.inTheWay(range.start, range.bytes, touch)) {
        const other = flight.operation;
        if (pipeline !== undefined && other.pipeline === pipeline) continue;
        if (touch === "write" && how === "writes" && same(operation, other)) continue;
        this.#clash(operation, flight, touch, how);
        return;
      }
    };
    for (const range of reads) meet(range, "read");
    for (const range of writes) meet(range, updates ? "update" : "write");
  }

  #clash(operation: Operation, flight: Flight, touch: Touch, how: "writes" | "reads"): void {
    const { operation: other } = flight;
    const does = touch === "read" ? "reads" : touch === "write" ? "writes" : "updates";
    const advice = this.advice(flight);
    this.#report({
      ...{ code: "PTX4022", severity: "error", thread: operation.thread, site: operation.site },
      message: `${does} what ${other.site.opcode}, still in flight, ${how}: the two have no order`,
      related: [{ site: other.site, thread: other.thread, message: `${other.site.opcode}, not waited for yet` }],
      help: advice === undefined ? [] : [advice.help],
    });
  }

  /** The end of a block, for which an operation of its own, or on its shared memory, has not been waited. */
  #unawaited({ operation }: Flight, touches: boolean): void {
    const { site, thread, proxy, what, completion } = operation;
    // Of an mbarrier others may have seen the end, and what nothing tells of cannot be waited for.
    if (completion.kind === "none") return;
    const gone = proxy === "async" && touches;
    this.#report({
      ...{ code: gone ? "PTX4024" : "PTX4023", severity: gone ? "error" : "note", site, thread },
      message: gone
        ? `is still in flight when the block ends whose shared memory its ${what} needs`
        : "is never waited for: nobody can rely on what it does",
      related: [],
      help: [],
    });
  }

  /** Tells observers what an operation has done, as accesses of its thread at the wait. */
  #tell({ operation }: Flight): void {
    if (this.#observers.length === 0) return;
    const { thread, reads, writes, updates, site } = operation;
    for (const observer of this.#observers) {
      for (const { start, bytes } of reads)
        observer.load?.(thread, this.#space(start), BigInt(start), bytes, "weak", "gpu", start, site.pc);
      for (const { start, bytes } of writes)
        if (updates)
          observer.atomic?.(thread, this.#space(start), BigInt(start), bytes, "relaxed", "gpu", start, site.pc);
        else
          observer.store?.(thread, this.#space(start), BigInt(start), bytes, "weak", "gpu", start, undefined, site.pc);
    }
  }

  #space(at: number): "shared" | "global" {
    return (this.#memory.shadow.u8[at]! & WINDOWED) === 0 ? "global" : "shared";
  }
}

/** Several threads may ask for the same copy: that leaves no doubt about what is written. */
function same(a: Operation, b: Operation): boolean {
  const alike = (one: readonly ByteRange[], other: readonly ByteRange[]): boolean =>
    one.length === other.length &&
    one.every(({ start, bytes }, index) => start === other[index]!.start && bytes === other[index]!.bytes);
  return a.site.pc === b.site.pc && a.reads.length > 0 && alike(a.reads, b.reads) && alike(a.writes, b.writes);
}

/** What a snapshot keeps. */
export interface AsyncImage {
  readonly flights: readonly { readonly flight: Flight; readonly state: Flight }[];
  readonly lines: ReadonlyMap<number, Line>;
  readonly moments: readonly [count: number, now: number];
  readonly random: number | undefined;
  readonly completed: boolean;
}
