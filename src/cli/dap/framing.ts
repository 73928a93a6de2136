import { plain } from "../plain.ts";

/** Largest message that is taken, bytes: programs are sent as texts. */
const MOST = 1 << 28;

/** Takes bytes of a stream as they come and gives the messages in them (base protocol: `Content-Length: N`, an empty line, N bytes). */
export class Framing {
  readonly #take: (message: unknown) => void;
  readonly #refuse: (why: string) => void;
  #bytes: Buffer = Buffer.alloc(0);
  #wanted = -1;

  constructor(take: (message: unknown) => void, refuse: (why: string) => void) {
    this.#take = take;
    this.#refuse = refuse;
  }

  push(piece: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? piece : Buffer.concat([plain(this.#bytes), plain(piece)]);
    while (this.#next());
  }

  /** Takes one message, if all of it is there. */
  #next(): boolean {
    if (this.#wanted < 0) {
      const end = this.#bytes.indexOf("\r\n\r\n");
      if (end < 0) {
        if (this.#bytes.length > 8192) this.#refuse("a message without Content-Length");
        return false;
      }
      const found = /content-length: *(\d{1,9})/i.exec(this.#bytes.toString("latin1", 0, end));
      this.#bytes = this.#bytes.subarray(end + 4);
      if (found === null) {
        this.#refuse("a message without Content-Length");
        return true;
      }
      this.#wanted = Number(found[1]);
      if (this.#wanted > MOST) this.#refuse(`a message of ${this.#wanted} bytes`);
    }
    if (this.#bytes.length < this.#wanted) return false;
    const text = this.#bytes.toString("utf8", 0, this.#wanted);
    this.#bytes = this.#bytes.subarray(this.#wanted);
    this.#wanted = -1;
    this.#read(text);
    return true;
  }

  #read(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.#refuse("a message that is not JSON");
      return;
    }
    this.#take(message);
  }
}

/** A message with its head. */
export function framed(message: object): string {
  const text = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
