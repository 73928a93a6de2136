import { Code } from "../../wasm/code.ts";
import { compileModule, hasVectors, instantiate, type SharedMemory, sharedMemory } from "../../wasm/engine.ts";
import { ModuleWriter } from "../../wasm/module.ts";
import { elementFormat, type FloatElement } from "./element.ts";
import { NONE } from "./operands.ts";
import type { Rule } from "./rules.ts";
import type { TileSpec } from "./spec.ts";

/**
 * The sums of `tile.ts` into f32, of four columns of D at once, in WebAssembly. Why they are exact:
 *
 * - An element is a whole number of at most 11 bits (its significand, without a point) and an exponent; a product of two has at
 *   most 22 bits, so f32 has it. Times a power of two from 2^-60 on it is still exact, and below that it is cut to 0 anyway.
 * - In units of 2^(top - fraction) it is below 2^(fraction + 2); 16 such whole numbers are below 2^31 where fraction is at most 25.
 * - C, and the sum of all, are whole numbers in binary64, as in `tile.ts`. To f32 the engine rounds to nearest; if that
 *   is farther from zero than the sum, cutting gives the f32 before it.
 *
 * Operands or sums with an infinity or a NaN are left to `tile.ts`.
 */

/** Computes all of D; false where it cannot, and has done nothing. */
export type Sums = (a: Uint32Array, b: Uint32Array, c: Uint32Array, d: Uint32Array) => boolean;

const PAGES = 4;
const PAGE = 65536;
/** No exponent of a term that is not zero is below it. */
const LOWEST = -600;
/** From here on a whole number of 22 bits is cut to 0. */
const SMALLEST = -60;
/** Terms that an i32 can sum. */
const AT_ONCE = 16;
const MOST_FRACTION = 25;

const cuts: Readonly<Partial<Record<Rule["f32"], number>>> = { rz: -1, e8m13: ~0x3ff };

/** Scratch memory that all modules share: nothing is kept there. If the system refuses it, there is no second try. */
let memory: SharedMemory | undefined;
let refused = false;

/** The sums of a tile by a rule; undefined if there is no code for it, or the engine refuses the module. */
export function vectorSums(spec: TileSpec, rule: Pick<Rule, "way" | "group" | "fraction" | "f32">): Sums | undefined {
  const { m, n, k } = spec;
  const cut = cuts[rule.f32];
  const places = placesOf(spec);
  const fits = n % 4 === 0 && (m * k) % 4 === 0 && places.end <= PAGES * PAGE;
  if (spec.c !== "f32" || spec.d !== "f32" || spec.scale !== undefined || rule.way !== "fused") return undefined;
  if (!fits || cut === undefined || rule.fraction > MOST_FRACTION || refused || !hasVectors()) return undefined;
  try {
    memory ??= sharedMemory(PAGES);
    const module = new ModuleWriter(PAGES);
    const decodeA = module.function({ takes: [], gives: ["i32"] }, decoder(spec.a as FloatElement, m * k, places.a));
    const decodeB = module.function({ takes: [], gives: ["i32"] }, decoder(spec.b as FloatElement, n * k, places.b));
    const code = summing(spec, { ...rule, cut }, places, [decodeA, decodeB]);
    module.function({ takes: [], gives: ["i32"] }, code, "sums");
    const { sums } = instantiate(compileModule(module.result()), { memory });
    return calling(spec, places, memory, sums as () => number);
  } catch {
    refused = true;
    return undefined;
  }
}

/** Where an operand's bits, its significands and its exponents lie, in bytes. */
interface Place {
  readonly bits: number;
  readonly values: number;
  readonly exponents: number;
}

interface Places {
  readonly a: Place;
  /** Row by row of B: four columns lie side by side. */
  readonly b: Place;
  readonly c: number;
  readonly d: number;
  readonly end: number;
}

function placesOf({ m, n, k }: TileSpec): Places {
  let end = 0;
  const room = (words: number): number => {
    const start = end;
    end += 4 * words;
    return start;
  };
  const place = (words: number): Place => ({ bits: room(words), values: room(words), exponents: room(words) });
  return { a: place(m * k), b: place(n * k), c: room(m * n), d: room(m * n), end };
}

