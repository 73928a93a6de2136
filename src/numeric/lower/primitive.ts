/**
 * The steps that lowered integer operations are made of: what each computes on JavaScript numbers, and the largest
 * magnitude of its result, from those of its operands. All are total and have no effect, so that a step may run
 * whether or not its result is chosen. A word is 32 bits: any number that is congruent to it modulo 2^32. Steps return
 * words as signed numbers unless stated otherwise.
 */
export type Primitive = readonly [run: (...operands: number[]) => number, most: (...operands: number[]) => number];

const WORD = 2 ** 32;
const ofWord = (): number => 2 ** 31;
const ofUnsigned = (): number => WORD - 1;
const ofBoolean = (): number => 1;
const asMuch = (a: number): number => a;
const both = (a: number, b: number): number => a + b;
const either = (a: number, b: number): number => Math.max(a, b);

type Run = (a: number, b: number, c: number) => number;
const step = (run: Run, most: (a: number, b: number, c: number) => number): Primitive => [
  run as Primitive[0],
  most as Primitive[1],
];

export const primitives = {
  /** A word as a number with sign, and without. */
  signed: step((a) => a | 0, ofWord),
  unsigned: step((a) => a >>> 0, ofUnsigned),
  /** Exact: of numbers whose result stays below 2^53. A zero may have a sign, which nothing reads. */
  negate: step((a) => -a, asMuch),
  abs: step((a) => Math.abs(a), asMuch),
  add: step((a, b) => a + b, both),
  sub: step((a, b) => a - b, both),
  mul: step(
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  /** Cut toward zero: an exact quotient is at least 1 / |b| below the next integer, more than a rounding moves it. */
  div: step((a, b) => Math.trunc(a / b), asMuch),
  rem: step((a, b) => a % b, asMuch),
  min: step((a, b) => Math.min(a, b), either),
  max: step((a, b) => Math.max(a, b), either),
  /** a * 2^b and a / 2^b rounded toward -infinity. */
  scale: step(
    (a, b) => a * 2 ** b,
    () => Number.MAX_SAFE_INTEGER,
  ),
  floor: step((a, b) => Math.floor(a / 2 ** b), asMuch),
  /** Of words. Amounts of shifts count modulo 32. */
  not: step((a) => ~a, ofWord),
  and: step((a, b) => a & b, ofWord),
  or: step((a, b) => a | b, ofWord),
  xor: step((a, b) => a ^ b, ofWord),
  shl: step((a, b) => a << b, ofWord),
  sar: step((a, b) => a >> b, ofWord),
  shr: step((a, b) => a >>> b, ofUnsigned),
  imul: step(Math.imul, ofWord),
  /** The high word of an unsigned product of words, without sign. */
  highProduct: step(highProduct, ofUnsigned),
  clz: step(Math.clz32, () => 32),
  ones: step(ones, () => 32),
  reverse: step(reverse, ofWord),
  /** Of exact numbers; 1 where it holds, else 0. */
  lt: step((a, b) => (a < b ? 1 : 0), ofBoolean),
  le: step((a, b) => (a <= b ? 1 : 0), ofBoolean),
  eq: step((a, b) => (a === b ? 1 : 0), ofBoolean),
  ne: step((a, b) => (a !== b ? 1 : 0), ofBoolean),
  /** The second where the first is not 0, else the third. */
  choose: step(
    (when, yes, no) => (when !== 0 ? yes : no),
    (_, yes, no) => either(yes, no),
  ),
  /** Where the count-th 1 of a word is (fns): of the word, where to start, and the count. */
  nth: step(nth, () => 31),
} as const satisfies Readonly<Record<string, Primitive>>;

export type PrimitiveName = keyof typeof primitives;

/** The high word of the product of two unsigned words: no sum below reaches 2^53. */
export function highProduct(a: number, b: number): number {
  const low = (a & 0xffff) * (b & 0xffff);
  const first = (a >>> 16) * (b & 0xffff) + (low >>> 16);
  const second = (a & 0xffff) * (b >>> 16) + (first & 0xffff);
  return ((a >>> 16) * (b >>> 16) + Math.floor(first / 0x10000) + (second >>> 16)) >>> 0;
}

/** How many 1s a word has: sums of pairs, fours, bytes, and then of the four bytes. */
export function ones(a: number): number {
  const pairs = a - ((a >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** A word's bits in reverse: neighbours, pairs, fours, bytes and halves change places. */
export function reverse(a: number): number {
  const single = ((a >>> 1) & 0x5555_5555) | ((a & 0x5555_5555) << 1);
  const pairs = ((single >>> 2) & 0x3333_3333) | ((single & 0x3333_3333) << 2);
  const fours = ((pairs >>> 4) & 0x0f0f_0f0f) | ((pairs & 0x0f0f_0f0f) << 4);
  const bytes = ((fours >>> 8) & 0x00ff_00ff) | ((fours & 0x00ff_00ff) << 8);
  return (bytes >>> 16) | (bytes << 16);
}

/** Where the count-th 1 of a word is, from bit `from` upward, or downward where count is negative; -1 if nowhere. */
export function nth(a: number, from: number, count: number): number {
  if (from < 0 || from > 31) return -1;
  if (count === 0) return (a >>> from) & 1 ? from : -1;
  const step = count > 0 ? 1 : -1;
  let left = Math.abs(count);
  for (let at = from; at >= 0 && at < 32; at += step) if ((a >>> at) & 1 && --left === 0) return at;
  return -1;
}
