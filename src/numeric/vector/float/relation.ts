import { isTruth } from "../../lower/relation.ts";
import type { Relation } from "../../operation/expression.ts";
import type { VectorMaker } from "../maker.ts";
import type { VectorRule } from "../rule.ts";
import { isWide, type PureInstruction, type Vector } from "../vector.ts";
import { number32, number64 } from "./number.ts";

/** A relation of two numbers of f32 or of f64. */
export const floatRelation: VectorRule = ({ takes, result }, operands, make, lower) => {
  const reading = { takes, operands, make, lower };
  if (result.into !== "predicate" || result.of.node !== "relation") return undefined;
  const { relation, a, b } = result.of;
  const [x, y] = [number32(a, reading), number32(b, reading)];
  if (x && y) return compared("f32x4", relation, x, y, make);
  const [v, w] = [number64(a, reading), number64(b, reading)];
  if (!v || !w) return undefined;
  return make.low([compared("f64x2", relation, v[0], w[0], make), compared("f64x2", relation, v[1], w[1], make)]);
};

/** WebAssembly's relations do not hold for a NaN, but for `ne`. */
function compared(shape: "f32x4" | "f64x2", relation: Relation, a: Vector, b: Vector, make: VectorMaker): Vector {
  const is = (name: "eq" | "ne" | "lt" | "le" | "gt" | "ge", x = a, y = b): Vector =>
    make.op(`${shape}.${name}` satisfies PureInstruction, x, y);
  switch (relation) {
    case "eq":
    case "lt":
    case "le":
    case "gt":
    case "ge":
      return is(relation);
    case "ne":
      return make.or(is("lt"), is("gt"));
    case "equ":
      return make.not(make.or(is("lt"), is("gt")));
    case "neu":
      return is("ne");
    case "ltu":
      return make.not(is("ge"));
    case "leu":
      return make.not(is("gt"));
    case "gtu":
      return make.not(is("le"));
    case "geu":
      return make.not(is("lt"));
    case "num":
      return make.and(is("eq", a, a), is("eq", b, b));
    case "nan":
      return make.or(is("ne", a, a), is("ne", b, b));
  }
}

/** A predicate of two others: a relation of floats, and what a set combines it with. */
export const combination: VectorRule = ({ takes, result }, operands, make, lower) => {
  if (result.into !== "predicate") return undefined;
  const { of: x } = result;
  if ((x.node !== "and" && x.node !== "or" && x.node !== "xor") || !isTruth(x.a, takes) || !isTruth(x.b, takes))
    return undefined;
  const [a, b] = [x.a, x.b].map((of) => lower({ takes, gives: "pred", result: { into: "predicate", of } }, operands));
  return a && b && !isWide(a) && !isWide(b) ? make[x.node](a, b) : undefined;
};
