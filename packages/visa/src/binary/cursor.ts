import type { Code } from "../../../../src/source/codes/index.ts";
import type { Span } from "../../../../src/source/source.ts";

/** An error in an object; thrown where it is found, caught where reading began. */
export class Broken {
  readonly code: Code;
  readonly message: string;
  readonly span: Span;
  readonly expected: string | undefined;
  readonly help: string | undefined;
  constructor(code: Code, message: string, span: Span, expected?: string, help?: string) {
    this.code = code;
    this.message = message;
    this.span = span;
    this.expected = expected;
    this.help = help;
  }
}

/** The most strings, declarations, attributes and instructions of one file: the syntax tree of more does not fit in memory. */
export const MOST_RECORDS = 1_000_000;

/** Reads little-endian fields one after another and never past its end. */
export class Cursor {
  at: number;
  readonly end: number;
  readonly #view: DataView;
  /** Shared by all cursors over one file. */
  readonly #records: { count: number };

  /** From byte `start` up to, without, byte `end`; both are within `bytes`. */
  constructor(bytes: Uint8Array, start: number, end: number, records: { count: number } = { count: 0 }) {
    this.#records = records;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = start;
    this.end = end;
  }

  /** `what` is the field's name in the message when the bytes end too soon. */
  u8(what: string): number {
    return this.#view.getUint8(this.#take(1, what));
  }

  u16(what: string): number {
    return this.#view.getUint16(this.#take(2, what), true);
  }

  s16(what: string): number {
    return this.#view.getInt16(this.#take(2, what), true);
  }

  u32(what: string): number {
    return this.#view.getUint32(this.#take(4, what), true);
  }

  u64(what: string): bigint {
    return this.#view.getBigUint64(this.#take(8, what), true);
  }

  /** An unsigned field of 1, 2 or 4 bytes. */
  unsigned(bytes: 1 | 2 | 4, what: string): number {
    return bytes === 1 ? this.u8(what) : bytes === 2 ? this.u16(what) : this.u32(what);
  }

  bytes(count: number, what: string): Uint8Array {
    const start = this.#take(count, what);
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + start, count);
  }

  /** The bytes up to the next NUL, which is skipped. */
  untilNul(what: string): Uint8Array {
    const rest = new Uint8Array(this.#view.buffer, this.#view.byteOffset + this.at, this.end - this.at);
    const length = rest.indexOf(0);
    if (length < 0) this.#endsIn(what);
    this.at += length + 1;
    return rest.subarray(0, length);
  }

  /** The bytes from `start` up to, without, `end`; both are within this cursor's bytes. */
  part(start: number, end: number): Cursor {
    return new Cursor(
      new Uint8Array(this.#view.buffer, this.#view.byteOffset, this.#view.byteLength),
      start,
      end,
      this.#records,
    );
  }

  /** Counts one more record; throws when there are too many. */
  record(): void {
    this.#records.count += 1;
    if (this.#records.count > MOST_RECORDS)
      throw new Broken("PTX6102", `the object has more than ${MOST_RECORDS} parts`, { start: this.at, end: this.at });
  }

  /** What has been read since `start`. */
  since(start: number): Span {
    return { start, end: this.at };
  }

  #take(count: number, what: string): number {
    const start = this.at;
    if (count > this.end - start) this.#endsIn(what);
    this.at = start + count;
    return start;
  }

  #endsIn(what: string): never {
    throw new Broken("PTX8503", `the bytes end within ${what}, at byte ${this.end}`, { start: this.at, end: this.end });
  }
}
