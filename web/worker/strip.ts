import type { Strip } from "../page/client.ts";

/** Steps that are kept at most, and warps that are: of more, the first ones to run. */
const MOST_KEPT = 2 ** 16;
const MOST_KEPT_WARPS = 1024;

/**
 * The steps of all warps of a launch in their order. Of a long launch a sample, thinner the longer it gets: which steps are in it
 * has nothing to do with how long a loop is.
 */
export class StripRecord {
  #positions: number[] = [];
  #warps: number[] = [];
  #pcs: number[] = [];
  #active: number[] = [];
  /** Of so many steps about one is kept: a power of two. */
  #grain = 1;
  /** Behind the last step that was seen: a step that is executed again is known. */
  #end = 0;
  readonly #seen = new Set<number>();

  /** `warp` counts through the whole launch. */
  add(position: number, warp: number, pc: number, active: number): void {
    if (position < this.#end) return;
    this.#end = position + 1;
    const isFirst = !this.#seen.has(warp);
    if (isFirst ? this.#seen.size >= MOST_KEPT_WARPS : !this.#keeps(position)) return;
    this.#seen.add(warp);
    this.#positions.push(position);
    this.#warps.push(warp);
    this.#pcs.push(pc);
    this.#active.push(active >>> 0);
    if (this.#positions.length > MOST_KEPT) this.#thin();
  }

  /** The steps before a position. */
  upTo(end: number): Strip {
    const after = this.#positions.findIndex((position) => position >= end);
    const count = after < 0 ? this.#positions.length : after;
    const cut = (all: number[]): Uint32Array => Uint32Array.from(all.slice(0, count));
    return {
      end,
      grain: this.#grain,
      positions: cut(this.#positions),
      warps: cut(this.#warps),
      pcs: cut(this.#pcs),
      active: cut(this.#active),
    };
  }

  #keeps(position: number): boolean {
    return ((Math.imul(position, 0x9e37_79b1) >>> 12) & (this.#grain - 1)) === 0;
  }

  #thin(): void {
    this.#grain *= 2;
    this.#seen.clear();
    const kept = this.#positions.map((position, at) => {
      const warp = this.#warps[at] ?? 0;
      const isFirst = !this.#seen.has(warp);
      this.#seen.add(warp);
      return isFirst || this.#keeps(position);
    });
    const left = (all: number[]): number[] => all.filter((_, at) => kept[at]);
    this.#positions = left(this.#positions);
    this.#warps = left(this.#warps);
    this.#pcs = left(this.#pcs);
    this.#active = left(this.#active);
  }
}
