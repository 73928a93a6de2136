import { type Reduction, reductions } from "../contract/plan/reduction.ts";
import type { Views } from "./linear.ts";
import { ALLOCATED, fourfold, INITIALISED, MBARRIER, STORED } from "./shadow.ts";

/**
 * On an overlay, a cell that only one kind of reduction has touched holds the pending operand for the base memory,
 * not a value: at first the neutral element. Each word of its shadow says which reduction it is. No byte of it is
 * `INITIALISED`, so that every other access takes the slow path; all have `MBARRIER`, which global memory never has,
 * and `STORED` once a reduction has happened: before, the cell is only prepared for it.
 */
const MARK = fourfold(ALLOCATED | MBARRIER);

const EACH_STORED = fourfold(STORED);
const EACH_MARK = fourfold(MBARRIER);

/** The shadow word of a cell prepared for a reduction: the bits for bytes in flight hold the reduction's number. */
export function markOf(name: Reduction): number {
  const number = reductions.indexOf(name);
  return MARK | ((number & 3) << 4) | ((number >>> 2) << 12);
}
const reductionIn = (word: number): Reduction => reductions[((word >>> 4) & 3) | (((word >>> 12) & 3) << 2)]!;

/** Whether a shadow word marks a reduction cell; whether a reduction has happened there. */
export const isMarked = (word: number): boolean => (word & EACH_MARK) === EACH_MARK && (word & INITIALISED) === 0;
export const hasHappened = (word: number): boolean => (word & EACH_STORED) === EACH_STORED;

/** Bytes of the cells that a marked word belongs to. */
export const cellBytes = (word: number): 4 | 8 => (reductionIn(word).endsWith("64") ? 8 : 4);

/** The neutral element, as the words of a cell, the low one first. */
export const neutral = (mark: number): readonly number[] => neutrals[reductionIn(mark)];

const neutrals: Readonly<Record<Reduction, readonly number[]>> = {
  and: [-1],
  or: [0],
  xor: [0],
  add32: [0],
  add64: [0, 0],
  "min.u32": [-1],
  "min.s32": [0x7fff_ffff],
  "min.u64": [-1, -1],
  "min.s64": [-1, 0x7fff_ffff],
  "max.u32": [0],
  "max.s32": [-0x8000_0000],
  "max.u64": [0, 0],
  "max.s64": [0, -0x8000_0000],
};

/** Applies the operand held in a cell to the same cell of the base memory; `result` receives the value, by word. */
export function combine(mark: number, word: number, base: Views, held: Views, result: Int32Array): void {
  const name = reductionIn(mark);
  if (cellBytes(mark) === 4) {
    result[0] = narrow(name, base.s32[word]!, held.s32[word]!);
    return;
  }
  const [a, b] = [base.u64[word >>> 1]!, held.u64[word >>> 1]!];
  if (name === "add64") {
    result[0] = Number(BigInt.asIntN(32, a + b));
    result[1] = Number(BigInt.asIntN(32, (a + b) >> 32n));
    return;
  }
  // Selects words, not the bits of `a < b ? a : b`: V8 11.3 (Node 20) crashes when it compiles that.
  const { s32 } = isFirst(name, a, b) ? base : held;
  result[0] = s32[word]!;
  result[1] = s32[word + 1]!;
}

function narrow(name: Reduction, a: number, b: number): number {
  switch (name) {
    case "and":
      return a & b;
    case "or":
      return a | b;
    case "xor":
      return a ^ b;
    case "add32":
      return (a + b) | 0;
    case "min.u32":
      return a >>> 0 < b >>> 0 ? a : b;
    case "max.u32":
      return a >>> 0 > b >>> 0 ? a : b;
    case "min.s32":
      return Math.min(a, b);
    case "max.s32":
      return Math.max(a, b);
    default:
      throw new Error(`${name} is not for 32 bits`);
  }
}

/** Whether the minimum or maximum of two 64-bit values is the first of them. */
function isFirst(name: Reduction, a: bigint, b: bigint): boolean {
  switch (name) {
    case "min.u64":
      return a < b;
    case "max.u64":
      return a > b;
    case "min.s64":
      return BigInt.asIntN(64, a) < BigInt.asIntN(64, b);
    case "max.s64":
      return BigInt.asIntN(64, a) > BigInt.asIntN(64, b);
    default:
      throw new Error(`${name} is not for 64 bits`);
  }
}
