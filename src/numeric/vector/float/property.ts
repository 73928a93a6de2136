import type { Property } from "../../operation/expression.ts";
import type { VectorMaker } from "../maker.ts";
import type { VectorRule } from "../rule.ts";
import type { PureInstruction, Vector } from "../vector.ts";
import { code64 } from "./constant.ts";
import { operand32, operand64 } from "./operand.ts";

/** What `testp` asks of an operand. */
export const floatProperty: VectorRule = ({ takes, result }, operands, make, lower) => {
  if (result.into !== "predicate" || result.of.node !== "is") return undefined;
  const { a, property } = result.of;
  const reading = { takes, operands, make, lower };
  const narrow = operand32(a, reading);
  if (narrow) return tested("f32x4", property, narrow, make);
  const wide = operand64(a, reading);
  return wide && make.low([tested("f64x2", property, wide[0], make), tested("f64x2", property, wide[1], make)]);
};

/** Infinity and the smallest normal number. */
const bounds = {
  f32x4: (make: VectorMaker) => [make.all32(0x7f80_0000), make.all32(0x0080_0000)] as const,
  f64x2: (make: VectorMaker) => [make.all64(code64(Infinity)), make.all64(code64(2 ** -1022))] as const,
};

function tested(shape: "f32x4" | "f64x2", property: Property, a: Vector, make: VectorMaker): Vector {
  const is = (name: "eq" | "ne" | "lt", x: Vector, y: Vector): Vector =>
    make.op(`${shape}.${name}` satisfies PureInstruction, x, y);
  const size = make.op(`${shape}.abs`, a);
  const [infinity, normal] = bounds[shape](make);
  const subnormal = (): Vector => make.and(is("lt", make.all32(0), size), is("lt", size, normal));
  switch (property) {
    case "finite":
      return is("lt", size, infinity);
    case "infinite":
      return is("eq", size, infinity);
    case "number":
      return is("eq", a, a);
    case "notanumber":
      return is("ne", a, a);
    case "subnormal":
      return subnormal();
    case "normal":
      // A zero counts as normal.
      return make.op("v128.andnot", is("lt", size, infinity), subnormal());
  }
}
