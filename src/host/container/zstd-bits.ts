/** Thrown for data that no encoder writes. */
export class BrokenZstd extends Error {}

export function broken(): never {
  throw new BrokenZstd();
}

/** `count` bits (25 at most) from a bit on, the first one lowest; zeros before the beginning and after the end. */
export function bitsAt(bytes: Uint8Array, from: number, count: number): number {
  if (from < 0) return from + count <= 0 ? 0 : bitsAt(bytes, 0, from + count) << -from;
  const at = from >>> 3;
  const word =
    (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
  return (word >>> (from & 7)) & ((1 << count) - 1);
}

export const floorLog2 = (value: number): number => 31 - Math.clz32(value);

/** Bits that are read from the last to the first; the highest one that is set marks the end. */
export class BackwardBits {
  readonly #bytes: Uint8Array;
  /** Number of bits left. */
  left: number;

  constructor(bytes: Uint8Array) {
    const last = bytes.at(-1) ?? 0;
    if (last === 0) broken();
    this.#bytes = bytes;
    this.left = 8 * bytes.length - 8 + floorLog2(last);
  }

  /** The next bits (31 at most), which must exist. */
  read(count: number): number {
    if (count > this.left) broken();
    if (count > 16) return this.read(count - 16) * 2 ** 16 + this.read(16);
    this.left -= count;
    return bitsAt(this.#bytes, this.left, count);
  }

  /** The next bits without consuming them, padded with zeros. */
  peek(count: number): number {
    return bitsAt(this.#bytes, this.left - count, count);
  }
}
