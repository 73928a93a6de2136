import type { Program } from "../contract/program.ts";
import type { LaunchState } from "../machine/launch.ts";
import { startSession } from "../machine/running.ts";
import type { Session } from "../machine/session.ts";
import { ledgerOf } from "../memory/ledger.ts";
import { Linear } from "../memory/linear.ts";
import { type Memory, PAGE } from "../memory/memory.ts";
import { Overlay } from "../memory/overlay.ts";
import type { CtaSlot } from "../schedule/cta-slot.ts";
import type { Part } from "../schedule/schedule.ts";
import type { Executor } from "../state/executor.ts";
import { Board, type GivenUp, givenUp, workerState } from "./board.ts";
import type { LaunchMessage, MemoryMessage, PoolMessage, RangeMessage } from "./message.ts";

/**
 * Instructions between two signs of life; and in the first blocks of a range, which end early. A compiled program leaves its
 * module there, and JavaScript executes what is left up to that very instruction.
 */
const SLICE = 500_000;
const SHORT = 2_000;
/** The early part of a range: there it may touch pages that the range before it touches as well. */
const EARLY = 1 / 8;

/** One worker: runs blocks of launches on an overlay, and commits their stores to the memory on request. */
export class Member {
  readonly #executors: ReadonlyMap<string, Executor>;
  readonly #programs: Map<number, Program> = new Map();
  #index = 0;
  #board: Board | undefined;
  #overlay: Overlay | undefined;
  #changed: Uint8Array = new Uint8Array();
  #launch: LaunchMessage | undefined;
  #session: Session | undefined;
  #printed = false;
  readonly #takes: number;
  /** How often it has taken blocks in this round. */
  #taken = 0;

  /** `executors`: by the names in launch messages. `takes`: how often it takes blocks in a round at most. */
  constructor(executors: ReadonlyMap<string, Executor>, takes: number = Number.POSITIVE_INFINITY) {
    this.#executors = executors;
    this.#takes = takes;
  }

  receive(message: PoolMessage): void {
    if (message.kind === "memory") this.#move(message);
    else if (message.kind === "launch") this.#begin(message);
    else this.#run(message);
  }

