/** Bytes that grow at their end, with the integers of WebAssembly's binary format (LEB128). */
export class Bytes {
  #bytes = new Uint8Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  byte(value: number): this {
    if (this.#length === this.#bytes.length) this.#grow(this.#length + 1);
    this.#bytes[this.#length++] = value;
    return this;
  }

  bytes(values: Iterable<number>): this {
    for (const value of values) this.byte(value);
    return this;
  }

  /** An unsigned integer of up to 32 bits. */
  unsigned(value: number): this {
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    return this.byte(rest);
  }

  /** A signed integer of 32 bits. */
  signed(value: number): this {
    let rest = value | 0;
    for (;;) {
      const low = rest & 0x7f;
      rest >>= 7;
      if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) return this.byte(low);
      this.byte(low | 0x80);
    }
  }

  /** A signed integer of 64 bits. */
  signed64(value: bigint): this {
    let rest = BigInt.asIntN(64, value);
    for (;;) {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      if ((rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0)) return this.byte(low);
      this.byte(low | 0x80);
    }
  }

  /** A name: its length in UTF-8, and its bytes, which are ASCII here. */
  name(text: string): this {
    this.unsigned(text.length);
    for (let at = 0; at < text.length; at++) this.byte(text.charCodeAt(at));
    return this;
  }

  append(other: Bytes): this {
    const needed = this.#length + other.#length;
    if (needed > this.#bytes.length) this.#grow(needed);
    this.#bytes.set(other.result(), this.#length);
    this.#length = needed;
    return this;
  }

  /** A view of the bytes written; it is valid until the next write. */
  result(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, needed));
    larger.set(this.result());
    this.#bytes = larger;
  }
}
