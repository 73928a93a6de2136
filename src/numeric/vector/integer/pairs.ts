import type { Expression } from "../../operation/expression.ts";
import { widthOf } from "../../operation/type.ts";
import type { PureInstruction, Vector, Wide } from "../vector.ts";
import { onBoth } from "../wide.ts";
import { bitwise, manyBits } from "./bitwise.ts";
import { absolutePair, extremumPair } from "./choices.ts";
import { concatenatedPair } from "./concat.ts";
import { reversedPair } from "./counts.ts";
import { quotientPair } from "./division.ts";
import { type Integers, mapped } from "./lowering.ts";
import type { Operands } from "./operands.ts";
import { product } from "./products.ts";
import { shiftedLeftPair, shiftedRightPair } from "./shifts.ts";
import { slicePair } from "./slices.ts";

/** The numbers of 64 bits of one node; undefined for those that have fewer. */
export function pairOf(integers: Integers, operands: Operands, x: Expression): Wide | undefined {
  const { make } = integers;
  switch (x.node) {
    case "argument":
    case "flush":
    case "bits":
      return operands.wide(x.name, x.node === "bits");
    case "label":
      return integers.pair(x.a);
    case "add":
    case "sub":
      return both(integers, `i64x2.${x.node}`, x.a, x.b);
    case "and":
    case "or":
    case "xor":
    case "not": {
      const [first, second] = ([0, 1] as const).map((half) => {
        const of = (part: Expression): Vector | undefined => integers.pair(part)?.[half];
        return bitwise(make, x, of) ?? manyBits(make, x, of);
      });
      return first && second && [first, second];
    }
    case "mul":
      return product(integers, x.a, x.b);
    case "neg":
      return mapped(integers.pair(x.a), (a) => onBoth(make, "i64x2.neg", a));
    case "select": {
      const [when, yes, no] = [integers.mask(x.when), integers.pair(x.yes), integers.pair(x.no)];
      if (when === undefined || yes === undefined || no === undefined) return undefined;
      const [first, second] = make.widen(when);
      return [make.choose(first, yes[0], no[0]), make.choose(second, yes[1], no[1])];
    }
    case "shl":
      return shiftedLeftPair(integers, x.a, x.by);
    case "shr":
      return shiftedRightPair(integers, x.a, x.by);
    case "slice":
      return slicePair(integers, x);
    case "concat":
      return concatenatedPair(integers, x);
    case "reverse":
      return reversedPair(integers, x.a, x.bits);
    case "as":
      return integers.interval(x) && widthOf(x.type) === 64 ? integers.pair(x.a) : undefined;
    case "min":
    case "max":
      return extremumPair(integers, x.node, x.a, x.b);
    case "abs":
      return absolutePair(integers, x.a);
    case "div":
    case "rem":
      return quotientPair(integers, x.node, x.a, x.b);
    case "integer":
    case "popc":
    case "clz":
    case "relation":
    case "nth":
    case "is":
    case "sqrt":
    case "function":
    case "integral":
    case "signed":
    case "rounded":
      return undefined;
  }
}

function both(integers: Integers, name: PureInstruction, a: Expression, b: Expression): Wide | undefined {
  const [x, y] = [integers.pair(a), integers.pair(b)];
  return x && y && onBoth(integers.make, name, x, y);
}
