import type { Relation } from "../../operation/expression.ts";
import type { VectorMaker } from "../maker.ts";
import type { VectorRule } from "../rule.ts";
import type { PureInstruction, Vector } from "../vector.ts";
import { read32, read64 } from "./operand.ts";

/** A relation of two numbers of f32 or of f64. */
export const floatRelation: VectorRule = ({ takes, result }, operands, make) => {
  if (result.into !== "predicate" || result.of.node !== "relation") return undefined;
  const { relation, a, b } = result.of;
  const [x, y] = [read32(a, takes, operands, make), read32(b, takes, operands, make)];
  if (x && y) return compared("f32x4", relation, x, y, make);
  const [v, w] = [read64(a, takes, operands, make), read64(b, takes, operands, make)];
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
