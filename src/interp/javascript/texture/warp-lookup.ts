import type { Sampler } from "../../contract/image.ts";
import type { Memory } from "../../memory/memory.ts";
import { ALLOCATED, INITIALISED } from "../../memory/shadow.ts";
import type { Warp } from "../../state/warp.ts";
import { type Axis, addressed, BORDER, fetched, nearest, PLACE, placeAround, WEIGHT_ONE } from "../../texture/axis.ts";
import type { Precision, TextureReader } from "../../texture/fetch.ts";
import { along, layerOf } from "../../texture/footprint.ts";

/** Texels of one lookup: two of each of three coordinates. */
const MOST_TAPS = 8;
const LANES = 32;
const READABLE = ALLOCATED | INITIALISED;

/** Reads a word of a lane's operands as a number. */
export type Read = (warp: Warp, lane: number) => number;

/** Where the operands of plain lookups lie. */
export interface LaneWords {
  /** By axis; layers and samples are none. */
  readonly coordinates: readonly Read[];
  /** What is added to them, in texels; none where nothing is. */
  readonly shifts: readonly Read[];
  /** Undefined where the geometry has no layers. */
  readonly layer: Read | undefined;
}

/**
 * The lookups of a warp in level 0 of an image that has neither faces nor samples: what `footprint` and `TextureReader` say of one lane,
 * with nothing made for a lane. First all texels are found, since a result may lie where another lane's coordinates are not read yet.
 */
export class WarpLookup {
  readonly #reader: TextureReader;
  readonly #sampler: Sampler;
  readonly #memory: Memory;
  readonly #axes: readonly Axis[];
  /** Coordinates count texels, which are not filtered. */
  readonly #whole: boolean;
  readonly #linear: boolean;
  /** By axis and lane: the index of one texel, or of two and the weight of the second; -1 is the border. */
  readonly #first = new Int32Array(3 * LANES);
  readonly #second = new Int32Array(3 * LANES);
  readonly #share = new Int32Array(3 * LANES);
  /** By lane and texel: where it begins in memory's buffer, -1 for the border, and its weight. */
  readonly #at = new Int32Array(LANES * MOST_TAPS);
  readonly #weights: readonly Float64Array[];
  readonly #numerators: Float64Array;
  /** The sum of the weights of a lookup. */
  readonly #sum: number;

  constructor(reader: TextureReader, sampler: Sampler, whole: boolean, memory: Memory) {
    const { image } = reader.object;
    this.#reader = reader;
    this.#sampler = sampler;
    this.#memory = memory;
    this.#whole = whole;
    this.#linear = !whole && reader.settled(sampler).filter === "linear";
    this.#axes = [0, 1, 2].slice(0, image.dimensions).map((axis) => along(image, sampler, image.levels[0]!, axis));
    const taps = this.#linear ? 2 ** image.dimensions : 1;
    this.#numerators = new Float64Array(taps);
    this.#sum = this.#linear ? WEIGHT_ONE ** image.dimensions : 1;
    this.#weights = Array.from({ length: LANES }, () => new Float64Array(taps).fill(1));
  }

  /** Finds the texels of the active lanes. False where one may not be read, or nobody knows yet: nothing has changed then. */
  locate(warp: Warp, lanes: number, { coordinates, shifts, layer }: LaneWords): boolean {
    for (let axis = 0; axis < this.#axes.length; axis++)
      this.#place(warp, lanes, axis, coordinates[axis]!, shifts[axis]);
    const [first, second, share] = [this.#first, this.#second, this.#share];
    const { image } = this.#reader.object;
    const { start, row, slice, layer: layerBytes } = image.levels[0]!;
    const { bytes } = image;
    const [nx, ny, nz] = [this.#along(0), this.#along(1), this.#along(2)];
    const { active } = warp;
    const memory = this.#memory;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const on = layer === undefined ? 0 : layerOf(image, layer(warp, lane)) * layerBytes;
      const weights = this.#weights[lane]!;
      let tap = 0;
      for (let z = 0; z < nz; z++) {
        const k = (z ? second : first)[2 * LANES + lane]!;
        const wz = nz === 1 ? 1 : z ? share[2 * LANES + lane]! : WEIGHT_ONE - share[2 * LANES + lane]!;
        for (let y = 0; y < ny; y++) {
          const j = (y ? second : first)[LANES + lane]!;
          const wy = ny === 1 ? wz : wz * (y ? share[LANES + lane]! : WEIGHT_ONE - share[LANES + lane]!);
          for (let x = 0; x < nx; x++) {
            const i = (x ? second : first)[lane]!;
            const weight = nx === 1 ? wy : wy * (x ? share[lane]! : WEIGHT_ONE - share[lane]!);
            const at = (i | j | k) < 0 ? BORDER : start + on + k * slice + j * row + i * bytes;
            if (at >= 0 && weight !== 0 && !memory.all(at, bytes, READABLE, READABLE)) return false;
            this.#at[lane * MOST_TAPS + tap] = at;
            weights[tap++] = weight;
          }
        }
      }
    }
    return true;
  }

  /** Texels of a lookup along an axis. */
  #along(axis: number): 1 | 2 {
    return this.#linear && axis < this.#axes.length ? 2 : 1;
  }

  /** A coordinate of each active lane as indices of texels. */
  #place(warp: Warp, lanes: number, axis: number, coordinate: Read, shift: Read | undefined): void {
    const each = this.#axes[axis]!;
    const { size, mode } = each;
    const { active } = warp;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const x = coordinate(warp, lane);
      const by = shift === undefined ? 0 : shift(warp, lane);
      const to = axis * LANES + lane;
      if (!this.#linear) {
        this.#first[to] = this.#whole ? fetched(x + by, each) : nearest(x, by, each);
        continue;
      }
      const place = placeAround(x, by, each);
      const begin = Math.floor(place / PLACE);
      this.#first[to] = addressed(begin, size, mode);
      this.#second[to] = addressed(begin + 1, size, mode);
      this.#share[to] = place - begin * PLACE;
    }
  }

  /** A channel of what a lane looks up, as bits. */
  channel(channel: number, lane: number, precision: Precision): number {
    const reader = this.#reader;
    if (channel >= reader.object.image.channels) return reader.missing(channel, precision);
    const numerators = this.#numerators;
    for (let tap = 0; tap < numerators.length; tap++)
      numerators[tap] = reader.numerator(channel, this.#at[lane * MOST_TAPS + tap]!, this.#sampler);
    return reader.mean(channel, this.#weights[lane]!, numerators, this.#sum, precision);
  }
}
