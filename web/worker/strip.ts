import type { Strip } from "../page/client.ts";

/** Steps that are kept at most, and warps that are: of more, the first ones to run. */
const MOST_KEPT = 2 ** 16;
const MOST_KEPT_WARPS = 1024;

/**
 * The steps of all warps of a launch in their order. Of a long launch a sample: of each warp the first in every so many steps,
 * fewer the longer it gets.
 */
export class StripRecord {
  #positions: number[] = [];
  #warps: number[] = [];
  #pcs: number[] = [];
  #active: number[] = [];
  /** Steps of which one is kept of each warp. */
  #grain = 1;
  /** Behind the last step that was seen: a step that is executed again is known. */
  #end = 0;
  /** By warp: which of those stretches its last kept step is in. */
  readonly #last = new Map<number, number>();

  /** `warp` counts through the whole launch. */
  add(position: number, warp: number, pc: number, active: number): void {
    if (position < this.#end) return;
    this.#end = position + 1;
    const last = this.#last.get(warp);
    const stretch = Math.floor(position / this.#grain);
    if (last === stretch || (last === undefined && this.#last.size >= MOST_KEPT_WARPS)) return;
    this.#last.set(warp, stretch);
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

  #thin(): void {
    this.#grain *= 2;
    this.#last.clear();
    const kept = this.#positions.map((position, at) => {
      const warp = this.#warps[at] ?? 0;
      const stretch = Math.floor(position / this.#grain);
      const isFirst = this.#last.get(warp) !== stretch;
      this.#last.set(warp, stretch);
      return isFirst;
    });
    const left = (all: number[]): number[] => all.filter((_, at) => kept[at]);
    this.#positions = left(this.#positions);
    this.#warps = left(this.#warps);
    this.#pcs = left(this.#pcs);
    this.#active = left(this.#active);
  }
}
