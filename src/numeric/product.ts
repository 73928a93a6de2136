import { type IntType, intWidth, isSigned, rangeOf, reader, reader64 } from "./integer.ts";
import type { Bits, Op, Width } from "./op.ts";

/** Which half of the double-wide product (9.7.1.3); `wide` is all of it. */
export type Part = "lo" | "hi" | "wide";

/** a * b (9.7.1.3). */
export const imul = (type: IntType, part: Part): Op => product("imul", type, part, 2, false);

/** a * b + c (9.7.1.4). c is as wide as the result; `.sat` exists for `.hi.s32` only. */
export const imad = (type: IntType, part: Part, { sat = false }: { readonly sat?: boolean | undefined } = {}): Op =>
  product("imad", type, part, 3, sat);

/** The low or high 32 bits of the 48-bit product of the operands' low 24 bits (9.7.1.5). */
export const imul24 = (type: "u32" | "s32", part: "lo" | "hi"): Op => product24("imul24", type, part, 2, false);

/** imul24 plus c (9.7.1.6); `.sat` exists for `.hi.s32` only. */
export const imad24 = (
  type: "u32" | "s32",
  part: "lo" | "hi",
  { sat = false }: { readonly sat?: boolean | undefined } = {},
): Op => product24("imad24", type, part, 3, sat);

/** The high 32 bits of an unsigned 64-bit product, without a bigint. */
export function highProduct(a: number, b: number): number {
  const low = (a & 0xffff) * (b & 0xffff);
  const first = (a >>> 16) * (b & 0xffff) + (low >>> 16);
  const second = (a & 0xffff) * (b >>> 16) + (first & 0xffff);
  return ((a >>> 16) * (b >>> 16) + Math.floor(first / 0x10000) + (second >>> 16)) >>> 0;
}

function product(what: string, type: IntType, part: Part, arity: 2 | 3, sat: boolean): Op {
  const width = intWidth(type);
  const gives = (part === "wide" ? width * 2 : width) as Width;
  const takes = arity === 2 ? [width, width] : [width, width, gives];
  const about = { kind: "product", type, part, arity, sat } as const;
  const signature = { name: `${what}.${part}.${type}${sat ? ".sat" : ""}`, takes, gives, about };
  const times = half(type, part);
  if (arity === 2) return { ...signature, js: times };
  if (gives === 64) {
    const large = times as (a: Bits, b: Bits) => bigint;
    return { ...signature, js: (a: Bits, b: Bits, c: bigint) => BigInt.asUintN(64, large(a, b) + c) };
  }
  const small = times as (a: number, b: number) => number;
  const add = sum(gives, sat);
  return { ...signature, js: (a: number, b: number, c: number) => add(small(a, b), c) };
}

function half(type: IntType, part: Part): Op["js"] {
  const width = intWidth(type);
  if (width === 64) {
    if (part === "wide") throw new Error("the product of 64-bit integers has no wide form");
    const read = reader64(type);
    if (part === "lo") return (a: bigint, b: bigint) => BigInt.asUintN(64, a * b);
    return (a: bigint, b: bigint) => BigInt.asUintN(64, (read(a) * read(b)) >> 64n);
  }
  const read = reader(type);
  if (width === 32) {
    if (part === "lo") return (a: number, b: number) => Math.imul(a, b) >>> 0;
    if (part === "wide") {
      return (a: number, b: number) => BigInt.asUintN(64, BigInt(read(a)) * BigInt(read(b)));
    }
    if (!isSigned(type)) return highProduct;
    // A negative operand counts 2^32 too much as an unsigned one.
    return (a: number, b: number) => (highProduct(a, b) - ((a | 0) < 0 ? b : 0) - ((b | 0) < 0 ? a : 0)) >>> 0;
  }
  const mask = 2 ** width - 1;
  if (part === "wide") {
    const wide = 2 ** (2 * width) - 1;
    return (a: number, b: number) => (Math.imul(read(a), read(b)) & wide) >>> 0;
  }
  const down = part === "hi" ? width : 0;
  return (a: number, b: number) => (Math.imul(read(a), read(b)) >>> down) & mask;
}

function product24(what: string, type: "u32" | "s32", part: "lo" | "hi", arity: 2 | 3, sat: boolean): Op {
  const signature = {
    name: `${what}.${part}.${type}${sat ? ".sat" : ""}`,
    takes: Array.from({ length: arity }, () => 32 as const),
    gives: 32 as const,
    about: { kind: "product", type, part, arity, sat, low24: true } as const,
  };
  const read = isSigned(type) ? (x: number) => (x << 8) >> 8 : (x: number) => x & 0xff_ffff;
  // 48 bits fit a double; `hi` drops the low 16 of them, rounding toward -inf as a shift does.
  const times =
    part === "lo"
      ? (a: number, b: number) => Math.imul(read(a), read(b)) >>> 0
      : (a: number, b: number) => Math.floor((read(a) * read(b)) / 0x10000) >>> 0;
  if (arity === 2) return { ...signature, js: times };
  const add = sum(32, sat);
  return { ...signature, js: (a: number, b: number, c: number) => add(times(a, b), c) };
}

/** Addition that wraps at `width` bits, or saturates as s32. */
function sum(width: Width, sat: boolean): (a: number, b: number) => number {
  if (!sat) return width === 32 ? (a, b) => (a + b) >>> 0 : (a, b) => (a + b) & (2 ** width - 1);
  const [least, greatest] = rangeOf("s32").map(Number) as [number, number];
  return (a, b) => Math.min(Math.max((a | 0) + (b | 0), least), greatest) >>> 0;
}
