import type { Expression, FunctionName, Relation, RoundResult } from "./expression.ts";
import type { Operation, Result } from "./operation.ts";
import { partsOf } from "./parts.ts";

/** The name under which an operand is shown; by default its own. */
export type Naming = (name: string) => string;
const asWritten: Naming = (name) => name;

/** One line: what becomes of the operands, and how it becomes bits. `d = wrap.u32(c + |a - b|)`. */
export const textOf = (
  operation: Operation,
  target = "d",
  name: Naming = asWritten,
  labels: Labels = "spelt",
): string => `${target} = ${resultText(operation.result, name, labels)}`;

/**
 * The same as a page writes it: intermediates by name, and then the expression of each name, in the order of first use.
 * `d = wrap.s32(t >> 32)`, then `t = a * b`.
 */
export function linesOf(operation: Operation, target = "d", name: Naming = asWritten): readonly string[] {
  const named = new Map<string, string>();
  const meet = (x: Expression): void => {
    if (x.node === "label" && isName(x.label) && !named.has(x.label))
      named.set(x.label, `${x.label} = ${expressionText(x.a, name, "short")}`);
    for (const part of partsOf(x)) meet(part);
  };
  for (const x of expressionsOf(operation.result)) meet(x);
  return [textOf(operation, target, name, "short"), ...named.values()];
}

/** The expressions of a result, those of its lanes included. */
function expressionsOf(result: Result): readonly Expression[] {
  switch (result.into) {
    case "choose":
      return [result.when, ...expressionsOf(result.yes), ...expressionsOf(result.no)];
    case "lanes":
      return result.lanes.flatMap(({ operation }) => expressionsOf(operation.result));
    default:
      return [result.of];
  }
}

/** A label that can stand in an expression: `t`, `d.b3`, `Va[0]`. */
const isName = (label: string): boolean => /^[\w.[\]]+$/.test(label);

export function resultText(result: Result, name: Naming = asWritten, labels: Labels = "spelt"): string {
  switch (result.into) {
    case "wrap":
    case "clamp":
      return `${result.into}.${result.type}(${expressionText(result.of, name, labels)})`;
    case "carry":
      return `${result.out ? "carry" : "wrap"}.${result.type}(${expressionText(result.of, name, labels)})`;
    case "round":
      return `${roundText(result)}(${expressionText(result.of, name, labels)}${chanceText(result, name)})`;
    case "predicate":
      return expressionText(result.of, name, labels);
    case "choose":
      return `${operandText(result.when, 1, name, labels)} ? ${resultText(result.yes, name, labels)} : ${resultText(result.no, name, labels)}`;
    case "lanes": {
      const [first, ...others] = result.lanes;
      if (first === undefined) return result.onto === undefined ? "0" : expressionText(result.onto, name, labels);
      const crossed =
        others.length === 1 && others.some(({ takes }) => takes.some(({ of }, at) => of !== first.takes[at]?.of));
      const same = !crossed && others.every(({ operation }) => operation === first.operation);
      const texts = (same ? [first] : result.lanes).map(({ operation, takes }) => {
        // What the operation calls a is b in the lane that takes b.
        const taken = (own: string): string =>
          name(takes[operation.takes.findIndex((each) => each.name === own)]?.of ?? own);
        return resultText(operation.result, crossed ? taken : name, labels);
      });
      const onto =
        result.onto === undefined ? "" : ` in place of those of ${expressionText(result.onto, name, labels)}`;
      return `${same && others.length > 0 ? `${result.lanes.length} lanes of ` : ""}${texts.join(" | ")}${onto}`;
    }
  }
}

/** `round.rn.ftz.f16`, as the manual's modifiers are written. */
export function roundText({ format, rnd, ftz, sat, relu, satfinite, pzo, approximate }: RoundResult): string {
  const words = [
    approximate ? "approx" : "round",
    rnd,
    ftz && "ftz",
    sat && "sat",
    relu && "relu",
    satfinite && "satfinite",
    pzo && "pzo",
    format,
  ];
  return words.filter((word) => word).join(".");
}

const chanceText = ({ chance }: RoundResult, name: Naming): string =>
  chance === undefined ? "" : `, chance ${expressionText(chance.of, name)} / 2^${chance.bits}`;

const relations: Readonly<Record<Relation, string>> = {
  eq: "==", ne: "!=", lt: "<", le: "<=", gt: ">", ge: ">=",
  equ: "equ", neu: "neu", ltu: "ltu", leu: "leu", gtu: "gtu", geu: "geu", num: "num", nan: "nan",
}; // biome-ignore format: by kind

