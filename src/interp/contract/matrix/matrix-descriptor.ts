import { type BitField, fieldsOf, wrongField } from "./bit-field.ts";
import { swizzled, swizzles } from "./swizzle.ts";

type Name =
  | "start address" | "reserved" | "leading dimension" | "stride dimension" | "constant 0b001" | "base offset"
  | "leading dimension mode" | "swizzling mode"; // biome-ignore format: one thought

const field = (from: number, bits: number, name: Name, only?: readonly number[]): BitField<Name> => ({
  name,
  from,
  bits,
  ...(only && { only }),
});

/**
 * Bits of a shared memory descriptor for tcgen05, whose addresses have 15 bits on sm_107 and 14 before; the bits above
 * them are ignored.
 */
const matrixFields = (address: 14 | 15): readonly BitField<Name>[] => [
  field(0, address, "start address"),
  field(16, address, "leading dimension"),
  field(32, 14, "stride dimension"),
  field(46, 3, "constant 0b001", [1]),
  field(49, 3, "base offset"),
  field(52, 1, "leading dimension mode"),
  field(53, 8, "reserved", [0]),
  field(61, 3, "swizzling mode", [0, 1, 2, 4, 6]),
];

const modes: ReadonlyMap<number, Mode> = new Map<number, Mode>([
  [0, { name: "none", width: 16, rows: 8 }],
  [1, { name: "128B with 32B atoms", width: 128, rows: 4 }],
  [2, { name: "128B", width: 128, rows: 8 }],
  [4, { name: "64B", width: 64, rows: 8 }],
  [6, { name: "32B", width: 32, rows: 8 }],
]);

/** A swizzling mode: leading-dimension bytes in one row of its atom, and K rows of an MN-major atom (table 58). */
interface Mode {
  readonly name: keyof typeof swizzles;
  readonly width: 16 | 32 | 64 | 128;
  readonly rows: 4 | 8;
}

/** The contents of a shared memory descriptor; addresses and offsets in bytes. */
export interface MatrixDescriptor {
  /** The greatest address that it can name, beyond which addresses begin with 0 again. */
  readonly last: number;
  readonly start: number;
  readonly leading: number;
  readonly stride: number;
  readonly baseOffset: number;
  /** The leading dimension is the address of what follows the first 128 bytes of a row. */
  readonly absolute: boolean;
  readonly mode: Mode;
}

const narrowFields = matrixFields(14);
const wideFields = matrixFields(15);

/** Reads a descriptor for a target; returns a sentence where a field has a value that is not allowed. */
export function readMatrixDescriptor(value: bigint, target: string): MatrixDescriptor | string {
  const layout = target.startsWith("sm_107") ? wideFields : narrowFields;
  const wrong = wrongField(value, layout);
  if (wrong !== undefined) {
    const { name, from, bits, only } = wrong;
    const is = Number((value >> BigInt(from)) & ((1n << BigInt(bits)) - 1n));
    return `${name} (bits ${from} to ${from + bits - 1}) is ${is}, and may be ${only!.join(", ")}`;
  }
  const fields = fieldsOf(value, layout);
  return {
    last: layout === wideFields ? 0x7_ffff : 0x3_ffff,
    start: fields["start address"] * 16,
    leading: fields["leading dimension"] * 16,
    stride: fields["stride dimension"] * 16,
    baseOffset: fields["base offset"],
    absolute: fields["leading dimension mode"] === 1,
    mode: modes.get(fields["swizzling mode"])!,
  };
}

/**
 * The address in shared memory of the 16-byte chunk with row (or column) `mn` of a K-major matrix and chunk `along`
 * of its K; or of an MN-major one, chunk `along` of M or N and row `mn` of K (PTX ISA, Canonical Layouts).
 */
export function chunkAddress(descriptor: MatrixDescriptor, major: "K" | "MN", mn: number, along: number): number {
  const { last, start, mode, baseOffset } = descriptor;
  const plain = start + (major === "K" ? chunkOfK(descriptor, mn, along) : chunkOfMn(descriptor, mn, along));
  return swizzled(plain, swizzles[mode.name], baseOffset) & last;
}

function chunkOfK({ start, leading, stride, mode, absolute }: MatrixDescriptor, row: number, chunk: number): number {
  const inRows = (row & 7) * mode.width + (row >> 3) * stride;
  if (mode.width === 16) return inRows + chunk * leading;
  const overflow = absolute ? (start % 128) + chunk * 16 - 128 : -1;
  // The part beyond the 128 bytes of the first buffer continues in the second.
  if (overflow >= 0) return inRows + leading - start + overflow;
  return inRows + chunk * 16;
}

function chunkOfMn({ leading, stride, mode }: MatrixDescriptor, k: number, chunk: number): number {
  const { width, rows } = mode;
  const inRows = (k % rows) * width;
  const group = Math.floor(k / rows);
  if (width === 16) return chunk * stride + inRows + group * leading;
  const chunks = width / 16;
  return (chunk % chunks) * 16 + Math.floor(chunk / chunks) * leading + inRows + group * stride;
}
