import { type Held, heldOf, type Piece, piecesOf, type Shadow } from "./shadow.ts";

/**
 * The shadows of values in memory, by their place in the memory's buffer. A value that is written over keeps its shadow until
 * somebody reads other bits there, or stores: whoever reads compares bits.
 */
export class ShadowMemory {
  readonly shadows: Map<number, Shadow> = new Map();
  /** Values that were stored without their shadows, because there are so many already. */
  forgotten = 0;

  /** What a register gets that is loaded with `bytes` bytes from here. */
  load(where: number, bytes: number): Held | undefined {
    if (this.shadows.size === 0) return undefined;
    const first = this.shadows.get(where);
    if (first !== undefined && first.width === 8 * bytes) return first;
    const pieces: Piece[] = [];
    const step = stepOf(bytes);
    for (let byte = 0; byte < bytes; byte += step) {
      const shadow = this.shadows.get(where + byte);
      if (shadow !== undefined && shadow.width <= 8 * (bytes - byte)) pieces.push({ at: 8 * byte, shadow });
    }
    return heldOf(pieces);
  }

  /** What becomes of memory when `bytes` bytes of a register are stored here. */
  store(where: number, bytes: number, held: Held | undefined): void {
    const step = stepOf(bytes);
    if (this.shadows.size > 0) for (let byte = 0; byte < bytes; byte += step) this.shadows.delete(where + byte);
    for (const { at, shadow } of piecesOf(held)) {
      if (at < 0 || at + shadow.width > 8 * bytes || at % 8 !== 0) continue;
      if (this.shadows.size < MOST_SHADOWS) this.shadows.set(where + at / 8, shadow);
      else this.forgotten++;
    }
  }
}

/** Shadows of memory at the same time: some hundred bytes each. */
const MOST_SHADOWS = 1 << 21;

/** Bytes from one place where a shadow may begin to the next: a word has no value of one byte in it. */
const stepOf = (bytes: number): number => Math.min(2, bytes);

/** Values on their way into functions and back, which memory does not show: whoever loads one knows it by its bits. */
export class Passed {
  /** By warp, then by lane: the last few. */
  readonly #warps = new WeakMap<object, (readonly Piece[])[]>();

  pass(warp: object, lane: number, held: Held | undefined): void {
    const lanes = this.#warps.get(warp) ?? [];
    this.#warps.set(warp, lanes);
    lanes[lane] = [...piecesOf(held), ...(lanes[lane] ?? [])].slice(0, MOST_PASSED);
  }

  of(warp: object, lane: number): Held | undefined {
    return heldOf(this.#warps.get(warp)?.[lane] ?? []);
  }
}

/** Values of a lane that are on their way at the same time: more than functions have parameters. */
const MOST_PASSED = 16;
