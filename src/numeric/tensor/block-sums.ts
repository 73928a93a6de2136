import { Code } from "../../wasm/code.ts";
import type { ModuleWriter } from "../../wasm/module.ts";
import {
  andOn,
  BASE,
  clampedPower,
  each,
  fields,
  inverse,
  MOST_TOP,
  power,
  raised,
  single,
  tooLarge,
  unlessZero,
  vectors,
} from "./alignment.ts";
import { elementFormat } from "./element.ts";
import { sumsOfParts } from "./integer-sums.ts";
import { scaledRules } from "./rules.ts";
import { type InScratch, inScratch, SCRATCH_BYTES } from "./scratch.ts";
import type { TileSpec } from "./spec.ts";
import { DENSE, type ScaledPlaces, type Spread, type Sums } from "./vector-sums.ts";

/**
 * The sums of `mxf4` (rules.ts), of four columns of D at once, in WebAssembly. Elements are twice their value, in halves of words.
 * Why they are exact:
 *
 * - Products are whole numbers up to 144, and 16 of them below 2^12. Times the significands of two scales, of 4 bits each, f32 has it.
 * - In units of 2^(top - 35) such a term is below 2^48, and a whole number in f32 when it is cut; four of them and C in binary64 are
 *   below 2^51. The sum is cut as f32 cuts it, which is normal.
 */

const { group, fraction, exact } = scaledRules.mxf4;

/** Twice the value of each e2m1. */
export const doubled: readonly number[] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];
/** Powers of two that a product of two of these has more than the elements'. */
const DOUBLED = 2;
/** The lowest top: a unit is normal in f32. */
const LOWEST = fraction - 126;

const VECTOR = 16;

interface Operand {
  readonly elements: number;
  /** The scales' bits, their significands as f32, and exponents, by rows of A or columns of B. */
  readonly scales: number;
  readonly significands: number;
  readonly exponents: number;
  readonly count: number;
}

function roomOf({ m, n, k, scale }: TileSpec): {
  readonly a: Operand;
  readonly b: Operand;
  readonly d: number;
  readonly end: number;
} {
  let end = 0;
  const room = (bytes: number): number => {
    const at = end;
    end += Math.ceil(bytes / VECTOR) * VECTOR;
    return at;
  };
  const operand = (rows: number): Operand => {
    const count = rows * Math.ceil(k / scale!.block);
    return {
      elements: room(2 * rows * k),
      scales: room(4 * count),
      significands: room(4 * count),
      exponents: room(4 * count),
      count,
    };
  };
  const [a, b] = [operand(m), operand(n)];
  return { a, b, d: room(4 * m * n), end };
}

/** Whether there is code for a tile, in so many bytes. */
export function hasBlockSums(spec: TileSpec, bytes: number): boolean {
  const { n, k, scale } = spec;
  if (scale?.kind !== "mxf4" || k % scale.block !== 0 || n % 4 !== 0) return false;
  const { a, b, end } = roomOf(spec);
  return a.count % 4 === 0 && b.count % 4 === 0 && end <= bytes;
}

/**
 * Adds the functions of a tile to a module. `index` takes the address of memory for it, where the operands lie at `places`, C where
 * D does, and returns not 0 where it cannot compute D. With a `spread`, K and what shares a scale count the zeros of A, too.
 */
export function writeBlockSums(
  module: ModuleWriter,
  spec: TileSpec,
  spread: Spread = DENSE,
  name?: string,
): { readonly index: number; readonly places: ScaledPlaces } {
  const room = roomOf(spec);
  const { a, b, d } = room;
  const type = { takes: ["i32"], gives: ["i32"] } as const;
  const decoders = [a, b].map((operand) => module.function(type, decoder(spec, operand)));
  const index = module.function(type, summing(spec, spread, room, decoders), name);
  return { index, places: { a: a.elements, b: b.elements, c: d, d, scaleA: a.scales, scaleB: b.scales } };
}

/** The sums of a tile; undefined if there is no code for it, or the engine refuses the module. */
export function blockSums(spec: TileSpec): Sums | undefined {
  if (!hasBlockSums(spec, SCRATCH_BYTES)) return undefined;
  const made = inScratch((module) => writeBlockSums(module, spec, DENSE, "run").places);
  return made && calling(spec, made);
}