const functions: Readonly<Record<FunctionName, string>> = {
  rsqrt: "1/sqrt", sin: "sin", cos: "cos", lg2: "log2", ex2: "2^", tanh: "tanh",
}; // biome-ignore format: short

const operators = {
  or: "|",
  xor: "^",
  and: "&",
  shl: "<<",
  shr: ">>",
  add: "+",
  sub: "-",
  mul: "*",
  div: "/",
  rem: "%",
} as const;
/** How tightly an operator binds, as in C. */
const strength = { or: 3, xor: 4, and: 5, shl: 8, shr: 8, add: 9, sub: 9, mul: 10, div: 10, rem: 10 } as const;

/** Whether a label is replaced by its expression, shown by name, or shown by name only if that is `short`: one word. */
export type Labels = "spelt" | "named" | "short";

/** An expression in the notation of C, with |a| for magnitudes and a[7:0] for slices of bits. */
export const expressionText = (x: Expression, name: Naming = asWritten, labels: Labels = "spelt"): string =>
  operandText(x, 0, name, labels);

/** The same in brackets if it binds less tightly than its surroundings. */
function operandText(x: Expression, outer: number, name: Naming, labels: Labels): string {
  const inner = (y: Expression, around = 0): string => operandText(y, around, name, labels);
  const bracket = (text: string, own: number): string => (own < outer ? `(${text})` : text);
  switch (x.node) {
    case "argument":
      return name(x.name);
    case "bits":
      return `bits(${name(x.name)})`;
    case "flush":
      return `ftz(${name(x.name)})`;
    case "integer":
      return bracket(numberText(x.value), x.value < 0n ? 11 : 12);
    case "add":
    case "sub":
    case "mul":
    case "div":
    case "rem":
    case "and":
    case "or":
    case "xor": {
      const own = strength[x.node];
      return bracket(`${inner(x.a, own)} ${operators[x.node]} ${inner(x.b, own + 1)}`, own);
    }
    case "shl":
    case "shr":
      return bracket(`${inner(x.a, 8)} ${operators[x.node]} ${inner(x.by, 9)}`, 8);
    case "min":
    case "max":
      return `${x.node}${x.propagate ? ".NaN" : ""}(${inner(x.a)}, ${inner(x.b)})`;
    case "clmul":
      return `clmul(${inner(x.a)}, ${inner(x.b)})`;
    case "neg":
      return bracket(`-${inner(x.a, 11)}`, 11);
    case "not":
      return bracket(`~${inner(x.a, 11)}`, 11);
    case "abs":
      return `|${inner(x.a)}|`;
    case "sqrt":
    case "popc":
      return `${x.node}(${inner(x.a)})`;
    case "clz":
    case "reverse":
      return `${x.node}${x.bits}(${inner(x.a)})`;
    case "slice":
      return sliceText(x, inner);
    case "concat":
      return `{${x.parts.map(({ of }) => inner(of)).join(", ")}}`;
    case "relation":
      return bracket(`${inner(x.a, 7)} ${relations[x.relation]} ${inner(x.b, 7)}`, 6);
    case "is":
      return `${x.property}(${inner(x.a)})`;
    case "select":
      return bracket(`${inner(x.when, 1)} ? ${inner(x.yes)} : ${inner(x.no)}`, 0.5);
    case "function":
      return `${functions[x.name]}(${inner(x.a)})`;
    case "integral":
      return `integer.${x.rnd}(${inner(x.a)})`;
    case "as":
      return `${x.type}(${inner(x.a)})`;
    case "signed":
      return `sign(${inner(x.a)}, ${inner(x.negative)})`;
    case "rounded":
      return resultText(x.result, name);
    case "nth":
      return `nth(${inner(x.a)}, ${inner(x.from)}, ${inner(x.count)})`;
    case "label":
      return labels === "named" || (labels === "short" && isName(x.label))
        ? x.label
        : operandText(x.a, outer, name, labels);
  }
}

/** `a[15:8]`, `a[7]` for one bit, `signed(a[15:8])` in two's complement, or `a[low +: bits]` where either depends on an operand. */
function sliceText(x: Expression & { node: "slice" }, inner: (y: Expression, around?: number) => string): string {
  const { low, bits } = x;
  const single = bits.node === "integer" && bits.value === 1n;
  const place = single
    ? inner(low)
    : low.node === "integer" && bits.node === "integer"
      ? `${low.value + bits.value - 1n}:${low.value}`
      : `${inner(low)} +: ${inner(bits)}`;
  const text = `${inner(x.a, 12)}[${place}]`;
  return x.signed ? `signed(${text})` : text;
}

/** Decimal for small numbers, hexadecimal for masks. */
const numberText = (x: bigint): string => (x > 4096n ? `0x${x.toString(16)}` : x.toString());
