/**
 * What `slice` of bytes gives in `src`: nothing that can be used. Uint8Array's copies, and that of a node Buffer, which passes for a
 * Uint8Array, shares its memory. So this also keeps Buffers from passing for plain bytes: `new Uint8Array(buffer)` is a copy, `plain`
 * in `src/system/plain.ts` the same bytes.
 */
interface SliceOfBytes {
  readonly "a Buffer's slice() shares its memory: copy by new Uint8Array(bytes), or share by subarray()": never;
}

interface Uint8Array<TArrayBuffer extends ArrayBufferLike> {
  slice(start?: number, end?: number): SliceOfBytes;
}
