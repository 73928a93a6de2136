import { highProduct } from "../../numeric/product.ts";
import type { Hot } from "./hot-loop.ts";
import { rolled, unrolled2, unrolled4 } from "./unrolled.ts";

// A bigint that stays inside the loop is a machine word to the engine; one that goes through a call is an object. Where
// the engine has no machine instruction for it (shifts, comparisons, high products) the two words are taken.

const add: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, active }) =>
    unrolled4(lanes, active, (lane) => {
      q[d + lane] = BigInt.asUintN(64, q[a + lane]! + q[b + lane]!);
    });

const sub: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, active }) =>
    unrolled4(lanes, active, (lane) => {
      q[d + lane] = BigInt.asUintN(64, q[a + lane]! - q[b + lane]!);
    });

const mul: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, active }) =>
    unrolled4(lanes, active, (lane) => {
      q[d + lane] = BigInt.asUintN(64, q[a + lane]! * q[b + lane]!);
    });

const mad: Hot =
  (lanes, _op, d, a, b, c) =>
  ({ q, active }) =>
    unrolled4(lanes, active, (lane) => {
      q[d + lane] = BigInt.asUintN(64, BigInt.asUintN(64, q[a + lane]! * q[b + lane]!) + q[c + lane]!);
    });

const negate: Hot =
  (lanes, _op, d, a) =>
  ({ q, active }) =>
    unrolled4(lanes, active, (lane) => {
      q[d + lane] = BigInt.asUintN(64, 0n - q[a + lane]!);
    });

const and: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, active }) =>
    unrolled4(lanes, active, (lane) => {
      q[d + lane] = BigInt.asUintN(64, q[a + lane]! & q[b + lane]!);
    });

const or: Hot =
  (lanes, _op, d, a, b) =>
  ({ w, active }) =>
    unrolled2(lanes, active, (lane) => {
      w[2 * (d + lane)] = w[2 * (a + lane)]! | w[2 * (b + lane)]!;
      w[2 * (d + lane) + 1] = w[2 * (a + lane) + 1]! | w[2 * (b + lane) + 1]!;
    });

const xor: Hot =
  (lanes, _op, d, a, b) =>
  ({ w, active }) =>
    unrolled2(lanes, active, (lane) => {
      w[2 * (d + lane)] = w[2 * (a + lane)]! ^ w[2 * (b + lane)]!;
      w[2 * (d + lane) + 1] = w[2 * (a + lane) + 1]! ^ w[2 * (b + lane) + 1]!;
    });

const not: Hot =
  (lanes, _op, d, a) =>
  ({ w, active }) =>
    unrolled2(lanes, active, (lane) => {
      w[2 * (d + lane)] = ~w[2 * (a + lane)]!;
      w[2 * (d + lane) + 1] = ~w[2 * (a + lane) + 1]!;
    });

// Amounts are clamped at 64 (PTX ISA 9.7.8.8, 9.7.8.9). JavaScript shifts by an amount modulo 32, so what one word gives
// the other is shifted twice: by 1 and by the rest.
const shl: Hot =
  (lanes, _op, d, a, b) =>
  ({ w, r, active }) =>
    rolled(lanes, active, (lane) => {
      const by = r[b + lane]!;
      const low = w[2 * (a + lane)]!;
      const high = w[2 * (a + lane) + 1]!;
      w[2 * (d + lane)] = by > 31 ? 0 : low << by;
      w[2 * (d + lane) + 1] = by > 63 ? 0 : by > 31 ? low << by : (high << by) | ((low >>> 1) >>> (31 - by));
    });

const shrUnsigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ w, r, active }) =>
    rolled(lanes, active, (lane) => {
      const by = r[b + lane]!;
      const low = w[2 * (a + lane)]!;
      const high = w[2 * (a + lane) + 1]!;
      w[2 * (d + lane)] = by > 63 ? 0 : by > 31 ? high >>> by : (low >>> by) | ((high << 1) << (31 - by));
      w[2 * (d + lane) + 1] = by > 31 ? 0 : high >>> by;
    });

const shrSigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ w, r, active }) =>
    rolled(lanes, active, (lane) => {
      const by = Math.min(r[b + lane]!, 63);
      const low = w[2 * (a + lane)]!;
      const high = w[2 * (a + lane) + 1]!;
      w[2 * (d + lane)] = by > 31 ? high >> by : (low >>> by) | ((high << 1) << (31 - by));
      w[2 * (d + lane) + 1] = high >> Math.min(by, 31);
    });

