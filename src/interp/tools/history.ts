import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Stop } from "../contract/stop.ts";
import type { Before, Session } from "../machine/session.ts";
import { type Checkpoint, Checkpoints } from "./checkpoints.ts";
import { type Edit, type MadeEdit, make } from "./edit.ts";
import { type Pieces, whole } from "./pieces.ts";

/**
 * How a travel ended: where it should, before an instruction that `before` held back, by interruption, where the launch
 * ends, or before an instruction that fails. Of the last two, `History.end` says how.
 */
export type Arrival = "there" | "paused" | "interrupted" | "ended" | "failed";

/** Who looks at what a travel goes through. */
export interface Passage {
  /** Before each instruction: true holds it back. */
  readonly before: Before;
  /** Changes by hand lie here; `repeat` makes them again. What the last instruction has done can be seen before that. */
  readonly edits?: (repeat: () => void) => void;
}

/** A search through what lies behind: one stretch of the course after the other, the last one first. */
export interface BackwardSearch {
  /** The session stands at the beginning of a stretch. */
  begin(): void;
  /** Before each of its instructions. */
  before(block: number, warp: number, pc: number, active: number): void;
  /** Changes by hand lie within it; as in a `Passage`. */
  edits(repeat: () => void): void;
  /** The session stands at its end, before the changes that were made there; true ends the search. */
  end(): boolean;
}

/** Steps that are simply run again: so near no further checkpoint is made. */
const NEAR = 1024;
/** Steps of a piece; fewer where `before` is called for each step. */
const SLICE = 16384;
const WATCHED_SLICE = 512;

/**
 * Travel in time over a session. Its past is the state where it begins, and the changes that were made by hand, each at a
 * position; the machine is deterministic, so all else follows from these. A position is a number of steps, and has one
 * state: what the instructions before it have done, then the changes made there. It is reached by running again from the
 * checkpoint before it, with the changes that lie between.
 *
 * An instruction that fails has no position behind it: the session stands before it, as if it had not been tried.
 */
export class History {
  readonly #session: Session;
  readonly #checkpoints: Checkpoints;
  #edits: readonly MadeEdit[] = [];
  /** How many of them the session's state has seen. */
  #seen = 0;
  #furthest: number;
  #end: Stop | undefined;

  /** The session stands where its past begins. `budget`: bytes that may be kept, the first checkpoint not counted. */
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

  /** The last position that was reached on this course. */
  get furthest(): number {
    return this.#furthest;
  }

  /** Changes by hand on this course, in order; some may lie ahead of where the session stands. */
  get edits(): readonly MadeEdit[] {
    return this.#edits;
  }

  /** How the launch has ended, or the instruction has failed, at which the last travel arrived. */
  get end(): Stop | undefined {
    return this.#end;
  }

  /** `travelling` at once. */
  travel(to: number, passage?: Passage): Arrival {
    return whole(this.travelling(to, passage));
  }

  /** Runs on until `to` steps are executed in all, or until `passage` holds an instruction back. */
  *travelling(to: number, passage?: Passage): Pieces<Arrival> {
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

  /** `goingTo` at once. */
  goTo(step: number): Arrival {
    return whole(this.goingTo(step));
  }

  /** Goes to a position, forward or back. */
  *goingTo(step: number): Pieces<Arrival> {
    const session = this.#session;
    const from = this.#checkpoints.before(step);
    if (step < session.steps || from.step > session.steps) this.#restore(from);
    // Who goes back once will do so again: halfway to the place, halfway from there, and so on.
    while (step <= this.#furthest && step - session.steps > NEAR) {
      const arrival = yield* this.travelling(session.steps + Math.ceil((step - session.steps) / 2));
      if (arrival !== "there") return arrival;
      this.#checkpoints.keep(this.#seen);
    }
    return yield* this.travelling(step);
  }

  /**
   * A change by hand, here. What lay ahead, changes included, is forgotten: another course begins. Throws a RangeError, and
   * nothing has changed, as `make` does.
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

  /** Does something that moves, for an answer, and comes back to exactly where the session was, whatever happens. */
  *aside<T>(act: Pieces<T>): Pieces<T> {
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

  /** What `read` gives before and after a change by hand. The session then stands behind it. */
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

  /** Searches what lies between two positions. The session then stands anywhere. */
  *backward(
    end: number,
    pass: BackwardSearch,
    beginning: number = this.beginning,
  ): Pieces<"found" | "nothing" | "interrupted"> {
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

  /** Runs to a position, or to the next one with changes that the state has not seen, if that comes first. */
  #run(to: number, before?: Before): Stop {
    const session = this.#session;
    const limit = Math.min(to, this.#edits[this.#seen]?.step ?? to);
    return session.run({ budget: limit - session.steps, ...(before && { before }) });
  }

  /** Makes the changes that belong to where the session stands. */
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

  /** Puts the session back to a checkpoint, and makes the changes that belong to its position and that it has not seen. */
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

  /** Whether nobody can go on from here, as opposed to an instruction that has failed. */
  #isEnd(): boolean {
    return this.#session.state?.scheduler.current === undefined;
  }

  /** Puts the session back before the instruction that has failed, of which nothing is done then. */
  #failed(stop: Stop): Arrival {
    const { steps } = this.#session;
    this.#restore(this.#checkpoints.before(steps));
    this.#replay(steps);
    this.#furthest = Math.max(this.#furthest, steps);
    // A limit of steps is no instruction that fails: it belongs to the position.
    const here = this.#session.run({ budget: 0 });
    this.#end = here.reason === "budget" ? stop : here;
    return here.reason === "budget" ? "failed" : "ended";
  }
}
