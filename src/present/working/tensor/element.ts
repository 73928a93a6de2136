import { add, bitLength, type Exact, type Finite, finite, mul, unpack } from "../../../numeric/exact/exact.ts";
import { type Format, f32, f64 } from "../../../numeric/format/format.ts";
import { type Grade, grades } from "../../../numeric/operation/grade.ts";
import {
  type ElementType,
  elementBits,
  elementFormat,
  type FloatElement,
  isFloatElement,
} from "../../../numeric/tensor/element.ts";
import {
  type CutTerm,
  type Group,
  type Row as Operands,
  tensorReference,
  tensorWork,
  type Work,
} from "../../../numeric/tensor/reference.ts";
import { type Rule, ruleOf, scaledRules } from "../../../numeric/tensor/rules.ts";
import type { Elements, TileSpec } from "../../../numeric/tensor/spec.ts";
import { tileOf } from "../../../numeric/tensor/tile.ts";
import { hex } from "../../value.ts";
import { decimalOf, numbers, valueRows } from "../number.ts";
import { rounding } from "../rounding.ts";
import { type Row, row } from "../row.ts";

/** A sum of float products, group by group. */
function sumRows(target: string, spec: TileSpec, operands: Operands): Row[] {
  const work = tensorWork(target, spec, operands);
  const rule = ruleOf(target, spec);
  const c = elementFormat(spec.c as FloatElement);
  const head = [...rulesOf(target, spec, rule), ...valueRows("c", c, operands.c)];
  if (work.special === undefined && work.steps) return [...head, ...chainRows(spec, operands, work.steps)];
  if (work.special) return [...head, ...specialRows(spec, operands, work.special)];
  const groups = work.groups.map((group, at) => {
    const about = work.groups.length === 1 && work.last === undefined ? "" : `group ${at + 1}`;
    const rows = groupRows(spec, operands, group, at === 0 ? "c" : "carried");
    if (about === "") return rows;
    const gives = row(
      "gives",
      `${hex(group.bits, group.format.width)} = ${decimalOf(unpack(group.format, group.bits))}`,
    );
    return [{ label: about, text: rangeOf(group), inner: [...rows, gives] }];
  });
  return [...head, ...groups.flat(), ...lastRows(spec, work)];
}

/** The behaviour of the target, and its source. */
function rulesOf(target: string, spec: TileSpec, rule: Rule): Row[] {
  const { scale } = spec;
  const grade: Grade = spec.d === "f32" ? rule.gradeF32 : rule.grade;
  const known = `${grade}: ${grades[grade]}`;
  if (scale?.kind === "mxf4") {
    const { exact, fraction } = scaledRules.mxf4;
    return [
      row("rule", `${target}: ${exact} products are one exact sum, times both scales; each such term and c is cut to`),
      row("", `${fraction} bits below the largest exponent; the sum is exact, then cut toward zero`),
      row("", known),
    ];
  }
  const { group, fraction } = rule;
  if (rule.way === "chain")
    return [
      row("rule", `${target}: no tensor core: f32 fused multiply-adds from 0, one k after the other; c is added last`),
      row("", known),
    ];
  if (rule.way === "halves")
    return [
      row("rule", `${target}: by multiplications of f16: the k with k mod 4 in {0, 1}, then the others, from 0; each`),
      row("", `product is cut to ${fraction} bits below the largest exponent; c is added last, to nearest even`),
      row("", known),
    ];
  return [
    row(
      "rule",
      `${target}: ${group} products and c are one sum; each is cut to ${fraction} bits below the largest exponent`,
    ),
    row("", known),
  ];
}

function rangeOf({ terms }: Group): string {
  const all = terms.flatMap(({ from }) => from);
  const [first = 0, last = 0] = [all[0], all.at(-1)];
  return last - first + 1 === all.length ? `k ${first} to ${last}` : `k ${all.join(" ")}`;
}

