/** The messages between a client's process and its worker; `native/protocol.h` defines them, and this is its mirror. */
export const VERSION = 4;

/** Descriptors that the worker is started with. */
export const SOCKET = 3;
export const MEMORY = 4;

/** Bytes of a page of the client's memory. */
export const PAGE = 4096;

/** The most bytes that a `read` may ask for. */
export const MOST_READ: number = 2 ** 30;

export const Kind = {
  hello: 1,
  ends: 2,
  notStarted: 3,
  launch: 4,
  finished: 5,
  print: 6,
  note: 7,
  read: 8,
  bytes: 9,
  write: 10,
  register: 11,
  unregister: 12,
  call: 13,
  answer: 14,
} as const;

export interface Message {
  readonly kind: number;
  readonly payload: Uint8Array;
}

/** Reads a message's numbers and texts one after another. Throws a RangeError behind its end. */
export class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor({ payload }: Message) {
    this.#bytes = payload;
    this.#view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  }

  i32(): number {
    return this.#view.getInt32(this.#step(4), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#step(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#step(8), true);
  }

  /** A view of bytes of the message, which is short-lived. */
  bytes(count: number): Uint8Array {
    const at = this.#step(count);
    if (at + count > this.#bytes.length) throw new RangeError(`${count} bytes behind ${at} of ${this.#bytes.length}`);
    return this.#bytes.subarray(at, at + count);
  }

  /** Whether bytes remain. */
  get more(): boolean {
    return this.#at < this.#bytes.length;
  }

  /** The remaining bytes, as a view of the message. */
  rest(): Uint8Array {
    return this.#bytes.subarray(this.#step(this.#bytes.length - this.#at));
  }

  /** The remaining bytes, as text. */
  text(): string {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.#bytes.subarray(this.#at));
  }

  #step(bytes: number): number {
    const at = this.#at;
    this.#at += bytes;
    return at;
  }
}

export const u32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);
export const u64 = (value: bigint): Uint8Array => new Uint8Array(BigUint64Array.of(value).buffer);
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
