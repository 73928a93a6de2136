import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Stop } from "../contract/stop.ts";
import type { Before, Session } from "../machine/session.ts";
import { type Checkpoint, Checkpoints } from "./checkpoints.ts";
import { type Edit, type MadeEdit, make } from "./edit.ts";
import { type Sliced, whole } from "./sliced.ts";

/**
 * How a travel ended: at its target, before an instruction where `before` stopped it, by interruption, at the end of
 * the launch, or before an instruction that fails. For the last two `History.end` holds the stop.
 */
export type Arrival = "there" | "paused" | "interrupted" | "ended" | "failed";

/** Callbacks for what a travel passes. */
export interface Passage {
  /** Called before each instruction: true stops there. */
  readonly before: Before;
  /** Called at a position with edits, with the last instruction's results in place; `repeat` makes the edits again. */
  readonly edits?: (repeat: () => void) => void;
}

/** A search backwards: through one stretch of the trace after the other, the last one first. */
export interface BackwardSearch {
  /** Called with the session at the beginning of a stretch. */
  begin(): void;
  /** Before each of its instructions. */
  before(block: number, warp: number, pc: number, active: number): void;
  /** Called where edits lie within the stretch; as in a `Passage`. */
  edits(repeat: () => void): void;
  /** Called at the end of the stretch, before the edits made there; true ends the search. */
  end(): boolean;
}

/** Steps that are simply run again: within this distance no further checkpoint is made. */
const NEAR = 1024;
/** Steps of one slice; fewer where `before` is called for each step. */
const SLICE = 16384;
const WATCHED_SLICE = 512;

/**
 * Time travel over a session. Its history is the initial state and the edits, each at a
 * position; the machine is deterministic, so all else follows from these. A position is a number of steps, and has one
 * state: after the instructions before it, then the edits made there. It is reached by running again from the
 * checkpoint before it, with the edits that lie between.
 *
 * An instruction that fails has no position behind it: the session stays before it, as if it had not been tried.
 */
export class History {
  readonly #session: Session;
  readonly #checkpoints: Checkpoints;
  #edits: readonly MadeEdit[] = [];
  /** How many of them the session's state includes. */
  #seen = 0;
  #furthest: number;
  #end: Stop | undefined;

  /** The history begins with the session's present state. `budget`: bytes to keep, without the first checkpoint. */
  constructor(session: Session, budget: number = 256 << 20) {
    this.#session = session;
    this.#checkpoints = new Checkpoints(session, budget);
    this.#furthest = session.steps;
  }

  /** Bytes that are kept now. */
  get bytes(): number {
    return this.#checkpoints.bytes;
  }

  get beginning(): number {
    return this.#checkpoints.first.step;
  }

  /** The last position that was reached on this trace. */
  get furthest(): number {
    return this.#furthest;
  }

  /** Edits on this trace, in order; some may lie ahead of the session's position. */
  get edits(): readonly MadeEdit[] {
    return this.#edits;
  }

  /** The end of the launch, or the failed instruction, at which the last travel arrived. */
  get end(): Stop | undefined {
    return this.#end;
  }

  /** `travelling` in one call. */
  travel(to: number, passage?: Passage): Arrival {
    return whole(this.travelling(to, passage));
  }

