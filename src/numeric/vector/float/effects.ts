import type { RoundResult } from "../../operation/expression.ts";
import type { VectorMaker } from "../maker.ts";
import type { Vector } from "../vector.ts";
import { canonical32 } from "./canonical.ts";

const ONE = 0x3f80_0000;

/** What the modifiers make of numbers of f32, and of NaNs. Into [+0, 1] with `.sat`, where NaN is +0; not below +0 with `.relu`. */
export function restricted32(of: Vector, { sat, relu }: Pick<RoundResult, "sat" | "relu">, make: VectorMaker): Vector {
  // `pmax` gives its first operand unless the second is greater: for a NaN and for -0, too.
  if (sat) return make.op("f32x4.pmin", make.all32(ONE), make.op("f32x4.pmax", make.all32(0), of));
  const one = canonical32(of, make);
  return relu ? make.op("i32x4.max_s", one, make.all32(0)) : one;
}
