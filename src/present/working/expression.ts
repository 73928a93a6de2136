import {
  add,
  compare,
  div,
  type Exact,
  integral,
  isZero,
  negate,
  type Rounding,
  sqrt,
} from "../../numeric/exact/exact.ts";
import { asReal, type Environment, evaluate, integerOf, realOf } from "../../numeric/operation/evaluate.ts";
import type { Expression } from "../../numeric/operation/expression.ts";
import { partsOf } from "../../numeric/operation/parts.ts";
import { expressionText, type Naming } from "../../numeric/operation/text.ts";
import { formatOf, isFloat, type TypeName, type Value } from "../../numeric/operation/type.ts";
import { binary } from "./binary.ts";
import { decimalOf, numbers } from "./number.ts";
import { type Row, row } from "./row.ts";

// Remarks on a step on reals besides its value: why a NaN, an infinity or a zero results.

const A_NAN = "an operand is NaN, and so is the result";

function sumRemark(a: Exact, b: Exact, rnd: Rounding): string | undefined {
  if (a.kind === "nan" || b.kind === "nan") return A_NAN;
  if (a.kind === "inf" && b.kind === "inf" && a.neg !== b.neg) return "infinity minus infinity is not a number";
  if (a.kind === "inf" || b.kind === "inf") return "an infinity stays what it is";
  const sum = add(a, b, rnd);
  if (sum.kind !== "finite") return undefined;
  const zero = rnd === "rm" ? "-0 in .rm" : "+0, in .rm alone -0";
  if (sum.sig === 0n && a.sig !== 0n) return `cancels exactly: the zero is ${zero}`;
  if (sum.sig === 0n && a.neg !== b.neg) return `+0 and -0 make ${zero}`;
  if (a.neg === b.neg || isZero(a) || isZero(b)) return undefined;
  const lost = Math.max(leading(a), leading(b)) - leading(sum);
  return lost > 1 ? `the leading ${lost} bits cancel; nothing is lost by that` : undefined;
}

const differenceRemark = (a: Exact, b: Exact, rnd: Rounding): string | undefined => sumRemark(a, negate(b), rnd);

const leading = (x: Exact): number => (x.kind === "finite" ? x.exp + x.sig.toString(2).length : 0);

function productRemark(a: Exact, b: Exact): string | undefined {
  if (a.kind === "nan" || b.kind === "nan") return A_NAN;
  if (a.kind === "finite" && b.kind === "finite") return undefined;
  return isZero(a) || isZero(b) ? "0 times infinity is not a number" : "a product with an infinity is one";
}

function quotientRemark(a: Exact, b: Exact): string | undefined {
  if (a.kind === "nan" || b.kind === "nan") return A_NAN;
  if (a.kind === "inf")
    return b.kind === "inf" ? "infinity by infinity is not a number" : "infinity by a number is one";
  if (b.kind === "inf") return "a number by infinity is a zero";
  if (isZero(b)) return isZero(a) ? "0 by 0 is not a number" : "a number by 0 is an infinity, its sign that of both";
  const quotient = div(a, b);
  if (quotient.kind !== "finite" || a.sig === 0n) return undefined;
  return quotient.inexact
    ? "the division leaves a remainder: the quotient lies strictly beyond the bits shown"
    : "the division comes out even";
}

function rootRemark(a: Exact): string | undefined {
  if (a.kind === "nan") return A_NAN;
  if (isZero(a)) return "a zero is its own root, sign included";
  if (a.neg) return "a negative number has no root";
  if (a.kind === "inf") return "infinity";
  const x = sqrt(a);
  const even = x.kind === "finite" && !x.inexact;
  return even ? "the root comes out even" : "irrational: the root lies strictly beyond the bits shown";
}

/** Why the lesser or the greater of two has its value. */
function extremumRemark(a: Exact, b: Exact, propagate: boolean): string {
  if (a.kind === "nan" && b.kind === "nan") return "two NaNs give the canonical one";
  if (a.kind === "nan" || b.kind === "nan") return propagate ? ".NaN lets a NaN win" : "a NaN gives way to the number";
  const order = compare(a, b);
  if (order !== 0) return `${decimalOf(a)} ${order < 0 ? "<" : ">"} ${decimalOf(b)}`;
  return isZero(a) && isZero(b) && a.neg !== b.neg ? "-0 counts as less than +0" : "they are the same";
}

