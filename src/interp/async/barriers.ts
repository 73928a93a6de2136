import { bitsIn, highest } from "../contract/launch/lane-mask.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { ArrivalOrder } from "../contract/observer.ts";
import type { BarrierLayout } from "../contract/plan/plan-async.ts";
import type { Memory } from "../memory/memory.ts";
import { INITIALISED, MBARRIER } from "../memory/shadow.ts";
import {
  BARRIER_BYTES,
  type BarrierState,
  MOST_TRANSACTIONS,
  mostArrivals,
  packBarrier,
  REPORTED,
  settled,
  unpackBarrier,
} from "./mbarrier-object.ts";
import type { Site } from "./operation.ts";

/** One thread's execution of an instruction. */
export interface BarrierOperation {
  readonly site: Site;
  readonly thread: ThreadId;
}

/** Behaviour that the manual leaves undefined, as a message behind the opcode, and the other instruction involved. */
export interface BarrierError {
  readonly code: "PTX3031" | "PTX3032" | "PTX3033";
  readonly message: string;
  readonly related: readonly (BarrierOperation & { readonly message: string })[];
}

/** An object's history, for messages; the object itself is in memory. */
interface History {
  /** The instruction that initialised or invalidated it. */
  readonly made?: BarrierOperation;
  readonly gone?: BarrierOperation;
  /** Without it `v0`. */
  readonly layout?: "v1";
  /** The last arrivals, the newest last. */
  readonly arrivals: readonly BarrierOperation[];
}

const REMEMBERED = 3;

/** The kind of an arrival, by a thread or an operation. */
export interface Arrival {
  readonly count: number;
  /** Transactions to expect from now on, and those that are complete. */
  readonly expects?: number;
  readonly completes?: number;
  /** A report-on operation: the predicate is set, and these bits in the value. */
  readonly reports?: number;
  /** Later phases expect this many arrivals fewer. */
  readonly drop?: boolean;
  /** The arrival must not complete the phase. */
  readonly incomplete?: boolean;
  /** Relaxed in the cluster by default. */
  readonly order?: ArrivalOrder;
}

/** The mbarrier objects of a launch, by their offsets in memory's buffer. */
export class Barriers {
  readonly #memory: Memory;
  #histories: Map<number, History> = new Map();

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** True for the offset of an object that has been initialised and not invalidated; its page must be known. */
  isObject(at: number): boolean {
    return this.#memory.all(at, BARRIER_BYTES, MBARRIER, MBARRIER);
  }

  state(at: number): BarrierState {
    const { u32 } = this.#memory.data;
    return unpackBarrier(u32[at >>> 2]!, u32[(at >>> 2) + 1]!, this.layout(at));
  }

  layout(at: number): BarrierLayout {
    return this.#histories.get(at)?.layout ?? "v0";
  }

  /** The initialisation of the object that covers the byte at `at`. */
  maker(at: number): BarrierOperation | undefined {
    return this.#histories.get(at & -BARRIER_BYTES)?.made;
  }

  /** Offsets of all objects there are now. */
  *objects(): Iterable<number> {
    for (const [at, { made }] of this.#histories) if (made !== undefined && this.isObject(at)) yield at;
  }

  /** Initialises an object for `count` arrivals. */
  init(at: number, count: number, by: BarrierOperation, layout: BarrierLayout = "v0"): BarrierError | undefined {
    const most = mostArrivals(layout);
    if (count < 1 || count > most) return outside("initialises an mbarrier object for", count, [1, most]);
    const reports = { now: 0, last: 0, conditional: 0 };
    this.#put(at, { pending: count, expected: count, tx: 0, phase: 0, ...(layout === "v1" && { reports }) });
    const { u8 } = this.#memory.shadow;
    this.#memory.worsens(at);
    for (let byte = at; byte < at + BARRIER_BYTES; byte++) u8[byte]! |= MBARRIER | INITIALISED;
    this.#histories.set(at, { made: by, arrivals: [], ...(layout === "v1" && { layout }) });
    return undefined;
  }

  /** Turns an object into ordinary memory. */
  invalidate(at: number, by: BarrierOperation): BarrierError | undefined {
    const error = this.#missing(at);
    if (error !== undefined) return error;
    const { u8 } = this.#memory.shadow;
    this.#memory.worsens(at);
    for (let byte = at; byte < at + BARRIER_BYTES; byte++) u8[byte]! &= ~(MBARRIER | INITIALISED);
    this.#histories.set(at, { gone: by, arrivals: [] });
    return undefined;
  }

  /** Checks that the object can be waited for; returns the error otherwise. */
  check(at: number): BarrierError | undefined {
    return this.#missing(at);
  }

  /**
   * Applies an arrival, which may complete the phase; or one of each of these lanes, if the phase awaits so many. An arrival that is an
   * error changes nothing.
   */
  arrive(
    at: number,
    { count: times, expects = 0, completes = 0, reports: reported, drop, incomplete }: Arrival,
    by: BarrierOperation,
    lanes?: number,
  ): { readonly before: BarrierState; readonly after: BarrierState } | BarrierError {
    const missing = this.#missing(at);
    if (missing !== undefined) return missing;
    const count = lanes === undefined ? times : times * bitsIn(lanes);
    const before = this.state(at);
    for (const [what, amount] of [
      ["expects", expects],
      ["completes", completes],
    ] as const)
      if (amount > MOST_TRANSACTIONS) return outside(what, amount, [0, MOST_TRANSACTIONS]);
    const tx = before.tx + expects - completes;
    if (Math.abs(tx) > MOST_TRANSACTIONS)
      return this.#wrong(
        "PTX3032",
        at,
        `makes its tx-count ${tx}, and ${MOST_TRANSACTIONS} is the limit in both directions`,
      );
    const most = mostArrivals(this.layout(at));
    if (count > most) return outside("arrives", count, [0, most]);
    const pending = before.pending - count;
    if (pending < 0) {
      const left = before.pending === 0 ? "none is" : before.pending === 1 ? "only 1 is" : `only ${before.pending} are`;
      const times = count === 1 ? "arrives" : `arrives ${count} times`;
      return this.#wrong("PTX3033", at, `${times} where ${left} pending in phase ${before.phase}`);
    }
    const expected = before.expected - (drop ? count : 0);
    if (expected < 0) return this.#wrong("PTX3033", at, `drops ${count} of ${before.expected} expected arrivals`);
    const reports = before.reports && {
      ...before.reports,
      now: before.reports.now | (reported === undefined ? 0 : REPORTED | reported),
    };
    const after = settled({ pending, expected, tx, phase: before.phase, ...(reports && { reports }) });
    if (incomplete && after.phase !== before.phase)
      return this.#wrong("PTX3033", at, "completes the phase, which .noComplete promises that it does not");
    this.#put(at, after);
    if (count > 0) this.#note(at, by, lanes);
    return { before, after };
  }

