import { exponentOf, oddSum } from "../binary64/double.ts";
import { fmaIn } from "../binary64/double-fma.ts";
import { rounderTo } from "../binary64/narrow.ts";
import { f16, f32, f64 } from "../format/format.ts";
import { blockSums } from "./block-sums.ts";
import { doubleSums } from "./double-sums.ts";
import { elementFormat, type FloatElement, type IntegerElement, integerOf, isFloatElement } from "./element.ts";
import { type Narrow, narrowOf, OFFSET, powers, singleOf, specialSum } from "./narrow.ts";
import { type Decoded, decodedOf, decoderOf, LEAST, NONE } from "./operands.ts";
import { groupOf, orderOf, type Rule, ruleOf, scaledRules } from "./rules.ts";
import type { Tile, TileSpec } from "./spec.ts";
import { type Sums, vectorSums } from "./vector-sums.ts";

/**
 * Integers: the sum is exact, and wraps or is kept within s32. A product is at most 255 * 255, so that up to 2^15 of them fit into
 * 32 bits with their sign; one of .kind::ti16 is at most 2047 * 2047, and there are 32 of them at most.
 */
function integerTile({ m, n, k, a, b, satfinite }: TileSpec): Tile {
  const [rows, columns] = [new Int32Array(m * k), new Int32Array(n * k)];
  const into = satfinite
    ? (sum: number): number => Math.max(-0x8000_0000, Math.min(0x7fff_ffff, sum)) >>> 0
    : (sum: number): number => sum >>> 0;
  return (bitsA, bitsB, c, d) => {
    for (let at = 0; at < rows.length; at++) rows[at] = integerOf(a as IntegerElement, bitsA[at] as number);
    for (let at = 0; at < columns.length; at++) columns[at] = integerOf(b as IntegerElement, bitsB[at] as number);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let x = 0; x < k; x++) sum = (sum + Math.imul(rows[i * k + x]!, columns[j * k + x]!)) | 0;
        d[i * n + j] = into(((c[i * n + j] as number) | 0) + sum);
      }
  };
}

/** b1: how many bits of a xor b, or of a and b, are 1; 32 elements are one word. */
function bitTile({ m, n, k, bits = "xor" }: TileSpec): Tile {
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

/**
 * Sums of floats, as fast as doubles are. Why they are exact:
 *
 * - A value is a double. A product has at most 22 bits (two significands of 11: f16 and tf32), and its exponent, with those of two
 *   scales, stays within +-600: it is an exact double, and so is the product times a power of two.
 * - In units of 2^(top - fraction) a product is below 2^(fraction + 2), C below 2^(fraction + 1); each is cut to an integer.
 *   At most 32 of them and C are below 2^(fraction + 8), which for fraction <= 25 is far from 2^53: the sum is exact.
 * - Times 2^(top - fraction) it is still exact, and is rounded once, to D.
 */

/** What one tile needs besides its operands. */
interface Summation {
  readonly spec: TileSpec;
  readonly rule: Pick<Rule, "way" | "group" | "fraction">;
  readonly c: Decoded;
  readonly narrow: Narrow;
  readonly encode: (value: number) => number;
  readonly nan: number;
  /** The exponent of D's least normal number. */
  readonly lowest: number;
}

/** About how many tiles take as long as making a module. */
const TILES_BEFORE_MODULE = 64;

function fusedTile(target: string, spec: TileSpec): Tile {
  const { m, n, k, scale } = spec;
  const d = spec.d as FloatElement;
  const format = elementFormat(d);
  const rule = ruleOf(target, spec);
  const group = groupOf(rule, k);
  const order = rule.way === "halves" ? Int32Array.from(orderOf(rule.way, k)) : undefined;
  const [a, b] = [decodedOf(m, k), decodedOf(n, k)];
  const decodeA = decoderOf(spec.a as FloatElement, order, scale);
  const decodeB = decoderOf(spec.b as FloatElement, order, scale);
  const c = decodedOf(1, m * n);
  const decodeC = decoderOf(spec.c as FloatElement);
  const sum = summation({
    spec,
    rule: { way: rule.way, group, fraction: rule.fraction },
    c,
    narrow: narrowOf[d === "f16" ? "rn" : rule.f32],
    encode: d === "f16" ? rounderTo(f16, "rn") : singleOf,
    nan: Number(format.nan),
    lowest: 1 - format.bias,
  });
  let calls = 0;
  let quick: Sums | undefined;
  return (bitsA, bitsB, bitsC, bitsD, scaleA, scaleB) => {
    if (++calls === TILES_BEFORE_MODULE) quick = vectorSums(spec, rule);
    const [wordsA, wordsB, wordsC] = [bitsA, bitsB, bitsC] as [Uint32Array, Uint32Array, Uint32Array];
    if (quick?.(wordsA, wordsB, wordsC, bitsD as Uint32Array, scaleA, scaleB)) return;
    decodeA(wordsA, a, scaleA);
    decodeB(wordsB, b, scaleB);
    decodeC(wordsC, c);
    sum(a, b, bitsD as Uint32Array);
  };
}

/** The loops over D, K and the groups. */
function summation({ spec: { m, n, k }, rule, c, narrow, encode, nan, lowest }: Summation) {
  const { group, fraction } = rule;
  const halves = rule.way === "halves";
  return (a: Decoded, b: Decoded, d: Uint32Array): void => {
    const [va, ea, vb, eb] = [a.values, a.exponents, b.values, b.exponents];
    const unusual = c.special[0]!;
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        const [p, q, at] = [i * k, j * k, i * n + j];
        const valueC = c.values[at]!;
        if ((a.special[i]! | b.special[j]! | unusual) !== 0) {
          const special = specialSum(va, p, vb, q, k, valueC);
          if (special !== 0) {
            d[at] = Number.isNaN(special) ? nan : encode(special);
            continue;
          }
        }
        let sum = halves ? 0 : valueC;
        let exponent = halves ? NONE : c.exponents[at]!;
        for (let first = 0; first < k; first += group) {
          const end = Math.min(first + group, k);
          let top = exponent;
          for (let x = first; x < end; x++) {
            const e = ea[p + x]! + eb[q + x]!;
            if (e > top) top = e;
          }
          if (top < LEAST) {
            sum = 0;
            continue;
          }
          const scale = powers[OFFSET + fraction - top]!;
          let total = Math.trunc(sum * scale);
          for (let x = first; x < end; x++) total += Math.trunc(va[p + x]! * vb[q + x]! * scale);
          if (total === 0) {
            sum = 0;
            exponent = NONE;
            continue;
          }
          sum = narrow(total * powers[OFFSET + top - fraction]!);
          if (!Number.isFinite(sum)) break;
          exponent = sum === 0 ? NONE : Math.max(exponentOf(sum), lowest);
        }
        // A sum of two f16 is exact; of two f32 rounding twice, here and to D, is rounding once (53 >= 2 * 24 + 2).
        if (halves) sum += valueC;
        // Any other zero is +0; one that a tiny sum was cut to has its sign.
        d[at] = halves && sum === 0 ? 0 : encode(sum);
      }
    }
  };
}