/** How two reals compare, in words. */
function orderRemark(a: Exact, b: Exact): string {
  if (a.kind === "nan" || b.kind === "nan") return "there is a NaN";
  const order = compare(a, b);
  return `${decimalOf(a)} ${order === 0 ? "=" : order < 0 ? "<" : ">"} ${decimalOf(b)}`;
}

/** A number between its neighbouring integers, and the one that the rounding selects. */
function wholeRemark(x: Exact, rnd: Rounding): string {
  if (x.kind === "nan") return "NaN stays what it is";
  const value = integral(x, rnd);
  const [down, up] = [integral(x, "rm"), integral(x, "rp")];
  if (decimalOf(down) === decimalOf(up)) return "an integer already";
  const twice = x.kind === "finite" ? { ...x, exp: x.exp + 1 } : x;
  const tie = decimalOf(integral(twice, "rz")) === decimalOf(twice);
  const why = {
    rn: tie ? "to the even one" : "to the nearest",
    rz: "toward zero",
    rm: "down",
    rp: "up",
    rna: tie ? "away from zero" : "to the nearest",
  }[rnd];
  return `between ${decimalOf(down)} and ${decimalOf(up)}${tie ? ", a tie" : ""}: ${why}, ${decimalOf(value)}`;
}

/** How the steps of one operation are shown. */
export interface Scene {
  readonly env: Environment;
  readonly name: Naming;
  /** Width of a result that is a row of bits, not a number; 0 where it is a number. */
  readonly bitsWide: number;
  /** Steps that have been shown. */
  readonly shown: Set<string>;
}

/** A row for each step of an expression that is taken, the innermost first: its text, its exact value, and why. */
export function stepRows(x: Expression, scene: Scene): Row[] {
  if (x.node === "label") {
    const rows = innerSteps(x.a, scene);
    return [...rows, ...once(x.label, stepText(x.a, scene), x, scene)];
  }
  const inner = innerSteps(x, scene);
  return isQuiet(x) ? inner : [...inner, ...ownRows(x, scene)];
}

/** How a step is written; a part with a label has its own row above. */
export const stepText = (x: Expression, { name }: Pick<Scene, "name">): string => expressionText(x, name, "named");

/** The rows of the parts. A chain of sums or of logic is one step. */
const innerSteps = (x: Expression, scene: Scene): Row[] =>
  partsTaken(x, scene).flatMap((part) =>
    part.node === x.node && isChain(x, scene) ? innerSteps(part, scene) : stepRows(part, scene),
  );

const isChain = (x: Expression, { env }: Scene): boolean =>
  x.node === "and" || x.node === "or" || x.node === "xor" || (x.node === "add" && typeof evaluate(x, env) === "bigint");

/**
 * The rows of an expression's parts, and for itself only the remark besides its value: the following row shows the
 * value.
 */
export function innerRows(x: Expression, scene: Scene): Row[] {
  const inner = innerSteps(x, scene);
  const remark = x.node === "integral" ? undefined : remarkOn(x, scene);
  if (x.node === "integral") return [...inner, ...ownRows(x, scene)];
  return remark === undefined || isQuiet(x) ? inner : [...inner, row(stepText(x, scene), remark)];
}

/** The evaluated parts: of a selection only the selected one. */
function partsTaken(x: Expression, { env }: Scene): readonly Expression[] {
  if (x.node === "select") return [x.when, integerOf(x.when, env) !== 0n ? x.yes : x.no];
  return partsOf(x);
}

/** Operands have rows of their own, a selection is its condition and what is selected, and constants are their text. */
const isQuiet = (x: Expression): boolean =>
  x.node === "argument" || x.node === "bits" || x.node === "flush" || x.node === "select" || !readsOperand(x);

const readsOperand = (x: Expression): boolean =>
  x.node === "argument" || x.node === "bits" || x.node === "flush" || partsOf(x).some(readsOperand);

function ownRows(x: Expression, scene: Scene): Row[] {
  const text = stepText(x, scene);
  if (x.node === "integral") return once(`.${x.rnd}i`, "", x, scene);
  return once(text, "", x, scene);
}

/** The row of a step, unless the same step was shown before. */
function once(label: string, text: string, x: Expression, scene: Scene): Row[] {
  const key = `${label} ${text}`;
  if (scene.shown.has(key)) return [];
  scene.shown.add(key);
  const value = valueText(x, scene);
  const said = remarkOn(x, scene) ?? text;
  if (x.node === "integral") return [row(label, said)];
  if (isTruth(x)) return [row(label, said === "" ? value : `${said}: ${value}`)];
  return [row(label, said === "" ? value : `${value}: ${said}`)];
}