function groupRows(spec: TileSpec, operands: Operands, group: Group, carried: string): Row[] {
  const { terms, top, fraction, sum } = group;
  const nameOf = ({ from }: CutTerm): string =>
    from.length === 0 ? carried : from.length === 1 ? `a${from[0]} * b${from[0]}` : `k ${from[0]}..${from.at(-1)}`;
  const zeros = terms.filter(({ value }) => value.sig === 0n);
  const zero = zeros.length === 0 ? [] : [row("zero", namesIn(zeros.map(nameOf)))];
  if (top === undefined) return [...zero, row("sum", "0: every term is, so it is +0")];
  const there = terms.filter(({ value }) => value.sig !== 0n);
  const highest = there.filter(({ exponent }) => exponent === top).map(nameOf);
  return [
    row("top", `2^${top}, of ${namesIn(highest)}`),
    row("unit", `2^${top - fraction}: what a term has below it is cut`),
    ...there.map((term) => row(nameOf(term), `${termText(spec, operands, term)}: ${keptText(term, top - fraction)}`)),
    ...zero,
    ...(sum.sig === 0n ? [row("sum", "0: what is left cancels, so it is +0")] : roundedRows(group)),
  ];
}

/** Few names in full, of many the first ones. */
const namesIn = (names: readonly string[]): string =>
  names.length <= 4 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;

/** The derivation of a term, and the exponent at which it is aligned. */
function termText(spec: TileSpec, operands: Operands, { value, exponent, from }: CutTerm): string {
  const at = `${numbers(value)}, at 2^${exponent}`;
  const [k] = from;
  if (k === undefined) return at;
  const [fa, fb] = [elementFormat(spec.a as FloatElement), elementFormat(spec.b as FloatElement)];
  const factors = from.map((x) => [unpack(fa, operands.a[x] ?? 0n), unpack(fb, operands.b[x] ?? 0n)] as const);
  const products = factors.map(([x, y]) => mul(x, y)).reduce((x, y) => add(x, y, "rn"));
  const [only] = factors;
  const text = from.length === 1 && only ? only.map(decimalOf).join(" * ") : decimalOf(products);
  return `${text}${scalesAt(spec, operands, k)} = ${at}`;
}

/** ` * 2^3 * 2^-1`: both scales of an element, if it has any. */
function scalesAt({ scale }: TileSpec, { scaleA = [], scaleB = [] }: Operands, k: number): string {
  if (!scale) return "";
  const f = elementFormat(scale.type);
  const at = Math.floor(k / scale.block);
  return [scaleA[at], scaleB[at]].map((bits) => ` * ${numbersShort(unpack(f, bits ?? 0n))}`).join("");
}

const numbersShort = (x: Exact): string => {
  if (x.kind !== "finite" || bitLength(x.sig) !== 1 || Math.abs(x.exp) < 8) return decimalOf(x);
  return `2^${x.exp}`;
};

/** The kept part of a term in units, and the lost part. */
function keptText({ value, kept, inexact }: CutTerm, unit: number): string {
  const units = `${kept} unit${kept === 1n || kept === -1n ? "" : "s"}`;
  if (!inexact) return units;
  if (kept === 0n) return `${units}, all of it is cut`;
  const whole: Finite = finite(kept > 0n, kept < 0n ? -kept : kept, unit);
  return `${units}, ${decimalOf(add(value, whole, "rn"))} is cut`;
}

/** The exact sum on its way into D's type. */
function roundedRows({ sum, terms, rounding: how, format, bits }: Group): readonly Row[] {
  const into: Format = how === "e8m13" ? { ...format, frac: 13, pad: 10, name: "f32 of 13 fraction bits" } : format;
  const units = terms.reduce((total, { kept }) => total + kept, 0n);
  const whole = row("sum", `${units} unit${units === 1n || units === -1n ? "" : "s"} = ${decimalOf(sum)}`);
  const overflow = unpack(format, bits).kind === "inf" && how !== "rn";
  if (overflow)
    return [whole, row("overflow", `2^${format.bias + 1} or more: infinity, though the sum is cut toward zero`)];
  return [whole, ...rounding(into, how === "rn" ? "rn" : "rz", sum).rows];
}

