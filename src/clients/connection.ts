import { readSync, writeSync } from "node:fs";
import { joined } from "../environment/bytes.ts";
import { type Message, u32 } from "./protocol.ts";

/** Bytes that one read of the socket may return: most messages complete, with their header. */
const WINDOW = 1 << 16;
const HEAD = 8;
/** Most bytes of queued messages. */
const MOST_QUEUED = 1 << 20;

/** The other side has disconnected and cannot be notified; `message` then says where a message broke off. */
export class CallerGone extends Error {}

/** The byte transport: a socket, or a substitute. */
export interface Wire {
  /** Waits for bytes, copies those that have arrived, and returns how many; 0 once the other side has disconnected. */
  read(into: Uint8Array): number;
  /** Sends all of them; false once the other side has disconnected. The caller may reuse them afterwards. */
  write(bytes: Uint8Array): boolean;
}

/**
 * Messages over a socket, see `native/protocol.h`. It blocks in system calls: there is nothing else to do meanwhile,
 * and an event loop would take longer than a small launch does.
 */
export class Connection {
  readonly #wire: Wire;
  readonly #window: Uint8Array = new Uint8Array(WINDOW);
  readonly #words: DataView = new DataView(this.#window.buffer);
  /** Start of the received bytes that are not consumed yet. */
  #from = 0;
  #to = 0;
  /** Queued messages, and their bytes. */
  #out: Uint8Array[] = [];
  #queued = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /**
   * The next message, valid until the one after it; undefined once the other side has disconnected. Throws if it did so
   * within one.
   */
  receive(): Message | undefined {
    if (!this.#have(HEAD)) {
      if (this.#to > this.#from) throw brokenOff(this.#to - this.#from, HEAD);
      return undefined;
    }
    const kind = this.#words.getUint32(this.#from, true);
    const count = this.#words.getUint32(this.#from + 4, true);
    this.#from += HEAD;
    if (count <= WINDOW) {
      if (!this.#have(count)) throw brokenOff(this.#to - this.#from, count);
      this.#from += count;
      return { kind, payload: this.#window.subarray(this.#from - count, this.#from) };
    }
    const payload = new Uint8Array(count);
    payload.set(this.#window.subarray(this.#from, this.#to));
    let filled = this.#to - this.#from;
    this.#from = this.#to = 0;
    while (filled < count) {
      const got = this.#wire.read(payload.subarray(filled));
      if (got === 0) throw brokenOff(filled, count);
      filled += got;
    }
    return { kind, payload };
  }

  /**
   * The next message, if it has this kind and as many bytes as `into` and a word more: puts them there and returns the word;
   * undefined for any other, and once the other side has disconnected.
   */
  receiveInto(kind: number, into: Uint8Array): number | undefined {
    if (!this.#have(HEAD)) return undefined;
    const isMeant = this.#words.getUint32(this.#from, true) === kind;
    if (!isMeant || this.#words.getUint32(this.#from + 4, true) !== into.length + 4) return undefined;
    this.#from += HEAD;
    let filled = Math.min(into.length, this.#to - this.#from);
    into.set(this.#window.subarray(this.#from, this.#from + filled));
    this.#from += filled;
    while (filled < into.length) {
      const got = this.#wire.read(into.subarray(filled));
      if (got === 0) throw brokenOff(filled, into.length + 4);
      filled += got;
    }
    if (!this.#have(4)) throw brokenOff(filled, into.length + 4);
    this.#from += 4;
    return this.#words.getUint32(this.#from - 4, true);
  }

  /** Sends one message, and the queued ones with it; false once the other side has disconnected. */
  send(kind: number, ...parts: readonly Uint8Array[]): boolean {
    this.#queue(kind, parts);
    return this.#flush();
  }

  /** Queues the message for the next send: each separate send wakes the other side. Its bytes must not change until then. */
  sendLater(kind: number, ...parts: readonly Uint8Array[]): void {
    this.#queue(kind, parts);
    if (this.#queued > MOST_QUEUED) this.#flush();
  }

  /** Sends a message whose last part is large, without a copy of that; false once the other side has disconnected. */
  sendLarge(kind: number, start: Uint8Array, large: Uint8Array): boolean {
    this.#queue(kind, [start], large.length);
    return this.#flush() && this.#wire.write(large);
  }

  #queue(kind: number, parts: readonly Uint8Array[], more = 0): void {
    const count = parts.reduce((sum, part) => sum + part.length, more);
    this.#out.push(u32(kind), u32(count), ...parts);
    this.#queued += HEAD + count;
  }

  #flush(): boolean {
    const all = joined(this.#out);
    this.#out = [];
    this.#queued = 0;
    return this.#wire.write(all);
  }

  /** Ensures that this many bytes are in the window; false where no more arrive. */
  #have(count: number): boolean {
    if (this.#from + count > WINDOW) {
      this.#window.copyWithin(0, this.#from, this.#to);
      this.#to -= this.#from;
      this.#from = 0;
    }
    while (this.#to - this.#from < count) {
      const got = this.#wire.read(this.#window.subarray(this.#to));
      if (got === 0) return false;
      this.#to += got;
    }
    return true;
  }
}

/** A socket, by its descriptor. Blocks in system calls. */
export const socket = (descriptor: number): Wire => ({
  read: (into) => unlessGone(0, () => readSync(descriptor, into)),
  write: (bytes) =>
    unlessGone(false, () => {
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      return true;
    }),
});

function unlessGone<T>(gone: T, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isGone(error)) return gone;
    throw error;
  }
}

const brokenOff = (got: number, count: number): CallerGone =>
  new CallerGone(`a message of the program broke off after ${got} of ${count} bytes`);

const isGone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "EPIPE" || error.code === "ECONNRESET");