  #move({ index, limit, base, own, board, ledger, changed }: MemoryMessage): void {
    const below = new Linear(base);
    const pages = Math.ceil(below.distance / PAGE);
    this.#index = index;
    this.#board = new Board(board);
    this.#changed = new Uint8Array(changed);
    this.#session = undefined;
    this.#overlay = new Overlay({ limit, linear: new Linear(own), base: below, ledger: ledgerOf(ledger, pages) });
  }

  #begin(message: LaunchMessage): void {
    this.#forget();
    this.#launch = message;
    const { id, made, executor } = message;
    if (message.program !== undefined) this.#programs.set(id, message.program);
    if (made !== undefined) this.#executors.get(executor)?.take?.(this.#programs.get(id)!, made);
    this.#overlay?.refresh();
  }

  /** Runs the blocks of a range; the launch then decides what becomes of them: see `conclude`. */
  #run(range: RangeMessage): void {
    const board = this.#board!;
    let why: GivenUp = givenUp.bug;
    let steps = 0;
    let last = -1;
    this.#taken = 0;
    try {
      this.#overlay!.refresh(range.anew ? undefined : this.#changed);
      why = givenUp.no;
      for (
        let part = this.#part(range, last);
        part !== undefined && why === givenUp.no;
        part = this.#part(range, last)
      ) {
        why = givenUp.bug;
        const session = this.#enter(part);
        const before = session.steps;
        why = this.#blocks(session, part, range, range.most - steps);
        steps += session.steps - before;
        last = part.end - 1;
      }
      this.#overlay!.sweep();
      if (why !== givenUp.no) this.#forget();
    } finally {
      const carries = this.#session?.state?.scheduler.slots[0]?.warps.map(({ carry }) => carry) ?? [];
      board.report(this.#index, why, steps, last, carries);
      board.set(this.#index, workerState.done);
    }
  }

  /** The next blocks of a range for this worker. */
  #part({ first, end, share }: RangeMessage, last: number): Part | undefined {
    if (share === undefined) return last < 0 ? { first, end } : undefined;
    if (this.#taken >= this.#takes) return undefined;
    this.#taken += 1;
    const from = this.#board!.take(share);
    return from < end ? { first: from, end: Math.min(from + share, end) } : undefined;
  }

  /**
   * After a range: waits for the launch's decision, and commits the stores to the memory if they count. With `wait`
   * false it returns false where there is no decision yet.
   */
  conclude(wait: boolean): boolean {
    const board = this.#board!;
    const state = wait ? board.await(this.#index, workerState.done) : board.state(this.#index);
    if (state !== workerState.commit && state !== workerState.drop) return false;
    if (state === workerState.commit) this.#overlay!.commit();
    board.set(this.#index, workerState.idle);
    return true;
  }

  #forget(): void {
    this.#session?.close();
    this.#session = undefined;
  }

  /** The session, ready to run the first block of a part. */
  #enter(part: Part): Session {
    const overlay = this.#overlay!;
    if (this.#session !== undefined) {
      this.#session.skip(part, 0);
      return this.#session;
    }
    const { id, options, executor: name, addresses, allocations, seen } = this.#launch!;
    const executor = this.#executors.get(name);
    const program = this.#programs.get(id);
    if (executor === undefined || program === undefined) throw new Error("the worker was told too little");
    overlay.allocations.restore(allocations);
    this.#printed = false;
    const session = startSession({
      ...options,
      program,
      executor,
      memory: overlay,
      part,
      addressOf: (variable) => addresses.get(variable)!,
      print: () => {
        this.#printed = true;
      },
      ended: (slot) => keep(slot, overlay, this.#launch!),
    });
    session.overlook(seen);
    this.#session = session;
    return session;
  }

  #blocks(session: Session, { first, end }: Part, { share, careful }: RangeMessage, most: number): GivenUp {
    const board = this.#board!;
    const { state } = session;
    const { places } = this.#launch!;
    if (state === undefined || placesOf(state).join() !== places.join()) return givenUp.layout;
    const { scheduler } = state;
    const limit = session.steps + most;
    const overlay = this.#overlay!;
    const exact = share !== undefined;
    // No blocks come before the first worker's.
    overlay.whole = !exact && this.#index === 0;
    overlay.careful = careful;
    const later = first + Math.max(1, Math.ceil((end - first) * EARLY));
    for (;;) {
      const slice = exact || overlay.whole ? SLICE : SHORT;
      const stop = session.run({ budget: Math.min(slice, limit - session.steps) });
      overlay.whole ||= !exact && scheduler.next > later;
      if (stop.reason !== "budget") return givenUp.fault;
      if (session.findings.length > 0) return givenUp.finding;
      if (this.#printed) return givenUp.print;
      if (scheduler.crowded) return givenUp.crowded;
      if (scheduler.held) return givenUp.no;
      if (session.steps >= limit) return givenUp.limit;
      if (board.stop) return givenUp.stopped;
      board.beat(this.#index, scheduler.next - first);
    }
  }
}

/** Copies the registers of an ended block to the buffer of kept registers, if they are kept. */
function keep({ block, state, warps }: CtaSlot, memory: Memory, { kept, keeps }: LaunchMessage): void {
  if (block >= keeps) return;
  const bytes = state.end - state.start;
  new Uint8Array(kept, block * keptBytes(bytes), bytes).set(memory.data.u8.subarray(state.start, state.end));
  new Uint32Array(kept, block * keptBytes(bytes) + bytes, warps.length).set(warps.map(({ carry }) => carry));
}

/** Bytes kept of a block with `bytes` bytes of registers: those, and the carry flags of its warps. */
export const keptBytes = (bytes: number): number => bytes + 128;

/** The addresses of the launch's own allocations, 0 for those that it does without. */
export const placesOf = ({ scheduler, context }: LaunchState): readonly number[] => {
  const { parameters, matrixRoom, copyRoom } = context;
  const { state: registers, shared, local, tensor } = scheduler.slots[0]!;
  return [parameters, matrixRoom, copyRoom, registers.start, shared?.start, local?.start, tensor?.start].map(
    (at) => at ?? 0,
  );
};
