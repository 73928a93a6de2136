/** Bytes of one page of a snapshot; snapshots share pages with each other. */
export const PAGE_BYTES = 4096;

/** By value: a page filled with that byte, as most pages of a shadow are. */
const uniform = new Map<number, Uint8Array>();

/** A copy of up to `PAGE_BYTES` bytes at a multiple of 4; shared with `before` where that is equal. */
export function copyPage(bytes: Uint8Array, before?: Uint8Array): Uint8Array {
  if (before !== undefined && same(bytes, before)) return before;
  const value = bytes[0];
  if (value === undefined || bytes.length !== PAGE_BYTES) return new Uint8Array(bytes);
  const known = uniform.get(value) ?? new Uint8Array(PAGE_BYTES).fill(value);
  if (!same(bytes, known)) return new Uint8Array(bytes);
  uniform.set(value, known);
  return known;
}

/** A copy of bytes, page by page; pages that equal those of an earlier copy are shared with it. */
export function copyPages(bytes: Uint8Array, before: readonly Uint8Array[] = []): readonly Uint8Array[] {
  const count = Math.ceil(bytes.length / PAGE_BYTES);
  return Array.from({ length: count }, (_, at) =>
    copyPage(bytes.subarray(at * PAGE_BYTES, (at + 1) * PAGE_BYTES), before[at]),
  );
}

/** Restores a copy at `at`. */
export function putPages(pages: readonly Uint8Array[], into: Uint8Array, at: number): void {
  for (const [index, page] of pages.entries()) into.set(page, at + index * PAGE_BYTES);
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
