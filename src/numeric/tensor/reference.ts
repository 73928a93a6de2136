import { add, bitLength, type Exact, type Finite, finite, isZero, mul, NAN, round, unpack } from "../exact/exact.ts";
import { type Format, f32, f64 } from "../format/format.ts";
import {
  type ElementType,
  elementBits,
  elementFormat,
  type FloatElement,
  type IntegerElement,
  isFloatElement,
  isSignedElement,
} from "./element.ts";
import { type Rule, ruleOf, type SumRounding, scaledRules } from "./rules.ts";
import type { TileSpec } from "./spec.ts";

/**
 * One element of D in exact arithmetic, the rule line for line: tiles are tested against it, and `explain` shows its
 * steps.
 *
 * `a` and `b` are the bits of one row of A and of one column of B, `c` those of one element of C, `scaleA` and `scaleB` the row's
 * and the column's scales. For b1 each bigint is one bit.
 */
export interface Row {
  readonly a: readonly bigint[];
  readonly b: readonly bigint[];
  readonly c: bigint;
  readonly scaleA?: readonly bigint[];
  readonly scaleB?: readonly bigint[];
}

/** A number with the exponent at which it enters the alignment: that of the unit before its point, not normalised. */
export interface Term {
  readonly value: Finite;
  readonly exponent: number;
  /** Which k it comes from: more than one where products are summed exactly first; none is C. */
  readonly from: readonly number[];
}

/** A term after the cut: `kept` times 2^(top - fraction). */
export interface CutTerm extends Term {
  readonly kept: bigint;
  /** Something below the last kept bit was lost. */
  readonly inexact: boolean;
}

export interface Group {
  readonly terms: readonly CutTerm[];
  /** The largest exponent of the terms that are not zero; undefined where all are. */
  readonly top: number | undefined;
  readonly fraction: number;
  readonly sum: Finite;
  readonly rounding: SumRounding;
  readonly format: Format;
  /** The sum in D's type. */
  readonly bits: bigint;
}

/** The derivation of an element. */
export interface Work {
  readonly bits: bigint;
  readonly groups: readonly Group[];
  /** Why there is no sum: a NaN or an infinity. */
  readonly special?: "nan" | "inf";
  /** `chain`: the sum after each k, in f32. */
  readonly steps?: readonly bigint[];
  /** `halves`: C is added last, to nearest even. */
  readonly last?: { readonly partial: bigint; readonly c: bigint };
}

/** The bits of one element of D, of any type. */
export function tensorReference(target: string, spec: TileSpec, row: Row): bigint {
  const { a, d } = spec;
  if (a === "f64") return fused64(spec, row);
  if (isFloatElement(a) && isFloatElement(d)) return tensorWork(target, spec, row).bits;
  return a === "b1" ? counted(spec, row) : integers(spec, row);
}

/** The same for floats but f64, with the derivation. */
export function tensorWork(target: string, spec: TileSpec, row: Row): Work {
  const d = spec.d as FloatElement;
  const format = elementFormat(d);
  const special = specialOf(spec, row);
  if (special) return { bits: round(format, "rn", special), groups: [], special: special.kind as "nan" | "inf" };
  const rule = ruleOf(target, spec);
  if (rule.way === "chain") return { ...chained(spec, row), groups: [] };
  const grouped = groupsOf(rule, spec, row);
  const rounding = d === "f16" ? "rn" : rule.f32;
  const groups: Group[] = [];
  const c = termOf(elementFormat(spec.c as FloatElement), row.c);
  let carried: Term | undefined = rule.way === "halves" ? undefined : c;
  for (const terms of grouped) {
    const group = sumOf(carried ? [...terms, carried] : terms, rule.fraction, rounding, format);
    groups.push(group);
    // A sum that has become infinite stays so.
    if (unpack(format, group.bits).kind === "inf") return { bits: group.bits, groups };
    carried = termOf(format, group.bits);
  }
  const partial = groups.at(-1)?.bits ?? 0n;
  if (rule.way === "fused") return { bits: partial, groups };
  const sum = add(unpack(format, partial), c.value, "rn");
  return { bits: isZero(sum) ? 0n : round(format, "rn", sum), groups, last: { partial, c: row.c } };
}

