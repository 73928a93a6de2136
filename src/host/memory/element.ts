import { type Exact, round, unpack } from "../../numeric/exact/exact.ts";
import { bf16, type Format, f16, f32, f64 } from "../../numeric/index.ts";
import {
  type BitsName,
  type IntegerName,
  integersOf,
  integerWidths,
  isSignedType,
} from "../../numeric/operation/type.ts";

/** The types for reading a buffer's bytes: integers, floats, or untyped bits. */
export type ElementType = Exclude<BitsName, "b128"> | IntegerName | "f16" | "bf16" | "f16x2" | "bf16x2" | "f32" | "f64";

interface ElementFormat {
  readonly bytes: number;
  readonly kind: "unsigned" | "signed" | "float";
  readonly format?: Format;
}

const elements: ReadonlyMap<string, ElementFormat> = new Map<ElementType, ElementFormat>([
  ...integerWidths.flatMap((width) =>
    integersOf(width).map((type): [ElementType, ElementFormat] => [
      type,
      { bytes: width / 8, kind: isSignedType(type) ? "signed" : "unsigned" },
    ]),
  ),
  ["f16", { bytes: 2, kind: "float", format: f16 }],
  ["bf16", { bytes: 2, kind: "float", format: bf16 }],
  ["f32", { bytes: 4, kind: "float", format: f32 }],
  ["f64", { bytes: 8, kind: "float", format: f64 }],
  ["f16x2", { bytes: 4, kind: "unsigned" }],
  ["bf16x2", { bytes: 4, kind: "unsigned" }],
]);

/** True for the name of an element type, as in a VALUE or an option. */
export const isElementType = (name: string): name is ElementType => elements.has(name);

/** Bytes of one element. */
export const bytesOf = (type: ElementType): number => elements.get(type)?.bytes ?? 1;

/** The floating-point format of an element type, if it is one. */
export const formatOf = (type: string): Format | undefined => elements.get(type)?.format;

/** Little-endian elements as their bits; bytes that do not fill a last element are left out. */
export function bitsOf(bytes: Uint8Array, type: ElementType): bigint[] {
  const size = bytesOf(type);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.byteLength / size) }, (_, index) => readBits(view, index * size, size));
}

/** Elements, each as its bits, in little-endian order; bits above an element's width are cut off. */
export function bytesFrom(values: readonly bigint[], type: ElementType): Uint8Array {
  const size = bytesOf(type);
  const bytes = new Uint8Array(values.length * size);
  const view = new DataView(bytes.buffer);
  values.forEach((bits, index) => {
    writeBits(view, index * size, size, bits);
  });
  return bytes;
}

/** `size` bytes at `at` as an unsigned number. */
export function readBits(view: DataView, at: number, size: number): bigint {
  if (size === 1) return BigInt(view.getUint8(at));
  if (size === 2) return BigInt(view.getUint16(at, true));
  if (size === 4) return BigInt(view.getUint32(at, true));
  if (size === 8) return view.getBigUint64(at, true);
  let bits = 0n;
  for (let byte = size - 1; byte >= 0; byte--) bits = (bits << 8n) | BigInt(view.getUint8(at + byte));
  return bits;
}

/** Writes the low `size` bytes of `bits` at `at`. */
export function writeBits(view: DataView, at: number, size: number, bits: bigint): void {
  if (size === 1) view.setUint8(at, Number(bits & 0xffn));
  else if (size === 2) view.setUint16(at, Number(bits & 0xffffn), true);
  else if (size === 4) view.setUint32(at, Number(bits & 0xffff_ffffn), true);
  else if (size === 8) view.setBigUint64(at, BigInt.asUintN(64, bits), true);
  else for (let byte = 0; byte < size; byte++) view.setUint8(at + byte, Number((bits >> BigInt(8 * byte)) & 0xffn));
}

const scratch = new DataView(new ArrayBuffer(8));

/**
 * The number that bits stand for: a `bigint` for 64-bit integers, otherwise a JavaScript number, which holds each of
 * the other types exactly. A NaN's payload is lost; use the bits where it matters.
 */
export function toValue(bits: bigint, type: ElementType): number | bigint {
  const { bytes, kind, format } = elements.get(type) as ElementFormat;
  if (format !== undefined) return doubleOf(bits, format);
  const value = kind === "signed" ? BigInt.asIntN(bytes * 8, bits) : bits;
  return bytes === 8 ? value : Number(value);
}

/**
 * The bits of a number in a type, floats rounded to nearest even; `undefined` when an integer type cannot represent it.
 */
export function fromValue(value: number | bigint, type: ElementType): bigint | undefined {
  const { bytes, kind, format } = elements.get(type) as ElementFormat;
  if (format !== undefined) {
    if (typeof value === "bigint") {
      return round(format, "rn", { kind: "finite", neg: value < 0n, sig: value < 0n ? -value : value, exp: 0 });
    }
    return roundedTo(value, format);
  }
  if (typeof value === "number" && !Number.isInteger(value)) return undefined;
  const whole = BigInt(value);
  const width = bytes * 8;
  const fits = whole === BigInt.asUintN(width, whole) || whole === BigInt.asIntN(width, whole);
  if (!fits || (kind === "signed" && whole !== BigInt.asIntN(width, whole))) return undefined;
  return BigInt.asUintN(width, whole);
}

/** A JavaScript number rounded to the nearest value of a format, ties to even. */
export function roundedTo(value: number, format: Format): bigint {
  scratch.setFloat64(0, value);
  return round(format, "rn", unpack(f64, scratch.getBigUint64(0)));
}

/** The number that bits stand for in a format: a double holds the values of all of them. */
export const doubleOf = (bits: bigint, format: Format): number => numberOf(unpack(format, bits));

function numberOf(value: Exact): number {
  if (value.kind === "nan") return Number.NaN;
  const sign = value.neg ? -1 : 1;
  if (value.kind === "inf") return sign * Number.POSITIVE_INFINITY;
  // Two factors, since 2 ** -1074 * sig is exact but 2 ** exp alone may underflow for wide significands.
  const half = Math.trunc(value.exp / 2);
  return sign * Number(value.sig) * 2 ** half * 2 ** (value.exp - half);
}
