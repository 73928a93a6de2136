import { add, bitLength, type Exact, type Finite, finite, mul, unpack } from "../../../numeric/exact/exact.ts";
import { type Format, f32 } from "../../../numeric/format/format.ts";
import { type Grade, grades } from "../../../numeric/operation/grade.ts";
import { elementFormat, type FloatElement } from "../../../numeric/tensor/element.ts";
import {
  type CutTerm,
  type Group,
  type Row as Operands,
  tensorWork,
  type Work,
} from "../../../numeric/tensor/reference.ts";
import { type Rule, ruleOf, scaledRules } from "../../../numeric/tensor/rules.ts";
import type { TileSpec } from "../../../numeric/tensor/spec.ts";
import { hex } from "../../value.ts";
import { decimalOf, numbers, valueRows } from "../number.ts";
import { rounding } from "../rounding.ts";
import { type Row, row } from "../row.ts";

/** A sum of float products, group by group. */
export function sumRows(target: string, spec: TileSpec, operands: Operands): Row[] {
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

/** What the target does, and how that is known. */
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

/** How a term comes about, and at which exponent it is aligned. */
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

/** What is left of a term in whole units, and what was lost. */
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

/** Which products and C are no numbers, and what comes of them. */
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
