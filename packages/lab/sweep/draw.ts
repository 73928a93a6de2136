import { formats } from "../../../src/numeric/format/named.ts";
import type { Value } from "./side.ts";

/** Fills the words of some cases of one operand: a word a case, or two, the low one first, for 64 bits. */
export type Draw = (words: Uint32Array, first: number, cases: number) => void;

/** How many bits a case has. */
export const bitsOfCase = (inputs: readonly Value[]): number => inputs.reduce((sum, { bits }) => sum + bits, 0);

/** All inputs: the number of a case is their bits side by side, those of the first operand on top. */
export function everything(inputs: readonly Value[]): Draw[] {
  const all = bitsOfCase(inputs);
  let low = 0;
  return inputs
    .toReversed()
    .map(({ bits }): Draw => {
      const [shift, place, size] = [2 ** low, low, 2 ** bits];
      low += bits;
      return (words, first, cases) => {
        if (all <= 32 && bits < 32) {
          for (let at = 0; at < cases; at++) words[at] = ((first + at) >>> place) & (size - 1);
          return;
        }
        for (let at = 0; at < cases; at++) words[at] = Math.floor((first + at) / shift) % size;
      };
    })
    .toReversed();
}

/** 32 bits that depend on three numbers: the finalizer of MurmurHash3, applied once per number. */
function hash(seed: number, at: number, salt: number): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(salt + 1, 0xc2b2ae35);
  h = Math.imul(h ^ (at >>> 0), 0x85ebca6b) ^ Math.floor(at / 2 ** 32);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * Random inputs. A case depends on the seed and on its number alone, so that shards draw the same cases as a
 * complete sweep. Of an operand's lanes a half are any bits, a quarter near 1, where sums cancel, and a quarter at a
 * corner of the type.
 */
export function random(inputs: readonly Value[], seed: number): Draw[] {
  return inputs.map((input, operand): Draw => {
    const { lane, count } = lanesOf(input);
    const corners = cornersOf(input.type, lane);
    const narrow = corners.map(Number);
    const format = formatIn(input.type);
    return (words, first, cases) => {
      for (let at = 0; at < cases; at++) {
        if (lane > 32) {
          const [low, high] = wide(hash(seed, first + at, operand * 32), hash(seed, first + at, operand * 32 + 1));
          words[2 * at] = low;
          words[2 * at + 1] = high;
          continue;
        }
        let [low, high] = [0, 0];
        for (let index = 0; index < count; index++) {
          const bits = one(hash(seed, first + at, operand * 32 + 2 * index));
          const place = index * lane;
          if (place < 32) low = (low | (bits << place)) >>> 0;
          else high = (high | (bits << (place - 32))) >>> 0;
        }
        if (input.bits === 64) {
          words[2 * at] = low;
          words[2 * at + 1] = high;
        } else words[at] = low;
      }
    };

    function one(h: number): number {
      const kind = h & 3;
      // Another word, so that what is drawn does not depend on the kind.
      const bits = Math.imul(h, 0x9e3779b1) >>> 0;
      const mixed = (bits ^ (bits >>> 15)) >>> 0;
      if (kind === 0) return narrow[mixed % narrow.length] ?? 0;
      if (kind === 1) return near(mixed);
      return lane === 32 ? mixed : mixed % 2 ** lane;
    }

    /** An exponent of 2^-2 to 2^1, or an integer below 256. */
    function near(mixed: number): number {
      if (format === undefined) return mixed % 2 ** Math.min(lane, 8);
      const { exp, frac, bias, pad, sign } = format;
      if (exp < 5 || frac === 0) return mixed % 2 ** lane;
      const fraction = mixed % 2 ** frac;
      const exponent = bias - 2 + ((mixed >>> 26) & 3);
      const negative = sign === 1 && mixed >= 2 ** 31 ? 2 ** (exp + frac + pad) : 0;
      return negative + exponent * 2 ** (frac + pad) + fraction * 2 ** pad;
    }

    function wide(a: number, b: number): readonly [number, number] {
      const kind = a & 3;
      const spread = (Math.imul(a, 0x9e3779b1) ^ (b >>> 7)) >>> 0;
      if (kind === 0) {
        const corner = corners[spread % corners.length] ?? 0n;
        return [Number(corner & 0xffff_ffffn), Number(corner >> 32n)];
      }
      if (kind > 1) return [spread, b];
      if (format === undefined) return [spread % 256, 0];
      const exponent = 1021 + ((b >>> 20) & 3);
      return [spread, ((b & 0x800f_ffff) | (exponent << 20)) >>> 0];
    }
  });
}

const formatIn = (type: string) => formats.find(({ name }) => name === type.replace(/x\d+$/, ""));

/** How many lanes a value has, and how wide one is. */
function lanesOf({ type, bits }: Value): { readonly lane: number; readonly count: number } {
  const count = Number(/x(\d+)$/.exec(type)?.[1] ?? 1);
  return { lane: Math.max(1, Math.floor(bits / count)), count };
}

/** The ends of a type and what lies beside them. */
function cornersOf(type: string, width: number): bigint[] {
  const all = (1n << BigInt(width)) - 1n;
  const format = formatIn(type);
  if (format === undefined) return [0n, 1n, 2n, all, all - 1n, all >> 1n, (all >> 1n) + 1n].map((x) => x & all);
  const { exp, frac, pad, bias, sign } = format;
  const at = (exponent: number, fraction = 0n): bigint =>
    ((BigInt(exponent) << BigInt(frac)) + fraction) << BigInt(pad);
  const top = 2 ** exp - 1;
  const positive = [
    at(0),
    at(0, 1n),
    at(0, (1n << BigInt(frac)) - 1n),
    at(1),
    at(1, 1n),
    at(bias),
    at(bias, 1n),
    at(bias, -1n),
    at(top, -1n),
    at(top),
    at(top, 1n),
    at(top, (1n << BigInt(frac)) - 1n),
  ].map((x) => x & all);
  return sign === 0 ? positive : positive.flatMap((x) => [x, (x | at(2 ** exp)) & all]);
}
