import type { Before, Session, Snapshot } from "../machine/session.ts";

/** How a travel ended: where it should, before an instruction that `before` held back, by interruption, with the launch. */
export type Arrival = "there" | "paused" | "interrupted" | "ended";

/** A search through what lies behind: one stretch of the course after the other, the last one first. */
export interface BackwardSearch {
  /** The session stands at the beginning of a stretch. */
  begin(): void;
  /** Before each of its instructions. */
  before(block: number, warp: number, pc: number, active: number): void;
  /** The session stands at its end; true ends the search. */
  end(): boolean;
}

interface Checkpoint {
  readonly step: number;
  readonly snapshot: Snapshot;
  /** Begins a course that does not follow from what lies before it. */
  readonly pinned: boolean;
}

/** Steps between checkpoints at least; a launch with much memory, whose copies take longer, has fewer of them. */
const DISTANCE = 4096;
const BYTES_PER_STEP = 64;
/** Checkpoints at most. */
const MOST = 512;
/** Steps that are simply run again: so near no further checkpoint is made. */
const NEAR = 1024;
/** Steps between two calls of `interrupt`; fewer where `before` is called for each step. */
const SLICE = 16384;
const WATCHED_SLICE = 512;
/** What a page costs in addition to its bytes. */
const OVERHEAD = 96;

/**
 * Travel in time over a session. The machine is deterministic, so a position is a number of steps: it is reached from
 * the checkpoint before it by running again. The further a checkpoint is from where the session stands, the larger its distance to the next.
 */
export class History {
  readonly #session: Session;
  readonly #budget: number;
  /** In order of step; the first one stays. */
  #checkpoints: Checkpoint[] = [];
  /** How many checkpoints have a page of memory. */
  readonly #holders: Map<object, number> = new Map();
  #bytes = 0;
  #furthest: number;

  /** The session stands where its past begins. `budget`: bytes that may be kept, the first checkpoint not counted. */
  constructor(session: Session, budget: number = 256 << 20) {
    this.#session = session;
    this.#budget = budget;
    this.#furthest = session.steps;
    this.#keep(true);
  }

  /** Bytes that are kept now. */
  get bytes(): number {
    return this.#bytes;
  }

  get beginning(): number {
    return this.#checkpoints[0]!.step;
  }

  /** The last position that was reached on this course. */
  get furthest(): number {
    return this.#furthest;
  }

  /** Runs on until `to` steps are executed in all, or until `before` says so. */
  travel(to: number, before?: Before, interrupt?: () => boolean): Arrival {
    const session = this.#session;
    while (session.steps < to) {
      const branch = this.#checkpoints.find(({ step, pinned }) => pinned && step > session.steps);
      const due = this.#due();
      const limit = Math.min(
        to,
        branch?.step ?? to,
        due,
        session.steps + (before === undefined ? SLICE : WATCHED_SLICE),
      );
      const { reason } = session.run({ budget: limit - session.steps, ...(before && { before }) });
      this.#furthest = Math.max(this.#furthest, session.steps);
      if (branch !== undefined && session.steps === branch.step) session.restore(branch.snapshot);
      else if (reason !== "budget") return reason === "pause" ? "paused" : "ended";
      else if (session.steps >= due) this.#keep(false);
      if (session.steps < to && interrupt?.()) return "interrupted";
    }
    return "there";
  }

  /** Goes to a position, forward or back. */
  goTo(step: number, interrupt?: () => boolean): Arrival {
    const session = this.#session;
    const from = this.#before(step);
    if (step < session.steps || from.step > session.steps) session.restore(from.snapshot);
    // Who goes back once will do so again: halfway to the place, halfway from there, and so on.
    while (step <= this.#furthest && step - session.steps > NEAR) {
      const arrival = this.travel(session.steps + Math.ceil((step - session.steps) / 2), undefined, interrupt);
      if (arrival !== "there") return arrival;
      this.#keep(false);
    }
    return this.travel(step, undefined, interrupt);
  }

  /** Where the session stands, but before the instruction that failed there. */
  again(): void {
    const { steps } = this.#session;
    this.#session.restore(this.#before(steps).snapshot);
    this.travel(steps);
  }

