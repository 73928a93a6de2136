import { chunkOf, type MatrixOperation } from "../../../numeric/operation/matrix.ts";

/** The meaning of the four metadata bits of a chunk of a sparse A (PTX ISA, Sparse matrix storage). */
export interface Chunks {
  /** Columns of a chunk, and how many of them are stored. */
  readonly columns: number;
  readonly stored: number;
  /** For `indices * stored + which`: the column within the chunk. */
  readonly column: Uint8Array;
  /** For `indices`: 1 where the manual allows them. */
  readonly sound: Uint8Array;
}

/** Two indices from the low bits on: of elements, of pairs of them (4-bit types), or of halves of a .tf32. */
export function chunksOf(op: MatrixOperation): Chunks {
  const { columns, stored } = chunkOf(op);
  const column = new Uint8Array(16 * stored);
  const sound = new Uint8Array(16);
  for (let indices = 0; indices < 16; indices++) {
    const [first, second] = [indices & 3, indices >> 2];
    for (let which = 0; which < stored; which++) {
      if (stored === 1) column[indices] = second >> 1;
      else if (stored === 2) column[2 * indices + which] = which === 0 ? first : second;
      else column[4 * indices + which] = 2 * (which < 2 ? first : second) + (which & 1);
    }
    const allowed =
      stored === 1 ? indices === 0b1110 || indices === 0b0100 : op.sparse?.sorted ? first < second : first !== second;
    sound[indices] = Number(allowed);
  }
  return { columns, stored, column, sound };
}