/** A float as a term: a subnormal is not normalised. */
function termOf(f: Format, bits: bigint, from: readonly number[] = []): Term {
  const value = unpack(f, bits) as Finite;
  return { value, exponent: value.exp + f.frac, from };
}

/** 1. NaN anywhere, inf - inf or inf * 0 is NaN; any other infinity is that infinity. */
function specialOf(spec: TileSpec, { a, b, c, scaleA = [], scaleB = [] }: Row): Exact | undefined {
  const [fa, fb, fc] = [spec.a, spec.b, spec.c].map((type) => elementFormat(type as FloatElement)) as [
    Format,
    Format,
    Format,
  ];
  const scale = spec.scale && elementFormat(spec.scale.type);
  if (scale && [...scaleA, ...scaleB].some((bits) => unpack(scale, bits).kind === "nan")) return NAN;
  const products = a.map((bits, k) => mul(unpack(fa, bits), unpack(fb, b[k]!)));
  const found = [...products, unpack(fc, c)].filter(({ kind }) => kind !== "finite");
  return found.length === 0 ? undefined : found.reduce((x, y) => add(x, y, "rn"));
}

/** 2. The terms of each group: products at the sum of their exponents, not normalised. */
function groupsOf(rule: Rule, spec: TileSpec, row: Row): Term[][] {
  const { exact, group } = scaledRules.mxf4;
  if (spec.scale?.kind === "mxf4") return chunks(scaledSums(spec, row, exact), group / exact);
  if (spec.scale) return chunks(scaledProducts(spec, row), rule.group);
  const terms = products(spec, row);
  if (rule.way === "fused") return chunks(terms, rule.group);
  const first = (k: number): boolean => k % 4 < 2;
  return [terms.filter((_, k) => first(k)), terms.filter((_, k) => !first(k))];
}

/** `chain`: f32 fused multiply-adds from zero, then C. */
function chained(spec: TileSpec, row: Row): Pick<Work, "bits" | "steps"> {
  const format = elementFormat(spec.d as FloatElement);
  const steps: bigint[] = [];
  let sum: Exact = finite(false, 0n, 0);
  for (const { value } of products(spec, row)) {
    steps.push(round(f32, "rn", add(value, sum, "rn")));
    sum = unpack(f32, steps.at(-1)!);
  }
  return { bits: round(format, "rn", add(sum, unpack(elementFormat(spec.c as FloatElement), row.c), "rn")), steps };
}

function products(spec: TileSpec, { a, b }: Row): Term[] {
  const [fa, fb] = [elementFormat(spec.a as FloatElement), elementFormat(spec.b as FloatElement)];
  return a.map((bits, k) => {
    const [x, y] = [termOf(fa, bits), termOf(fb, b[k]!)];
    return { value: mul(x.value, y.value) as Finite, exponent: x.exponent + y.exponent, from: [k] };
  });
}

const timesPowerOfTwo = (x: Finite, n: number): Finite => finite(x.neg, x.sig, x.exp + n);

/** Both scales of the element k. */
function scalesAt({ scale }: TileSpec, { scaleA = [], scaleB = [] }: Row, k: number): readonly [Term, Term] {
  const { type, block } = scale!;
  const f = elementFormat(type);
  const at = Math.floor(k / block);
  return [termOf(f, scaleA[at]!), termOf(f, scaleB[at]!)];
}

/** mxf8f6f4: the scales' exponents are added to each product's. */
function scaledProducts(spec: TileSpec, row: Row): Term[] {
  return products(spec, row).map(({ value, exponent, from }, k) => {
    const [x, y] = scalesAt(spec, row, k);
    const by = x.exponent + y.exponent;
    return { value: timesPowerOfTwo(value, by), exponent: exponent + by, from };
  });
}