  /** Runs on until `to` steps are executed in all, or until `passage` stops before an instruction. */
  *travelling(to: number, passage?: Passage): Sliced<Arrival> {
    const session = this.#session;
    this.#end = undefined;
    while (session.steps < to) {
      const due = this.#checkpoints.due();
      const slice = session.steps + (passage === undefined ? SLICE : WATCHED_SLICE);
      const stop = this.#run(Math.min(to, due, slice), passage?.before);
      if (stop.reason === "trap" && !this.#isEnd()) return this.#failed(stop);
      this.#furthest = Math.max(this.#furthest, session.steps);
      this.#repeat(passage);
      if (stop.reason === "pause") return "paused";
      if (stop.reason !== "budget") break;
      if (session.steps >= due) this.#checkpoints.keep(this.#seen);
      if (session.steps < to && (yield)) return "interrupted";
    }
    const stop = session.run({ budget: 0 });
    if (stop.reason === "budget") return "there";
    this.#end = stop;
    return "ended";
  }

  /** `goingTo` in one call. */
  goTo(step: number): Arrival {
    return whole(this.goingTo(step));
  }

  /** Goes to a position, forward or back. */
  *goingTo(step: number): Sliced<Arrival> {
    const session = this.#session;
    const from = this.#checkpoints.before(step);
    if (step < session.steps || from.step > session.steps) this.#restore(from);
    // A user who goes back once will do so again: keep checkpoints halfway to the target, halfway from there, etc.
    while (step <= this.#furthest && step - session.steps > NEAR) {
      const arrival = yield* this.travelling(session.steps + Math.ceil((step - session.steps) / 2));
      if (arrival !== "there") return arrival;
      this.#checkpoints.keep(this.#seen);
    }
    return yield* this.travelling(step);
  }

  /**
   * Makes an edit here. Everything ahead, edits included, is dropped: a new trace begins. Throws a RangeError, and
   * changes nothing, as `make` does.
   */
  edit(edit: Edit): Diagnostic | undefined {
    const { steps } = this.#session;
    const fault = make(this.#session, edit);
    this.#checkpoints.cut(steps, this.#seen);
    this.#edits = [...this.#edits.slice(0, this.#seen), { step: steps, edit }];
    this.#seen++;
    this.#furthest = steps;
    this.#checkpoints.keep(this.#seen);
    return fault;
  }

  /** Does work that moves the session, and returns to exactly the same state afterwards, whatever happens. */
  *aside<T>(act: Sliced<T>): Sliced<T> {
    const snapshot = this.#checkpoints.copy();
    const seen = this.#seen;
    const end = this.#end;
    try {
      return yield* act;
    } finally {
      this.#session.restore(snapshot);
      this.#seen = seen;
      this.#end = end;
    }
  }

  /** Returns the result of `read` before and after an edit, and leaves the session behind the edit. */
  around<T>(index: number, read: () => T): { readonly old: T; readonly new: T } {
    const { step } = this.#edits[index]!;
    this.#restore(this.#checkpoints.before(step, index), index);
    while (this.#session.steps < step) {
      this.#run(step);
      this.#repeat(undefined, index);
    }
    const old = read();
    this.#repeat(undefined, index + 1);
    return { old, new: read() };
  }

  /** Searches the range between two positions, and leaves the session anywhere. */
  *backward(
    end: number,
    pass: BackwardSearch,
    beginning: number = this.beginning,
  ): Sliced<"found" | "nothing" | "interrupted"> {
    const session = this.#session;
    const before: Before = (...where) => {
      pass.before(...where);
      return false;
    };
    const passage = { before, edits: (repeat: () => void) => pass.edits(repeat) };
    for (let to = end; to > beginning; ) {
      const from = this.#checkpoints.before(to - 1);
      this.#restore(from);
      if (from.step < beginning) this.#replay(beginning);
      pass.begin();
      while (session.steps < to) {
        const { reason } = this.#run(Math.min(to, session.steps + WATCHED_SLICE), before);
        if (session.steps < to) this.#repeat(passage);
        if (reason !== "budget") break;
        if (yield) return "interrupted";
      }
      if (pass.end()) return "found";
      to = Math.max(from.step, beginning);
    }
    return "nothing";
  }

  /** Runs to a position, or to the first position before it with edits that the state does not include yet. */
  #run(to: number, before?: Before): Stop {
    const session = this.#session;
    const limit = Math.min(to, this.#edits[this.#seen]?.step ?? to);
    return session.run({ budget: limit - session.steps, ...(before && { before }) });
  }

  /** Makes the edits of the session's position. */
  #repeat(passage?: Passage, upTo: number = this.#edits.length): void {
    const session = this.#session;
    const due = this.#edits.slice(this.#seen, upTo).filter(({ step }) => step === session.steps);
    if (due.length === 0) return;
    this.#seen += due.length;
    const repeat = (): void => {
      session.repeat(() => {
        for (const { edit } of due) make(session, edit);
      });
    };
    if (passage?.edits === undefined) repeat();
    else passage.edits(repeat);
  }

  /** Restores a checkpoint, and makes the edits at its position that it does not include. */
  #restore({ snapshot, edits }: Checkpoint, upTo?: number): void {
    this.#session.restore(snapshot);
    this.#seen = edits;
    this.#repeat(undefined, upTo);
  }

  /** Runs to a position that was reached before. */
  #replay(to: number): void {
    while (this.#session.steps < to && this.#run(to).reason === "budget") this.#repeat();
    this.#repeat();
  }

  /** Whether no thread can go on from here, as opposed to an instruction that has failed. */
  #isEnd(): boolean {
    return this.#session.state?.scheduler.current === undefined;
  }

  /** Puts the session back before the failed instruction, without any of its effects. */
  #failed(stop: Stop): Arrival {
    const { steps } = this.#session;
    this.#restore(this.#checkpoints.before(steps));
    this.#replay(steps);
    this.#furthest = Math.max(this.#furthest, steps);
    // A step limit is not a failed instruction: it belongs to the position.
    const here = this.#session.run({ budget: 0 });
    this.#end = here.reason === "budget" ? stop : here;
    return here.reason === "budget" ? "failed" : "ended";
  }
}
