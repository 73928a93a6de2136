/** What a warp knows of others: by warp, up to which moment everything that it has done happened before. */
type Known = ReadonlyMap<number, number>;

const nobody: Known = new Map();
/** Stands for every warp. */
const EVERYBODY = -1;

/** A warp of the launch as a number. */
export const warpKey = (block: number, warp: number): number => block * 32 + warp;

/**
 * Who has waited for whom, by warp (PTX ISA 8.9.4): at barriers of a block and a cluster, by mbarrier objects and among
 * lanes. Whoever acquires by other means, as by a flag, counts as having met everybody: in doubt, nothing is reported.
 */
export class Meetings {
  /** Moments so far. */
  now = 0;
  #known: Map<number, Known> = new Map();
  /** By the offset of an mbarrier object: what those who have arrived there knew, they themselves included. */
  #told: Map<number, Known> = new Map();

  known(warp: number): Known {
    return this.#known.get(warp) ?? nobody;
  }

  /** These warps, or the lanes of one, have met: each knows from now on what the others have done. */
  meet(warps: readonly number[]): void {
    const [first] = warps;
    if (warps.length === 1 && this.known(first!).get(first!) === this.now) return;
    const all = this.#with(warps, ...warps.map((warp) => this.known(warp)));
    for (const warp of warps) this.#known.set(warp, all);
  }

  /** A warp has arrived at an mbarrier object. */
  arrive(warp: number, at: number): void {
    this.#told.set(at, this.#with([warp], this.#told.get(at) ?? nobody, this.known(warp)));
  }

  /** A warp has seen a phase of the object complete, and has waited for what these warps had asked for. */
  observe(warp: number, at: number, asked: readonly number[]): void {
    const told = this.#with(asked, this.#told.get(at) ?? nobody);
    this.#told.set(at, told);
    this.#known.set(warp, this.#with([], this.known(warp), told));
  }

  /** A warp has acquired what others have released, whoever these are. */
  acquire(warp: number): void {
    this.#known.set(warp, this.#with([EVERYBODY], this.known(warp)));
  }

  /** A block has ended, whose shared memory is `[start, end)`. */
  end(block: number, start: number, end: number): void {
    for (const warp of this.#known.keys()) if (Math.floor(warp / 32) === block) this.#known.delete(warp);
    for (const at of this.#told.keys()) if (at >= start && at < end) this.#told.delete(at);
  }

  save(): MeetingsImage {
    return { now: this.now, known: new Map(this.#known), told: new Map(this.#told) };
  }

  restore({ now, known, told }: MeetingsImage): void {
    this.now = now;
    this.#known = new Map(known);
    this.#told = new Map(told);
  }

  /** All of that together, and these warps up to now. */
  #with(warps: readonly number[], ...parts: readonly Known[]): Known {
    const all = new Map<number, number>();
    for (const part of new Set(parts)) include(all, part);
    for (const warp of warps) all.set(warp, this.now);
    return all;
  }
}

/** Adds what `more` knows to `all`. */
export function include(all: Map<number, number>, more: ReadonlyMap<number, number>): void {
  for (const [warp, moment] of more) if ((all.get(warp) ?? -1) < moment) all.set(warp, moment);
}

/** Up to when everything that a warp has done is in `known`. */
export const lastKnown = (known: ReadonlyMap<number, number>, warp: number): number =>
  Math.max(known.get(warp) ?? -1, known.get(EVERYBODY) ?? -1);

/** What a snapshot keeps; what is known never changes, so that snapshots share it. */
export interface MeetingsImage {
  readonly now: number;
  readonly known: ReadonlyMap<number, Known>;
  readonly told: ReadonlyMap<number, Known>;
}
