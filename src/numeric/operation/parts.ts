import type { Expression } from "./expression.ts";

/** The expressions that a node is made of. */
export function partsOf(x: Expression): readonly Expression[] {
  switch (x.node) {
    case "argument":
    case "bits":
    case "flush":
    case "integer":
      return [];
    case "add":
    case "sub":
    case "mul":
    case "div":
    case "rem":
    case "and":
    case "or":
    case "xor":
    case "min":
    case "max":
    case "relation":
      return [x.a, x.b];
    case "neg":
    case "abs":
    case "sqrt":
    case "not":
    case "popc":
    case "clz":
    case "reverse":
    case "is":
    case "function":
    case "integral":
    case "as":
    case "label":
      return [x.a];
    case "shl":
    case "shr":
      return [x.a, x.by];
    case "slice":
      return [x.a, x.low, x.bits];
    case "concat":
      return x.parts.map(({ of }) => of);
    case "select":
      return [x.when, x.yes, x.no];
    case "signed":
      return [x.a, x.negative];
    case "rounded":
      return x.result.chance === undefined ? [x.result.of] : [x.result.of, x.result.chance.of];
    case "nth":
      return [x.a, x.from, x.count];
  }
}

/** Does the expression read this operand? */
export const readsOperand = (x: Expression, name: string): boolean =>
  ((x.node === "argument" || x.node === "bits" || x.node === "flush") && x.name === name) ||
  partsOf(x).some((part) => readsOperand(part, name));