/** mxf4: the exact sum of some products, times both scales' significands, at the sum of the scales' exponents. */
function scaledSums(spec: TileSpec, row: Row, length: number): Term[] {
  return chunks(products(spec, row), length).map((some, at) => {
    const sum = some.map(({ value }) => value as Exact).reduce((x, y) => add(x, y, "rn"));
    const [x, y] = scalesAt(spec, row, at * length);
    const value = mul(sum, mul(x.value, y.value)) as Finite;
    return { value, exponent: x.exponent + y.exponent, from: some.flatMap(({ from }) => from) };
  });
}

/** 3. Align to the largest exponent, cut each term toward zero, add exactly. 4. The sum becomes D's type. */
function sumOf(terms: readonly Term[], fraction: number, rounding: SumRounding, format: Format): Group {
  const exponents = terms.filter(({ value }) => value.sig !== 0n).map(({ exponent }) => exponent);
  if (exponents.length === 0) {
    const none = terms.map((term) => ({ ...term, kept: 0n, inexact: false }));
    return { terms: none, top: undefined, fraction, sum: finite(false, 0n, 0), rounding, format, bits: 0n };
  }
  const top = Math.max(...exponents);
  const cut = terms.map((term) => cutTo(term, top - fraction));
  const kept = cut.reduce((sum, term) => sum + term.kept, 0n);
  const sum = finite(kept < 0n, kept < 0n ? -kept : kept, top - fraction);
  return { terms: cut, top, fraction, sum, rounding, format, bits: roundedSum(sum, rounding, format) };
}

/** In units of 2^unit, without what is below one. */
function cutTo(term: Term, unit: number): CutTerm {
  const { neg, sig, exp } = term.value;
  const shift = exp - unit;
  const size = shift >= 0 ? sig << BigInt(shift) : sig >> BigInt(-shift);
  const inexact = shift < 0 && size << BigInt(-shift) !== sig;
  return { ...term, kept: neg ? -size : size, inexact };
}

/** A sum as D: +0 if it is 0, an infinity if it is too large under each rounding. */
function roundedSum(sum: Finite, rounding: SumRounding, format: Format): bigint {
  if (isZero(sum)) return 0n;
  const bits = round(format, rounding === "rn" ? "rn" : "rz", sum);
  if (rounding === "rn") return bits;
  // Rounding toward zero would return the largest number for a sum that is too large.
  if (bitLength(sum.sig) + sum.exp > format.bias + 1) return round(format, "rn", { kind: "inf", neg: sum.neg });
  return rounding === "e8m13" ? bits & ~0x3ffn : bits;
}

/** f64: a fused multiply-add for each k in turn. */
function fused64({ rounding = "rn" }: TileSpec, { a, b, c }: Row): bigint {
  return a.reduce((sum, bits, k) => {
    const product = mul(unpack(f64, bits), unpack(f64, b[k]!));
    return round(f64, rounding, add(product, unpack(f64, sum), rounding));
  }, c);
}

function integers(spec: TileSpec, { a, b, c }: Row): bigint {
  const of = (type: ElementType, bits: bigint): bigint =>
    type === "s1z4m11"
      ? ((bits >> 15n) & 1n ? -1n : 1n) * (bits & 0x7ffn)
      : isSignedElement(type as IntegerElement)
        ? BigInt.asIntN(elementBits(type), bits)
        : BigInt.asUintN(elementBits(type), bits);
  const sum = a.reduce((sum, bits, k) => sum + of(spec.a, bits) * of(spec.b, b[k]!), of("s32", c));
  if (!spec.satfinite) return BigInt.asUintN(32, sum);
  const [least, greatest] = [-(2n ** 31n), 2n ** 31n - 1n];
  return BigInt.asUintN(32, sum < least ? least : sum > greatest ? greatest : sum);
}

/** b1: how many bits of a xor b, or of a and b, are 1. */
function counted({ bits = "xor" }: TileSpec, { a, b, c }: Row): bigint {
  const count = a.filter((bit, k) => (bits === "xor" ? bit ^ b[k]! : bit & b[k]!) === 1n).length;
  return BigInt.asUintN(32, c + BigInt(count));
}

function chunks<T>(list: readonly T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / length) }, (_, at) => list.slice(at * length, (at + 1) * length));
}
