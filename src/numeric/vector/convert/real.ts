import { f64 } from "../../format/format.ts";
import { floatOperand } from "../../lower/operand.ts";
import type { Expression } from "../../operation/expression.ts";
import type { Argument } from "../../operation/operation.ts";
import { isFloat, widthOf } from "../../operation/type.ts";
import { oddOf } from "../float/error-free.ts";
import { promoted } from "../float/widen.ts";
import { readF32 } from "../half/widen.ts";
import type { VectorMaker } from "../maker.ts";
import { isWide, type Value, type Vector, type Wide } from "../vector.ts";

/** Numbers of four lanes, exact, in f32 or in f64. */
export type Real =
  | { readonly in: "f32"; readonly of: Vector }
  /** With an error, the exact number is `of` plus that; `of` is the nearest number of f64. */
  | { readonly in: "f64"; readonly of: Wide; readonly error?: Wide };

/** An operand as an exact number: a float, or an integer. Undefined where an expression is more than that. */
export function realOf(
  x: Expression,
  takes: readonly Argument[],
  operands: readonly Value[],
  make: VectorMaker,
): Real | undefined {
  if (x.node === "label") return realOf(x.a, takes, operands, make);
  const operand = floatOperand(x, takes);
  const float = operand && operands[operand.at];
  if (operand && float && isWide(float)) {
    if (operand.format !== f64 || operand.flush) return undefined;
    return { in: "f64", of: float.map((half) => signedF64(operand.sign, half, make)) as unknown as Wide };
  }
  if (operand && float && !isWide(float)) return { in: "f32", of: readF32(operand, float, make) };
  if (x.node !== "argument") return undefined;
  const at = takes.findIndex(({ name }) => name === x.name);
  const type = takes[at]?.type;
  const value = operands[at];
  if (type === undefined || value === undefined || type === "pred" || isFloat(type)) return undefined;
  return integer(value, widthOf(type), type.startsWith("s"), make);
}

function signedF64(sign: "kept" | "turned" | "plus" | "minus", half: Vector, make: VectorMaker): Vector {
  switch (sign) {
    case "kept":
      return half;
    case "turned":
      return make.op("f64x2.neg", half);
    case "plus":
      return make.op("f64x2.abs", half);
    case "minus":
      return make.op("f64x2.neg", make.op("f64x2.abs", half));
  }
}

function integer(value: Value, width: number, signed: boolean, make: VectorMaker): Real {
  if (isWide(value)) return longInteger(value, signed, make);
  const up = 32 - width;
  if (up > 0 && signed) {
    const extended = make.shift("i32x4.shr_s", make.shift("i32x4.shl", value, up), up);
    return { in: "f32", of: make.op("f32x4.convert_i32x4_s", extended) };
  }
  // Below 2^31 the signed conversion will do, which is one instruction on many machines.
  if (up > 0) return { in: "f32", of: make.op("f32x4.convert_i32x4_s", value) };
  const convert = signed ? "f64x2.convert_low_i32x4_s" : "f64x2.convert_low_i32x4_u";
  return { in: "f64", of: [make.op(convert, value), make.op(convert, make.pick(value, value, 2, 3, 2, 3))] };
}

/** 64-bit integers: the sum of two numbers that f64 holds. */
function longInteger(value: Wide, signed: boolean, make: VectorMaker): Real {
  const sums = value.map((half): readonly [Vector, Vector] => {
    const high = make.op(
      signed ? "f64x2.convert_low_i32x4_s" : "f64x2.convert_low_i32x4_u",
      make.pick(half, half, 1, 3, 1, 3),
    );
    const upper = make.op("f64x2.mul", high, make.all64(0x41f0_0000_0000_0000n));
    const lower = make.op("f64x2.convert_low_i32x4_u", make.pick(half, half, 0, 2, 0, 2));
    const sum = make.op("f64x2.add", upper, lower);
    // Exact, since the first is a multiple of 2^32 and the second is less.
    return [sum, make.op("f64x2.sub", lower, make.op("f64x2.sub", sum, upper))];
  });
  const [first, second] = sums as [readonly [Vector, Vector], readonly [Vector, Vector]];
  return { in: "f64", of: [first[0], second[0]], error: [first[1], second[1]] };
}

/** In f64, where it is not exact rounded to odd. */
export function oddF64Of(real: Real, make: VectorMaker): Wide {
  if (real.in === "f32") return promoted(real.of, make);
  const { of, error } = real;
  return error ? [oddOf(of[0], error[0], make), oddOf(of[1], error[1], make)] : of;
}
