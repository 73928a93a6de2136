/** What this file needs of WebAssembly; the library's types name no web interface. */
declare const WebAssembly: {
  readonly Memory: new (limits: {
    initial: number;
    maximum: number;
  }) => { readonly buffer: ArrayBuffer; grow(pages: number): number };
};

const PAGE = 65536;

/** Offsets stay below 2^31, so that an index is a small integer in every engine. */
export const LARGEST = 0x7fff_0000;

/** One buffer, seen by width. Floats are never used to move bits: a NaN's payload may change on the way. */
export interface Views {
  readonly buffer: ArrayBuffer;
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly u32: Uint32Array;
  readonly s32: Int32Array;
  readonly u64: BigUint64Array;
}

/**
 * A growable buffer in WebAssembly memory, so that code compiled to WebAssembly can work on the same bytes. Growing is
 * virtual: pages cost nothing until they are touched. It replaces `views`, and views taken before it are dead.
 */
export class Linear {
  views: Views;
  readonly #memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly #maximum: number;

  /** Room for `limit` bytes at most, at most `LARGEST`. */
  constructor(limit: number) {
    this.#maximum = Math.max(1, Math.ceil(limit / PAGE));
    this.#memory = new WebAssembly.Memory({ initial: 1, maximum: this.#maximum });
    this.views = see(this.#memory.buffer);
  }

  /** Makes the buffer at least `bytes` long; true when that replaced the views, undefined when the host refuses. */
  reach(bytes: number): boolean | undefined {
    const length = this.views.buffer.byteLength;
    if (bytes <= length) return false;
    // Twice the size while that fits: a module of ten thousand variables must not grow ten thousand times.
    const wanted = Math.ceil(bytes / PAGE);
    const doubled = Math.min(Math.max(wanted, (2 * length) / PAGE), this.#maximum);
    try {
      this.#memory.grow(Math.max(wanted, doubled) - length / PAGE);
    } catch {
      return undefined;
    }
    this.views = see(this.#memory.buffer);
    return true;
  }
}

const see = (buffer: ArrayBuffer): Views => ({
  buffer,
  u8: new Uint8Array(buffer),
  u16: new Uint16Array(buffer),
  u32: new Uint32Array(buffer),
  s32: new Int32Array(buffer),
  u64: new BigUint64Array(buffer),
});
