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

/** An operand of f32 as an expression reads it, its sign and `.ftz` included; what bits a NaN has is left open. */
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

/** `.ftz`: a subnormal becomes a zero of its sign. */
export function flush32(of: Vector, make: VectorMaker): Vector {
  if (isFlushed(of)) return of;
  const small = make.op("i32x4.eq", make.and(of, make.all32(EXPONENT)), make.all32(0));
  return make.op("v128.andnot", of, make.shift("i32x4.shr_u", small, 1));
}

/** Is it what `flush32` gives, or what is exact in its place? */
function isFlushed(of: Vector): boolean {
  if (of.node === "rarely") return isFlushed(of.usual);
  if (of.node !== "op" || of.name !== "v128.andnot") return false;
  const [inner, mask] = of.parts;
  if (inner === undefined || mask?.node !== "shift" || mask.name !== "i32x4.shr_u" || mask.by !== 1) return false;
  const small = mask.of;
  if (small.node !== "op" || small.name !== "i32x4.eq" || small.parts[1]?.node !== "constant") return false;
  const bits = small.parts[0];
  return bits?.node === "op" && bits.name === "v128.and" && bits.parts[0] === inner;
}
