import { type IntType, type IntWidth, intWidth, isSigned } from "./integer.ts";
import type { Op, Width } from "./op.ts";

/** a & b (9.7.8.1). */
export const band = (width: Width): Op =>
  bitwise2(
    "and",
    width,
    (a, b) => a & b,
    (a, b) => a & b,
  );
/** a | b (9.7.8.2). */
export const bor = (width: Width): Op =>
  bitwise2(
    "or",
    width,
    (a, b) => a | b,
    (a, b) => a | b,
  );
/** a ^ b (9.7.8.3). */
export const bxor = (width: Width): Op =>
  bitwise2(
    "xor",
    width,
    (a, b) => a ^ b,
    (a, b) => a ^ b,
  );

/** ~a (9.7.8.4). */
export const bnot = (width: Width): Op =>
  unary(
    "not",
    width,
    (a) => ~a,
    (a) => ~a,
  );
/** 1 if a is 0, otherwise 0 (9.7.8.5). */
export const cnot = (width: Width): Op =>
  unary(
    "cnot",
    width,
    (a) => (a === 0 ? 1 : 0),
    (a) => (a === 0n ? 1n : 0n),
  );

/** a << b; b is an unsigned 32-bit amount, and beyond the width gives 0 (9.7.8.8). */
export function shl(width: IntWidth): Op {
  const about = { kind: "shift", direction: "left", width, signed: false } as const;
  const signature = { name: `shl.b${width}`, takes: [width, 32] as const, gives: width, about };
  if (width === 64) {
    return { ...signature, js: (a: bigint, b: number) => (b > 63 ? 0n : BigInt.asUintN(64, a << BigInt(b))) };
  }
  const mask = maskOf(width);
  return { ...signature, js: (a: number, b: number) => (b >= width ? 0 : ((a << b) & mask) >>> 0) };
}

/** a >> b, filled with the sign for a signed type, with zeros otherwise; the amount is clamped to the width (9.7.8.9). */
export function shr(type: IntType): Op {
  const width = intWidth(type);
  const about = { kind: "shift", direction: "right", width, signed: isSigned(type) } as const;
  const signature = { name: `shr.${type}`, takes: [width, 32] as const, gives: width, about };
  if (width === 64) {
    if (!isSigned(type)) return { ...signature, js: (a: bigint, b: number) => (b > 63 ? 0n : a >> BigInt(b)) };
    return {
      ...signature,
      js: (a: bigint, b: number) => BigInt.asUintN(64, BigInt.asIntN(64, a) >> BigInt(Math.min(b, 63))),
    };
  }
  if (!isSigned(type)) return { ...signature, js: (a: number, b: number) => (b >= width ? 0 : a >>> b) };
  const up = 32 - width;
  const mask = maskOf(width);
  return { ...signature, js: (a: number, b: number) => ((((a << up) >> up) >> Math.min(b, width - 1)) & mask) >>> 0 };
}

const maskOf = (width: Width): number => (2 ** width - 1) | 0;

function unary(what: "not" | "cnot", width: Width, small: (a: number) => number, large: (a: bigint) => bigint): Op {
  const about = { kind: "bits", operation: what } as const;
  const signature = { name: `${what === "not" ? "bnot" : what}.b${width}`, takes: [width], gives: width, about };
  if (width === 64) return { ...signature, js: (a: bigint) => BigInt.asUintN(64, large(a)) };
  const mask = maskOf(width);
  return { ...signature, js: (a: number) => (small(a) & mask) >>> 0 };
}

function bitwise2(
  what: "and" | "or" | "xor",
  width: Width,
  small: (a: number, b: number) => number,
  large: (a: bigint, b: bigint) => bigint,
): Op {
  const about = { kind: "bits", operation: what } as const;
  const signature = { name: `b${what}.b${width}`, takes: [width, width], gives: width, about };
  if (width === 64) return { ...signature, js: large };
  return { ...signature, js: (a: number, b: number) => small(a, b) >>> 0 };
}

/** lop3: bit n of the table answers for the n with the bits of a, b and c from high to low (9.7.8.6). */
export const lop3: Op = {
  name: "lop3.b32",
  takes: [32, 32, 32, 32],
  gives: 32,
  js: look,
  about: { kind: "bits", operation: "lop3" },
};

/** The meaning of lop3. */
export function look(a: number, b: number, c: number, table: number): number {
  let d = 0;
  if (table & 0x01) d |= ~a & ~b & ~c;
  if (table & 0x02) d |= ~a & ~b & c;
  if (table & 0x04) d |= ~a & b & ~c;
  if (table & 0x08) d |= ~a & b & c;
  if (table & 0x10) d |= a & ~b & ~c;
  if (table & 0x20) d |= a & ~b & c;
  if (table & 0x40) d |= a & b & ~c;
  if (table & 0x80) d |= a & b & c;
  return d >>> 0;
}
