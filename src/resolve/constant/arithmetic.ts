import { isZero, round, unpack } from "../../numeric/exact/exact.ts";
import { f64 } from "../../numeric/format/format.ts";
import type { BinaryOperator } from "../../parser/ast.ts";
import { type Integer64, onFloats, onIntegers } from "./c-operators.ts";
import { isNaN64 } from "./literal.ts";
import type { FloatConstant, IntegerConstant } from "./value.ts";

type Failure = "integers only" | "division by zero";

/** `left operator right` for two constants of one kind: 64-bit integers or doubles (PTX ISA 4.5.3 to 4.5.5). */
export function arithmetic(
  operator: BinaryOperator,
  left: IntegerConstant | FloatConstant,
  right: IntegerConstant | FloatConstant,
): IntegerConstant | FloatConstant | Failure {
  if (left.kind === "integer" && right.kind === "integer") return ofIntegers(operator, left, right);
  return ofDoubles(operator, left as FloatConstant, right as FloatConstant);
}

const truth = (holds: boolean): IntegerConstant => ({ kind: "integer", value: holds ? 1n : 0n, signed: true });

/**
 * C's operators, with two exceptions: `%` takes both operands as .u64 (4.5.5), and ptxas takes a shift's amount modulo
 * 64.
 */
function ofIntegers(
  operator: BinaryOperator,
  left: IntegerConstant,
  right: IntegerConstant,
): IntegerConstant | Failure {
  const unsigned = ({ value }: Integer64): Integer64 => ({ value, signed: false });
  const [x, y] =
    operator === "%"
      ? [unsigned(left), unsigned(right)]
      : [left, operator === "<<" || operator === ">>" ? { ...right, value: right.value & 63n } : right];
  const made = onIntegers(operator, x, y);
  if (made === undefined) return "division by zero";
  return typeof made === "boolean" ? truth(made) : { kind: "integer", ...made };
}

function ofDoubles(
  operator: BinaryOperator,
  left: FloatConstant,
  right: FloatConstant,
): IntegerConstant | FloatConstant | Failure {
  const divisor = unpack(f64, right.bits);
  if (operator === "%") return "integers only";
  if (operator === "/" && isZero(divisor)) return "division by zero";
  const made = onFloats(operator, unpack(f64, left.bits), divisor);
  if (made === undefined) return "integers only";
  if (typeof made === "boolean") return truth(made);
  const bits = made.kind === "nan" ? nanOf(left, right) : round(f64, "rn", made);
  return { kind: "float", bits, width: 64 };
}

/** A NaN operand goes through, made quiet; an invalid operation gives the default NaN of ptxas's host, which is negative. */
function nanOf(left: FloatConstant, right: FloatConstant): bigint {
  const nan = isNaN64(left.bits) ? left.bits : isNaN64(right.bits) ? right.bits : 0xfff8_0000_0000_0000n;
  return nan | 0x0008_0000_0000_0000n;
}
