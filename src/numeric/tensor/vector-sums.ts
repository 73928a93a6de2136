import { Code } from "../../wasm/code.ts";
import { fusesMultiplyAdd } from "../../wasm/fused.ts";
import type { ModuleWriter } from "../../wasm/module.ts";
import {
  andOn,
  BASE,
  clampedPower,
  each,
  fields,
  inverse,
  MOST_TOP,
  NONE,
  power,
  raised,
  single,
  tooLarge,
  unlessZero,
  vectors,
} from "./alignment.ts";
import { elementFormat, type FloatElement } from "./element.ts";
import { groupOf, orderOf, type Rule } from "./rules.ts";
import { type InScratch, inScratch, SCRATCH_BYTES } from "./scratch.ts";
import type { TileSpec } from "./spec.ts";

/**
 * The sums of `tile.ts` into f32 and f16, of eight columns of D at once, in WebAssembly. Why they are exact:
 *
 * - f32 has the product of two significands of 11 bits at most, but for products below 2^-126, and these the cut makes 0.
 * - The cut is at 2^(top - fraction). In this unit a product is below 2^(fraction + 2) and C below 2^(fraction + 1): the cut ones
 *   are whole numbers, which 32-bit integers sum while they are few, and f32 itself where the fraction is short.
 * - Beyond 32 bits binary64 has the sum. Without its low 29 bits it is cut to what f32 has, so that converting is exact.
 * - A sum is a multiple of its unit, which is normal in f32.
 * - For f16, which has 11 bits, what binary64 has is rounded to odd in f32 first. f16 lies in f32 as numbers that it has, too.
 * - A sparse A lies with its zeros: a product with 0 has no exponent and adds nothing, and groups count what is stored alone.
 * - Two scales (mxf8f6f4) are a power of two, which is part of the one that makes units of a product. Where it is no normal f32,
 *   the product is below the cut.
 *
 * What would leave these ranges (very large elements, sums that are all tiny, infinities, NaN) is left to `tile.ts`.
 */

/** Computes all of D; false where it cannot, and has done nothing. */
export type Sums = (
  a: Uint32Array,
  b: Uint32Array,
  c: Uint32Array,
  d: Uint32Array,
  scaleA?: Uint32Array,
  scaleB?: Uint32Array,
) => boolean;

