import { evaluate } from "../../operation/evaluate.ts";
import type { Expression } from "../../operation/expression.ts";
import type { Argument } from "../../operation/operation.ts";
import { withParts } from "../../operation/parts.ts";
import { isFloat, numberOf, type TypeName, widthOf } from "../../operation/type.ts";
import { constant32 } from "../maker.ts";
import { isWide, type Value } from "../vector.ts";

/** No shift that is known goes further. */
const FARTHEST = 256n;

/**
 * Puts the numbers of operands that are known into expressions, and computes what depends on nothing else; undefined
 * if no operand is known. Equal parts of an expression stay one object.
 */
export function knownIn(
  takes: readonly Argument[],
  operands: readonly Value[],
): ((x: Expression) => Expression) | undefined {
  const values = operands.map(constantOf);
  if (values.every((value) => value === undefined)) return undefined;
  const found = new Map<Expression, Expression>();
  const visit = (x: Expression): Expression => {
    const had = found.get(x);
    if (had !== undefined) return had;
    const made = simpler(x);
    found.set(x, made);
    return made;
  };
  const simpler = (x: Expression): Expression => {
    if (x.node === "argument" || x.node === "bits") {
      const at = takes.findIndex(({ name }) => name === x.name);
      const [taken, value] = [takes[at], values[at]];
      if (taken === undefined || value === undefined) return x;
      return operand(x.node, taken.type, value) ?? x;
    }
    return folded(withParts(x, visit));
  };
  return visit;
}

function operand(node: "argument" | "bits", type: TypeName, value: bigint): Expression | undefined {
  if (type === "pred") return integer(value & 1n);
  if (node === "bits") return integer(BigInt.asUintN(widthOf(type), value));
  if (isFloat(type)) return undefined;
  return integer(numberOf(type, value) as bigint);
}

const integer = (value: bigint): Expression => ({ node: "integer", value });

/** The bits that all lanes have. */
function constantOf(value: Value): bigint | undefined {
  if (!isWide(value)) {
    const word = constant32(value);
    return word === undefined ? undefined : BigInt(word >>> 0);
  }
  const [first, second] = value;
  if (first !== second || first.node !== "constant") return undefined;
  const [low, high, again, andHigh] = first.words;
  return low === again && high === andHigh ? (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0) : undefined;
}

/** A node of integers whose parts are known is one. */
function folded(x: Expression): Expression {
  switch (x.node) {
    case "add":
    case "sub":
    case "mul":
    case "and":
    case "or":
    case "xor":
    case "clmul":
    case "min":
    case "max":
    case "relation":
      return x.a.node === "integer" && x.b.node === "integer" ? computed(x) : x;
    case "div":
    case "rem":
      return x.a.node === "integer" && x.b.node === "integer" && x.b.value !== 0n ? computed(x) : x;
    case "neg":
    case "abs":
    case "not":
    case "popc":
    case "clz":
    case "reverse":
    case "label":
      return x.a.node === "integer" ? computed(x) : x;
    case "as":
      return x.a.node === "integer" && !isFloat(x.type) ? computed(x) : x;
    case "shl":
    case "shr":
      return x.a.node === "integer" && isAmount(x.by) ? computed(x) : x;
    case "slice":
      return x.a.node === "integer" && isAmount(x.low) && isAmount(x.bits) ? computed(x) : x;
    case "concat":
      return x.parts.every(({ of }) => of.node === "integer") ? computed(x) : x;
    case "select":
      return x.when.node === "integer" ? (x.when.value !== 0n ? x.yes : x.no) : x;
    case "nth":
      return x.a.node === "integer" && x.from.node === "integer" && x.count.node === "integer" ? computed(x) : x;
    case "argument":
    case "bits":
    case "flush":
    case "integer":
    case "is":
    case "sqrt":
    case "function":
    case "integral":
    case "signed":
    case "rounded":
      return x;
  }
}

const isAmount = (x: Expression): boolean => x.node === "integer" && x.value >= 0n && x.value <= FARTHEST;

const computed = (x: Expression): Expression => integer(evaluate(x, { takes: [], bits: [], rnd: "rn" }) as bigint);
