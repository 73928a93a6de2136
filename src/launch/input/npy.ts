import { bytesOf, type ElementType } from "../../host/memory/element.ts";

/** A NumPy array file's contents: little-endian elements in C order. */
export interface Npy {
  readonly type: ElementType;
  readonly bytes: Uint8Array;
  /** The slowest axis first. */
  readonly shape: readonly number[];
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]; // \x93NUMPY

/** NumPy's names of the element types; `?` is bool, `e` half precision. */
const types: ReadonlyMap<string, ElementType> = new Map<string, ElementType>([
  ["b1", "u8"],
  ["i1", "s8"],
  ["i2", "s16"],
  ["i4", "s32"],
  ["i8", "s64"],
  ["u1", "u8"],
  ["u2", "u16"],
  ["u4", "u32"],
  ["u8", "u64"],
  ["f2", "f16"],
  ["f4", "f32"],
  ["f8", "f64"],
]);

/** Reads NumPy format 1.0 to 3.0; returns a sentence about an error instead of an array. */
export function readNpy(file: Uint8Array): Npy | string {
  if (!MAGIC.every((byte, index) => file[index] === byte)) return "it does not begin as a .npy file";
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const major = file[6] ?? 0;
  const wide = major >= 2;
  if (major < 1 || major > 3 || file.length < (wide ? 12 : 10)) return `its format version ${major} is not known`;
  const start = wide ? 12 : 10;
  const end = start + (wide ? view.getUint32(8, true) : view.getUint16(8, true));
  if (end > file.length) return "its header is cut off";
  const header = new TextDecoder("latin1").decode(file.subarray(start, end));
  const descr = /['"]descr['"]\s*:\s*['"]([<>|=])(\w+)['"]/.exec(header);
  const shape = /['"]shape['"]\s*:\s*\(([^()]*)\)/.exec(header)?.[1];
  if (descr === null || shape === undefined) return "its header cannot be read, or its elements are structures";
  const type = types.get(descr[2] ?? "");
  if (type === undefined) return `its elements are of type ${descr[1]}${descr[2]}, which PTX has not`;
  const sizes = shape
    .split(",")
    .filter((size) => size.trim() !== "")
    .map((size) => Number(size.replace(/L$/, "")));
  const count = sizes.reduce((product, size) => product * size, 1);
  if (descr[1] === ">" && bytesOf(type) > 1) return "its elements are big-endian";
  if (/['"]fortran_order['"]\s*:\s*True/.test(header) && sizes.length > 1) return "its elements are in Fortran order";
  const bytes = file.subarray(end);
  if (!Number.isSafeInteger(count) || bytes.length !== count * bytesOf(type)) {
    return `it has ${bytes.length} bytes of data where its shape (${shape}) needs ${count * bytesOf(type)}`;
  }
  return { type, bytes, shape: sizes };
}

/**
 * An array in NumPy format 1.0, of one dimension by default. Types that NumPy does not have (bf16, packed) are written
 * as unsigned bits.
 */
export function writeNpy(bytes: Uint8Array, type: ElementType, shape?: readonly number[]): Uint8Array {
  const size = bytesOf(type);
  const known = [...types].find(([name, each]) => each === type && name !== "b1")?.[0] ?? `u${size}`;
  const order = size === 1 ? "|" : "<";
  const dictionary = `{'descr': '${order}${known}', 'fortran_order': False, 'shape': (${(shape ?? [bytes.length / size]).join(", ")}${shape === undefined || shape.length === 1 ? "," : ""}), }`;
  // The data must begin at a multiple of 64; a line end terminates the header.
  const length = Math.ceil((10 + dictionary.length + 1) / 64) * 64 - 10;
  const file = new Uint8Array(10 + length + bytes.length);
  file.set([...MAGIC, 1, 0, length & 0xff, length >> 8]);
  file.set(new TextEncoder().encode(`${dictionary.padEnd(length - 1)}\n`), 10);
  file.set(bytes, 10 + length);
  return file;
}
