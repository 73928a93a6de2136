import { plain } from "./plain.ts";

/** Default limit on a message, bytes: programs are sent as texts. */
export const MAX_MESSAGE_BYTES = 1 << 24;

/** Largest head, bytes: a length and a type. */
const HEAD = 8192;

/** Called for a refused message. `ends`: later messages cannot be separated any more. */
export type Refuse = (why: string, ends: boolean) => void;

/**
 * Takes bytes of a stream as they come and gives the messages in them (base protocol: `Content-Length: N`, an empty line, N
 * bytes). However a message is cut, each of its bytes is copied once: a sender that cuts it small costs no more.
 */
export class Framing {
  readonly #take: (message: unknown) => void;
  readonly #refuse: Refuse;
  readonly #most: number;
  /** The received part of an incomplete header. */
  readonly #head = Buffer.alloc(HEAD);
  #headLength = 0;
  /** A message whose length is known, and how much of it has arrived. */
  #body: Buffer | undefined;
  #bodyLength = 0;
  #broken = false;
  #copied = 0;

  constructor(take: (message: unknown) => void, refuse: Refuse, most: number = MAX_MESSAGE_BYTES) {
    this.#take = take;
    this.#refuse = refuse;
    this.#most = most;
  }

  /** Bytes copied so far, of headers and of messages. */
  get copied(): number {
    return this.#copied;
  }

  push(piece: Buffer): void {
    for (let at = 0; at < piece.length && !this.#broken; ) {
      const rest = piece.subarray(at);
      at += this.#body === undefined ? this.#takeHead(rest) : this.#takeBody(this.#body, rest);
    }
  }

  /** Consumes the bytes of a header, and returns their number. */
  #takeHead(bytes: Buffer): number {
    const before = this.#headLength;
    // A head that is whole in the piece is read where it is.
    const whole = before === 0 ? bytes.subarray(0, HEAD).indexOf("\r\n\r\n") : -1;
    if (whole >= 0) {
      this.#begin(bytes.toString("latin1", 0, whole));
      return whole + 4;
    }
    const count = Math.min(bytes.length, HEAD - before);
    this.#copy(bytes, count, this.#head, before);
    this.#headLength += count;
    const end = this.#head.subarray(0, this.#headLength).indexOf("\r\n\r\n", Math.max(before - 3, 0));
    if (end >= 0) {
      this.#headLength = 0;
      this.#begin(this.#head.toString("latin1", 0, end));
      return end + 4 - before;
    }
    if (this.#headLength === HEAD) this.#break(`the head of a message has no end within ${HEAD} bytes`);
    return count;
  }

  /** Allocates the message that a header announces. */
  #begin(head: string): void {
    const lengths = head.split("\r\n").flatMap((line) => /^content-length:(.*)$/i.exec(line)?.[1]?.trim() ?? []);
    const [length] = lengths;
    if (length === undefined) this.#break("a message without Content-Length");
    else if (!/^\d+$/.test(length)) this.#break("a message whose Content-Length is not a number of bytes");
    else if (lengths.some((other) => other !== length)) this.#break("a message with two Content-Lengths");
    else if (Number(length) > this.#most) this.#break(`a message of more than ${this.#most} bytes`);
    else {
      this.#body = Buffer.allocUnsafe(Number(length));
      this.#bodyLength = 0;
      // Nothing has to come for a message of nothing.
      if (this.#body.length === 0) this.#end(this.#body);
    }
  }

  /** Consumes the bytes of a message, and returns their number. */
  #takeBody(body: Buffer, bytes: Buffer): number {
    const count = Math.min(bytes.length, body.length - this.#bodyLength);
    this.#copy(bytes, count, body, this.#bodyLength);
    this.#bodyLength += count;
    if (this.#bodyLength === body.length) this.#end(body);
    return count;
  }

  #end(body: Buffer): void {
    this.#body = undefined;
    let message: unknown;
    try {
      message = JSON.parse(body.toString("utf8"));
    } catch {
      this.#refuse("a message that is not JSON", false);
      return;
    }
    this.#take(message);
  }

  #copy(from: Buffer, count: number, to: Buffer, at: number): void {
    to.set(plain(from.subarray(0, count)), at);
    this.#copied += count;
  }

  #break(why: string): void {
    this.#broken = true;
    this.#refuse(why, true);
  }
}

/** A message with its head. */
export function framed(message: object): string {
  const text = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