/**
 * The kind of a step's value: a number, a truth value 1 or 0, a row of bits, or moved bits, which are a row where the
 * result is one.
 */
// biome-ignore format: one kind a line
const gives: Readonly<Record<Expression["node"], "number" | "answer" | "bits" | "moved">> = {
  argument: "number", bits: "number", integer: "number", flush: "number", as: "number", signed: "number",
  add: "number", sub: "number", mul: "number", div: "number", rem: "number", min: "number", max: "number",
  abs: "number", sqrt: "number", function: "number", integral: "number", rounded: "number", select: "number",
  popc: "number", clz: "number", nth: "number", label: "number",
  relation: "answer", is: "answer",
  and: "bits", or: "bits", xor: "bits", clmul: "bits", not: "bits", reverse: "bits", concat: "bits",
  slice: "moved", shl: "moved", shr: "moved", neg: "moved",
};

/** Whether the value is a truth value, 1 or 0. */
function isTruth(x: Expression): boolean {
  if (x.node === "and" || x.node === "or" || x.node === "xor") return isTruth(x.a) && isTruth(x.b);
  return x.node === "label" ? isTruth(x.a) : gives[x.node] === "answer";
}

function valueText(x: Expression, scene: Scene): string {
  const value = evaluate(x, scene.env);
  if (isTruth(x)) return value === 0n ? "false" : "true";
  if (typeof value !== "bigint") return numbers(value);
  return isRowOfBits(x, scene) ? bitsText(value, scene.bitsWide || 32) : value.toString();
}

/** Logic and what moves bits gives a row of them; where the result is a row of bits all steps are, but for counts. */
function isRowOfBits(x: Expression, { bitsWide }: Pick<Scene, "bitsWide">): boolean {
  if (x.node === "label") return isRowOfBits(x.a, { bitsWide });
  if (x.node === "and") return !isSmall(x.a) && !isSmall(x.b);
  if (x.node === "slice" && isSmall(x.bits)) return false;
  return gives[x.node] === "bits" || (gives[x.node] === "moved" && bitsWide > 0);
}

/** A mask or a width of a few bits: the result is a position, a length, a byte. */
const isSmall = (x: Expression): boolean => x.node === "integer" && x.value < 256n;

/** Bits in groups of four with their hexadecimal digits; as many whole widths as the number needs. */
export function bitsText(value: bigint, width: number): string {
  const needed = value < 0n ? width : value.toString(2).length;
  const wide = Math.max(1, Math.ceil(needed / width)) * width;
  const bits = BigInt.asUintN(wide, value);
  const hex = `0x${bits.toString(16).padStart(wide / 4, "0")}`;
  return wide > 64 ? hex : `${binary(bits, wide)}  ${hex}`;
}

/** The remark on a step besides its value. */
function remarkOn(x: Expression, { env }: Scene): string | undefined {
  switch (x.node) {
    case "add":
    case "sub":
    case "mul":
    case "div": {
      const [a, b] = [evaluate(x.a, env), evaluate(x.b, env)];
      if (typeof a === "bigint" && typeof b === "bigint")
        return x.node === "div" ? `${a} = ${b} * ${a / b} + ${a % b}, cut toward zero` : undefined;
      return ofReals[x.node](asReal(a), asReal(b), env.rnd);
    }
    case "sqrt":
      return rootRemark(realOf(x.a, env));
    case "min":
    case "max": {
      const [a, b] = [evaluate(x.a, env), evaluate(x.b, env)];
      return extremumRemark(asReal(a), asReal(b), x.propagate === true);
    }
    case "relation":
      return orderRemark(realOf(x.a, env), realOf(x.b, env));
    case "integral":
      return wholeRemark(realOf(x.a, env), x.rnd);
    case "is":
      return ownValue(x.a, env);
    case "as":
      return typed(x.type, evaluate(x, env));
    default:
      return undefined;
  }
}

const ofReals = {
  add: sumRemark,
  sub: differenceRemark,
  mul: (a: Exact, b: Exact) => productRemark(a, b),
  div: (a: Exact, b: Exact) => quotientRemark(a, b),
} as const;

const ownValue = (x: Expression, env: Environment): string => decimalOf(asReal(evaluate(x, env)));

/** A float that is read from bits says its format. */
const typed = (type: TypeName, value: Value): string | undefined =>
  isFloat(type) && typeof value !== "bigint" ? `as ${formatOf(type).name}` : undefined;
