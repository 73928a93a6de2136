/** Bytes of one piece of a copy: what snapshots share with each other. */
export const PIECE = 4096;

/** By value: a piece of that byte throughout, which most pieces of a shadow are. */
const plain = new Map<number, Uint8Array>();

/** A copy of up to `PIECE` bytes at a multiple of 4; shared with `before` where that holds the same. */
export function copyPiece(bytes: Uint8Array, before?: Uint8Array): Uint8Array {
  if (before !== undefined && same(bytes, before)) return before;
  const value = bytes[0];
  if (value === undefined || bytes.length !== PIECE) return bytes.slice();
  const known = plain.get(value) ?? new Uint8Array(PIECE).fill(value);
  if (!same(bytes, known)) return bytes.slice();
  plain.set(value, known);
  return known;
}

/** A copy of bytes, in pieces of which those are shared that are as an earlier copy has them. */
export function copyPieces(bytes: Uint8Array, before: readonly Uint8Array[] = []): readonly Uint8Array[] {
  const count = Math.ceil(bytes.length / PIECE);
  return Array.from({ length: count }, (_, at) => copyPiece(bytes.subarray(at * PIECE, (at + 1) * PIECE), before[at]));
}

/** Puts a copy back at `at`. */
export function putPieces(pieces: readonly Uint8Array[], into: Uint8Array, at: number): void {
  for (const [index, piece] of pieces.entries()) into.set(piece, at + index * PIECE);
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  const words = a.length >>> 2;
  const left = new Int32Array(a.buffer, a.byteOffset, words);
  const right = new Int32Array(b.buffer, b.byteOffset, words);
  for (let word = 0; word < words; word++) if (left[word] !== right[word]) return false;
  for (let byte = words << 2; byte < a.length; byte++) if (a[byte] !== b[byte]) return false;
  return true;
}
