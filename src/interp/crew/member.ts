import type { Program } from "../contract/program.ts";
import { startSession } from "../machine/running.ts";
import type { Session } from "../machine/session.ts";
import { ledgerOf } from "../memory/ledger.ts";
import { Linear } from "../memory/linear.ts";
import { type Memory, PAGE } from "../memory/memory.ts";
import { Overlay } from "../memory/overlay.ts";
import type { CtaSlot } from "../schedule/cta-slot.ts";
import type { Executor } from "../state/executor.ts";
import { Board, type GivenUp, givenUp, standing } from "./board.ts";
import type { CrewMessage, LaunchMessage, MemoryMessage, RangeMessage } from "./message.ts";

/** Instructions between two signs of life; and in the first blocks of a range, which end soon. */
const SLICE = 50_000;
const SHORT = 2_000;
/** This part of a range comes early: there it may touch pages that the range before it touches as well. */
const EARLY = 1 / 8;

/** One worker: runs blocks of the launches that it is told of, on an overlay, and puts what they store into the memory when told so. */
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

  /** `executors`: by the names that launches give. */
  constructor(executors: ReadonlyMap<string, Executor>) {
    this.#executors = executors;
  }

  receive(message: CrewMessage): void {
    if (message.kind === "memory") this.#move(message);
    else if (message.kind === "launch") this.#begin(message);
    else this.#run(message);
  }

  #move({ index, limit, ground, own, board, ledger, changed }: MemoryMessage): void {
    const below = new Linear(ground);
    const pages = Math.ceil(below.distance / PAGE);
    this.#index = index;
    this.#board = new Board(board);
    this.#changed = new Uint8Array(changed);
    this.#session = undefined;
    this.#overlay = new Overlay({ limit, linear: new Linear(own), ground: below, ledger: ledgerOf(ledger, pages) });
  }

  #begin(message: LaunchMessage): void {
    this.#forget();
    this.#launch = message;
    if (message.program !== undefined) this.#programs.set(message.id, message.program);
    this.#overlay?.refresh();
  }

  /** Runs the blocks of a range; then somebody else has to say what becomes of them: see `conclude`. */
  #run(range: RangeMessage): void {
    const board = this.#board!;
    let why: GivenUp = givenUp.bug;
    let steps = 0;
    let carries: readonly number[] = [];
    try {
      const session = this.#enter(range);
      const before = session.steps;
      why = this.#blocks(session, range);
      steps = session.steps - before;
      carries = session.state?.scheduler.slots[0]?.warps.map(({ carry }) => carry) ?? [];
      if (why === givenUp.no) this.#overlay!.sweep();
      else this.#forget();
    } finally {
      board.report(this.#index, why, steps, carries);
      board.set(this.#index, standing.done);
    }
  }

  /**
   * After a range: waits until it is said whether what it has stored counts, and puts it into the memory if so. With `wait`
   * false it gives false where nothing has been said yet.
   */
  conclude(wait: boolean): boolean {
    const board = this.#board!;
    const state = wait ? board.await(this.#index, standing.done) : board.state(this.#index);
    if (state !== standing.commit && state !== standing.drop) return false;
    if (state === standing.commit) this.#overlay!.commit();
    board.set(this.#index, standing.idle);
    return true;
  }

  #forget(): void {
    this.#session?.close();
    this.#session = undefined;
  }

  /** The session, about to run the first block of the range. */
  #enter(range: RangeMessage): Session {
    const overlay = this.#overlay!;
    overlay.refresh(range.anew ? undefined : this.#changed);
    if (this.#session !== undefined) {
      this.#session.skip(range, 0);
      return this.#session;
    }
    const { id, options, executor: name, addresses, allocations, seen } = this.#launch!;
    const executor = this.#executors.get(name);
    const program = this.#programs.get(id);
    if (executor === undefined || program === undefined) throw new Error("the worker was told too little");
    overlay.allocations.restore(allocations);
    this.#printed = false;
    const session = startSession({
      ...{ ...options, program, executor, memory: overlay, part: range },
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

  #blocks(session: Session, { first, end, most }: RangeMessage): GivenUp {
    const board = this.#board!;
    const { scheduler } = session.state ?? {};
    const { places } = this.#launch!;
    if (scheduler === undefined || placesOf(session).join() !== places.join()) return givenUp.layout;
    const limit = session.steps + most;
    const overlay = this.#overlay!;
    // Nobody's range is before the first worker's.
    overlay.whole = this.#index === 0;
    const later = first + Math.max(1, Math.ceil((end - first) * EARLY));
    for (;;) {
      const slice = overlay.whole ? SLICE : SHORT;
      const stop = session.run({ budget: Math.min(slice, limit - session.steps) });
      overlay.whole ||= scheduler.next > later;
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

/** Copies the registers of a block that has ended to where they are kept, if they are. */
function keep({ block, state, warps }: CtaSlot, memory: Memory, { kept, keeps }: LaunchMessage): void {
  if (block >= keeps) return;
  const bytes = state.end - state.start;
  new Uint8Array(kept, block * keptBytes(bytes), bytes).set(memory.data.u8.subarray(state.start, state.end));
  new Uint32Array(kept, block * keptBytes(bytes) + bytes, warps.length).set(warps.map(({ carry }) => carry));
}

/** Bytes that are kept of a block with `bytes` bytes of registers: those, and the carry flags of its warps. */
export const keptBytes = (bytes: number): number => bytes + 128;

/** Where the launch's own allocations lie. */
export const placesOf = ({ state }: Session): readonly number[] => {
  if (state === undefined) return [];
  const { state: registers, shared, local } = state.scheduler.slots[0]!;
  return [state.context.parameters, registers.start, shared?.start ?? 0, local?.start ?? 0];
};