function calling(spec: TileSpec, { places, buffer, run }: InScratch<ScaledPlaces>): Sums {
  const { m, n, k } = spec;
  const room = roomOf(spec);
  const halves = (at: number, count: number): Int16Array => new Int16Array(buffer, at, count);
  const words = (at: number, count: number): Uint32Array => new Uint32Array(buffer, at, count);
  const [a, b, d] = [halves(places.a, m * k), halves(places.b, n * k), words(places.d, m * n)];
  const [ofA, ofB] = [words(places.scaleA, room.a.count), words(places.scaleB, room.b.count)];
  const double = (from: Uint32Array, into: Int16Array): void => {
    for (let at = 0; at < into.length; at++) into[at] = doubled[from[at]! & 15]!;
  };
  return (bitsA, bitsB, bitsC, bitsD, scaleA, scaleB) => {
    double(bitsA, a);
    double(bitsB, b);
    d.set(bitsC);
    ofA.set(scaleA!);
    ofB.set(scaleB!);
    if (run(0) !== 0) return false;
    bitsD.set(d);
    return true;
  };
}

/** Reads all scales of an operand; returns not 0 for a NaN. */
function decoder({ scale }: TileSpec, { scales, significands, exponents, count }: Operand): Code {
  const { exp, frac, bias } = elementFormat(scale!.type);
  const code = new Code(1);
  const at = code.local("i32");
  const { size, field, nan } = vectors(code, ...(["size", "field", "nan"] as const));
  const all = 2 ** (exp + frac) - 1;
  code.get(BASE).set(at).loop();
  each(code.get(at).access("v128.load", scales), all).vector("v128.and").set(size);
  each(code.get(size), all).vector("i32x4.eq").get(nan).vector("v128.or").set(nan);
  code.get(size).i32(frac).vector("i32x4.shr_u").set(field);
  code.get(at);
  if (frac === 0) each(code, 127 << 23);
  else {
    each(code.get(size), 2 ** frac - 1).vector("v128.and");
    each(each(code.get(field), 0).vector("i32x4.gt_s"), 2 ** frac)
      .vector("v128.and")
      .vector("v128.or");
    each(code.vector("f32x4.convert_i32x4_s"), (127 - frac) << 23).vector("f32x4.mul");
  }
  code.access("v128.store", significands);
  code.get(at);
  // A format without a fraction has no subnormals.
  each(code.get(field), frac === 0 ? 0 : 1).vector("i32x4.max_s");
  each(code, bias).vector("i32x4.sub").access("v128.store", exponents);
  andOn(code, at, VECTOR, 4 * count);
  return code.get(nan).vector("v128.any_true");
}