/** Where the elements of the matrices lie, one a word, bytes from the address that is given: A, C and D by rows, B by columns. */
export interface SumsPlaces {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

/** Also where the scales lie, as a tile has them. */
export interface ScaledPlaces extends SumsPlaces {
  readonly scaleA: number;
  readonly scaleB: number;
}

/** Of each `columns` of A, all but `stored` are zero: one for each, where A is not sparse. */
export interface Spread {
  readonly columns: number;
  readonly stored: number;
}

export const DENSE: Spread = { columns: 1, stored: 1 };

/** The highest exponent of an element: that of two is within MOST_TOP. */
const MOST_EXPONENT = MOST_TOP / 2;
/** The lowest top: what f32 does not have of products is cut there, and 2^(fraction - top) is no infinity. */
const LOWEST = -100;
const SIGN = 1 << 31;
/** Infinity in f16; in f32 the largest number that f16 has, and the exponent field of its least normal one. */
const HALF_INFINITY = 0x7c00;
const MOST_HALF = 0x477f_e000;
const LOWEST_HALF = 127 - 14;
/** A scale (ue8m0) that is NaN, and what two scales have more than the exponent of their product. */
const NAN_SCALE = 0xff;
const BIAS_OF_SCALES = 2 * 127;
/** Terms that an i32 can sum. */
const AT_ONCE = 16;
const MOST_FRACTION = 25;

const cuts: Readonly<Partial<Record<Rule["f32"], number>>> = { rz: -1, e8m13: ~0x3ff };

type SumsRule = Pick<Rule, "way" | "group" | "fraction" | "f32">;

/** The sums of a tile by a rule; undefined if there is no code for it, or the engine refuses the module. */
export function vectorSums(spec: TileSpec, rule: SumsRule, spread?: Spread): Sums | undefined {
  if (!hasVectorSums(spec, rule, SCRATCH_BYTES)) return undefined;
  const made = inScratch((module) => writeSums(module, spec, rule, spread, "run").places);
  return made && calling(spec, made);
}

/** Whether there is code for a tile by a rule, in so many bytes. */
export function hasVectorSums(spec: TileSpec, { way, fraction, f32 }: SumsRule, bytes: number): boolean {
  const { n, k, c, d, scale } = spec;
  const [halfC, halfD] = [c === "f16", d === "f16"];
  if ((!halfC && c !== "f32") || (!halfD && d !== "f32")) return false;
  // One scale for a row of A and for a column of B.
  if (scale !== undefined && (scale.kind !== "mxf8f6f4" || scale.block !== k)) return false;
  if (way !== "fused" && (way !== "halves" || halfC || halfD)) return false;
  return (
    n % 8 === 0 && k % 4 === 0 && cuts[f32] !== undefined && fraction <= MOST_FRACTION && roomOf(spec).end <= bytes
  );
}

/** The bits of an operand by rows (of B, by columns); its values and exponent fields. */
interface Operand {
  readonly bits: number;
  readonly values: number;
  readonly exponents: number;
}

interface Room {
  readonly a: Operand;
  readonly b: Operand;
  /** B by rows, so that columns lie side by side: values in words, exponents in halves of words. */
  readonly values: number;
  readonly exponents: number;
  readonly c: number;
  readonly d: number;
  readonly scaleA: number;
  readonly scaleB: number;
  readonly end: number;
}

function roomOf({ m, n, k, scale }: TileSpec): Room {
  let end = 0;
  const room = (bytes: number): number => {
    const at = end;
    end += Math.ceil(bytes / 16) * 16;
    return at;
  };
  const operand = (rows: number): Operand => ({
    bits: room(4 * rows * k),
    values: room(4 * rows * k),
    exponents: room(4 * rows * k),
  });
  const [a, b] = [operand(m), operand(n)];
  const [values, exponents] = [room(4 * n * k), room(2 * n * k)];
  const [c, d] = [room(4 * m * n), room(4 * m * n)];
  const [scaleA, scaleB] = scale ? [room(4 * m), room(4 * n)] : [end, end];
  return { a, b, values, exponents, c, d, scaleA, scaleB, end };
}

/**
 * Adds the functions of a tile to a module. `index` takes the address of memory for it, where the operands lie at `places`, and
 * returns not 0 where it cannot compute D. With a `spread`, K counts the zeros of A, too.
 */
export function writeSums(
  module: ModuleWriter,
  spec: TileSpec,
  rule: SumsRule,
  spread: Spread = DENSE,
  name?: string,
): { readonly index: number; readonly places: ScaledPlaces } {
  const { m, n, k } = spec;
  const room = roomOf(spec);
  const type = { takes: ["i32"], gives: ["i32"] } as const;
  const readA = module.function(type, decoder(spec.a as FloatElement, m * k, room.a, "twice"));
  const readB = module.function(type, decoder(spec.b as FloatElement, n * k, room.b, "once"));
  const turn = module.function({ takes: ["i32"], gives: [] }, transposing(n, k, room));
  const index = module.function(type, summing(spec, rule, spread, room, [readA, readB], turn), name);
  return { index, places: { ...room, a: room.a.bits, b: room.b.bits } };
}

function calling({ m, n, k, scale }: TileSpec, { places, buffer, run }: InScratch<ScaledPlaces>): Sums {
  const words = (at: number, count: number): Uint32Array => new Uint32Array(buffer, at, count);
  const [a, b] = [words(places.a, m * k), words(places.b, n * k)];
  const [c, d] = [words(places.c, m * n), words(places.d, m * n)];
  const scales = scale && [words(places.scaleA, m), words(places.scaleB, n)];
  return (bitsA, bitsB, bitsC, bitsD, scaleA, scaleB) => {
    a.set(bitsA);
    b.set(bitsB);
    c.set(bitsC);
    scales?.[0]?.set(scaleA!);
    scales?.[1]?.set(scaleB!);
    if (run(0) !== 0) return false;
    bitsD.set(d);
    return true;
  };
}

/** Writes the end of a loop whose counter grows by `step` up to `end`. */
const again = (code: Code, counter: number, step: number, end: number): Code =>
  code.get(counter).i32(step).scalar("i32.add").tee(counter).i32(end).scalar("i32.lt_u").branchIf(0).end();

/**
 * Reads all elements of an operand: values, and exponent fields as words "once", or "twice" in the halves of a word. Returns
 * not 0 for an infinity, a NaN, or a number too large.
 */
function decoder(
  type: FloatElement,
  count: number,
  { bits, values, exponents }: Operand,
  written: "once" | "twice",
): Code {
  const { exp, frac, pad, bias, specials } = elementFormat(type);
  const [top, sizeMask, toSign] = [2 ** exp - 1, 2 ** (exp + frac) - 1, 31 - exp - frac];
  const code = new Code(1);
  const at = code.local("i32");
  const { word, size, field, greatest, unusual } = vectors(
    code,
    ...(["word", "size", "field", "greatest", "unusual"] as const),
  );
  code.get(BASE).set(at).loop();
  code.get(at).get(at).access("v128.load", bits);
  if (exp === 8) {
    // The format is the beginning of f32.
    if (pad > 0) code.i32(pad).vector("i32x4.shr_u");
    code.i32(toSign).vector("i32x4.shl").tee(word).access("v128.store", values);
    code.get(word).i32(1).vector("i32x4.shl").tee(size).i32(24).vector("i32x4.shr_u");
    each(code, 1).vector("i32x4.max_s").set(field);
  } else {
    each(code.tee(word), sizeMask).vector("v128.and").tee(size).i32(frac).vector("i32x4.shr_u").set(field);
    each(code.get(size), 2 ** frac - 1).vector("v128.and");
    each(each(code.get(field), 0).vector("i32x4.gt_s"), 2 ** frac)
      .vector("v128.and")
      .vector("i32x4.add");
    code.vector("f32x4.convert_i32x4_s");
    each(code.get(word).i32(toSign).vector("i32x4.shl"), 1 << 31)
      .vector("v128.and")
      .vector("v128.or");
    // A subnormal's exponent is that of the least normal number.
    each(code.get(field), 1).vector("i32x4.max_s").tee(field);
    power(code, -bias - frac)
      .vector("f32x4.mul")
      .access("v128.store", values);
  }
  if (specials === "nan-only")
    each(code.get(size), sizeMask).vector("i32x4.eq").get(unusual).vector("v128.or").set(unusual);
  code.get(field).get(greatest).vector("i32x4.max_s").set(greatest);
  code.get(at).get(field);
  each(code.get(size), 0).vector("i32x4.eq").i32(NONE).vector("i32x4.shl").vector("v128.or");
  if (written === "twice") code.tee(field).get(field).shuffle(LOW_HALVES);
  code.access("v128.store", exponents);
  andOn(code, at, 16, 4 * count);
  const most = Math.min(bias + MOST_EXPONENT, specials === "ieee" ? top - 1 : top);
  each(code.get(greatest), most).vector("i32x4.gt_s").get(unusual).vector("v128.or");
  return code.vector("v128.any_true");
}

/** The low half of each word, twice. */
const LOW_HALVES = [0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13];

/** Writes B by rows, eight columns and four rows at a time. */
function transposing(n: number, k: number, { b, values, exponents }: Room): Code {
  const code = new Code(1);
  const [column, x, from, offset, to] = [0, 1, 2, 3, 4].map(() => code.local("i32")) as [
    ...[number, number, number, number, number],
  ];
  const square = [0, 1, 2, 3].map(() => code.local("v128"));
  const left = [0, 1, 2, 3].map(() => code.local("v128"));
  /** Leaves four rows of four columns in `square`. */
  const turn = (at: number): void => {
    for (const [j, local] of square.entries())
      code
        .get(from)
        .access("v128.load", at + 4 * k * j)
        .set(local);
    const [p, q, r, s] = square as [number, number, number, number];
    const pair = (one: number, other: number, order: readonly number[]): Code =>
      code.get(one).get(other).shuffleWords(order);
    pair(p, q, [0, 4, 1, 5]);
    pair(p, q, [2, 6, 3, 7]).set(q);
    code.set(p);
    pair(r, s, [0, 4, 1, 5]);
    pair(r, s, [2, 6, 3, 7]).set(s);
    code.set(r);
    for (const [one, other] of [
      [p, r],
      [q, s],
    ] as const) {
      pair(one, other, [0, 1, 4, 5]);
      pair(one, other, [2, 3, 6, 7]).set(other);
      code.set(one);
    }
    // Rows 0 and 1 are in p and r, 2 and 3 in q and s.
  };
  const order = [0, 2, 1, 3];
  code.loop().i32(0).set(x).loop();
  code
    .get(column)
    .i32(4 * k)
    .scalar("i32.mul")
    .get(x)
    .scalar("i32.add")
    .get(BASE)
    .scalar("i32.add")
    .set(from);
  code.get(x).i32(n).scalar("i32.mul").get(column).i32(4).scalar("i32.mul").scalar("i32.add").tee(offset);
  code.get(BASE).scalar("i32.add").set(to);
  for (const half of [0, 1]) {
    turn(b.values + 16 * k * half);
    for (const [row, at] of order.entries())
      code
        .get(to)
        .get(square[at]!)
        .access("v128.store", values + 16 * half + 4 * n * row);
  }
  turn(b.exponents);
  for (const [row, at] of order.entries()) code.get(square[at]!).set(left[row]!);
  turn(b.exponents + 16 * k);
  code.get(offset).i32(1).scalar("i32.shr_u").get(BASE).scalar("i32.add").set(to);
  for (const [row, at] of order.entries()) {
    code.get(to).get(left[row]!).get(square[at]!).vector("i16x8.narrow_i32x4_s");
    code.access("v128.store", exponents + 2 * n * row);
  }
  again(code, x, 16, 4 * k);
  again(code, column, 8, n);
  return code;
}

/** The four left or right of the columns that are summed at once. */
interface Side {
  /** What has been summed. */
  readonly sum: number;
  /** Its greatest exponent, as those of products are counted. */
  readonly top: number;
  /** 2^(fraction - top). */
  readonly scale: number;
  /** The exponent of the product of two scales; the same power times theirs. */
  readonly scales: number;
  readonly scaled: number;
}

/** The columns that are summed at once, group by group. */
function groupsOf(rule: SumsRule, k: number, { columns, stored }: Spread): readonly (readonly number[])[] {
  const own = (k * stored) / columns;
  const [order, group] = [orderOf(rule.way, own), groupOf(rule, own)];
  const chunk = (at: number): readonly number[] => Array.from({ length: columns }, (_, each) => at * columns + each);
  return Array.from({ length: Math.ceil(own / group) }, (_, each) => {
    const members = order.slice(each * group, (each + 1) * group);
    return [...new Set(members.map((at) => Math.floor(at / stored)))].flatMap(chunk);
  });
}

/** The loops over D. Returns not 0 where it left out something. */
function summing(
  spec: TileSpec,
  rule: SumsRule,
  spread: Spread,
  room: Room,
  decoders: readonly number[],
  transpose: number,
): Code {
  const { m, n, k } = spec;
  const { way, fraction } = rule;
  const groups = groupsOf(rule, k, spread);
  /** How many of so many columns of A are not zero, and of how many so many are not. */
  const terms = (columns: number): number => (columns * spread.stored) / spread.columns;
  const atOnce = (AT_ONCE * spread.columns) / spread.stored;
  const hasScales = spec.scale !== undefined;
  const cut = cuts[rule.f32]!;
  const code = new Code(1);
  const [rowOfA, rowOfD, rowOfScale, column, columnOfHalves, columnOfWords, to] = Array.from({ length: 7 }, () =>
    code.local("i32"),
  ) as [...[number, number, number, number, number, number, number]];
  const side = (): Side => {
    const made = vectors(code, "sum", "top", "scale");
    return hasScales ? { ...made, ...vectors(code, "scales", "scaled") } : { ...made, scales: 0, scaled: made.scale };
  };
  const sides = [side(), side()] as const;
  const { tops, unusual, partial, total, other } = vectors(
    code,
    ...(["tops", "unusual", "partial", "total", "other"] as const),
  );
  const also = (): Code => code.get(unusual).vector("v128.or").set(unusual);
  const truncated = (): Code =>
    code.vector(fusesMultiplyAdd() ? "i32x4.relaxed_trunc_f32x4_s" : "i32x4.trunc_sat_f32x4_s");

  const [halfC, halfD] = [spec.c === "f16", spec.d === "f16"];
  /** What the exponent fields of A and B together have more than the exponent of their product. */
  const bias = elementFormat(spec.a as FloatElement).bias + elementFormat(spec.b as FloatElement).bias;

  const begin = (which: number, { sum }: Side): void => {
    if (way === "halves") each(code, 0).set(sum);
    else if (halfC) {
      const word = (): Code => code.get(to).access("v128.load", room.c + 16 * which);
      each(each(word(), HALF_INFINITY).vector("v128.and"), HALF_INFINITY).vector("i32x4.eq");
      also();
      each(word(), 0x7fff).vector("v128.and").i32(13).vector("i32x4.shl");
      each(code, (127 + 112) << 23).vector("f32x4.mul");
      each(word().i32(16).vector("i32x4.shl"), SIGN).vector("v128.and").vector("v128.or").set(sum);
    } else {
      code
        .get(to)
        .access("v128.load", room.c + 16 * which)
        .set(sum);
      tooLarge(code, sum);
      also();
    }
  };

  /** The scales of a row and four columns. */
  const readScales = (which: number, { scales }: Side): void => {
    each(code.get(rowOfScale).access("v128.load32_splat", room.scaleA), 0xff).vector("v128.and").set(partial);
    code.get(columnOfWords).access("v128.load", room.scaleB + 16 * which);
    each(code, 0xff).vector("v128.and").set(total);
    for (const scale of [partial, total]) {
      each(code.get(scale), NAN_SCALE).vector("i32x4.eq");
      also();
    }
    each(code.get(partial).get(total).vector("i32x4.add"), BIAS_OF_SCALES).vector("i32x4.sub").set(scales);
  };

  /** The exponents of a group's products, the largest of each column. */
  const findTops = (group: readonly number[]): void => {
    for (const [at, x] of group.entries()) {
      code.get(rowOfA).access("v128.load32_splat", room.a.exponents + 4 * x);
      code
        .get(columnOfHalves)
        .access("v128.load", room.exponents + 2 * n * x)
        .vector("i16x8.add_sat_s");
      if (at > 0) code.get(tops).vector("i16x8.max_s");
      code.set(tops);
    }
  };

  /** The top of products and sum, and the power that makes units of them. */
  const align = (which: number, { sum, top, scale, scales, scaled }: Side, half: boolean): void => {
    fields(code, sum);
    if (half) each(code, LOWEST_HALF).vector("i32x4.max_s");
    if (bias !== 127) each(code, bias - 127).vector("i32x4.add");
    unlessZero(code, sum);
    code.get(tops).vector(which === 0 ? "i32x4.extend_low_i16x8_s" : "i32x4.extend_high_i16x8_s");
    if (hasScales) code.get(scales).vector("i32x4.add");
    raised(code.vector("i32x4.max_s"), top, LOWEST, bias);
    also();
    inverse(code, top, fraction + bias).set(scale);
    if (!hasScales) return;
    each(code.get(top), MOST_TOP + bias).vector("i32x4.gt_s");
    also();
    clampedPower(code.get(scales).get(top).vector("i32x4.sub"), fraction + bias).set(scaled);
  };

  /** Pushes the product of a row and four columns in units of the top, not cut yet. */
  const product = (x: number, which: number, scale: number): void => {
    code.get(rowOfA).access("v128.load32_splat", room.a.values + 4 * x);
    code
      .get(columnOfWords)
      .access("v128.load", room.values + 4 * n * x + 16 * which)
      .vector("f32x4.mul");
    code.get(scale).vector("f32x4.mul");
  };

  /** Sums by f32, which has all of it. */
  const sumShort = (group: readonly number[], which: number, { sum, scale, scaled }: Side): void => {
    code.get(sum).get(scale).vector("f32x4.mul").vector("f32x4.trunc");
    for (const x of group) {
      product(x, which, scaled);
      code.vector("f32x4.trunc").vector("f32x4.add");
    }
  };

  /** Sums by integers and binary64; leaves what f32 has of it, cut. */
  const sumLong = (group: readonly number[], which: number, { sum, scale, scaled }: Side): void => {
    const count = terms(group.length);
    const joined = count <= AT_ONCE && (4 * count + 2) * 2 ** fraction <= 2 ** 31;
    const totals = [total, other] as const;
    const flush = (first: boolean): void => {
      for (const [side, local] of totals.entries()) {
        code.get(partial);
        if (side === 1) code.get(partial).shuffleWords([2, 3, 2, 3]);
        code.vector("f64x2.convert_low_i32x4_s");
        if (!first) code.get(local).vector("f64x2.add");
        code.set(local);
      }
    };
    code.get(sum).get(scale).vector("f32x4.mul");
    truncated().set(partial);
    if (!joined) flush(true);
    for (const [at, x] of group.entries()) {
      product(x, which, scaled);
      truncated();
      if (joined || at % atOnce !== 0) code.get(partial).vector("i32x4.add");
      code.set(partial);
      if (!joined && (at + 1 === group.length || (at + 1) % atOnce === 0)) flush(false);
    }
    if (joined) flush(true);
    single(code, totals, halfD);
  };

  /** Rounds a sum to a number that f16 has: adding one and a half of 2^23 units in the last place leaves no bit below them. */
  const toHalf = ({ sum, scale: rounding }: Side): void => {
    each(fields(code, sum), LOWEST_HALF).vector("i32x4.max_s");
    each(code, 13).vector("i32x4.add").i32(23).vector("i32x4.shl");
    each(code, 0x40_0000).vector("v128.or").set(rounding);
    each(code.get(sum), SIGN).vector("v128.and");
    code.get(sum).get(rounding).vector("f32x4.add").get(rounding).vector("f32x4.sub").vector("v128.or").set(sum);
    each(code.get(sum).vector("f32x4.abs"), MOST_HALF).vector("f32x4.gt");
    also();
  };

  const finish = (which: number, { sum }: Side): void => {
    if (halfD) {
      each(code.get(sum).vector("f32x4.abs"), (127 - 112) << 23).vector("f32x4.mul");
      code.i32(13).vector("i32x4.shr_u");
      each(code.get(sum).i32(16).vector("i32x4.shr_u"), 0x8000).vector("v128.and").vector("v128.or").set(sum);
    }
    if (way === "halves") {
      // The sum of two f32 is rounded once; a zero is +0.
      code
        .get(sum)
        .get(to)
        .access("v128.load", room.c + 16 * which)
        .vector("f32x4.add");
      each(code, 0).vector("f32x4.add").tee(sum).vector("f32x4.abs");
      each(code, 0x7f80_0000).vector("f32x4.lt").vector("v128.not");
      also();
    }
    code
      .get(to)
      .get(sum)
      .access("v128.store", room.d + 16 * which);
  };

  for (const decode of decoders) code.get(BASE).call(decode);
  code.scalar("i32.or").if().i32(1).scalar("return").end().get(BASE).call(transpose);
  for (const address of [rowOfA, rowOfD, rowOfScale]) code.get(BASE).set(address);
  const isShort = (4 * terms(groups[0]!.length) + 2) * 2 ** fraction <= 2 ** 24;
  code.loop().i32(0).set(column).loop();
  code.get(column).get(BASE).scalar("i32.add").tee(columnOfHalves);
  code.get(column).scalar("i32.add").set(columnOfWords);
  code.get(rowOfD).get(column).i32(1).scalar("i32.shl").scalar("i32.add").set(to);
  for (const [which, each] of sides.entries()) {
    begin(which, each);
    if (hasScales) readScales(which, each);
  }
  for (const [at, members] of groups.entries()) {
    findTops(members);
    for (const [which, side] of sides.entries()) {
      align(which, side, at === 0 ? halfC : halfD);
      (isShort ? sumShort : sumLong)(members, which, side);
      if (cut !== -1 && !halfD) each(code, cut).vector("v128.and");
      power(code.get(side.top), -fraction - bias)
        .vector("f32x4.mul")
        .set(side.sum);
      if (halfD) toHalf(side);
    }
  }
  for (const [which, each] of sides.entries()) finish(which, each);
  again(code, column, 16, 2 * n);
  code
    .get(rowOfD)
    .i32(4 * n)
    .scalar("i32.add")
    .set(rowOfD);
  code.get(rowOfScale).i32(4).scalar("i32.add").set(rowOfScale);
  andOn(code, rowOfA, 4 * k, 4 * m * k);
  return code.get(unusual).vector("v128.any_true");
}
