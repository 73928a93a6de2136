import type { Exact } from "../../numeric/exact/exact.ts";
import { asReal, type Environment, evaluate, integerOf, realOf } from "../../numeric/operation/evaluate.ts";
import type { Expression } from "../../numeric/operation/expression.ts";
import { partsOf } from "../../numeric/operation/parts.ts";
import { expressionText, type Naming } from "../../numeric/operation/text.ts";
import { formatOf, isFloat, type TypeName, type Value } from "../../numeric/operation/type.ts";
import { binary } from "./binary.ts";
import { decimalOf, numbers } from "./number.ts";
import {
  differenceRemark,
  extremumRemark,
  orderRemark,
  productRemark,
  quotientRemark,
  rootRemark,
  sumRemark,
  wholeRemark,
} from "./remark.ts";
import { type Row, row } from "./row.ts";

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

/** The rows of an expression's parts, and of itself only what is to be said besides its value: what follows shows that. */
export function innerRows(x: Expression, scene: Scene): Row[] {
  const inner = innerSteps(x, scene);
  const remark = x.node === "integral" ? undefined : remarkOn(x, scene);
  if (x.node === "integral") return [...inner, ...ownRows(x, scene)];
  return remark === undefined || isQuiet(x) ? inner : [...inner, row(stepText(x, scene), remark)];
}

/** The parts that are evaluated: of a selection only what is selected. */
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

/** What a step gives: a number, an answer that is 1 or 0, a row of bits, or bits that moved, which are a row where the result is one. */
// biome-ignore format: one kind a line
const gives: Readonly<Record<Expression["node"], "number" | "answer" | "bits" | "moved">> = {
  argument: "number", bits: "number", integer: "number", flush: "number", as: "number", signed: "number",
  add: "number", sub: "number", mul: "number", div: "number", rem: "number", min: "number", max: "number",
  abs: "number", sqrt: "number", function: "number", integral: "number", rounded: "number", select: "number",
  popc: "number", clz: "number", nth: "number", label: "number",
  relation: "answer", is: "answer",
  and: "bits", or: "bits", xor: "bits", not: "bits", reverse: "bits", concat: "bits",
  slice: "moved", shl: "moved", shr: "moved", neg: "moved",
};

/** Is the value an answer, 1 or 0? */
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

/** A mask or a width of a few bits: what it leaves is a position, a length, a byte. */
const isSmall = (x: Expression): boolean => x.node === "integer" && x.value < 256n;

/** Bits in groups of four with their hexadecimal digits; as many whole widths as the number needs. */
export function bitsText(value: bigint, width: number): string {
  const needed = value < 0n ? width : value.toString(2).length;
  const wide = Math.max(1, Math.ceil(needed / width)) * width;
  const bits = BigInt.asUintN(wide, value);
  const hex = `0x${bits.toString(16).padStart(wide / 4, "0")}`;
  return wide > 64 ? hex : `${binary(bits, wide)}  ${hex}`;
}

/** What is to be said of a step besides its value. */
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
