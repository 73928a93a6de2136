import { crc32 } from "node:zlib";

// A file of several parts: words of 32 bits (the check sum of all that follows, the number of parts, their lengths), then
// the parts, each at a multiple of 8 bytes, as V8 wants its code.
const aligned = (length: number): number => Math.ceil(length / 8) * 8;
const headLength = (parts: number): number => aligned(4 * (2 + parts));

/** One file of several parts. */
export function pack(parts: readonly Uint8Array[]): Uint8Array {
  const head = headLength(parts.length);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + aligned(part.length), head));
  const words = new DataView(bytes.buffer);
  words.setUint32(4, parts.length, true);
  let at = head;
  for (const [index, part] of parts.entries()) {
    words.setUint32(8 + 4 * index, part.length, true);
    bytes.set(part, at);
    at += aligned(part.length);
  }
  words.setUint32(0, crc32(bytes.subarray(4)), true);
  return bytes;
}

/**
 * The parts of a file that `pack` made; undefined for any other, or one that is damaged. V8 takes the code as it is, and
 * a wrong bit in it ends the process.
 */
export function unpack(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  if (bytes.length < 8) return undefined;
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (words.getUint32(0, true) !== crc32(bytes.subarray(4))) return undefined;
  const parts: Uint8Array[] = [];
  const count = words.getUint32(4, true);
  let at = headLength(count);
  for (let index = 0; index < count; index++) {
    const length = words.getUint32(8 + 4 * index, true);
    parts.push(bytes.subarray(at, at + length));
    at += aligned(length);
  }
  return parts;
}
