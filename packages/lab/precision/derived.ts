import type { Expression, FunctionName } from "../../../src/numeric/operation/expression.ts";
import type { Argument } from "../../../src/numeric/operation/operation.ts";
import {
  absolute, compare, functions, isNegative, minus, negated, ofInteger, over, plus, type Real, root, times, toNumber, ZERO,
} from "./real.ts"; // biome-ignore format: a list of names

/** Operands of an operation, at most. */
const MOST = 3;

/** The value of an expression, and how it changes with each operand: partial derivatives, about. */
export interface Derived {
  value: Real;
  readonly by: Float64Array;
}

/** What the expressions of one operation are evaluated with; set before each use. */
export interface Given {
  readonly operands: Real[];
  /** Whether an integer expression over the bits that the program has is not 0: choices are those of the program. */
  choose: (when: Expression) => boolean;
}

/** Evaluates an expression of reals again and again, always into the same object; undefined for one of bits. */
export type Evaluator = () => Derived;

/** Prepares an expression over reals. Undefined where it computes with bits, for which there is no other value. */
export function evaluator(x: Expression, takes: readonly Argument[], given: Given): Evaluator | undefined {
  const own: Derived = { value: ZERO, by: new Float64Array(MOST) };
  const { by } = own;
  const of = (inner: Expression): Evaluator | undefined => evaluator(inner, takes, given);
  const set = (value: Real): Derived => {
    own.value = value;
    return own;
  };
  switch (x.node) {
    case "argument":
    case "flush": {
      const at = takes.findIndex(({ name }) => name === x.name);
      if (at < 0 || at >= MOST) return undefined;
      by[at] = 1;
      return () => set(given.operands[at]!);
    }
    case "integer": {
      own.value = ofInteger(x.value);
      return () => own;
    }
    case "add":
    case "sub": {
      const [a, b] = [of(x.a), of(x.b)];
      if (a === undefined || b === undefined) return undefined;
      const sign = x.node === "add" ? 1 : -1;
      return () => {
        const [left, right] = [a(), b()];
        for (let at = 0; at < MOST; at++) by[at] = left.by[at]! + sign * right.by[at]!;
        return set(sign === 1 ? plus(left.value, right.value) : minus(left.value, right.value));
      };
    }
    case "mul": {
      const [a, b] = [of(x.a), of(x.b)];
      if (a === undefined || b === undefined) return undefined;
      return () => {
        const [left, right] = [a(), b()];
        const [one, other] = [toNumber(left.value), toNumber(right.value)];
        for (let at = 0; at < MOST; at++) by[at] = weighed(left.by[at]!, other) + weighed(right.by[at]!, one);
        return set(times(left.value, right.value));
      };
    }
    case "div": {
      const [a, b] = [of(x.a), of(x.b)];
      if (a === undefined || b === undefined) return undefined;
      return () => {
        const [above, below] = [a(), b()];
        const value = over(above.value, below.value);
        const [quotient, divisor] = [toNumber(value), toNumber(below.value)];
        for (let at = 0; at < MOST; at++) by[at] = (above.by[at]! - weighed(below.by[at]!, quotient)) / divisor;
        return set(value);
      };
    }
    case "min":
    case "max": {
      const [a, b] = [of(x.a), of(x.b)];
      if (a === undefined || b === undefined) return undefined;
      return () => {
        const [left, right] = [a(), b()];
        const isLeft =
          right.value.kind === "nan"
            ? x.propagate !== true
            : left.value.kind === "nan"
              ? x.propagate === true
              : compare(left.value, right.value) < 0 === (x.node === "min");
        const chosen = isLeft ? left : right;
        by.set(chosen.by);
        return set(chosen.value);
      };
    }
    case "neg":
      return changed(of(x.a), own, negated, () => -1);
    case "abs":
      return changed(of(x.a), own, absolute, (a) => (isNegative(a) ? -1 : 1));
    case "sqrt":
      return changed(of(x.a), own, root, (_, value) => 0.5 / toNumber(value));
    case "function":
      return changed(of(x.a), own, functions[x.name], (a, value) => slopes[x.name](toNumber(a), toNumber(value)));
    case "select": {
      const [yes, no] = [of(x.yes), of(x.no)];
      if (yes === undefined || no === undefined) return undefined;
      return () => {
        const chosen = (given.choose(x.when) ? yes : no)();
        by.set(chosen.by);
        return set(chosen.value);
      };
    }
    case "label":
      return of(x.a);
    case "rounded":
      return of(x.result.of);
    default:
      return undefined;
  }
}

/** Nothing of what is infinite is nothing. */
const weighed = (part: number, by: number): number => (part === 0 ? 0 : part * by);

function changed(
  inner: Evaluator | undefined,
  own: Derived,
  apply: (a: Real) => Real,
  slope: (a: Real, value: Real) => number,
): Evaluator | undefined {
  if (inner === undefined) return undefined;
  return () => {
    const a = inner();
    const value = apply(a.value);
    const factor = slope(a.value, value);
    for (let at = 0; at < MOST; at++) own.by[at] = weighed(a.by[at]!, factor);
    own.value = value;
    return own;
  };
}

/** Derivatives, by the argument and the value there. */
const slopes: Readonly<Record<FunctionName, (a: number, value: number) => number>> = {
  rsqrt: (a, value) => -0.5 * (value / a),
  sin: (a) => Math.cos(a),
  cos: (a) => -Math.sin(a),
  lg2: (a) => Math.LOG2E / a,
  ex2: (_, value) => Math.LN2 * value,
  tanh: (_, value) => 1 - value * value,
};
