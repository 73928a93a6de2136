import type { Session, Snapshot } from "../machine/session.ts";

/** A copy of all state at a position, and how many edits it includes, counted from the beginning. */
export interface Checkpoint {
  readonly step: number;
  readonly edits: number;
  readonly snapshot: Snapshot;
}

/** Steps between checkpoints at least; a launch with much memory has fewer checkpoints, as copies take longer. */
const DISTANCE = 4096;
const BYTES_PER_STEP = 64;
/** Checkpoints at most. */
const MAX_CHECKPOINTS = 512;
/** Cost of a page in addition to its bytes. */
const OVERHEAD = 96;

/**
 * Copies of a session's state, in order of position and of edits. They share unchanged memory. The further a
 * checkpoint is from the session's position, the larger its distance to the next; the first one always stays.
 */
export class Checkpoints {
  readonly #session: Session;
  readonly #budget: number;
  #kept: Checkpoint[] = [];
  /** By page of memory: how many checkpoints hold it. */
  readonly #holders: Map<object, number> = new Map();
  #bytes = 0;

  /** `budget`: bytes that may be kept, without the first checkpoint, which is made here. */
  constructor(session: Session, budget: number) {
    this.#session = session;
    this.#budget = budget;
    this.keep(0);
  }

  /** Bytes that are kept now. */
  get bytes(): number {
    return this.#bytes;
  }

  get first(): Checkpoint {
    return this.#kept[0]!;
  }

  /** The last checkpoint at or before a position with at most so many edits; the first one where there is none. */
  before(position: number, edits: number = Number.POSITIVE_INFINITY): Checkpoint {
    return this.#kept.findLast((each) => each.step <= position && each.edits <= edits) ?? this.first;
  }

  /** The position of the next missing checkpoint, from the session's position on. */
  due(): number {
    const checkpoints = this.#kept;
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

  /** A copy of the session's state, which is not kept; it shares memory with the checkpoint before it. */
  copy(): Snapshot {
    return this.#session.snapshot(this.#kept[this.#indexBefore(this.#session.steps)]?.snapshot);
  }

  /** Keeps a copy of the session's state after `edits` edits; it replaces an earlier one at its position. */
  keep(edits: number): void {
    const { steps } = this.#session;
    const at = this.#indexBefore(steps);
    const before = this.#kept[at];
    if (before?.step === steps && before.edits === edits) return;
    const made = { step: steps, edits, snapshot: this.copy() };
    this.#hold(made.snapshot);
    const same = at > 0 && before?.step === steps;
    if (same) this.#release(before);
    this.#kept.splice(same ? at : at + 1, same ? 1 : 0, made);
    while (this.#bytes > this.#budget || this.#kept.length > MAX_CHECKPOINTS) {
      const least = this.#leastMissed();
      if (least === undefined) return;
      this.#kept.splice(this.#kept.indexOf(least), 1);
      this.#release(least);
    }
  }

  /** Drops the checkpoints behind a position, and those with more edits. */
  cut(step: number, edits: number): void {
    const gone = this.#kept.filter((each) => each.step > step || each.edits > edits);
    for (const each of gone) this.#release(each);
    this.#kept = this.#kept.filter((each) => !gone.includes(each));
  }

  #indexBefore(position: number): number {
    return this.#kept.findLastIndex(({ step }) => step <= position);
  }

  #hold(snapshot: Snapshot): void {
    for (const page of snapshot.pages()) {
      const holders = this.#holders.get(page) ?? 0;
      this.#holders.set(page, holders + 1);
      this.#bytes += OVERHEAD + (holders === 0 ? page.byteLength : 0);
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

  /** The checkpoint whose neighbours are closest to each other, relative to its distance from the session. */
  #leastMissed(): Checkpoint | undefined {
    const { steps } = this.#session;
    let least: Checkpoint | undefined;
    let best = Number.POSITIVE_INFINITY;
    for (const [at, each] of this.#kept.entries()) {
      if (at === 0) continue;
      const next = this.#kept[at + 1]?.step ?? Math.max(steps, each.step) + DISTANCE;
      const gap = (next - this.#kept[at - 1]!.step) / (1 + Math.abs(steps - each.step));
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
