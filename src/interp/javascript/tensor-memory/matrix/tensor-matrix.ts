import type { ElementType } from "../../../../numeric/tensor/element.ts";
import { packedInTensor } from "../../../contract/matrix/element-packing.ts";
import { cellAt, TENSOR_LANES } from "../../../contract/matrix/tensor-memory.ts";
import type { Memory } from "../../../memory/memory.ts";

type Views = Memory["data"];

/** Words that a row of A has in its lane. */
export const wordsOfRow = (type: ElementType, k: number, packed: boolean): number =>
  (k * packedInTensor(type, packed).container) / 32;

/** Reads one row of A from its lane. */
export function readRow(
  { u32 }: Views,
  at: number,
  type: ElementType,
  k: number,
  packed: boolean,
  into: Uint32Array,
  first: number,
): void {
  const { bits, container, shift } = packedInTensor(type, packed);
  const mask = bits === 32 ? 0xffff_ffff : 2 ** bits - 1;
  for (let column = 0; column < k; column++) {
    const bit = column * container + shift;
    const word = (at >>> 2) + (bit >>> 5);
    const low = u32[word]! >>> (bit & 31);
    const rest = (bit & 31) + bits > 32 ? u32[word + 1]! << (32 - (bit & 31)) : 0;
    into[first + column] = ((low | rest) & mask) >>> 0;
  }
}

/** The lane whose row a lane reads: itself, or with `.ashift` the next; the last lane keeps its own. */
export const shiftedLane = (lane: number, ashift: boolean): number =>
  ashift && lane < TENSOR_LANES - 1 ? lane + 1 : lane;

/**
 * The scale factors of a row that lies in `lane`, or of a column of D that lies there (PTX ISA, Scale Factor A ID,
 * Scale Factor B ID): bytes of words in the 32 lanes of its own part, lane `at % 32` and column `at / 32`; byte
 * `id + i` is the `i`th, `stride` columns further when the word is full. With the layout of 128 lanes, which A may
 * have, a row's factors are in its own lane: its `at` is that of the first 32.
 */
export function scaleOf(
  { u8 }: Views,
  base: number,
  column: number,
  { lane, at, id, i, stride }: { lane: number; at: number; id: number; i: number; stride: number },
): number {
  const byte = id + i;
  const word = cellAt((lane & ~31) + (at & 31), column + (at >> 5) + (byte >> 2) * stride);
  return u8[base + word + (byte & 3)]!;
}

/** How many columns the scale factors of some rows or columns take, by the number of factors of each. */
export const scaleColumns = (
  count: number,
  id: number,
  factors: number,
  lanes: 32 | 128 = 32,
): { readonly stride: number; readonly columns: number } => {
  const own = Math.ceil(count / lanes);
  const stride = lanes === 128 ? 1 : Math.max(4, 2 ** Math.ceil(Math.log2(own)));
  return { stride, columns: own + ((id + factors - 1) >> 2) * stride };
};
