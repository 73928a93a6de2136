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
    case "clmul":
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

/** Is the expression a number that no operand has a part in? */
export const readsNothing = (x: Expression): boolean =>
  x.node !== "argument" && x.node !== "bits" && x.node !== "flush" && partsOf(x).every(readsNothing);

/** The node with other expressions in the place of its parts; itself where all of them stay. */
export function withParts(x: Expression, to: (part: Expression) => Expression): Expression {
  switch (x.node) {
    case "argument":
    case "bits":
    case "flush":
    case "integer":
      return x;
    case "add":
    case "sub":
    case "mul":
    case "div":
    case "rem":
    case "and":
    case "or":
    case "xor":
    case "clmul":
    case "min":
    case "max":
    case "relation": {
      const [a, b] = [to(x.a), to(x.b)];
      return a === x.a && b === x.b ? x : { ...x, a, b };
    }
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
    case "label": {
      const a = to(x.a);
      return a === x.a ? x : { ...x, a };
    }
    case "shl":
    case "shr": {
      const [a, by] = [to(x.a), to(x.by)];
      return a === x.a && by === x.by ? x : { ...x, a, by };
    }
    case "slice": {
      const [a, low, bits] = [to(x.a), to(x.low), to(x.bits)];
      return a === x.a && low === x.low && bits === x.bits ? x : { ...x, a, low, bits };
    }
    case "concat": {
      const parts = x.parts.map((part) => ({ of: to(part.of), bits: part.bits }));
      return parts.every(({ of }, at) => of === x.parts[at]?.of) ? x : { ...x, parts };
    }
    case "select": {
      const [when, yes, no] = [to(x.when), to(x.yes), to(x.no)];
      return when === x.when && yes === x.yes && no === x.no ? x : { ...x, when, yes, no };
    }
    case "signed": {
      const [a, negative] = [to(x.a), to(x.negative)];
      return a === x.a && negative === x.negative ? x : { ...x, a, negative };
    }
    case "rounded": {
      const { result } = x;
      const of = to(result.of);
      if (result.chance === undefined) return of === result.of ? x : { ...x, result: { ...result, of } };
      const chance = { of: to(result.chance.of), bits: result.chance.bits };
      return of === result.of && chance.of === result.chance.of ? x : { ...x, result: { ...result, of, chance } };
    }
    case "nth": {
      const [a, from, count] = [to(x.a), to(x.from), to(x.count)];
      return a === x.a && from === x.from && count === x.count ? x : { ...x, a, from, count };
    }
  }
}
