import { carrylessProduct } from "../exact/carryless.ts";
import {
  add,
  bitLength,
  compare,
  div,
  type Exact,
  finite,
  integral,
  isZero,
  magnitude,
  mul,
  NAN,
  negate,
  type Rounding,
  rsqrt,
  sqrt,
} from "../exact/exact.ts";
import { exactLog2 } from "../exact/logarithm.ts";
import { exactExp2, exactTanh } from "../exact/transcendental.ts";
import { exactCos, exactSin } from "../exact/trigonometry.ts";
import type { Format } from "../format/format.ts";
import type { Expression, FunctionName, Property, Relation, RoundResult } from "./expression.ts";
import type { Argument } from "./operation.ts";
import { roundedBits } from "./rounding.ts";
import { formatOf, isFloat, numberOf, type Value, widthOf } from "./type.ts";

/** What an expression is evaluated with: the operands, and the rounding that decides the sign of an exact zero sum. */
export interface Environment {
  readonly takes: readonly Argument[];
  readonly bits: readonly bigint[];
  readonly rnd: Rounding;
}

/** The value of an expression that is an integer. */
export function integerOf(x: Expression, env: Environment): bigint {
  const value = evaluate(x, env);
  if (typeof value !== "bigint") throw new Error(`${x.node} is a real where an integer is needed`);
  return value;
}

/** The value of an expression as a real. */
export const realOf = (x: Expression, env: Environment): Exact => asReal(evaluate(x, env));

/** An integer as a real. */
export const asReal = (value: Value): Exact =>
  typeof value === "bigint" ? finite(value < 0n, magnitude(value), 0) : value;

/** The exact value of an expression: the reference, one node after the other. */
export function evaluate(x: Expression, env: Environment): Value {
  switch (x.node) {
    case "argument": {
      const { type, bits } = operandOf(x.name, env);
      return numberOf(type, bits);
    }
    case "bits": {
      const { type, bits } = operandOf(x.name, env);
      return BigInt.asUintN(widthOf(type), bits);
    }
    case "flush": {
      const { type, bits } = operandOf(x.name, env);
      return isFloat(type) ? flush(formatOf(type), numberOf(type, bits) as Exact) : numberOf(type, bits);
    }
    case "integer":
      return x.value;
    case "add":
    case "sub":
    case "mul":
    case "div": {
      const [a, b] = [evaluate(x.a, env), evaluate(x.b, env)];
      if (typeof a === "bigint" && typeof b === "bigint") return ofIntegers[x.node](a, b);
      return ofReals[x.node](asReal(a), asReal(b), env.rnd);
    }
    case "rem":
    case "and":
    case "or":
    case "xor":
    case "clmul":
      return ofIntegers[x.node](integerOf(x.a, env), integerOf(x.b, env));
    case "min":
    case "max": {
      const [a, b] = [evaluate(x.a, env), evaluate(x.b, env)];
      if (typeof a === "bigint" && typeof b === "bigint") return a < b === (x.node === "min") ? a : b;
      return extremum(x.node, asReal(a), asReal(b), x.propagate === true);
    }
    case "neg": {
      const a = evaluate(x.a, env);
      return typeof a === "bigint" ? -a : negate(a);
    }
    case "abs": {
      const a = evaluate(x.a, env);
      if (typeof a === "bigint") return magnitude(a);
      return a.kind === "nan" ? a : { ...a, neg: false };
    }
    case "sqrt":
      return sqrt(realOf(x.a, env));
    case "not":
      return ~integerOf(x.a, env);
    case "popc":
      return popc(integerOf(x.a, env));
    case "shl":
      return integerOf(x.a, env) << integerOf(x.by, env);
    case "shr":
      return integerOf(x.a, env) >> integerOf(x.by, env);
    case "clz": {
      const a = integerOf(x.a, env);
      return BigInt(a === 0n ? x.bits : x.bits - bitLength(a));
    }
    case "reverse":
      return BigInt(`0b${[...integerOf(x.a, env).toString(2).padStart(x.bits, "0")].reverse().join("")}`);
    case "slice": {
      const from = integerOf(x.a, env) >> integerOf(x.low, env);
      const bits = Number(integerOf(x.bits, env));
      return x.signed ? BigInt.asIntN(bits, from) : BigInt.asUintN(bits, from);
    }
    case "concat":
      return x.parts.reduce((all, { of, bits }) => (all << BigInt(bits)) | integerOf(of, env), 0n);
    case "relation": {
      const [a, b] = [evaluate(x.a, env), evaluate(x.b, env)];
      return holds(x.relation, asReal(a), asReal(b)) ? 1n : 0n;
    }
    case "is":
      return has(x.property, realOf(x.a, env), formatBehind(x.a, env)) ? 1n : 0n;
    case "select": {
      const chosen = integerOf(x.when, env) !== 0n ? x.yes : x.no;
      return evaluate(chosen, env);
    }
    case "function":
      return functions[x.name](realOf(x.a, env));
    case "integral":
      return integral(realOf(x.a, env), x.rnd);
    case "as":
      return numberOf(x.type, integerOf(x.a, env));
    case "signed": {
      const a = realOf(x.a, env);
      const neg = integerOf(x.negative, env) !== 0n;
      return a.kind === "nan" ? a : { ...a, neg };
    }
    case "rounded":
      return numberOf(x.result.format, roundInto(x.result, env));
    case "nth":
      return nth(integerOf(x.a, env), integerOf(x.from, env), integerOf(x.count, env));
    case "label":
      return evaluate(x.a, env);
  }
}