  /** Whether an object waits for as many arrivals as these in its phase, at least. */
  awaits(at: number, arrivals: number): boolean {
    return this.isObject(at) && this.state(at).pending >= arrivals;
  }

  /** So many more arrivals are pending in this phase (cp.async.mbarrier.arrive without .noinc); none if those are too many. */
  increment(at: number, arrivals: number): BarrierError | undefined {
    const missing = this.#missing(at);
    if (missing !== undefined) return missing;
    const state = this.state(at);
    const most = mostArrivals(this.layout(at));
    if (state.pending + arrivals > most) return outside("makes its pending count", most + 1, [0, most]);
    this.#put(at, { ...state, pending: state.pending + arrivals });
    return undefined;
  }

  /** `at 0x20: phase 1, 3 of 4 arrivals are pending, 128 bytes are missing`, behind its name. */
  describe(at: number): string {
    const { pending, expected, tx, phase, reports } = this.state(at);
    const arrivals =
      pending === 0 ? "all have arrived" : `${pending} of ${expected} arrivals ${pending === 1 ? "is" : "are"} pending`;
    const bytes = tx === 0 ? "no bytes are missing" : tx > 0 ? `${tx} bytes are missing` : `${-tx} bytes are too many`;
    const reported = reports?.now ? ", something was reported" : "";
    return `phase ${phase}, ${arrivals}, ${bytes}${reported}`;
  }

  save(): ReadonlyMap<number, unknown> {
    return new Map(this.#histories);
  }

  restore(histories: ReadonlyMap<number, unknown>): void {
    this.#histories = new Map(histories as ReadonlyMap<number, History>);
  }

  #put(at: number, state: BarrierState): void {
    const { u32 } = this.#memory.data;
    [u32[at >>> 2], u32[(at >>> 2) + 1]] = packBarrier(state);
  }

  #note(at: number, by: BarrierOperation, lanes: number | undefined): void {
    const history = this.#histories.get(at);
    const { block, warp } = by.thread;
    const ofLane = (lane: number): BarrierOperation => ({ site: by.site, thread: { block, warp, lane } });
    const more = lanes === undefined ? [by] : highest(lanes, REMEMBERED).map(ofLane);
    const arrivals = more.length < REMEMBERED ? [...(history?.arrivals ?? []), ...more].slice(-REMEMBERED) : more;
    this.#histories.set(at, { ...history, arrivals });
  }

  #missing(at: number): BarrierError | undefined {
    if (this.isObject(at)) return undefined;
    const { gone } = this.#histories.get(at) ?? {};
    if (gone === undefined)
      return { code: "PTX3031", message: "finds no mbarrier object: nothing has initialised it", related: [] };
    const related = [{ ...gone, message: `${gone.site.opcode}, which made it ordinary memory` }];
    return { code: "PTX3031", message: "finds no mbarrier object: it has been invalidated", related };
  }

  #wrong(code: BarrierError["code"], at: number, message: string): BarrierError {
    const { made, arrivals = [] } = this.#histories.get(at) ?? {};
    return {
      code,
      message,
      related: [
        ...arrivals
          .toReversed()
          .map((operation) => ({ ...operation, message: `${operation.site.opcode}, which has arrived before` })),
        ...(made === undefined ? [] : [{ ...made, message: `${made.site.opcode}, where its count was said` }]),
      ],
    };
  }
}

const outside = (what: string, amount: number, [least, most]: readonly [number, number]): BarrierError => ({
  code: "PTX3032",
  related: [],
  message: `${what} ${amount}, where ${least} to ${most} is possible`,
});
