import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { Memory } from "../memory/memory.ts";
import { MBARRIER } from "../memory/shadow.ts";
import type { BarrierError, Barriers } from "./barriers.ts";
import type { Touch } from "./flight.ts";
import type { Marks } from "./marks.ts";
import type { ByteRange, Flight, Operation, Site } from "./operation.ts";

/** An error of the program that the engine itself detects. `with`: the other operation involved. */
export interface AsyncFinding {
  readonly code: "PTX4022" | "PTX4023" | "PTX4024" | "PTX4025" | "PTX4028" | "PTX4030" | BarrierError["code"];
  readonly severity: "error" | "note";
  readonly thread: ThreadId;
  readonly site: Site;
  /** What happened, behind the opcode. */
  readonly message: string;
  readonly related: readonly { readonly site: Site; readonly thread: ThreadId; readonly message: string }[];
  readonly help: readonly string[];
}

/** An operation that conflicts with an access, and how it touches the bytes. */
export interface InTheWay {
  readonly flight: Flight;
  readonly how: "writes" | "reads";
}

interface JudgeOptions {
  readonly memory: Memory;
  readonly marks: Marks;
  readonly barriers: Barriers;
  readonly report: (finding: AsyncFinding) => void;
  /** Operations that conflict with a touch. */
  readonly inTheWay: (start: number, bytes: number, touch: Touch) => readonly InTheWay[];
  /** What would order a flight. */
  readonly advice: (flight: Flight) => string | undefined;
}

/** Judges conflicts between operations, and operations that are never waited for. */
export class Judge {
  readonly #options: JudgeOptions;

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /** An operation begins: two in flight on the same bytes, at least one of which writes them, have no order. */
  begins(operation: Operation): void {
    const { reads, writes, updates, pipeline } = operation;
    for (const range of [...reads, ...writes]) this.#options.memory.know(range.start, range.bytes);
    for (const range of [...reads, ...writes]) this.#sparesBarriers(operation, range);
    const meet = (range: ByteRange, touch: Touch): void => {
      for (const { flight, how } of this.#options.inTheWay(range.start, range.bytes, touch)) {
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

  /** Only mbarrier instructions may touch an mbarrier object. */
  #sparesBarriers({ thread, site, what }: Operation, range: ByteRange): void {
    if (!this.#options.marks.marked(range, MBARRIER)) return;
    const { u8 } = this.#options.memory.shadow;
    let at = range.start;
    while ((u8[at]! & MBARRIER) === 0) at++;
    const made = this.#options.barriers.maker(at);
    this.#options.report({
      code: "PTX4030",
      severity: "error",
      thread,
      site,
      message: `has an mbarrier object in what its ${what} touches`,
      related: made === undefined ? [] : [{ ...made, message: `${made.site.opcode}, which has made the object` }],
      help: [],
    });
  }

  #clash(operation: Operation, flight: Flight, touch: Touch, how: "writes" | "reads"): void {
    const { operation: other } = flight;
    const does = touch === "read" ? "reads" : touch === "write" ? "writes" : "updates";
    const advice = this.#options.advice(flight);
    this.#options.report({
      code: "PTX4022",
      severity: "error",
      thread: operation.thread,
      site: operation.site,
      message: `${does} what ${other.site.opcode}, still in flight, ${how}: the two are not ordered`,
      related: [{ site: other.site, thread: other.thread, message: `${other.site.opcode}, not waited for yet` }],
      help: advice === undefined ? [] : [advice],
    });
  }

  /** Reports an operation of a block, or on its shared memory, that has not been waited for when the block ends. */
  unawaited({ operation, sourceFree }: Flight, touches: boolean): void {
    const { site, thread, proxy, what, completion } = operation;
    // Another thread may have observed the mbarrier's phase; without a completion the program cannot wait at all.
    if (completion.kind === "none") return;
    // A program that waits only until sources have been read leaves the rest to the end of the kernel.
    if (sourceFree && !touches) return;
    const gone = proxy === "async" && touches;
    this.#options.report({
      code: gone ? "PTX4024" : "PTX4023",
      severity: gone ? "error" : "note",
      site,
      thread,
      message: gone
        ? `is still in flight when the block ends whose shared memory its ${what} needs`
        : "is never waited for: nothing can rely on what it does",
      related: [],
      help: [],
    });
  }
}

/** Whether two threads issue the same copy: then there is no doubt about what is written. */
function same(a: Operation, b: Operation): boolean {
  const alike = (one: readonly ByteRange[], other: readonly ByteRange[]): boolean =>
    one.length === other.length &&
    one.every(({ start, bytes }, index) => start === other[index]!.start && bytes === other[index]!.bytes);
  return a.site.pc === b.site.pc && a.reads.length > 0 && alike(a.reads, b.reads) && alike(a.writes, b.writes);
}