/** The environment of an expression that is going to be rounded: the direction decides the sign of a zero sum. */
export const roundingIn = ({ rnd }: RoundResult, env: Environment): Environment => ({
  ...env,
  rnd: rnd === "rs" ? "rn" : rnd,
});

/** The bits of a real rounded into a format. */
export const roundInto = (result: RoundResult, env: Environment): bigint =>
  roundedBits(
    result,
    realOf(result.of, roundingIn(result, env)),
    result.chance === undefined ? 0n : integerOf(result.chance.of, env),
  );

/** An operand by name: its type and its bits. */
function operandOf(name: string, { takes, bits }: Environment) {
  const at = takes.findIndex((each) => each.name === name);
  const taken = takes[at];
  if (taken === undefined) throw new Error(`the operation takes no ${name}`);
  return { type: taken.type, bits: bits[at] ?? 0n };
}

/** The format of a float operand, or of bits that are read as one. */
function formatBehind(x: Expression, env: Environment): Format {
  const type =
    x.node === "argument" || x.node === "flush" ? operandOf(x.name, env).type : x.node === "as" ? x.type : "pred";
  if (!isFloat(type)) throw new Error(`${x.node} has no format`);
  return formatOf(type);
}

const isSubnormal = ({ bias }: Format, x: Exact): boolean =>
  x.kind === "finite" && x.sig !== 0n && x.exp + bitLength(x.sig) - 1 < 1 - bias;

const flush = (f: Format, x: Exact): Exact => (x.kind === "finite" && isSubnormal(f, x) ? finite(x.neg, 0n, 0) : x);

const ofIntegers = {
  add: (a: bigint, b: bigint): bigint => a + b,
  sub: (a: bigint, b: bigint): bigint => a - b,
  mul: (a: bigint, b: bigint): bigint => a * b,
  div: (a: bigint, b: bigint): bigint => a / b,
  rem: (a: bigint, b: bigint): bigint => a % b,
  and: (a: bigint, b: bigint): bigint => a & b,
  or: (a: bigint, b: bigint): bigint => a | b,
  xor: (a: bigint, b: bigint): bigint => a ^ b,
  clmul: carrylessProduct,
} as const;

const ofReals = {
  add,
  sub: (a: Exact, b: Exact, rnd: Rounding): Exact => add(a, negate(b), rnd),
  mul,
  div,
} as const;

function extremum(which: "min" | "max", a: Exact, b: Exact, propagate: boolean): Exact {
  if (a.kind === "nan" || b.kind === "nan") return propagate ? NAN : a.kind === "nan" ? b : a;
  const order = compare(a, b) || (isZero(a) && isZero(b) ? Number(b.neg) - Number(a.neg) : 0);
  return order < 0 === (which === "min") ? a : b;
}

function holds(relation: Relation, a: Exact, b: Exact): boolean {
  const unordered = a.kind === "nan" || b.kind === "nan";
  if (relation === "num") return !unordered;
  if (relation === "nan") return unordered;
  if (unordered) return relation.length === 3;
  const order = compare(a, b);
  switch (relation) {
    case "eq":
    case "equ":
      return order === 0;
    case "ne":
    case "neu":
      return order !== 0;
    case "lt":
    case "ltu":
      return order < 0;
    case "le":
    case "leu":
      return order <= 0;
    case "gt":
    case "gtu":
      return order > 0;
    case "ge":
    case "geu":
      return order >= 0;
  }
}

function has(property: Property, x: Exact, f: Format): boolean {
  switch (property) {
    case "finite":
      return x.kind === "finite";
    case "infinite":
      return x.kind === "inf";
    case "number":
      return x.kind !== "nan";
    case "notanumber":
      return x.kind === "nan";
    case "normal":
      return x.kind === "finite" && !isSubnormal(f, x);
    case "subnormal":
      return isSubnormal(f, x);
  }
}

const functions: Readonly<Record<FunctionName, (x: Exact) => Exact>> = {
  rsqrt,
  sin: exactSin,
  cos: exactCos,
  lg2: exactLog2,
  ex2: exactExp2,
  tanh: exactTanh,
};

function popc(x: bigint): bigint {
  let count = 0n;
  for (let rest = x; rest !== 0n; rest &= rest - 1n) count++;
  return count;
}

/** fns: its loop ends at once for a start outside of the word, which the manual leaves open. */
function nth(mask: bigint, from: bigint, count: bigint): bigint {
  const isOne = (at: bigint): boolean => ((mask >> at) & 1n) === 1n;
  if (from < 0n || from > 31n) return -1n;
  if (count === 0n) return isOne(from) ? from : -1n;
  const step = count > 0n ? 1n : -1n;
  let left = magnitude(count);
  for (let at = from; at >= 0n && at < 32n; at += step) if (isOne(at) && --left === 0n) return at;
  return -1n;
}
