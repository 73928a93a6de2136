import { type ElementType, isElementType } from "../../host/index.ts";
import { bytesOf, formatOf, fromValue, writeBits } from "../../host/memory/element.ts";
import { Random } from "../../interp/contract/launch/random.ts";
import type { Format } from "../../numeric/index.ts";

/** How the elements of a buffer are drawn; the same seed, type and index give the same bits on every machine. */
export interface Recipe {
  readonly name: (typeof recipes)[number];
  /** For `uniform`: both ends, which integers may be as well. */
  readonly from: number;
  readonly to: number;
  /** Below 2^32. */
  readonly seed: number | undefined;
}

const recipes = ["random", "normal", "uniform", "special", "bits"] as const;

/** What may stand behind the colon of a buffer, for messages. */
export const fills = "fill=VALUE, V,V,..., iota, random, normal, uniform:A..B, special or bits, each with :SEED";

/** What other libraries call these. */
const otherFills: ReadonlyMap<string, string> = new Map([
  ["zeros", "fill=0"],
  ["zero", "fill=0"],
  ["ones", "fill=1"],
  ["full", "fill=VALUE"],
  ["range", "iota"],
  ["arange", "iota"],
  ["rand", "random"],
  ["randn", "normal"],
]);

/** What is to stand behind the colon in place of a text. */
export const fillFor = (text: string): string => otherFills.get(text.toLowerCase()) ?? fills;

/**
 * Reads `random`, `normal`, `uniform:A..B`, `special` or `bits`, each with `:SEED` behind it if wanted; undefined for anything else.
 */
export function readRecipe(text: string): Recipe | undefined {
  const [name, ...more] = text.split(":");
  const known = recipes.find((each) => each === name);
  const ends = known === "uniform" ? (more.shift()?.split("..").map(Number) ?? []) : [0, 0];
  const [from = Number.NaN, to = Number.NaN] = ends;
  const [digits, ...beyond] = more;
  if (known === undefined || ends.length !== 2 || !(from <= to && to - from < Number.POSITIVE_INFINITY))
    return undefined;
  const seed = digits === undefined ? undefined : Number(/^\d+$/.exec(digits)?.[0]);
  if (beyond.length > 0 || (seed !== undefined && !(seed < 2 ** 32))) return undefined;
  return { name: known, from, to, seed };
}

/** The elements as bytes; undefined where an end of `uniform` is no value of the type. */
export function drawn(recipe: Recipe, type: ElementType, count: number, goOn: () => void): Uint8Array | undefined {
  const [, packed = type] = /^(b?f16)x2$/.exec(type) ?? [];
  const lane = isElementType(packed) ? packed : type;
  const size = bytesOf(lane);
  const lanes = (bytesOf(type) / size) * count;
  const bytes = new Uint8Array(lanes * size);
  const view = new DataView(bytes.buffer);
  const draw = drawerOf(recipe, lane);
  for (let index = 0; index < lanes; index++) {
    if (index % 2 ** 12 === 0) goOn();
    const bits = draw(index);
    if (bits === undefined) return undefined;
    writeBits(view, index * size, size, bits);
  }
  return bytes;
}

/** Gives the bits of the element at an index; to be called once for each, in their order. */
function drawerOf({ name, from, to, seed }: Recipe, type: ElementType): (index: number) => bigint | undefined {
  const random = new Random(seed ?? 0);
  const format = formatOf(type);
  const width = 8 * bytesOf(type);
  const signed = type.startsWith("s");
  const number = (value: number): bigint | undefined =>
    fromValue(format === undefined ? Math.round(value) : value, type);
  const uniform = (low: number, high: number): number =>
    format === undefined
      ? low + Math.floor(unit(random) * (high - low + 1))
      : Math.min(low + unit(random) * (high - low), high);
  switch (name) {
    case "bits":
      return () => BigInt.asUintN(width, word64(random));
    case "uniform":
      return () => number(uniform(from, to));
    case "random":
      // Sums and products of many stay finite, and integers are small enough to be counts and indices.
      if (format !== undefined) return () => number(uniform(-1, 1));
      return signed ? () => number(uniform(-100, 100)) : () => number(uniform(0, 100));
    case "normal":
      return () => {
        // The sum of twelve uniform numbers, less six: exact, unlike logarithms, on every machine.
        let sum = -6;
        for (let term = 0; term < 12; term++) sum += unit(random);
        if (format !== undefined) return number(sum);
        return number(signed ? 16 * sum : 50 + 8 * sum);
      };
    case "special": {
      const list = format === undefined ? corners(type, width) : extremes(format);
      // Each of them once, where the buffer has room and nobody wants another draw.
      return (index) => list[seed === undefined && index < list.length ? index : random.below(list.length)];
    }
  }
}

/** At least 0, below 1, with 53 bits. */
const unit = (random: Random): number => (random.below(2 ** 27) * 2 ** 26 + random.below(2 ** 26)) / 2 ** 53;

const word64 = (random: Random): bigint => (BigInt(random.below(2 ** 32)) << 32n) | BigInt(random.below(2 ** 32));

/** Both signs of zero, the smallest and largest subnormal and normal numbers, 1, what lies beside powers of two, infinity, and NaNs. */
function extremes({ exp, frac, bias, specials }: Format): readonly bigint[] {
  const at = (exponent: number, fraction: bigint): bigint => (BigInt(exponent) << BigInt(frac)) + fraction;
  const ones = (1n << BigInt(frac)) - 1n;
  const top = 2 ** exp - 1;
  const powers = [bias, bias + 1, bias - 1, bias + frac, bias + frac + 1].filter((each) => each < top);
  const positive = [
    ...[0n, 1n, ones, at(1, 0n), at(1, 1n)],
    ...powers.flatMap((each) => [at(each, 0n), at(each, 1n), at(each, -1n)]),
    at(top, -1n),
    ...(specials === "ieee" ? [at(top, 0n), at(top, 1n << BigInt(frac - 1)), at(top, 1n)] : []),
  ];
  return positive.flatMap((bits) => [bits, bits | (1n << BigInt(exp + frac))]);
}

/** The ends of the type, 0, and what lies beside powers of two. */
function corners(type: ElementType, width: number): readonly bigint[] {
  const [low, high] = type.startsWith("s")
    ? [-(1n << BigInt(width - 1)), (1n << BigInt(width - 1)) - 1n]
    : [0n, (1n << BigInt(width)) - 1n];
  const powers = Array.from({ length: width }, (_, at) => 1n << BigInt(at));
  const all = [
    0n,
    low,
    high,
    low + 1n,
    high - 1n,
    -1n,
    ...powers.flatMap((each) => [each, each - 1n, each + 1n, -each]),
  ];
  return [...new Set(all.map((value) => BigInt.asUintN(width, value)))];
}
