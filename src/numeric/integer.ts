import type { About } from "./about.ts";
import type { Bits, Op } from "./op.ts";

type Operation = (About & { kind: "integer" })["operation"];

export type IntType = "u8" | "s8" | "u16" | "s16" | "u32" | "s32" | "u64" | "s64";
export type IntWidth = 8 | 16 | 32 | 64;

export const intWidth = (type: IntType): IntWidth => Number(type.slice(1)) as IntWidth;
export const isSigned = (type: IntType): boolean => type.startsWith("s");

/** Bits of up to 32 as the number that they mean in `type`; the result is exact. */
export function reader(type: IntType): (bits: number) => number {
  const up = 32 - intWidth(type);
  return isSigned(type) ? (bits) => (bits << up) >> up : (bits) => (bits << up) >>> up;
}

/** 64 bits as the number that they mean in `type`. */
export const reader64 = (type: IntType): ((bits: bigint) => bigint) =>
  isSigned(type) ? (bits) => BigInt.asIntN(64, bits) : (bits) => BigInt.asUintN(64, bits);

/** The least and greatest number of a type. */
export function rangeOf(type: IntType): readonly [bigint, bigint] {
  const width = BigInt(intWidth(type));
  return isSigned(type) ? [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n] : [0n, (1n << width) - 1n];
}

interface Saturating {
  /** The result is clamped to the type's range instead of wrapping (`.sat`). */
  readonly sat?: boolean | undefined;
}

/** a + b (9.7.1.1). */
export const iadd = (type: IntType, { sat }: Saturating = {}): Op =>
  arithmetic2(
    "add",
    type,
    (a, b) => a + b,
    (a, b) => a + b,
    sat,
  );

/** a - b (9.7.1.2). */
export const isub = (type: IntType, { sat }: Saturating = {}): Op =>
  arithmetic2(
    "sub",
    type,
    (a, b) => a - b,
    (a, b) => a - b,
    sat,
  );

interface Relu {
  /** A negative result becomes 0 (`.relu`). */
  readonly relu?: boolean | undefined;
}

/** The smaller of a and b (9.7.1.12). */
export const imin = (type: IntType, { relu }: Relu = {}): Op => extremum("min", type, (a, b) => a < b, relu);

/** The larger of a and b (9.7.1.13). */
export const imax = (type: IntType, { relu }: Relu = {}): Op => extremum("max", type, (a, b) => a > b, relu);

/** a / b toward zero (9.7.1.8). By zero: all ones, whatever the type (grade asm; the manual promises nothing). */
export const idiv = (type: IntType): Op =>
  arithmetic2(
    "div",
    type,
    (a, b) => (b === 0 ? -1 : Math.trunc(a / b)),
    (a, b) => (b === 0n ? -1n : a / b),
  );

/** The remainder of a / b, with the sign of a (9.7.1.9). By zero: all ones (grade asm). */
export const irem = (type: IntType): Op =>
  arithmetic2(
    "rem",
    type,
    (a, b) => (b === 0 ? -1 : a % b),
    (a, b) => (b === 0n ? -1n : a % b),
  );

/** |a| (9.7.1.10); the least number of a signed type is its own. */
export const iabs = (type: IntType): Op =>
  arithmetic1(
    "abs",
    type,
    (a) => (a < 0 ? -a : a),
    (a) => (a < 0n ? -a : a),
  );

/** -a (9.7.1.11). */
export const ineg = (type: IntType): Op =>
  arithmetic1(
    "neg",
    type,
    (a) => -a,
    (a) => -a,
  );

/** |a - b| + c (9.7.1.7). */
export function isad(type: IntType): Op {
  const width = intWidth(type);
  const about = { kind: "integer", operation: "sad", type } as const;
  const signature = { name: `isad.${type}`, takes: [width, width, width], gives: width, about };
  if (width === 64) {
    const read = reader64(type);
    return {
      ...signature,
      js: (a: bigint, b: bigint, c: bigint) => {
        const distance = read(a) - read(b);
        return BigInt.asUintN(64, c + (distance < 0n ? -distance : distance));
      },
    };
  }
  const read = reader(type);
  const cut = cutter(width);
  return { ...signature, js: (a: number, b: number, c: number) => cut(c + Math.abs(read(a) - read(b))) };
}

/** The low `width` bits of an integer of up to 53 bits. */
function cutter(width: number): (value: number) => number {
  const up = 32 - width;
  return width === 32 ? (value) => value >>> 0 : (value) => ((value | 0) << up) >>> up;
}

function extremum(what: Operation, type: IntType, first: (a: Bits, b: Bits) => boolean, relu = false): Op {
  const width = intWidth(type);
  const about = { kind: "integer", operation: what, type, relu } as const;
  const signature = { name: `i${what}.${type}${relu ? ".relu" : ""}`, takes: [width, width], gives: width, about };
  if (width === 64) {
    const read = reader64(type);
    return { ...signature, js: (a: bigint, b: bigint): Bits => (first(read(a), read(b)) ? a : b) };
  }
  const read = reader(type);
  const pick = (a: number, b: number): Bits => (first(read(a), read(b)) ? a : b);
  if (!relu) return { ...signature, js: pick };
  const negative = 2 ** (width - 1);
  return { ...signature, js: (a: number, b: number): Bits => (pick(a, b) >= negative ? 0 : pick(a, b)) };
}

function arithmetic1(what: Operation, type: IntType, small: (a: number) => number, large: (a: bigint) => bigint): Op {
  const width = intWidth(type);
  const about = { kind: "integer", operation: what, type } as const;
  const signature = { name: `i${what}.${type}`, takes: [width], gives: width, about };
  if (width === 64) {
    const read = reader64(type);
    return { ...signature, js: (a: bigint) => BigInt.asUintN(64, large(read(a))) };
  }
  const read = reader(type);
  const cut = cutter(width);
  return { ...signature, js: (a: number) => cut(small(read(a))) };
}

function arithmetic2(
  what: Operation,
  type: IntType,
  small: (a: number, b: number) => number,
  large: (a: bigint, b: bigint) => bigint,
  sat = false,
): Op {
  const width = intWidth(type);
  const about = { kind: "integer", operation: what, type, sat } as const;
  const signature = { name: `i${what}.${type}${sat ? ".sat" : ""}`, takes: [width, width], gives: width, about };
  if (width === 64) {
    const read = reader64(type);
    const clamp = sat ? clampTo(type) : (value: bigint) => value;
    return { ...signature, js: (a: bigint, b: bigint): Bits => BigInt.asUintN(64, clamp(large(read(a), read(b)))) };
  }
  const read = reader(type);
  const cut = cutter(width);
  if (!sat) return { ...signature, js: (a: number, b: number): Bits => cut(small(read(a), read(b))) };
  const [least, greatest] = rangeOf(type).map(Number) as [number, number];
  return {
    ...signature,
    js: (a: number, b: number): Bits => cut(Math.min(Math.max(small(read(a), read(b)), least), greatest)),
  };
}

/** A number of any size into the range of a type. */
export function clampTo(type: IntType): (value: bigint) => bigint {
  const [least, greatest] = rangeOf(type);
  return (value) => {
    if (value < least) return least;
    if (value > greatest) return greatest;
    return value;
  };
}
