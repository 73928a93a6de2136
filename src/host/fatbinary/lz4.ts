/**
 * The bytes of an LZ4 block (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md), of which `bytes` are known to
 * come out; undefined where it is no such block.
 */
export function unpackLz4(block: Uint8Array, bytes: number): Uint8Array | undefined {
  // A byte of a block stands for 255 at most: one that says more is wrong, however small it is.
  if (bytes > 255 * (block.length + 1)) return undefined;
  const out = new Uint8Array(bytes);
  let [at, to] = [0, 0];
  /** A length of 15 goes on in the bytes that follow, up to the first that is not 255. */
  const length = (nibble: number): number => {
    let sum = nibble;
    for (let byte = nibble === 15 ? 255 : 0; byte === 255; sum += byte) {
      if (at === block.length) return Number.POSITIVE_INFINITY;
      byte = block[at++] ?? 0;
    }
    return sum;
  };
  while (at < block.length) {
    const token = block[at++] ?? 0;
    const literals = length(token >>> 4);
    if (at + literals > block.length || to + literals > bytes) return undefined;
    out.set(block.subarray(at, at + literals), to);
    at += literals;
    to += literals;
    // The last sequence has literals alone, and no other one is the last.
    if (at === block.length) return to === bytes ? out : undefined;
    if (at + 2 > block.length) return undefined;
    const back = (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8);
    at += 2;
    const copied = length(token & 15) + 4;
    if (back === 0 || back > to || to + copied > bytes) return undefined;
    // Byte by byte: what is copied may be what the copy itself has written.
    for (const end = to + copied; to < end; to++) out[to] = out[to - back] ?? 0;
  }
  return undefined;
}
