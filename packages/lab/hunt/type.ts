/** A type of the programs that are drawn. There is one object for each, so that `===` compares. */
export type Type = Scalar | VectorType | StructType;
export type Scalar = IntegerType | FloatType;

/** An integer of any width; 1 is a truth value. */
export interface IntegerType {
  readonly kind: "integer";
  /** As LLVM writes it. */
  readonly text: string;
  readonly bits: number;
}

/** A binary floating-point format. */
export interface FloatType {
  readonly kind: "float";
  readonly text: FloatName;
  readonly bits: number;
  /** Bits of the significand, with the leading one. */
  readonly precision: number;
  readonly bias: number;
}
export type FloatName = "half" | "bfloat" | "float" | "double";

export interface VectorType {
  readonly kind: "vector";
  readonly text: string;
  readonly of: Scalar;
  readonly count: number;
}

export interface StructType {
  readonly kind: "struct";
  readonly text: string;
  readonly fields: readonly (Scalar | VectorType)[];
}

const known = new Map<string, Type>();

function only<T extends Type>(type: T): T {
  const before = known.get(type.text);
  if (before !== undefined) return before as T;
  known.set(type.text, type);
  return type;
}

export const integer = (bits: number): IntegerType => only({ kind: "integer", text: `i${bits}`, bits });
export const vector = (of: Scalar, count: number): VectorType =>
  only({ kind: "vector", text: `<${count} x ${of.text}>`, of, count });
export const struct = (fields: readonly (Scalar | VectorType)[]): StructType =>
  only({ kind: "struct", text: `{ ${fields.map(({ text }) => text).join(", ")} }`, fields });

const float = (text: FloatName, bits: number, precision: number): FloatType =>
  only({ kind: "float", text, bits, precision, bias: 2 ** (bits - precision - 1) - 1 });

export const half = float("half", 16, 11);
export const bfloat = float("bfloat", 16, 8);
export const single = float("float", 32, 24);
export const double = float("double", 64, 53);
export const [i1, i8, i16, i32, i64] = [1, 8, 16, 32, 64].map(integer) as [
  IntegerType,
  IntegerType,
  IntegerType,
  IntegerType,
  IntegerType,
];

/** The type of an element, or the scalar itself. */
export const scalarOf = (type: Scalar | VectorType): Scalar => (type.kind === "vector" ? type.of : type);

/** The same shape of another scalar. */
export const like = (shape: Scalar | VectorType, of: Scalar): Scalar | VectorType =>
  shape.kind === "vector" ? vector(of, shape.count) : of;

/** Bits of a value without padding. */
export const bitsOf = (type: Scalar | VectorType): number =>
  type.kind === "vector" ? type.of.bits * type.count : type.bits;

/** Whether each of its values is whole bytes, and nothing else, in memory. */
export const inBytes = (type: Type): type is Scalar | VectorType =>
  type.kind === "vector" ? inBytes(type.of) : type.kind !== "struct" && [8, 16, 32, 64, 128].includes(type.bits);

/** Bytes that a store writes. */
export const storeBytes = (type: Scalar | VectorType): number => Math.ceil(bitsOf(type) / 8);

/** Alignment in the data layout of NVPTX: a vector's is its size, rounded up to a power of two. */
export const alignOf = (type: Type): number =>
  type.kind === "struct" ? Math.max(...type.fields.map(alignOf)) : Math.min(16, 2 ** Math.ceil(Math.log2(storeBytes(type)))); // biome-ignore format: one line each

/** Bytes between elements of an array. */
export const sizeOf = (type: Type): number => roundUp(type.kind === "struct" ? (offsetsOf(type).at(-1) ?? 0) : storeBytes(type), alignOf(type)); // biome-ignore format: one line

/** Where the fields of a structure begin, and where the last one ends. */
export function offsetsOf({ fields }: StructType): readonly number[] {
  let end = 0;
  const offsets = fields.map((field) => {
    const begin = roundUp(end, alignOf(field));
    end = begin + sizeOf(field);
    return begin;
  });
  return [...offsets, end];
}

const roundUp = (bytes: number, to: number): number => Math.ceil(bytes / to) * to;

/** A value: bits of a scalar, or the elements or fields. */
export type Value = bigint | readonly Value[];

/** Applies a function to the scalars of values of one shape. */
export function each(type: Scalar | VectorType, values: readonly Value[], does: (...bits: bigint[]) => bigint): Value {
  if (type.kind !== "vector") return does(...(values as bigint[]));
  return Array.from({ length: type.count }, (_, at) => does(...values.map((value) => elementOf(value, at) as bigint)));
}

export const elementOf = (value: Value, at: number): Value => (value as readonly Value[])[at] as Value;

/** Zero, or a truth value that is false, of a type. */
export const zeroOf = (type: Type): Value =>
  type.kind === "vector" ? Array.from({ length: type.count }, () => 0n) : type.kind === "struct" ? type.fields.map(zeroOf) : 0n; // biome-ignore format: one line

/** The bytes of a value in memory, little-endian; padding is zero. */
export function toBytes(type: Type, value: Value): Uint8Array {
  const bytes = new Uint8Array(sizeOf(type));
  if (type.kind === "struct") {
    const offsets = offsetsOf(type);
    for (const [at, field] of type.fields.entries()) bytes.set(toBytes(field, elementOf(value, at)), offsets[at]);
    return bytes;
  }
  let bits = packed(type, value);
  for (let at = 0; bits > 0n; at++, bits >>= 8n) bytes[at] = Number(bits & 255n);
  return bytes;
}

/** A value from its bytes in memory. */
export function fromBytes(type: Scalar | VectorType, bytes: Uint8Array, at: number): Value {
  let bits = 0n;
  for (let index = storeBytes(type) - 1; index >= 0; index--) bits = (bits << 8n) | BigInt(bytes[at + index] ?? 0);
  return unpacked(type, bits);
}

/** A scalar or vector as one number: element 0 is lowest. */
export const packed = (type: Scalar | VectorType, value: Value): bigint =>
  type.kind === "vector"
    ? (value as bigint[]).reduceRight((sum, element) => (sum << BigInt(type.of.bits)) | element, 0n)
    : (value as bigint);

export const unpacked = (type: Scalar | VectorType, bits: bigint): Value =>
  type.kind === "vector"
    ? Array.from({ length: type.count }, (_, at) => BigInt.asUintN(type.of.bits, bits >> BigInt(type.of.bits * at)))
    : BigInt.asUintN(type.bits, bits);