function calling({ m, n, k }: TileSpec, places: Places, { buffer }: SharedMemory, sums: () => number): Sums {
  const words = (at: number, count: number): Uint32Array => new Uint32Array(buffer, at, count);
  const a = words(places.a.bits, m * k);
  const b = words(places.b.bits, n * k);
  const c = words(places.c, m * n);
  const d = words(places.d, m * n);
  return (bitsA, bitsB, bitsC, bitsD) => {
    a.set(bitsA);
    for (let j = 0, from = 0; j < n; j++) for (let x = 0; x < k; x++) b[x * n + j] = bitsB[from++]!;
    c.set(bitsC);
    if (sums() !== 0) return false;
    bitsD.set(d);
    return true;
  };
}

/** Reads all elements of an operand; returns not 0 if one is an infinity or a NaN. */
function decoder(type: FloatElement, count: number, { bits, values, exponents }: Place): Code {
  const { exp, frac, pad, bias, specials } = elementFormat(type);
  const sizeMask = 2 ** (exp + frac) - 1;
  const specialFrom =
    specials === "ieee" ? 2 ** (exp + frac) - 2 ** frac : specials === "nan-only" ? sizeMask : sizeMask + 1;
  const code = new Code(0);
  const at = code.local("i32");
  const [word, size, field, unusual] = [0, 1, 2, 3].map(() => code.local("v128")) as [number, number, number, number];
  code.loop();
  code.get(at).access("v128.load", bits).i32(pad).vector("i32x4.shr_u").tee(word);
  each(code, sizeMask).vector("v128.and").tee(size).i32(frac).vector("i32x4.shr_u").set(field);
  code.get(size);
  each(code, specialFrom - 1)
    .vector("i32x4.gt_s")
    .get(unusual)
    .vector("v128.or")
    .set(unusual);
  code.get(at).get(size);
  each(code, 2 ** frac - 1)
    .vector("v128.and")
    .get(field);
  each(code, 0).vector("i32x4.gt_s");
  each(code, 2 ** frac)
    .vector("v128.and")
    .vector("i32x4.add")
    .vector("f32x4.convert_i32x4_s");
  code
    .get(word)
    .i32(31 - exp - frac)
    .vector("i32x4.shl");
  each(code, 1 << 31)
    .vector("v128.and")
    .vector("v128.or")
    .access("v128.store", values);
  code.get(at);
  each(code, NONE).get(field);
  each(code, 1).vector("i32x4.max_s");
  each(code, bias).vector("i32x4.sub").get(size);
  each(code, 0).vector("i32x4.eq").vector("v128.bitselect").access("v128.store", exponents);
  code
    .get(at)
    .i32(16)
    .scalar("i32.add")
    .tee(at)
    .i32(4 * count)
    .scalar("i32.lt_u")
    .branchIf(0)
    .end();
  return code.get(unusual).vector("v128.any_true");
}

/** A word in each lane. */
const each = (code: Code, word: number): Code => code.v128([word, word, word, word]);

