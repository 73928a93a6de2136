import type { Buffer, Device, Supplier } from "../../host/index.ts";
import { Status } from "./status.ts";

/** Bytes that are copied at once: the size of the buffer between both ends. */
const CHUNK = 1 << 22;

/** Alignment of textures of linear memory, as in CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, and of allocations. */
const TEXTURE_ALIGNMENT = 512;

/** One end of a copy: memory of the caller at its own addresses, or of the device. */
export interface Place {
  /** `any`: the side that has an allocation there, as with unified addressing. */
  readonly kind: "host" | "device" | "any";
  readonly address: bigint;
  /** Bytes from row to row, and from slice to slice. */
  readonly pitch: number;
  readonly slice: number;
}

/** The result of a call: its status, and for a failure a sentence. */
export type Went = readonly [number, string?];

export interface Extent {
  readonly bytes: number;
  readonly rows: number;
  readonly slices: number;
}

/** The device's allocations, and copies from, to and between them and the caller's memory. */
export class DriverMemory {
  readonly #device: Device;
  readonly #caller: Supplier;
  /** In order of address: allocations and variables of modules. */
  #buffers: Buffer[] = [];
  readonly #allocated: Map<bigint, Buffer> = new Map();

  constructor(device: Device, caller: Supplier) {
    this.#device = device;
    this.#caller = caller;
  }

  allocate(bytes: number): Buffer | undefined {
    const buffer = this.#device.allocate(bytes, { align: TEXTURE_ALIGNMENT });
    if (buffer === undefined) return undefined;
    this.#allocated.set(buffer.address, buffer);
    this.add(buffer);
    return buffer;
  }

  free(address: bigint): boolean {
    const buffer = this.#allocated.get(address);
    if (buffer === undefined) return false;
    this.#allocated.delete(address);
    this.remove(buffer);
    buffer.free();
    return true;
  }

  /** Adds a variable of a module to the memory that can be copied. */
  add(buffer: Buffer): void {
    const at = this.#buffers.findIndex(({ address }) => address > buffer.address);
    this.#buffers.splice(at < 0 ? this.#buffers.length : at, 0, buffer);
  }

  /** Removes it again. */
  remove(buffer: Buffer): void {
    const at = this.#buffers.indexOf(buffer);
    if (at >= 0) this.#buffers.splice(at, 1);
  }

  /** The buffer that contains the byte at `address`. */
  find(address: bigint): Buffer | undefined {
    let [low, high] = [0, this.#buffers.length];
    let found: Buffer | undefined;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const buffer = this.#buffers[middle];
      if (buffer !== undefined && buffer.address <= address) {
        found = buffer;
        low = middle + 1;
      } else high = middle;
    }
    return found !== undefined && address < found.address + BigInt(found.bytes) ? found : undefined;
  }

  get allocatedBytes(): number {
    let sum = 0;
    for (const { bytes } of this.#allocated.values()) sum += bytes;
    return sum;
  }

  /** Copies rows of bytes; returns a status, and for a failure a sentence. */
  copy(to: Place, from: Place, { bytes, rows, slices }: Extent): Went {
    if (bytes === 0 || rows === 0 || slices === 0) return done;
    if (isDense(to, bytes, rows, slices) && isDense(from, bytes, rows, slices))
      return this.#copyRow(to, from, 0n, 0n, bytes * rows * slices);
    for (let slice = 0; slice < slices; slice++)
      for (let row = 0; row < rows; row++) {
        const went = this.#copyRow(to, from, offsetIn(to, row, slice), offsetIn(from, row, slice), bytes);
        if (went[0] !== Status.success) return went;
      }
    return done;
  }

  /** Sets `count` elements in each of `rows` rows to `value`, which has `width` bytes. */
  set(address: bigint, value: number, width: 1 | 2 | 4, count: number, rows: number, pitch: number): Went {
    const pattern = new Uint8Array(Uint32Array.of(value).buffer).subarray(0, width);
    const chunk = new Uint8Array(Math.min(count * width, CHUNK));
    for (let at = 0; at < chunk.length; at += width) chunk.set(pattern, at);
    for (let row = 0; row < rows; row++) {
      const start = address + BigInt(row) * BigInt(pitch);
      const wrong = this.#check("sets", "device", start, count * width);
      if (wrong !== undefined) return [Status.invalidValue, wrong];
      for (let at = 0; at < count * width; at += CHUNK)
        this.#write("device", start + BigInt(at), chunk.subarray(0, Math.min(CHUNK, count * width - at)));
    }
    return done;
  }

  #copyRow(to: Place, from: Place, behind: bigint, ahead: bigint, bytes: number): Went {
    const [into, out] = [to.address + behind, from.address + ahead];
    const wrong = this.#check("writes", to.kind, into, bytes) ?? this.#check("reads", from.kind, out, bytes);
    if (wrong !== undefined) return [Status.invalidValue, wrong];
    // Overlapping ranges are copied as if all bytes were read before any is written.
    const backwards = into > out;
    for (let left = bytes, moved = 0; left > 0; ) {
      const part = Math.min(left, CHUNK);
      const at = BigInt(backwards ? left - part : moved);
      const read = this.#read(from.kind, out + at, part);
      if (typeof read === "string") return [Status.invalidValue, read];
      this.#write(to.kind, into + at, read);
      left -= part;
      moved += part;
    }
    return done;
  }

  /** Why the device lacks these bytes, for a range of device memory. */
  #check(verb: string, kind: Place["kind"], address: bigint, bytes: number): string | undefined {
    const buffer = kind === "host" ? undefined : this.find(address);
    if (buffer === undefined && kind !== "device") return undefined;
    const what = `${verb} ${bytes} bytes at ${hex(address)}`;
    if (buffer === undefined) return `${what}, which is in no allocation of the device`;
    const over = Number(address - buffer.address) + bytes - buffer.bytes;
    return over > 0 ? `${what}, ${over} of them past the end of ${buffer.name} (${buffer.bytes} bytes)` : undefined;
  }

  #read(kind: Place["kind"], address: bigint, bytes: number): Uint8Array | string {
    const buffer = kind === "host" ? undefined : this.find(address);
    if (buffer !== undefined) return buffer.read(Number(address - buffer.address), bytes);
    const read = new Uint8Array(bytes);
    const got = this.#caller.read(address, read);
    return got === bytes ? read : `reads ${bytes} bytes at ${hex(address)}, of which the program has ${got} mapped`;
  }

  #write(kind: Place["kind"], address: bigint, bytes: Uint8Array): void {
    const buffer = kind === "host" ? undefined : this.find(address);
    if (buffer === undefined) this.#caller.write(address, new Uint8Array(bytes));
    else buffer.write(bytes, Number(address - buffer.address));
  }
}

const done: Went = [Status.success];

const offsetIn = ({ pitch, slice }: Place, row: number, at: number): bigint =>
  BigInt(at) * BigInt(slice) + BigInt(row) * BigInt(pitch);

/** Whether rows are adjacent without gaps. */
const isDense = ({ pitch, slice }: Place, bytes: number, rows: number, slices: number): boolean =>
  (rows === 1 || pitch === bytes) && (slices === 1 || slice === bytes * rows);

const hex = (address: bigint): string => `0x${address.toString(16)}`;
