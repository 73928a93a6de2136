/**
 * Little-endian fields one after another, in a buffer that grows. Values are cut to their field, so check them before.
 */
export class Sink {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  u8(value: number): void {
    const at = this.#room(1);
    this.#view.setUint8(at, value);
  }

  u16(value: number): void {
    const at = this.#room(2);
    this.#view.setUint16(at, value, true);
  }

  u32(value: number): void {
    const at = this.#room(4);
    this.#view.setUint32(at, value, true);
  }

  u64(value: bigint): void {
    const at = this.#room(8);
    this.#view.setBigUint64(at, value, true);
  }

  unsigned(bytes: 1 | 2 | 4, value: number): void {
    if (bytes === 1) this.u8(value);
    else if (bytes === 2) this.u16(value);
    else this.u32(value);
  }

  bytes(bytes: Uint8Array): void {
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** A copy of what has been written. */
  finish(): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(0, this.#length));
  }

  /** Call it before touching the buffer, which it may replace. */
  #room(count: number): number {
    const start = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, 2 * this.#bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return start;
  }
}
