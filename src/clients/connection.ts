import { readSync, writeSync } from "node:fs";
import { joined } from "../environment/bytes.ts";
import { type Message, u32 } from "./protocol.ts";

/** Bytes that one look at the socket may bring: most messages whole, with their head. */
const WINDOW = 1 << 16;
const HEAD = 8;
/** Bytes of messages that wait at most. */
const MOST_QUEUED = 1 << 20;

/** Nobody is left who could be told anything, or who could say more: `message` then says where a message broke off. */
export class CallerGone extends Error {}

/** What bytes come and go by: a socket, or what stands for one. */
export interface Wire {
  /** Waits for bytes, fills in those that have come, and gives how many; 0 once the other side is gone. */
  read(into: Uint8Array): number;
  /** Sends all of them; false once the other side is gone. They are the caller's again afterwards. */
  write(bytes: Uint8Array): boolean;
}

/**
 * Messages over a socket, see `native/protocol.h`. It waits in system calls: there is nothing else to do meanwhile, and an
 * event loop would take longer than a small launch does.
 */
export class Connection {
  readonly #wire: Wire;
  readonly #window: Uint8Array = new Uint8Array(WINDOW);
  readonly #words: DataView = new DataView(this.#window.buffer);
  /** What has come and was not taken yet. */
  #from = 0;
  #to = 0;
  /** Messages that wait to be sent, and their bytes. */
  #out: Uint8Array[] = [];
  #queued = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** The next message, valid until the one after it; undefined once the other side is gone. Throws where it went within one. */
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

  /** Sends one message, and those that were to be sent with it; false once the other side is gone. */
  send(kind: number, ...parts: readonly Uint8Array[]): boolean {
    this.#queue(kind, parts);
    return this.#flush();
  }

  /** The message may wait for the next one: each that is sent by itself wakes the other side. */
  sendLater(kind: number, ...parts: readonly Uint8Array[]): void {
    this.#queue(kind, parts);
    if (this.#queued > MOST_QUEUED) this.#flush();
  }

  #queue(kind: number, parts: readonly Uint8Array[]): void {
    const count = parts.reduce((sum, part) => sum + part.length, 0);
    this.#out.push(u32(kind), u32(count), ...parts);
    this.#queued += HEAD + count;
  }

  #flush(): boolean {
    const all = joined(this.#out);
    this.#out = [];
    this.#queued = 0;
    return this.#wire.write(all);
  }

  /** Makes sure that so many bytes lie in the window; false where they do not come any more. */
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

/** A socket, by its descriptor. Waits in system calls. */
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
