import type { ElementType } from "../../../../numeric/tensor/element.ts";
import { packedInShared } from "../../../contract/matrix/element-packing.ts";
import { chunkAddress, type MatrixDescriptor } from "../../../contract/matrix/matrix-descriptor.ts";
import type { Memory } from "../../../memory/memory.ts";

/** A multiplicand in shared memory, or a part of it: `rows` of M or N by `k` elements of K. */
export interface SharedMatrix {
  readonly descriptor: MatrixDescriptor;
  readonly type: ElementType;
  readonly major: "K" | "MN";
  readonly rows: number;
  readonly k: number;
  readonly packed: boolean;
}

/** Offsets in shared memory of a matrix's 16-byte chunks: by row, and within a row along the major side. */
export function chunksOf({ descriptor, type, major, rows, k, packed }: SharedMatrix): Int32Array {
  const { bits, used } = packedInShared(type, packed);
  const [outer, inner] = major === "K" ? [rows, k] : [k, rows];
  const across = Math.ceil((inner * bits) / used);
  const chunks = new Int32Array(outer * across);
  for (let at = 0; at < outer; at++)
    for (let chunk = 0; chunk < across; chunk++)
      chunks[at * across + chunk] = chunkAddress(descriptor, major, at, chunk);
  return chunks;
}

/**
 * Reads a matrix by rows into `into`, from `first` on; `chunks`: of `chunksOf`; `shared`: start of the block's memory.
 */
export function readShared(
  { u8 }: Memory["data"],
  shared: number,
  { type, major, rows, k, packed }: SharedMatrix,
  chunks: Int32Array,
  into: Uint32Array,
  first: number,
): void {
  const { bits, used } = packedInShared(type, packed);
  const across = Math.ceil(((major === "K" ? k : rows) * bits) / used);
  const mask = bits === 32 ? 0xffff_ffff : 2 ** bits - 1;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < k; column++) {
      const [outer, inner] = major === "K" ? [row, column] : [column, row];
      const place = outer * across + Math.floor((inner * bits) / used);
      const bit = (inner * bits) % used;
      const at = shared + chunks[place]! + (bit >>> 3);
      // At most 32 bits, aligned to bytes; or less than a byte, across two of them at most, the second maybe in the next chunk.
      let word = u8[at]!;
      if (bits > 8) word |= u8[at + 1]! << 8;
      if (bits > 16) word |= (u8[at + 2]! << 16) | (u8[at + 3]! << 24);
      if (bits < 8 && (bit & 7) + bits > 8) word |= u8[bit >= 120 ? shared + chunks[place + 1]! : at + 1]! << 8;
      into[first + row * k + column] = ((bits < 8 ? word >>> (bit & 7) : word) & mask) >>> 0;
    }
}
