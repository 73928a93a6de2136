import { elementBits, type IntegerElement, isSignedElement } from "./element.ts";
import type { Tile, TileSpec } from "./spec.ts";

/** An element of up to 8 bits as a number, from the low bits of its word. */
function readerOf(type: IntegerElement): (word: number) => number {
  const unused = 32 - elementBits(type);
  return isSignedElement(type) ? (word) => (word << unused) >> unused : (word) => (word << unused) >>> unused;
}

/**
 * Integers: the sum is exact, and wraps or is kept within s32. A product is at most 255 * 255, so that up to 2^15 of them fit into
 * 32 bits with their sign.
 */
export function integerTile({ m, n, k, a, b, satfinite }: TileSpec): Tile {
  const [readA, readB] = [readerOf(a as IntegerElement), readerOf(b as IntegerElement)];
  const [rows, columns] = [new Int32Array(m * k), new Int32Array(n * k)];
  const into = satfinite
    ? (sum: number): number => Math.max(-0x8000_0000, Math.min(0x7fff_ffff, sum)) >>> 0
    : (sum: number): number => sum >>> 0;
  return (bitsA, bitsB, c, d) => {
    for (let at = 0; at < rows.length; at++) rows[at] = readA(bitsA[at] as number);
    for (let at = 0; at < columns.length; at++) columns[at] = readB(bitsB[at] as number);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let x = 0; x < k; x++) sum = (sum + Math.imul(rows[i * k + x]!, columns[j * k + x]!)) | 0;
        d[i * n + j] = into(((c[i * n + j] as number) | 0) + sum);
      }
  };
}

/** b1: how many bits of a xor b, or of a and b, are 1; 32 elements are one word. */
export function bitTile({ m, n, k, bits = "xor" }: TileSpec): Tile {
  const words = k / 32;
  return (a, b, c, d) => {
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        let sum = c[i * n + j] as number;
        for (let x = 0; x < words; x++) {
          const [p, q] = [a[i * words + x] as number, b[j * words + x] as number];
          sum += ones(bits === "xor" ? p ^ q : p & q);
        }
        d[i * n + j] = sum >>> 0;
      }
  };
}

/** How many bits of a word are 1. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
