import type { Buffer, Device, Supplier } from "../../host/index.ts";
import { Status } from "./status.ts";

/** Bytes that are held besides both ends of a copy, at most. */
const CHUNK = 1 << 20;

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
    const word = new Uint32Array(Uint8Array.from({ length: 4 }, (_, at) => pattern[at % width] ?? 0).buffer)[0] ?? 0;
    const bytes = count * width;
    for (let row = 0; row < rows && bytes > 0; row++) {
      const start = address + BigInt(row) * BigInt(pitch);
      const wrong = this.#check("sets", "device", start, bytes);
      if (wrong !== undefined) return [Status.invalidValue, wrong];
      const [buffer, offset] = this.#deviceAt("device", start)!;
      buffer.receive(offset, bytes, (room) => {
        filled(room, word, width);
        return bytes;
      });
    }
    return done;
  }

  #copyRow(to: Place, from: Place, behind: bigint, ahead: bigint, bytes: number): Went {
    const [into, out] = [to.address + behind, from.address + ahead];
    const wrong = this.#check("writes", to.kind, into, bytes) ?? this.#check("reads", from.kind, out, bytes);
    if (wrong !== undefined) return [Status.invalidValue, wrong];
    const [target, source] = [this.#deviceAt(to.kind, into), this.#deviceAt(from.kind, out)];
    if (target !== undefined && source !== undefined) {
      const [buffer, offset] = target;
      buffer.receive(offset, bytes, (room) => {
        // Overlapping ranges are copied as if all bytes were read before any is written.
        room.set(source[0].view(source[1], bytes));
        return bytes;
      });
    } else if (source !== undefined) this.#caller.write(into, source[0].view(source[1], bytes));
    else if (target !== undefined) return this.#fromHost(target, out, bytes);
    else return this.#withinHost(into, out, bytes);
    return done;
  }

  /** Copies to the device; of a large range that the program has not all of, what it has. */
  #fromHost([buffer, offset]: InBuffer, out: bigint, bytes: number): Went {
    if (bytes > CHUNK) {
      const got = buffer.receive(offset, bytes, (room) => this.#caller.read(out, room));
      return got === bytes ? done : [Status.invalidValue, unmapped(out, bytes, got)];
    }
    const read = new Uint8Array(bytes);
    const got = this.#caller.read(out, read);
    if (got < bytes) return [Status.invalidValue, unmapped(out, bytes, got)];
    buffer.write(read, offset);
    return done;
  }

  #withinHost(into: bigint, out: bigint, bytes: number): Went {
    const backwards = into > out;
    for (let left = bytes, moved = 0; left > 0; ) {
      const read = new Uint8Array(Math.min(left, CHUNK));
      const at = BigInt(backwards ? left - read.length : moved);
      const got = this.#caller.read(out + at, read);
      if (got < read.length) return [Status.invalidValue, unmapped(out + at, read.length, got)];
      this.#caller.write(into + at, read);
      left -= read.length;
      moved += read.length;
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

  /** Where an address lies in the device's memory, if it does. */
  #deviceAt(kind: Place["kind"], address: bigint): InBuffer | undefined {
    const buffer = kind === "host" ? undefined : this.find(address);
    return buffer && [buffer, Number(address - buffer.address)];
  }
}

/** A buffer, and how far into it. */
type InBuffer = readonly [Buffer, number];

/** Fills bytes that begin at a multiple of `width` with a pattern of so many bytes, which `word` has once or repeated. */
function filled(room: Uint8Array, word: number, width: number): void {
  const before = Math.min(room.length, -room.byteOffset & 3);
  const words = (room.length - before) >>> 2;
  const behind = before + 4 * words;
  for (let at = 0; at < before; at++) room[at] = word >>> (8 * (at % width));
  if (words > 0) new Uint32Array(room.buffer, room.byteOffset + before, words).fill(word);
  for (let at = behind; at < room.length; at++) room[at] = word >>> (8 * ((at - behind) % width));
}

const unmapped = (address: bigint, bytes: number, got: number): string =>
  `reads ${bytes} bytes at ${hex(address)}, of which the program has ${got} mapped`;

const done: Went = [Status.success];

const offsetIn = ({ pitch, slice }: Place, row: number, at: number): bigint =>
  BigInt(at) * BigInt(slice) + BigInt(row) * BigInt(pitch);

/** Whether rows are adjacent without gaps. */
const isDense = ({ pitch, slice }: Place, bytes: number, rows: number, slices: number): boolean =>
  (rows === 1 || pitch === bytes) && (slices === 1 || slice === bytes * rows);

const hex = (address: bigint): string => `0x${address.toString(16)}`;
