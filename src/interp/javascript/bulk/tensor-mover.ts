import type { Update } from "../../contract/plan/plan-bulk.ts";
import type { Memory } from "../../memory/memory.ts";
import { converterOf, fillOf } from "../../tensor-map/convert.ts";
import type { Footprint } from "../../tensor-map/geometry.ts";
import type { TensorMap } from "../../tensor-map/tensor-map.ts";
import { reductionOf } from "./update.ts";

/** A tensor copy with all that it needs to know: offsets in the buffer, and within the block's shared memory. */
interface Move {
  readonly map: TensorMap;
  readonly footprint: Footprint;
  /** Where the block's shared memory begins in the buffer, and where in it the box does: what a swizzle mixes. */
  readonly window: number;
  readonly base: number;
  readonly update: Update | undefined;
}

/** Moves a box between global memory and shared memory, row by row. */
export function tensorMover(
  { map, footprint, window, base, update }: Move,
  memory: Memory,
): { readonly load: () => void; readonly store: () => void } {
  const { element } = map;
  const { rows, units, pitch, step, shuffle } = footprint;
  const { u8, u32 } = memory.data;
  const origin = Number(BigInt.asUintN(32, map.address));
  const { global: size, shared: place } = element;
  const dense = size === place && step === size;

  /** Where unit `unit` of row `row` lies in the buffer. */
  const inShared = (row: number, unit: number): number => window + shuffle(base + row * pitch + unit * place);

  const load = (): void => {
    const empty = filling(fillOf(element, map.fill), size);
    const convert = converterOf(element);
    rows.forEach(({ global, from, to }, row) => {
      const first = origin + global;
      const put = (unit: number): void => {
        const there = inShared(row, unit);
        if (unit < from || unit >= to) u8.set(empty, there);
        else if (convert === undefined) u8.copyWithin(there, first + unit * step, first + unit * step + size);
        else u32[there >>> 2] = convert(u32[(first + unit * step) >>> 2]!);
      };
      // A whole row in order is the usual case.
      if (dense && convert === undefined && map.swizzle === "none" && from === 0 && to === units)
        u8.copyWithin(inShared(row, 0), first, first + units * size);
      else if (dense && convert === undefined && from === 0 && to === units && size < 16) chunks(row, first);
      else for (let unit = 0; unit < units; unit++) put(unit);
      // An interleaved slice is filled up with zeros.
      for (let at = units * place; at < pitch; at++) u8[window + shuffle(base + row * pitch + at)] = 0;
    });
  };
  /** What a swizzle keeps together, at once. */
  const chunks = (row: number, first: number): void => {
    const atom = map.atomicity === "32B+8B" ? 8 : 16;
    for (let at = 0; at < units * size; at += atom) {
      const there = window + shuffle(base + row * pitch + at);
      u8.copyWithin(there, first + at, first + Math.min(at + atom, units * size));
    }
  };
  const reduce = update && reductionOf(update, memory);
  const store = (): void => {
    rows.forEach(({ global, from, to }, row) => {
      const first = origin + global;
      for (let unit = from; unit < to; unit++) {
        const here = inShared(row, unit);
        const there = first + unit * step;
        if (reduce !== undefined) reduce(there, here, size);
        else if (element.name === "b6x16_p32") packSixes(u8, here, there);
        else u8.copyWithin(there, here, here + size);
      }
    });
  };
  return { load, store };
}

/** One unit of what is filled in, low byte first. */
function filling(bits: bigint, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, at) => Number((bits >> BigInt(8 * at)) & 0xffn));
}

/** Sixteen bytes with 6 bits each become 12 bytes (b6p2x16, PTX ISA 5.5.1.1). */
function packSixes(u8: Uint8Array, from: number, to: number): void {
  for (let four = 0; four < 4; four++) {
    let word = 0;
    for (let at = 0; at < 4; at++) word |= (u8[from + 4 * four + at]! & 0x3f) << (6 * at);
    for (let at = 0; at < 3; at++) u8[to + 3 * four + at] = (word >>> (8 * at)) & 0xff;
  }
}
