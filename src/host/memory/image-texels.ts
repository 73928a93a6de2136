import type { Memory } from "../../interp/index.ts";
import { Buffer, bytesIn, type Contents } from "./buffer.ts";
import type { ImageArray } from "./image-array.ts";

/** The texels of an array's largest level as if they were a buffer: rows without gaps, layer after layer. */
export class ImageTexels extends Buffer {
  readonly array: ImageArray;

  /** @internal Made by `ImageArray.texels`; `address` is the start of its memory. */
  constructor(memory: Memory, array: ImageArray, address: bigint) {
    super(memory, array.image.name, address, array.bytes());
    this.array = array;
  }

  override read(offset = 0, bytes: number = this.bytes - offset): Uint8Array {
    if (offset < 0 || bytes < 0 || offset + bytes > this.bytes)
      throw new RangeError(`${this.name}: bytes ${offset} to ${offset + bytes} of texels of ${this.bytes}`);
    return this.array.read().subarray(offset, offset + bytes);
  }

  override write(contents: Contents, offset = 0): void {
    const whole = this.array.read();
    whole.set(bytesIn(contents), offset);
    this.array.write(whole);
  }

  override free(): void {
    this.array.free();
  }
}