/** `chain`: the sum after each k, then C. */
function chainRows(spec: TileSpec, { a, b, c }: Operands, steps: readonly bigint[]): Row[] {
  const [fa, fb, fc, fd] = [spec.a, spec.b, spec.c, spec.d].map((type) => elementFormat(type as FloatElement)) as [
    Format,
    Format,
    Format,
    Format,
  ];
  const rows = steps.map((bits, k) => {
    const [x, y] = [unpack(fa, a[k] ?? 0n), unpack(fb, b[k] ?? 0n)];
    const text = `${decimalOf(x)} * ${decimalOf(y)} + ${k === 0 ? "0" : "the sum so far"} gives ${hex(bits, 32)}`;
    return row(`a${k} * b${k}`, `${text} = ${decimalOf(unpack(f32, bits))}`);
  });
  const sum = add(unpack(f32, steps.at(-1) ?? 0n), unpack(fc, c), "rn");
  return [...rows, row("+ c", numbers(sum)), ...rounding(fd, "rn", sum).rows];
}

/** The products and C that are no finite numbers, and their result. */
function specialRows(spec: TileSpec, { a, b, c, scaleA = [], scaleB = [] }: Operands, special: "nan" | "inf"): Row[] {
  const [fa, fb, fc] = [spec.a, spec.b, spec.c].map((type) => elementFormat(type as FloatElement)) as [
    Format,
    Format,
    Format,
  ];
  const products = a.map((bits, k) => ({ x: unpack(fa, bits), y: unpack(fb, b[k] ?? 0n), k }));
  const found = products
    .filter(({ x, y }) => mul(x, y).kind !== "finite")
    .map(({ x, y, k }) => row(`a${k} * b${k}`, `${decimalOf(x)} * ${decimalOf(y)} = ${decimalOf(mul(x, y))}`));
  const scale = spec.scale && elementFormat(spec.scale.type);
  const scales = scale && [...scaleA, ...scaleB].some((bits) => unpack(scale, bits).kind === "nan");
  const own = unpack(fc, c);
  return [
    ...found,
    ...(scales ? [row("scale", "NaN")] : []),
    ...(own.kind === "finite" ? [] : [row("c", decimalOf(own))]),
    row(
      "sum",
      special === "nan" ? "NaN: one is, or infinities of both signs meet, or infinity meets 0" : "that infinity",
    ),
  ];
}

/** `halves`: C, added by itself. */
function lastRows({ d, c }: TileSpec, { last, groups }: Work): readonly Row[] {
  if (last === undefined || groups.length < 2) return [];
  const format = elementFormat(d as FloatElement);
  const sum = add(unpack(format, last.partial), unpack(elementFormat(c as FloatElement), last.c), "rn");
  if (sum.kind === "finite" && sum.sig === 0n) return [row("+ c", "0")];
  return [row("+ c", numbers(sum)), ...rounding(format, "rn", sum).rows];
}

/** f64: a fused multiply-add for each k. */
function doubleRows({ rounding: rnd = "rn" }: TileSpec, { a, b, c }: Operands): Row[] {
  let sum = c;
  const steps = a.map((bits, k): Row => {
    const product = mul(unpack(f64, bits), unpack(f64, b[k] ?? 0n));
    const worked = rounding(f64, rnd, add(product, unpack(f64, sum), rnd));
    sum = worked.bits;
    return {
      label: `k ${k}`,
      text: `a${k} * b${k} + ${k === 0 ? "c" : "the sum so far"}, rounded once`,
      inner: worked.rows,
    };
  });
  return [row("c", numbers(unpack(f64, c))), row("rule", "fused multiply-adds, one k after the other"), ...steps];
}

const numberOf = (type: ElementType, bits: bigint): bigint =>
  type.startsWith("s") ? BigInt.asIntN(elementBits(type), bits) : BigInt.asUintN(elementBits(type), bits);

