/** What this file needs of WebAssembly; the library's types name no web interface. */
declare const WebAssembly: {
  readonly Memory: new (limits: { initial: number; maximum: number; shared: true }) => WebAssemblyMemory;
};

/** A `WebAssembly.Memory`, with the members that this project uses. */
export interface WebAssemblyMemory {
  readonly buffer: ArrayBufferLike;
}

/** A page of WebAssembly, bytes. */
const PAGE = 65536;

/** Offsets stay below 2^31, so that an index is a small integer in every engine. */
export const LARGEST = 0x7fff_0000;

/** Bytes of data with which small programs run. With less memory left the engine itself does not get far. */
const SMALLEST = 4 << 20;

/** One half of the buffer, seen by width. Floats are never used to move bits: a NaN's payload may change on the way. */
export interface Views {
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly u32: Uint32Array;
  readonly s32: Int32Array;
  readonly u64: BigUint64Array;
}

/**
 * Data and their shadow in one buffer of fixed size: the shadow byte of the data byte at `at` lies at
 * `at + distance`. All of it is virtual from the start and costs nothing until it is touched. It never grows, so its
 * views are made once, and a bound step may keep them.
 *
 * The memory is a shared one (of WebAssembly's threads), although no second thread sees it: engines count the whole
 * size of an unshared buffer as potential garbage, and run a full collection whenever one of gigabytes is made
 * (30 ms; 0.05 ms when shared, measured with Node 20).
 */
export class Linear {
  /** Bytes of data, and again of shadow: a multiple of 64 KiB; less than requested only where the system has less. */
  readonly distance: number;
  readonly buffer: ArrayBufferLike;
  readonly data: Views;
  readonly shadow: Views;
  /**
   * The same bytes for code compiled to WebAssembly, which imports it as `(memory n n shared)`, n being
   * `2 * distance / 65536` pages. A load at `address` with the constant offset `distance` returns the shadow; for every
   * 32-bit address outside of the data it traps, so code that checks the shadow first never reaches a wrong byte.
   * Undefined where the system has no address space for WebAssembly's guard pages (some 10 GiB a memory); then only
   * JavaScript can work on the buffer.
   */
  readonly wasm: WebAssemblyMemory | undefined;

  /**
   * Allocates `bytes` bytes of data, at most `LARGEST`; fewer where the system refuses, see `distance`. Or wraps a
   * memory that another thread has allocated so.
   */
  constructor(bytes: number | WebAssemblyMemory) {
    const pages = typeof bytes === "number" ? Math.max(1, Math.ceil(bytes / PAGE)) : 0;
    this.wasm = typeof bytes === "number" ? webAssembly(2 * pages) : bytes;
    this.buffer = this.wasm?.buffer ?? plain(pages * PAGE);
    this.distance = this.buffer.byteLength / 2;
    this.data = see(this.buffer, 0, this.distance);
    this.shadow = see(this.buffer, this.distance, this.distance);
  }
}

/** A refusal costs the engine three full garbage collections, so a refused size is not tried again. */
const refused: { wasm: boolean; bytes: number } = { wasm: false, bytes: Number.POSITIVE_INFINITY };

function webAssembly(pages: number): WebAssemblyMemory | undefined {
  if (refused.wasm) return undefined;
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch {
    refused.wasm = true;
    return undefined;
  }
}

/** A buffer for `bytes` bytes of data and their shadow; halved while the system refuses, in the end for none. */
function plain(bytes: number): ArrayBufferLike {
  let size = bytes;
  // The engine's heap needs what is left: at most half of the available memory is used.
  while (size > SMALLEST && (size >= refused.bytes || attempt(4 * size) === undefined)) {
    refused.bytes = Math.min(refused.bytes, size);
    size = Math.max(Math.ceil(size / 2 / PAGE) * PAGE, SMALLEST);
  }
  const buffer = attempt(2 * size) ?? new ArrayBuffer(0);
  // A refused attempt makes the engine collect its garbage, here the buffer of the attempt that succeeded.
  if (size < bytes) attempt(8 * size);
  return buffer;
}

/** Zeros, committed by the system on touch; undefined where it refuses. A browser may have no shared buffers. */
function attempt(bytes: number): ArrayBufferLike | undefined {
  try {
    return new (globalThis.SharedArrayBuffer ?? ArrayBuffer)(bytes);
  } catch {
    return undefined;
  }
}

const see = (buffer: ArrayBufferLike, start: number, bytes: number): Views => ({
  u8: new Uint8Array(buffer, start, bytes),
  u16: new Uint16Array(buffer, start, bytes / 2),
  u32: new Uint32Array(buffer, start, bytes / 4),
  s32: new Int32Array(buffer, start, bytes / 4),
  u64: new BigUint64Array(buffer, start, bytes / 8),
});