/** The loops over D. Returns not 0 where it left out something. */
function summing(
  spec: TileSpec,
  { columns, stored }: Spread,
  { a, b, d }: ReturnType<typeof roomOf>,
  decoders: readonly number[],
): Code {
  const { m, n, k } = spec;
  /** Columns of an exact sum. */
  const width = (exact * columns) / stored;
  const { block } = spec.scale!;
  const scales = k / block;
  const row = 2 * k;
  const code = new Code(1);
  const addresses = ["i32", "i32", "i32", "i32", "i32"] as const;
  const [column, columnOfD, rowOfA, rowOfScales, to] = addresses.map((type) => code.local(type)) as [
    ...[number, number, number, number, number],
  ];
  const { sum, top, unit, unusual, low, high, cut, p, q, r, s } = vectors(
    code,
    ...(["sum", "top", "unit", "unusual", "low", "high", "cut", "p", "q", "r", "s"] as const),
  );
  const ofB = Array.from({ length: scales }, () => vectors(code, "significand", "exponent"));
  const terms = Array.from({ length: group / exact }, () => vectors(code, "value", "exponent"));
  const also = (): Code => code.get(unusual).vector("v128.or").set(unusual);
  const scaleOf = (part: number): number => Math.floor((part * width) / block);

  /** The scales of four columns, which lie apart. */
  const readScales = (): void => {
    for (const [at, locals] of ofB.entries())
      for (const [local, place] of [
        [locals.significand, b.significands],
        [locals.exponent, b.exponents],
      ] as const)
        for (let lane = 0; lane < 4; lane++) {
          code.get(columnOfD);
          if (scales > 1)
            code
              .get(columnOfD)
              .get(BASE)
              .scalar("i32.sub")
              .i32(scales - 1)
              .scalar("i32.mul")
              .scalar("i32.add");
          code
            .get(local)
            .laneAccess("v128.load32_lane", lane, place + 4 * (scales * lane + at))
            .set(local);
        }
  };

  /** Pushes the exact sums of a row and four columns, as whole numbers. */
  const dots = (part: number): void => {
    const from = 2 * width * part;
    for (const [which, local] of [p, q, r, s].entries()) {
      for (let at = from; at < from + 2 * width; at += VECTOR) {
        code.get(rowOfA).access("v128.load", a.elements + at);
        code
          .get(column)
          .access("v128.load", b.elements + row * which + at)
          .vector("i32x4.dot_i16x8_s");
        if (at > from) code.vector("i32x4.add");
      }
      code.set(local);
    }
    sumsOfParts(code, [p, q, r, s]);
  };

  /** A term times the significands of its scales, and the sum of their exponents. */
  const readTerm = (part: number, { value, exponent }: (typeof terms)[number]): void => {
    const which = scaleOf(part);
    const { significand, exponent: other } = ofB[which]!;
    dots(part);
    code.vector("f32x4.convert_i32x4_s");
    code
      .get(rowOfScales)
      .access("v128.load32_splat", a.significands + 4 * which)
      .get(significand)
      .vector("f32x4.mul");
    code.vector("f32x4.mul").set(value);
    code
      .get(rowOfScales)
      .access("v128.load32_splat", a.exponents + 4 * which)
      .get(other)
      .vector("i32x4.add");
    code.set(exponent);
  };

  /** Adds the four whole numbers on the stack to the sums, or begins these. */
  const add = (first: boolean): void => {
    code.vector("f32x4.trunc").set(cut);
    for (const [half, local] of [low, high].entries()) {
      code.get(cut);
      if (half === 1) code.get(cut).shuffleWords([2, 3, 2, 3]);
      code.vector("f64x2.promote_low_f32x4");
      if (!first) code.get(local).vector("f64x2.add");
      code.set(local);
    }
  };

  const addGroup = (parts: readonly number[]): void => {
    // A subnormal's exponent is that of the least normal number.
    each(each(fields(code, sum), 1).vector("i32x4.max_s"), 127).vector("i32x4.sub");
    unlessZero(code, sum);
    for (const [at, part] of parts.entries()) {
      const term = terms[at]!;
      readTerm(part, term);
      unlessZero(code.get(term.exponent), term.value).vector("i32x4.max_s");
    }
    raised(code, top, LOWEST, 0);
    also();
    each(code.get(top), MOST_TOP).vector("i32x4.gt_s");
    also();
    inverse(code, top, fraction).get(sum).vector("f32x4.mul");
    add(true);
    for (const [at] of parts.entries()) {
      const { value, exponent } = terms[at]!;
      clampedPower(code.get(exponent).get(top).vector("i32x4.sub"), fraction - DOUBLED);
      code.get(value).vector("f32x4.mul");
      add(false);
    }
    single(code, [low, high]);
    power(code.get(top), -fraction).set(unit);
    // No zero is negative.
    each(code.get(unit).vector("f32x4.mul"), 0).vector("f32x4.add").set(sum);
  };

  for (const decode of decoders) code.get(BASE).call(decode);
  code.scalar("i32.or").if().i32(1).scalar("return").end();
  code.get(BASE).tee(column).set(columnOfD).loop();
  readScales();
  code.get(BASE).tee(rowOfA).set(rowOfScales).get(columnOfD).set(to).loop();
  code.get(to).access("v128.load", d).set(sum);
  tooLarge(code, sum);
  also();
  const parts = Array.from({ length: k / width }, (_, part) => part);
  for (let first = 0; first < parts.length; first += terms.length) addGroup(parts.slice(first, first + terms.length));
  code.get(to).get(sum).access("v128.store", d);
  code
    .get(to)
    .i32(4 * n)
    .scalar("i32.add")
    .set(to);
  code
    .get(rowOfScales)
    .i32(4 * scales)
    .scalar("i32.add")
    .set(rowOfScales);
  andOn(code, rowOfA, row, row * m);
  code.get(columnOfD).i32(VECTOR).scalar("i32.add").set(columnOfD);
  andOn(code, column, 4 * row, row * n);
  return code.get(unusual).vector("v128.any_true");
}
