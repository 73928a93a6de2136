import { joined } from "../../environment/bytes.ts";
import type { StateAllocation, StateImage, StatePage } from "../../host/index.ts";

/** A texture, sampler or surface as JSON: numbers that JSON cannot represent are texts. */
const objectText = (object: StateImage["object"]): string =>
  JSON.stringify(object, (_, value: unknown) =>
    typeof value === "number" && !Number.isFinite(value) ? `number ${value}` : value,
  );

/** The object of such a text. Throws a RangeError for an invalid one. */
function objectOf(text: string): StateImage["object"] {
  const object = parsed(text);
  if (!isObject(object)) throw new RangeError("a record of an image that is none");
  return object;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === "string" && value.startsWith("number ") ? Number(value.slice(7)) : value,
    );
  } catch {
    throw new RangeError("a record of an image that is not JSON");
  }
}

const kinds: readonly unknown[] = ["texref", "samplerref", "surfref"];

const isObject = (value: unknown): value is StateImage["object"] =>
  typeof value === "object" && value !== null && "kind" in value && kinds.includes(value.kind);

/** Bytes of a page. */
export const PAGE = 4096;
const MAGIC = "PTXRUNM2";
const HEAD = 8;

/**
 * The contents of a file of recorded memory, after eight letters: records, each of u32 kind, u32 number of bytes, and
 * the bytes. Numbers are little-endian, names are UTF-8 and last. Records are added while the launch goes on, so that
 * the file is good for a launch that never ended: a last record that is cut off counts for nothing.
 */
export const tag = {
  /** Kernels could touch only announced ranges. */
  onlyAnnounced: 1,
  /** Announced: u64 address, u64 bytes, name. */
  range: 2,
  /** The program's memory before the launch: u64 address, 4096 bytes. */
  page: 3,
  /** Of the device: u32 address in its window, u32 bytes, u32 flags, name. */
  allocation: 4,
  /** The device's memory before the launch: u32 address, 4096 bytes, a bit for each of them that was written. */
  devicePage: 5,
  /** Of the kernel's module: u64 address, name. */
  variable: 6,
  /** A change made by the launch: u64 address, bytes. */
  change: 7,
  /** The launch ended. */
  end: 8,
  /** A texture, sampler or surface object of the device: u64 handle, its JSON. */
  image: 9,
} as const;

export type Recorded =
  | { readonly kind: typeof tag.onlyAnnounced }
  | { readonly kind: typeof tag.range; readonly address: bigint; readonly bytes: number; readonly name: string }
  | { readonly kind: typeof tag.page; readonly address: bigint; readonly bytes: Uint8Array }
  | { readonly kind: typeof tag.allocation; readonly allocation: StateAllocation }
  | { readonly kind: typeof tag.devicePage; readonly page: StatePage }
  | { readonly kind: typeof tag.variable; readonly address: bigint; readonly name: string }
  | { readonly kind: typeof tag.change; readonly address: bigint; readonly bytes: Uint8Array }
  | { readonly kind: typeof tag.end }
  | { readonly kind: typeof tag.image; readonly image: StateImage };

const CONSTANT = 1;
const INITIALISED = 2;
const HEAP = 4;
const FREED = 8;

/** The beginning of a file. */
export const beginning = (): Uint8Array => utf8(MAGIC);

/** The bytes of a record. */
export function recordBytes(record: Recorded): Uint8Array {
  const parts = payloadOf(record);
  const count = parts.reduce((sum, part) => sum + part.length, 0);
  return joined([u32(record.kind, count), ...parts]);
}

function payloadOf(record: Recorded): readonly Uint8Array[] {
  switch (record.kind) {
    case tag.range:
      return [u64(record.address, BigInt(record.bytes)), utf8(record.name)];
    case tag.page:
    case tag.change:
      return [u64(record.address), record.bytes];
    case tag.allocation: {
      const { name, address, bytes, space, initialised, heap, freed } = record.allocation;
      const flags =
        (space === "const" ? CONSTANT : 0) | (initialised ? INITIALISED : 0) | (heap ? HEAP : 0) | (freed ? FREED : 0);
      return [u32(address, bytes, flags), utf8(name)];
    }
    case tag.devicePage:
      return [u32(record.page.at), record.page.data, record.page.written];
    case tag.variable:
      return [u64(record.address), utf8(record.name)];
    case tag.image:
      return [u64(record.image.handle), utf8(objectText(record.image.object))];
    case tag.onlyAnnounced:
    case tag.end:
      return [];
  }
}

/** Reads records one after another. Throws a RangeError for an invalid one. */
export class RecordReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly isWhole: boolean;
  #at = MAGIC.length;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.isWhole = new TextDecoder().decode(bytes.subarray(0, MAGIC.length)) === MAGIC;
  }

  next(): Recorded | undefined {
    if (!this.isWhole || this.#at + HEAD > this.#bytes.length) return undefined;
    const kind = this.#view.getUint32(this.#at, true);
    const from = this.#at + HEAD;
    const end = from + this.#view.getUint32(this.#at + 4, true);
    if (end > this.#bytes.length) return undefined;
    this.#at = end;
    return this.#read(kind, from, end);
  }

  #read(kind: number, from: number, end: number): Recorded {
    const bytes = (skipped: number, to = end): Uint8Array => this.#bytes.subarray(from + skipped, to);
    const name = (skipped: number): string => new TextDecoder().decode(bytes(skipped));
    const word = (at: number): number => this.#view.getUint32(from + at, true);
    const long = (at: number): bigint => this.#view.getBigUint64(from + at, true);
    const wanted = (is: boolean): void => {
      if (!is) throw new RangeError(`a record of kind ${kind} with ${end - from} bytes`);
    };
    switch (kind) {
      case tag.onlyAnnounced:
      case tag.end:
        return { kind };
      case tag.range: {
        const count = Number(long(8));
        wanted(count >= 1 && Number.isSafeInteger(count));
        return { kind, address: long(0), bytes: count, name: name(16) };
      }
      case tag.page:
        wanted(end - from === 8 + PAGE && long(0) % BigInt(PAGE) === 0n);
        return { kind, address: long(0), bytes: bytes(8) };
      case tag.change:
        wanted(end - from > 8);
        return { kind, address: long(0), bytes: bytes(8) };
      case tag.allocation: {
        const flags = word(8);
        const is = (flag: number): boolean => (flags & flag) !== 0;
        const own = {
          name: name(12),
          address: word(0),
          bytes: word(4),
          space: is(CONSTANT) ? "const" : "global",
        } as const;
        return { kind, allocation: { ...own, initialised: is(INITIALISED), heap: is(HEAP), freed: is(FREED) } };
      }
      case tag.devicePage: {
        wanted(end - from === 4 + PAGE + PAGE / 8 && word(0) % PAGE === 0);
        const page = { at: word(0), data: bytes(4, from + 4 + PAGE), written: bytes(4 + PAGE) };
        return { kind, page };
      }
      case tag.variable:
        return { kind, address: long(0), name: name(8) };
      case tag.image:
        return { kind, image: { handle: long(0), object: objectOf(name(8)) } };
      default:
        throw new RangeError(`a record of kind ${kind}`);
    }
  }
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const u32 = (...values: readonly number[]): Uint8Array => {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [at, value] of values.entries()) view.setUint32(4 * at, value, true);
  return new Uint8Array(view.buffer);
};
const u64 = (...values: readonly bigint[]): Uint8Array => {
  const view = new DataView(new ArrayBuffer(8 * values.length));
  for (const [at, value] of values.entries()) view.setBigUint64(8 * at, value, true);
  return new Uint8Array(view.buffer);
};
