import { type Reduction, reductions } from "../contract/plan/reduction.ts";
import type { Views } from "./linear.ts";
import { ALLOCATED, fourfold, INITIALISED, MBARRIER, STORED } from "./shadow.ts";

/**
 * On an overlay, cells that only one reduction has touched hold what is to be done to the base memory, not what is there: at
 * first what changes nothing. Each word of their shadow says which reduction it is. No byte of it is `INITIALISED`, so
 * that every other access takes the slow way; all have `MBARRIER`, which global memory never has, and `STORED` once the
 * reduction has happened: before, the cell is only prepared for it.
 */
const MARK = fourfold(ALLOCATED | MBARRIER);

const EACH_STORED = fourfold(STORED);
const EACH_MARK = fourfold(MBARRIER);

/** A word of the shadow of a cell that is prepared for a reduction: its number stands where bytes in flight are marked. */
export function markOf(name: Reduction): number {
  const number = reductions.indexOf(name);
  return MARK | ((number & 3) << 4) | ((number >>> 2) << 12);
}
const reductionIn = (word: number): Reduction => reductions[((word >>> 4) & 3) | (((word >>> 12) & 3) << 2)]!;

/** Whether a word of shadow is marked so, and for which reduction; whether that has happened. */
export const isMarked = (word: number): boolean => (word & EACH_MARK) === EACH_MARK && (word & INITIALISED) === 0;
export const hasHappened = (word: number): boolean => (word & EACH_STORED) === EACH_STORED;

/** Bytes of the cells that a marked word belongs to. */
export const cellBytes = (word: number): 4 | 8 => (reductionIn(word).endsWith("64") ? 8 : 4);

/** What changes nothing, as the words of a cell, the low one first. */
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

/** What a reduction that is held in a cell makes of the same cell of the base memory; gives that in `result`, by word. */
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
  // The words of one of them, and not the bits of `a < b ? a : b`: V8 11.3 (Node 20) ends the process when it compiles that.
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

/** Whether a minimum or maximum of two words of 64 bits is the first of them. */
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
