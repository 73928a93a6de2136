import { floatOperand } from "../../lower/operand.ts";
import { isSignedType, rangeOf, type TypeName, widthOf } from "../../operation/type.ts";
import { promoted } from "../float/widen.ts";
import type { VectorMaker } from "../maker.ts";
import type { VectorRule } from "../rule.ts";
import type { Scalar, Value, Vector, Wide } from "../vector.ts";
import { type Real, realOf } from "./real.ts";
import { integral, wholeOf } from "./to-float.ts";

/** A float rounded to an integer, into an integer type. Of a NaN it is never asked; it gives 0. */
export const toInteger: VectorRule = ({ takes, result }, operands, make) => {
  if (result.into !== "clamp") return undefined;
  const [of, rnd] = wholeOf(result.of);
  const real = rnd && realOf(of, takes, operands, make);
  if (rnd === undefined || real === undefined) return undefined;
  // What cuts to an integer anyway needs no rounding toward zero first.
  const whole = rnd === "rz" ? real : integral(real, rnd, make);
  if (whole === undefined) return undefined;
  return widthOf(result.type) === 64 ? long(whole, result.type, make) : short(whole, result.type, make);
};

/** The same with 0 for a NaN, which is what WebAssembly gives; other constants are a choice. */
export const toIntegerOrNan: VectorRule = (operation, operands, _, lower) => {
  const { takes, gives, result } = operation;
  if (result.into !== "choose" || result.when.node !== "is" || result.when.property !== "notanumber") return undefined;
  const { yes, no } = result;
  if (yes.into !== "wrap" || yes.of.node !== "integer" || yes.of.value !== 0n || no.into !== "clamp") return undefined;
  const asked = floatOperand(result.when.a, takes);
  const [of] = wholeOf(no.of);
  return asked && asked.at === floatOperand(of, takes)?.at ? lower({ takes, gives, result: no }, operands) : undefined;
};

function short(real: Real, type: TypeName, make: VectorMaker): Vector {
  const width = widthOf(type);
  const signed = isSignedType(type);
  // For a narrow type any 32 bits will do before they are clamped.
  const sign = signed || width < 32 ? "s" : "u";
  const word =
    real.in === "f32"
      ? make.op(`i32x4.trunc_sat_f32x4_${sign}`, real.of)
      : make.pick(
          make.op(`i32x4.trunc_sat_f64x2_${sign}_zero`, real.of[0]),
          make.op(`i32x4.trunc_sat_f64x2_${sign}_zero`, real.of[1]),
          0,
          1,
          4,
          5,
        );
  if (width === 32) return word;
  const [least, most] = rangeOf(type).map((bound) => make.all32(Number(bound))) as [Vector, Vector];
  const clamped = make.op("i32x4.min_s", make.op("i32x4.max_s", word, least), most);
  return signed ? make.and(clamped, make.all32(2 ** width - 1)) : clamped;
}

function long(real: Real, type: TypeName, make: VectorMaker): Value {
  const numbers = real.in === "f32" ? promoted(real.of, make) : real.of;
  const run: Scalar = {
    code: "op",
    name: "f64.reinterpret_i64",
    parts: [
      {
        code: "op",
        name: isSignedType(type) ? "i64.trunc_sat_f64_s" : "i64.trunc_sat_f64_u",
        parts: [{ code: "part", at: 0 }],
      },
    ],
  };
  return numbers.map((half) => make.lanes("f64x2", run, half)) as unknown as Wide;
}