/** Integers: the exact sum, which then wraps or is clamped to s32. */
function integerRows({ a: typeA, b: typeB, satfinite }: TileSpec, { a, b, c }: Operands): Row[] {
  const products = a.map((bits, k) => ({ x: numberOf(typeA, bits), y: numberOf(typeB, b[k] ?? 0n), k }));
  const own = numberOf("s32", c);
  const sum = products.reduce((total, { x, y }) => total + x * y, own);
  const there = products.filter(({ x, y }) => x * y !== 0n);
  const fits = BigInt.asIntN(32, sum) === sum;
  const end = fits
    ? "s32 holds it"
    : satfinite
      ? ".satfinite: beyond s32, so its nearest number"
      : "beyond s32: it wraps modulo 2^32";
  return [
    row("c", `${own}`),
    ...there.map(({ x, y, k }) => row(`a${k} * b${k}`, `${x} * ${y} = ${x * y}`)),
    ...(there.length < products.length ? [row("zero", `${products.length - there.length} products`)] : []),
    row("sum", `${sum}: ${end}`),
  ];
}

/** b1: the counted bits. */
function bitRows({ bits: how = "xor" }: TileSpec, { a, b, c }: Operands): Row[] {
  const digits = (list: readonly bigint[]): string =>
    `0x${BigInt(`0b${[...list].reverse().join("")}`)
      .toString(16)
      .padStart(list.length / 4, "0")}`;
  const merged = a.map((bit, k) => (how === "xor" ? bit ^ (b[k] ?? 0n) : bit & (b[k] ?? 0n)));
  const count = merged.filter((bit) => bit === 1n).length;
  return [
    row("a", digits(a)),
    row("b", digits(b)),
    row("c", `${BigInt.asIntN(32, c)}`),
    row(`a ${how} b`, digits(merged)),
    row("popc", `${count}`),
    row("sum", `${BigInt.asIntN(32, c) + BigInt(count)}`),
  ];
}

/**
 * The derivation of one element of D = A * B + C, as the tensor cores of a target compute it: the products, their
 * alignment, the truncated bits, the sum, and its rounding. The rows are the reference's; throws where the machine
 * computes something else.
 */
export function workElement(target: string, spec: TileSpec, operands: Operands): readonly Row[] {
  const one: TileSpec = { ...spec, m: 1, n: 1, k: operands.a.length };
  const bits = tensorReference(target, one, operands);
  const executed = execute(target, one, operands);
  if (bits !== executed)
    throw new Error(
      `a matrix of ${one.a}: the working gives 0x${bits.toString(16)}, the machine 0x${executed.toString(16)}`,
    );
  return [...stepsOf(target, one, operands), ...resultOf(one, bits)];
}

function stepsOf(target: string, spec: TileSpec, operands: Operands): readonly Row[] {
  if (spec.a === "f64") return doubleRows(spec, operands);
  if (spec.a === "b1") return bitRows(spec, operands);
  return isFloatElement(spec.a) ? sumRows(target, spec, operands) : integerRows(spec, operands);
}

const resultOf = ({ d }: TileSpec, bits: bigint): readonly Row[] =>
  isFloatElement(d)
    ? valueRows("d", elementFormat(d as FloatElement), bits)
    : [row("d", `s32 ${hex(bits, 32)} = ${BigInt.asIntN(32, bits)}`, { type: "s32", bits })];

/** The machine's result for the same operands. */
function execute(target: string, spec: TileSpec, { a, b, c, scaleA = [], scaleB = [] }: Operands): bigint {
  const words = (list: readonly bigint[]): Elements =>
    spec.a === "f64" ? BigUint64Array.from(list) : Uint32Array.from(spec.a === "b1" ? packed(list) : list, Number);
  const scales = [scaleA, scaleB].map((list) => Uint32Array.from(list, Number));
  const d: Elements = spec.a === "f64" ? new BigUint64Array(1) : new Uint32Array(1);
  const carried: Elements = spec.a === "f64" ? BigUint64Array.of(c) : Uint32Array.of(Number(c));
  tileOf(target, spec)(words(a), words(b), carried, d, ...scales);
  return BigInt(d[0] ?? 0);
}

/** 32 elements of one bit are a word. */
const packed = (bits: readonly bigint[]): bigint[] =>
  Array.from({ length: bits.length / 32 }, (_, word) =>
    bits.slice(word * 32, word * 32 + 32).reduce((sum, bit, at) => sum | (bit << BigInt(at)), 0n),
  );
