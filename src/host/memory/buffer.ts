import type { Memory } from "../../interp/index.ts";
import { checkGiven } from "../../source/given.ts";
import { bitsOf, type ElementType, isElementType, toValue } from "./element.ts";

/** The contents of a new buffer, or data to fill one. */
export type Contents = Uint8Array | ArrayBufferView | ArrayBuffer;

/** The bytes of a typed array, without copying. */
export const bytesIn = (contents: Contents): Uint8Array =>
  ArrayBuffer.isView(contents)
    ? new Uint8Array(contents.buffer, contents.byteOffset, contents.byteLength)
    : new Uint8Array(contents);

/** Part of a device's memory: what `cuMemAlloc` returns, or a module's variable. A kernel receives its address. */
export class Buffer {
  readonly name: string;
  /** Address in the device's one address space; never 0. */
  readonly address: bigint;
  readonly bytes: number;
  readonly #memory: Memory;

  /** @internal Made by `Device.buffer` and `Module.variable`. */
  constructor(memory: Memory, name: string, address: bigint, bytes: number) {
    this.#memory = memory;
    this.name = name;
    this.address = address;
    this.bytes = bytes;
  }

  /** A copy of `bytes` bytes from `offset`; all of them by default. Throws a RangeError outside of the buffer. */
  read(offset = 0, given?: number): Uint8Array {
    checkGiven("read", "offset", offset, "number");
    const bytes = given ?? this.bytes - offset;
    checkGiven("read", "bytes", bytes, "number");
    this.#check(offset, bytes);
    return bytes === 0 ? new Uint8Array(0) : this.#memory.read(this.address + BigInt(offset), bytes);
  }

  /** @internal The bytes themselves, until the memory changes. */
  view(offset: number, bytes: number): Uint8Array {
    this.#check(offset, bytes);
    return bytes === 0 ? new Uint8Array(0) : this.#memory.view(this.address + BigInt(offset), bytes);
  }

  /** @internal Lets `fill` write bytes in their place, and returns how many it did, which count as initialised. */
  receive(offset: number, bytes: number, fill: (into: Uint8Array) => number): number {
    this.#check(offset, bytes);
    return bytes === 0 ? 0 : this.#memory.receive(this.address + BigInt(offset), bytes, fill);
  }

  /** Writes bytes from `offset`, which then count as initialised. Throws a RangeError outside of the buffer. */
  write(contents: Contents, offset = 0): void {
    checkGiven("write", "contents", contents, "array");
    checkGiven("write", "offset", offset, "number");
    const bytes = bytesIn(contents);
    this.#check(offset, bytes.byteLength);
    if (bytes.byteLength > 0) this.#memory.write(this.address + BigInt(offset), bytes);
  }

  /** A part of it as a separate buffer, which is not freed by itself. Throws a RangeError outside of the buffer. */
  part(offset: number, bytes: number): Buffer {
    this.#check(offset, bytes);
    return new Buffer(this.#memory, this.name, this.address + BigInt(offset), bytes);
  }

  /** @internal A buffer of the same size at another address, for a thread with a private copy of the variable. */
  at(address: bigint): Buffer {
    return new Buffer(this.#memory, this.name, address, this.bytes);
  }

  /** Its elements as numbers (`bigint` for 64-bit integers); only `toBits` shows a NaN's payload. */
  toArray(type: ElementType): (number | bigint)[] {
    checkType("toArray", type);
    return this.toBits(type).map((bits) => toValue(bits, type));
  }

  /** Its elements as unsigned bits. */
  toBits(type: ElementType): bigint[] {
    checkType("toBits", type);
    return bitsOf(this.read(), type);
  }

  /** Frees the memory; a kernel that touches it afterwards faults. */
  free(): void {
    this.#memory.free(this.address);
  }

  #check(offset: number, bytes: number): void {
    if (offset < 0 || bytes < 0 || offset + bytes > this.bytes) {
      throw new RangeError(`${this.name}: bytes ${offset} to ${offset + bytes} of a buffer of ${this.bytes}`);
    }
  }
}

function checkType(of: string, type: ElementType): void {
  checkGiven(of, "type", type, "text");
  if (!isElementType(type)) throw new TypeError(`${of}: unknown type ${type}, expected f32, u8 or the like`);
}