/** The loops over D. `decoders` are the functions that read A and B. Returns not 0 if any value is infinite or NaN. */
function summing(
  { m, n, k, a, b }: TileSpec,
  { group, fraction, cut }: { readonly group: number; readonly fraction: number; readonly cut: number },
  places: Places,
  decoders: readonly number[],
): Code {
  const code = new Code(0);
  const vector = (): number => code.local("v128");
  const [row, from, to] = [0, 1, 2].map(() => code.local("i32")) as [number, number, number];
  const [sum, top, base, partial, wide, unusual] = Array.from({ length: 6 }, vector) as [
    ...[number, number, number, number, number, number],
  ];
  const totals = [vector(), vector()] as const;
  const exact = [vector(), vector()] as const;
  const narrowed = [vector(), vector()] as const;
  const exponents = Array.from({ length: Math.min(group, k) }, vector);
  const units = fraction - elementFormat(a as FloatElement).frac - elementFormat(b as FloatElement).frac;
  /** Two of four lanes, at the low end. */
  const half = (which: number): void => {
    if (which === 1) code.get(wide).get(wide).shuffle([8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15]);
    else code.get(wide);
  };
  /** 2^(what the vector has), in binary64, of two lanes. */
  const power = (which: number): void => {
    each(code, 1023).vector("i32x4.add");
    code
      .vector(which === 0 ? "i64x2.extend_low_i32x4_s" : "i64x2.extend_high_i32x4_s")
      .i32(52)
      .vector("i64x2.shl");
  };
  const flush = (): void => {
    code.get(partial).set(wide);
    for (const [which, total] of totals.entries()) {
      half(which);
      code.vector("f64x2.convert_low_i32x4_s").get(total).vector("f64x2.add").set(total);
    }
    each(code, 0).set(partial);
  };
  const one = (first: number): void => {
    const end = Math.min(first + group, k);
    // The exponent of what is carried.
    each(code, NONE).get(sum).i32(23).vector("i32x4.shr_u");
    each(code, 255).vector("v128.and");
    each(code, 1).vector("i32x4.max_s");
    each(code, 127).vector("i32x4.sub").get(sum).i32(1).vector("i32x4.shl");
    each(code, 0).vector("i32x4.eq").vector("v128.bitselect");
    for (let x = first; x < end; x++) {
      code.get(row).access("v128.load32_splat", places.a.exponents + 4 * x);
      code
        .get(from)
        .access("v128.load", places.b.exponents + 4 * x * n)
        .vector("i32x4.add");
      code.tee(exponents[x - first]!).vector("i32x4.max_s");
    }
    each(code, LOWEST).vector("i32x4.max_s").tee(top);
    each(code, units + 127)
      .vector("i32x4.sub")
      .set(base);
    each(code, 0).tee(partial).tee(totals[0]).set(totals[1]);
    for (let x = first; x < end; x++) {
      code.get(row).access("v128.load32_splat", places.a.values + 4 * x);
      code
        .get(from)
        .access("v128.load", places.b.values + 4 * x * n)
        .vector("f32x4.mul");
      code
        .get(exponents[x - first]!)
        .get(base)
        .vector("i32x4.sub");
      each(code, 127 + SMALLEST)
        .vector("i32x4.max_s")
        .i32(23)
        .vector("i32x4.shl")
        .vector("f32x4.mul");
      code.vector("i32x4.trunc_sat_f32x4_s").get(partial).vector("i32x4.add").set(partial);
      if (x + 1 === end || (x + 1 - first) % AT_ONCE === 0) flush();
    }
    code.get(sum).set(wide);
    for (const [which, total] of totals.entries()) {
      half(which);
      code.vector("f64x2.promote_low_f32x4");
      each(code, fraction).get(top).vector("i32x4.sub");
      power(which);
      code.vector("f64x2.mul").vector("f64x2.trunc").get(total).vector("f64x2.add");
      code.get(top);
      each(code, fraction).vector("i32x4.sub");
      power(which);
      code.vector("f64x2.mul").tee(total).vector("f64x2.abs").tee(exact[which]!);
      // 2^128 and beyond is infinite.
      code.v128([0, 0x47f0_0000, 0, 0x47f0_0000]).vector("f64x2.ge").get(unusual).vector("v128.or").set(unusual);
      code.get(total).vector("f32x4.demote_f64x2_zero").tee(narrowed[which]!).vector("f64x2.promote_low_f32x4");
      code.vector("f64x2.abs").get(exact[which]!).vector("f64x2.gt").set(total);
    }
    code.get(narrowed[0]).get(narrowed[1]).shuffle([0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]);
    code.get(totals[0]).get(totals[1]).shuffle([0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]);
    code.vector("i32x4.add");
    if (cut !== -1) each(code, cut).vector("v128.and");
    code.set(sum);
  };
  for (const decode of decoders) code.call(decode);
  code.scalar("i32.or").if().i32(1).scalar("return").end();
  code.loop();
  code.i32(0).set(from).loop();
  code.get(to).access("v128.load", places.c).tee(sum);
  each(code, 0x7f80_0000).vector("v128.and");
  each(code, 0x7f80_0000).vector("i32x4.eq").get(unusual).vector("v128.or").set(unusual);
  for (let first = 0; first < k; first += group) one(first);
  code.get(to).get(sum).access("v128.store", places.d);
  code.get(to).i32(16).scalar("i32.add").set(to);
  code
    .get(from)
    .i32(16)
    .scalar("i32.add")
    .tee(from)
    .i32(4 * n)
    .scalar("i32.lt_u")
    .branchIf(0)
    .end();
  code
    .get(row)
    .i32(4 * k)
    .scalar("i32.add")
    .tee(row)
    .i32(4 * m * k)
    .scalar("i32.lt_u")
    .branchIf(0)
    .end();
  return code.get(unusual).vector("v128.any_true");
}
