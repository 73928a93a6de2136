import {
  type ElementType,
  elementBits,
  elementFormat,
  isFloatElement,
  type ScaleType,
} from "../../../../src/numeric/tensor/element.ts";
import type { TileSpec } from "../../../../src/numeric/tensor/spec.ts";

/** Random numbers from a seed (mulberry32): below `bound`, a whole number. */
export function randomFrom(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

export type Random = ReturnType<typeof randomFrom>;

/** What a row of operands is like; `any` bits hold many infinities and NaNs. */
const moods = ["any", "near", "spread", "wide", "few", "tiny", "huge", "finite", "cancel"] as const;
export type Mood = (typeof moods)[number];
export const moodFrom = (random: Random): Mood => moods[random(moods.length)]!;

/** Bits of one element that make sums hard: neighbours in exponent, ties, subnormals, zeros, the largest numbers. */
export function hardBits(type: ElementType | ScaleType, mood: Mood, random: Random): bigint {
  const wide = (BigInt(random(2 ** 32)) << 32n) | BigInt(random(2 ** 32));
  const isScale = type === "ue8m0" || type === "ue4m3" || type === "ue5m3";
  if (!isScale && !isFloatElement(type))
    return BigInt.asUintN(elementBits(type), mood === "huge" ? ~(wide & 1n) : wide);
  const f = elementFormat(type as "f32");
  const top = 2 ** f.exp - 1;
  if (mood === "any") return BigInt.asUintN(elementBits(type), wide);
  if (random(mood === "few" ? 3 : 12) === 0) return BigInt(random(2)) << BigInt(elementBits(type) - 1);
  const span = { near: 3, spread: Math.min(top, 30), wide: top, few: 4, tiny: 2, huge: 2, finite: top, cancel: top }[
    mood
  ];
  const middle = mood === "tiny" ? 0 : mood === "huge" ? top - span : Math.max(0, f.bias - Math.floor(span / 2));
  const e = Math.min(middle + random(span), top - (f.specials === "ieee" ? 1 : 0));
  const ones = (1n << BigInt(f.frac)) - 1n;
  const fractions = [0n, 1n, ones, ones - 1n, wide & ones, wide & ones, wide & ones & ~(wide >> 7n)];
  const fraction = fractions[random(fractions.length)]! & ones;
  const sign = isScale ? 0n : BigInt(random(2));
  const code = (((sign << BigInt(f.exp)) | BigInt(e)) << BigInt(f.frac)) | fraction;
  // The bits of tf32 that are cut off are not zero.
  return (code << BigInt(f.pad)) | ((wide >> 20n) & ((1n << BigInt(f.pad)) - 1n));
}

/** The operands of one tile: rows of A, columns of B, elements of C. */
export interface HardTile {
  readonly a: readonly bigint[];
  readonly b: readonly bigint[];
  readonly c: readonly bigint[];
}

/**
 * Operands that make the sums of a tile hard. Those that cancel do so in pairs of any exponent, most of them: groups become 0 after
 * ones that are large, and small ones follow.
 */
export function hardTile({ m, n, k, a, b, c }: TileSpec, mood: Mood, random: Random): HardTile {
  const draw = (type: ElementType, count: number): bigint[] =>
    Array.from({ length: count }, () => hardBits(type, mood, random));
  const tile = { a: draw(a, m * k), b: draw(b, n * k), c: draw(c, m * n) };
  if (mood !== "cancel" || !isFloatElement(a) || !isFloatElement(b)) return tile;
  const sign = 1n << BigInt(elementBits(b) - 1);
  const alone = random(4);
  for (let at = 1; at < tile.a.length; at += 2) tile.a[at] = tile.a[at - 1]!;
  for (let at = 1; at < tile.b.length; at += 2)
    if (alone === 0 || random(4 * alone) > 0) tile.b[at] = tile.b[at - 1]! ^ sign;
  for (let at = 0; at < tile.c.length; at++) if (random(2) === 0) tile.c[at] = 0n;
  return tile;
}
