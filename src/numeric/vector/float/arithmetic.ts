import { f32 } from "../../format/format.ts";
import { type ArithmeticShape, arithmeticShape } from "../../lower/shape.ts";
import { formatOf } from "../../operation/type.ts";
import type { VectorMaker } from "../maker.ts";
import type { VectorRule } from "../rule.ts";
import type { Vector } from "../vector.ts";
import { canonical32 } from "./canonical.ts";
import { fma32 } from "./fma32.ts";
import { read32 } from "./operand.ts";

/** One operation of IEEE 754 on f32, rounded once. */
export const arithmetic32: VectorRule = ({ takes, result }, operands, make) => {
  if (result.into !== "round" || result.rnd !== "rn" || result.satfinite) return undefined;
  if (formatOf(result.format) !== f32 || result.ftz || result.sat || result.relu) return undefined;
  const shape = arithmeticShape(result.of);
  const parts = shape?.operands.map((x) => read32(x, takes, operands, make));
  if (shape === undefined || !parts?.every((part) => part !== undefined)) return undefined;
  return canonical32(nearest(shape.does, parts, make), make);
};

const one = 0x3f80_0000;

function nearest(does: ArithmeticShape["does"], [a, b, c]: readonly Vector[], make: VectorMaker): Vector {
  switch (does) {
    case "fma":
      return fma32(a!, b!, c!, make);
    case "rcp":
      return make.op("f32x4.div", make.all32(one), a!);
    case "sqrt":
      return make.op("f32x4.sqrt", a!);
    default:
      return make.op(`f32x4.${does}`, a!, b!);
  }
}