/** The order of two 64-bit places of the bank, by their words. */
export function below(w: Int32Array, a: number, b: number): boolean {
  const high = w[2 * a + 1]!;
  const other = w[2 * b + 1]!;
  return high === other ? w[2 * a]! >>> 0 < w[2 * b]! >>> 0 : high < other;
}

export function belowUnsigned(w: Int32Array, a: number, b: number): boolean {
  const high = w[2 * a + 1]!;
  const other = w[2 * b + 1]!;
  return high === other ? w[2 * a]! >>> 0 < w[2 * b]! >>> 0 : high >>> 0 < other >>> 0;
}

const minUnsigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, w, active }) =>
    rolled(lanes, active, (lane) => {
      q[d + lane] = q[(belowUnsigned(w, a + lane, b + lane) ? a : b) + lane]!;
    });

const maxUnsigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, w, active }) =>
    rolled(lanes, active, (lane) => {
      q[d + lane] = q[(belowUnsigned(w, a + lane, b + lane) ? b : a) + lane]!;
    });

const minSigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, w, active }) =>
    rolled(lanes, active, (lane) => {
      q[d + lane] = q[(below(w, a + lane, b + lane) ? a : b) + lane]!;
    });

const maxSigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, w, active }) =>
    rolled(lanes, active, (lane) => {
      q[d + lane] = q[(below(w, a + lane, b + lane) ? b : a) + lane]!;
    });

const wideUnsigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, r, active }) =>
    unrolled4(lanes, active, (lane) => {
      q[d + lane] = BigInt.asUintN(64, BigInt(r[a + lane]!) * BigInt(r[b + lane]!));
    });

const wideSigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, s, active }) =>
    unrolled4(lanes, active, (lane) => {
      q[d + lane] = BigInt.asUintN(64, BigInt(s[a + lane]!) * BigInt(s[b + lane]!));
    });

const madWideUnsigned: Hot =
  (lanes, _op, d, a, b, c) =>
  ({ q, r, active }) =>
    unrolled4(lanes, active, (lane) => {
      const product = BigInt.asUintN(64, BigInt(r[a + lane]!) * BigInt(r[b + lane]!));
      q[d + lane] = BigInt.asUintN(64, product + q[c + lane]!);
    });

const madWideSigned: Hot =
  (lanes, _op, d, a, b, c) =>
  ({ q, s, active }) =>
    unrolled4(lanes, active, (lane) => {
      const product = BigInt.asUintN(64, BigInt(s[a + lane]!) * BigInt(s[b + lane]!));
      q[d + lane] = BigInt.asUintN(64, product + q[c + lane]!);
    });

/** The schoolbook's four products of words; every sum of them is exact in a double. */
const mulHighUnsigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ w, active }) =>
    rolled(lanes, active, (lane) => {
      const [low, high] = [w[2 * (a + lane)]! >>> 0, w[2 * (a + lane) + 1]! >>> 0];
      const [less, more] = [w[2 * (b + lane)]! >>> 0, w[2 * (b + lane) + 1]! >>> 0];
      const first = highProduct(low, less) + (Math.imul(high, less) >>> 0) + (Math.imul(low, more) >>> 0);
      const carry = Math.floor(first / 0x1_0000_0000);
      const second = (Math.imul(high, more) >>> 0) + highProduct(high, less) + highProduct(low, more) + carry;
      w[2 * (d + lane)] = second;
      w[2 * (d + lane) + 1] = highProduct(high, more) + Math.floor(second / 0x1_0000_0000);
    });

/** Integers of 64 bits, and products of 32 that are 64 wide. */
export const longs: readonly (readonly [string, Hot])[] = [
  ["iadd.u64", add],
  ["iadd.s64", add],
  ["isub.u64", sub],
  ["isub.s64", sub],
  ["imul.lo.u64", mul],
  ["imul.lo.s64", mul],
  ["imul.hi.u64", mulHighUnsigned],
  ["imad.lo.u64", mad],
  ["imad.lo.s64", mad],
  ["ineg.s64", negate],
  ["imin.u64", minUnsigned],
  ["imax.u64", maxUnsigned],
  ["imin.s64", minSigned],
  ["imax.s64", maxSigned],
  ["band.b64", and],
  ["bor.b64", or],
  ["bxor.b64", xor],
  ["bnot.b64", not],
  ["shl.b64", shl],
  ["shr.u64", shrUnsigned],
  ["shr.s64", shrSigned],
  ["imul.wide.u32", wideUnsigned],
  ["imul.wide.s32", wideSigned],
  ["imad.wide.u32", madWideUnsigned],
  ["imad.wide.s32", madWideSigned],
];
