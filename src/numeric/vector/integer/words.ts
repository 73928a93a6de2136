import type { Expression } from "../../operation/expression.ts";
import { isFloat, isSignedType, widthOf } from "../../operation/type.ts";
import type { PureInstruction, Vector } from "../vector.ts";
import { bitwise, manyBits } from "./bitwise.ts";
import { absolute, extremum } from "./choices.ts";
import { concatenated } from "./concat.ts";
import { ones, reversed, zerosAbove } from "./counts.ts";
import { quotient } from "./division.ts";
import { dotProduct } from "./dots.ts";
import { type Integers, isInteger, mapped, termsOf } from "./lowering.ts";
import { nth } from "./nth.ts";
import type { Operands } from "./operands.ts";
import { productWord } from "./products.ts";
import { shiftedLeft, shiftedRight } from "./shifts.ts";
import { cut, sliceWord } from "./slices.ts";

/** The words of one node. */
export function wordOf(integers: Integers, operands: Operands, x: Expression, bits: number): Vector | undefined {
  const { make } = integers;
  switch (x.node) {
    case "argument":
    case "flush":
    case "bits":
      return operands.word(x.name, x.node === "bits", bits);
    case "integer":
      return make.all32(Number(BigInt.asIntN(32, x.value)));
    case "label":
      return integers.word(x.a, bits);
    case "add":
      return sum(integers, operands, x, bits);
    case "sub":
      return two(integers, "i32x4.sub", x.a, x.b, bits);
    case "mul":
      return productWord(integers, x.a, x.b, bits);
    case "and":
    case "or":
    case "xor":
    case "not":
      return (
        bitwise(make, x, (leaf) => integers.word(leaf, bits)) ?? manyBits(make, x, (part) => integers.word(part, bits))
      );
    case "neg":
      return mapped(integers.word(x.a, bits), (a) => make.op("i32x4.neg", a));
    case "select": {
      const [when, yes, no] = [integers.mask(x.when), integers.word(x.yes, bits), integers.word(x.no, bits)];
      return when && yes && no && make.choose(when, yes, no);
    }
    case "shl":
      return shiftedLeft(integers, x.a, x.by, bits);
    case "shr":
      return shiftedRight(integers, x.a, x.by);
    case "slice":
      return sliceWord(integers, x, bits);
    case "concat":
      return concatenated(integers, x);
    case "reverse":
      return reversed(integers, x.a, x.bits);
    case "as": {
      const width = widthOf(x.type);
      if (isFloat(x.type)) return undefined;
      if (width >= bits) return integers.word(x.a, bits);
      return mapped(integers.word(x.a, width), (a) => cut(make, a, width, isSignedType(x.type)));
    }
    case "min":
    case "max":
      return extremum(integers, x.node, x.a, x.b);
    case "abs":
      return absolute(integers, x.a);
    case "popc":
      return ones(integers, x.a);
    case "clz":
      return zerosAbove(integers, x.a, x.bits);
    case "relation":
      return mapped(integers.mask(x), (mask) => make.shift("i32x4.shr_u", mask, 31));
    case "div":
    case "rem":
      return quotient(integers, x.node, x.a, x.b);
    case "nth":
      return nth(integers, x);
    case "is":
    case "sqrt":
    case "function":
    case "integral":
    case "signed":
    case "rounded":
      return undefined;
  }
}

function sum(
  integers: Integers,
  operands: Operands,
  x: Expression & { readonly a: Expression; readonly b: Expression },
  bits: number,
): Vector | undefined {
  const { make } = integers;
  const dot = dotProduct(integers, termsOf(x));
  if (dot !== undefined)
    return dot.rest.reduce<Vector | undefined>((all, term) => {
      const word = integers.word(term, bits);
      return all && word && make.op("i32x4.add", word, all);
    }, dot.sum);
  if (isInteger(x.b, 0n)) return integers.word(x.a, bits);
  if (isInteger(x.a, 0n)) return integers.word(x.b, bits);
  // What is 1 or 0 has a mask, which is -1 or 0.
  const [number, truth] = operands.isTruth(x.b) ? [x.a, x.b] : [x.b, x.a];
  if (operands.isTruth(truth)) {
    const [word, mask] = [integers.word(number, bits), integers.mask(truth)];
    return word && mask && make.op("i32x4.sub", word, mask);
  }
  return two(integers, "i32x4.add", x.a, x.b, bits);
}

function two(
  integers: Integers,
  name: PureInstruction,
  a: Expression,
  b: Expression,
  bits: number,
): Vector | undefined {
  const [x, y] = [integers.word(a, bits), integers.word(b, bits)];
  return x && y && integers.make.op(name, x, y);
}