/** f64: D is C, to which a fused multiply-add adds the product of each k in turn, rounded each time (PTX ISA, mma). */
function doubleTile(spec: TileSpec): Tile {
  const { m, n, k, rounding = "rn" } = spec;
  const fma = fmaIn(rounding);
  // Doubles and their bits are views of the same bytes.
  const bits = { a: new BigUint64Array(m * k), b: new BigUint64Array(n * k), d: new BigUint64Array(m * n) };
  const a = new Float64Array(bits.a.buffer);
  const b = new Float64Array(bits.b.buffer);
  const d = new Float64Array(bits.d.buffer);
  let calls = 0;
  let quick: Tile | undefined;
  return (bitsA, bitsB, bitsC, into) => {
    if (++calls === TILES_BEFORE_MODULE) quick = doubleSums(spec);
    if (quick !== undefined) {
      quick(bitsA, bitsB, bitsC, into);
      return;
    }
    bits.a.set(bitsA as BigUint64Array);
    bits.b.set(bitsB as BigUint64Array);
    bits.d.set(bitsC as BigUint64Array);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        const at = i * n + j;
        let sum = d[at]!;
        for (let x = 0; x < k; x++) sum = fma(a[i * k + x]!, b[j * k + x]!, sum);
        d[at] = sum;
        if (Number.isNaN(sum)) bits.d[at] = f64.nan;
      }
    (into as BigUint64Array).set(bits.d);
  };
}

/**
 * `chain`: f32 fused multiply-adds from zero, then an addition of C. A product of two f16 is an exact double; its sum with an f32,
 * rounded to odd in binary64, has one rounding to f32 that shows.
 */
function chainTile(spec: TileSpec): Tile {
  const { m, n, k } = spec;
  const [a, b, c] = [decodedOf(m, k), decodedOf(n, k), decodedOf(1, m * n)];
  const decode = {
    a: decoderOf(spec.a as FloatElement),
    b: decoderOf(spec.b as FloatElement),
    c: decoderOf(spec.c as FloatElement),
  };
  const toHalf = rounderTo(f16, "rn");
  const encode = spec.d === "f16" ? toHalf : (value: number): number => singleOf(Math.fround(value));
  const nan = Number(elementFormat(spec.d as FloatElement).nan);
  return (bitsA, bitsB, bitsC, d) => {
    decode.a(bitsA as Uint32Array, a);
    decode.b(bitsB as Uint32Array, b);
    decode.c(bitsC as Uint32Array, c);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let x = 0; x < k; x++) sum = Math.fround(oddSum(a.values[i * k + x]! * b.values[j * k + x]!, sum));
        const whole = oddSum(sum, c.values[i * n + j]!);
        d[i * n + j] = Number.isNaN(whole) ? nan : encode(whole);
      }
  };
}

const { group, fraction, exact } = scaledRules.mxf4;