  /** The state was changed by hand: what lay ahead is forgotten, and another course begins here. */
  branch(): void {
    const { steps } = this.#session;
    for (const each of this.#checkpoints.filter(({ step }) => step >= steps)) this.#release(each);
    this.#checkpoints = this.#checkpoints.filter(({ step }) => step < steps);
    this.#furthest = steps;
    this.#keep(true);
  }

  /** Searches what lies before `end`. The session then stands anywhere. */
  backward(end: number, pass: BackwardSearch, interrupt?: () => boolean): "found" | "nothing" | "interrupted" {
    const session = this.#session;
    const before: Before = (...where) => {
      pass.before(...where);
      return false;
    };
    for (let to = end; to > this.beginning; ) {
      const { step, snapshot } = this.#before(to - 1);
      session.restore(snapshot);
      pass.begin();
      while (session.steps < to) {
        const budget = Math.min(WATCHED_SLICE, to - session.steps);
        const { reason } = session.run({ budget, before });
        if (reason !== "budget") break;
        if (interrupt?.()) return "interrupted";
      }
      if (pass.end()) return "found";
      to = step;
    }
    return "nothing";
  }

  /** The last checkpoint at or before a position. */
  #before(step: number): Checkpoint {
    return this.#checkpoints[Math.max(this.#indexBefore(step), 0)]!;
  }

  #indexBefore(position: number): number {
    return this.#checkpoints.findLastIndex(({ step }) => step <= position);
  }

  /** The position of the next checkpoint that is missing, from here on. */
  #due(): number {
    const checkpoints = this.#checkpoints;
    const { steps } = this.#session;
    const last = checkpoints.at(-1)!;
    const distance = Math.max(DISTANCE, Math.ceil(sizeOf(last.snapshot) / BYTES_PER_STEP));
    let at = this.#indexBefore(steps);
    for (let next = checkpoints[at + 1]; next !== undefined; next = checkpoints[at + 1]) {
      if (next.step > checkpoints[at]!.step + distance) break;
      at++;
    }
    const due = checkpoints[at]!.step + distance;
    return due > steps ? due : steps + distance;
  }

  #keep(pinned: boolean): void {
    const { steps } = this.#session;
    const at = this.#indexBefore(steps);
    const before = this.#checkpoints[at];
    if (before?.step === steps) return;
    const snapshot = this.#session.snapshot(before?.snapshot);
    this.#checkpoints.splice(at + 1, 0, { step: steps, snapshot, pinned });
    for (const page of snapshot.pages()) {
      const holders = this.#holders.get(page) ?? 0;
      this.#holders.set(page, holders + 1);
      this.#bytes += OVERHEAD + (holders === 0 ? page.byteLength : 0);
    }
    while (this.#bytes > this.#budget || this.#checkpoints.length > MOST) {
      const least = this.#leastMissed();
      if (least === undefined) return;
      this.#checkpoints.splice(this.#checkpoints.indexOf(least), 1);
      this.#release(least);
    }
  }

  #release({ snapshot }: Checkpoint): void {
    for (const page of snapshot.pages()) {
      const holders = this.#holders.get(page)! - 1;
      this.#bytes -= OVERHEAD + (holders === 0 ? page.byteLength : 0);
      if (holders === 0) this.#holders.delete(page);
      else this.#holders.set(page, holders);
    }
  }

  /** The checkpoint whose neighbours are closest to each other, for how far off it is. */
  #leastMissed(): Checkpoint | undefined {
    const { steps } = this.#session;
    let least: Checkpoint | undefined;
    let best = Number.POSITIVE_INFINITY;
    for (const [at, each] of this.#checkpoints.entries()) {
      if (each.pinned) continue;
      const next = this.#checkpoints[at + 1]?.step ?? Math.max(steps, each.step) + DISTANCE;
      const gap = (next - this.#checkpoints[at - 1]!.step) / (1 + Math.abs(steps - each.step));
      if (gap >= best) continue;
      best = gap;
      least = each;
    }
    return least;
  }
}

const sizes = new WeakMap<Snapshot, number>();

/** Bytes of a snapshot's pages, shared or not: how long it takes to make one. */
function sizeOf(snapshot: Snapshot): number {
  let size = sizes.get(snapshot);
  if (size === undefined) {
    size = 0;
    for (const { byteLength } of snapshot.pages()) size += byteLength;
    sizes.set(snapshot, size);
  }
  return size;
}
