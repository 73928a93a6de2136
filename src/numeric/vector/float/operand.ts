import { f32, f64 } from "../../format/format.ts";
import { type FloatOperand, floatOperand } from "../../lower/operand.ts";
import type { Expression } from "../../operation/expression.ts";
import type { Argument } from "../../operation/operation.ts";
import type { VectorMaker } from "../maker.ts";
import type { LowerPart } from "../rule.ts";
import { isWide, type Value, type Vector, type Wide } from "../vector.ts";
import { anyNan32, anyNan64 } from "./canonical.ts";

/** What an expression is read with. */
export interface Reading {
  readonly takes: readonly Argument[];
  readonly operands: readonly Value[];
  readonly make: VectorMaker;
  readonly lower: LowerPart;
}

/** The sign of an f32, and that of an f64. */
export const SIGN32 = 0x8000_0000;
export const SIGN64 = 1n << 63n;

/** An operand of f32 as an expression reads it, its sign and `.ftz` included; the bits of a NaN are unspecified. */
export function operand32(x: Expression, { takes, operands, make }: Reading): Vector | undefined {
  const operand = floatOperand(x, takes);
  const value = operand && operands[operand.at];
  if (operand?.format !== f32 || value === undefined || isWide(value)) return undefined;
  const number = anyNan32(value);
  return signed(operand, operand.flush ? flush32(number, make) : number, make.all32(SIGN32), make);
}

/** The same of f64, of which no form has `.ftz`. */
export function operand64(x: Expression, { takes, operands, make }: Reading): Wide | undefined {
  const operand = floatOperand(x, takes);
  const value = operand && operands[operand.at];
  if (operand?.format !== f64 || operand.flush || value === undefined || !isWide(value)) return undefined;
  const sign = make.all64(SIGN64);
  const [first, second] = anyNan64(value);
  return [signed(operand, first, sign, make), signed(operand, second, sign, make)];
}

function signed({ sign }: FloatOperand, of: Vector, mask: Vector, make: VectorMaker): Vector {
  switch (sign) {
    case "kept":
      return of;
    case "turned":
      return make.xor(of, mask);
    case "plus":
      return make.op("v128.andnot", of, mask);
    case "minus":
      return make.or(of, mask);
  }
}

const EXPONENT = 0x7f80_0000;

/** The results of `flush32`, which need not be flushed again. */
const flushed = new WeakSet<Vector>();

/** `.ftz`: a subnormal becomes a zero of its sign. */
export function flush32(of: Vector, make: VectorMaker): Vector {
  if (flushed.has(of.node === "rarely" ? of.usual : of)) return of;
  const small = make.op("i32x4.eq", make.and(of, make.all32(EXPONENT)), make.all32(0));
  const result = make.op("v128.andnot", of, make.shift("i32x4.shr_u", small, 1));
  flushed.add(result);
  return result;
}