/**
 * mxf4 and mxf4nvf4: some products are one exact sum, times its two scales. Why doubles are exact: 16 products of e2m1 are a multiple
 * of 1/4 up to 576, of 12 bits; two scales add 8 bits. In units of 2^(top - 35) a term is below 2^(10 + 2 + 35), so that four of
 * them and C stay below 2^53.
 */
function blockTile(spec: TileSpec): Tile {
  const { m, n, k } = spec;
  const { type, block } = spec.scale!;
  const [a, b, c] = [decodedOf(m, k), decodedOf(n, k), decodedOf(1, m * n)];
  const [scaleA, scaleB] = [decodedOf(m, k / block), decodedOf(n, k / block)];
  const decode = {
    a: decoderOf(spec.a as FloatElement),
    b: decoderOf(spec.b as FloatElement),
    c: decoderOf(spec.c as FloatElement),
    scale: decoderOf(type),
  };
  const sums = new Float64Array(Math.ceil(group / exact));
  const cut = narrowOf.rz;

  /** One group of D's element in row i and column j, from the element `first` of K on. */
  const sumOf = (i: number, j: number, first: number, carried: number): number => {
    let top = carried === 0 ? NONE : Math.max(exponentOf(carried), 1 - f32.bias);
    const end = Math.min(first + group, k);
    let count = 0;
    for (let from = first; from < end; from += exact) {
      let sum = 0;
      const until = Math.min(from + exact, end);
      for (let x = from; x < until; x++) sum += a.values[i * k + x]! * b.values[j * k + x]!;
      const [p, q] = [scaleAt(scaleA, i, from), scaleAt(scaleB, j, from)];
      sums[count] = sum * scaleA.values[p]! * scaleB.values[q]!;
      if (sums[count] !== 0) top = Math.max(top, scaleA.exponents[p]! + scaleB.exponents[q]!);
      count += 1;
    }
    if (top < LEAST) return 0;
    const scale = powers[OFFSET + fraction - top]!;
    let total = Math.trunc(carried * scale);
    for (let at = 0; at < count; at++) total += Math.trunc(sums[at]! * scale);
    return total === 0 ? 0 : cut(total * powers[OFFSET + top - fraction]!);
  };
  const scaleAt = (scales: Decoded, row: number, from: number): number =>
    row * scales.length + Math.floor(from / block);

  /** An infinity or a NaN stays so, whatever is added later. */
  const element = (i: number, j: number, carried: number): number => {
    let sum = carried;
    for (let first = 0; first < k && Number.isFinite(sum); first += group) sum = sumOf(i, j, first, sum);
    return sum;
  };
  const nan = Number(f32.nan);
  let calls = 0;
  let quick: Sums | undefined;
  return (bitsA, bitsB, bitsC, d, bitsScaleA, bitsScaleB) => {
    if (++calls === TILES_BEFORE_MODULE) quick = blockSums(spec);
    const [wordsA, wordsB, wordsC] = [bitsA, bitsB, bitsC] as [Uint32Array, Uint32Array, Uint32Array];
    if (quick?.(wordsA, wordsB, wordsC, d as Uint32Array, bitsScaleA, bitsScaleB)) return;
    decode.a(wordsA, a);
    decode.b(wordsB, b);
    decode.c(wordsC, c);
    decode.scale(bitsScaleA!, scaleA);
    decode.scale(bitsScaleB!, scaleB);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        const at = i * n + j;
        const invalid = scaleA.special[i]! | scaleB.special[j]!;
        const special = invalid ? Number.NaN : specialSum(a.values, i * k, b.values, j * k, k, c.values[at]!);
        const sum = special === 0 ? element(i, j, c.values[at]!) : special;
        d[at] = Number.isNaN(sum) ? nan : singleOf(sum);
      }
  };
}

/** Tiles hold room for their operands: a program whose shapes come from registers must not keep them all. */
const MAX_KEPT_TILES = 64;
const made = new Map<string, Tile>();

/**
 * The function that computes D of a matrix multiply-accumulate as the tensor cores of a target ("sm_90a") do. Meant to
 * be called once, when a launch is linked; equal arguments return the same tile, since a tile keeps no state between
 * calls.
 */
export function tileOf(target: string, spec: TileSpec): Tile {
  const key = JSON.stringify([target, Object.entries(spec).sort(([x], [y]) => (x < y ? -1 : 1))]);
  const known = made.get(key);
  if (known) return known;
  const tile = newTile(target, spec);
  if (made.size >= MAX_KEPT_TILES) made.clear();
  made.set(key, tile);
  return tile;
}

function newTile(target: string, spec: TileSpec): Tile {
  if (spec.a === "f64") return doubleTile(spec);
  if (spec.a === "b1") return bitTile(spec);
  if (!isFloatElement(spec.a)) return integerTile(spec);
  if (spec.scale?.kind === "mxf4") return blockTile(spec);
  return ruleOf(target, spec).way === "chain" ? chainTile(spec) : fusedTile(target, spec);
}
