import type { BinaryOperator } from "../../parser/ast.ts";
import { doubleBits, doubleOf, isNaN64, U64 } from "./literal.ts";
import type { Float, Integer } from "./value.ts";

type Failure = "integers only" | "division by zero";

/** `left operator right` for two constants of one kind: 64-bit integers or doubles (PTX ISA 4.5.3 to 4.5.5). */
export function arithmetic(
  operator: BinaryOperator,
  left: Integer | Float,
  right: Integer | Float,
): Integer | Float | Failure {
  if (left.kind === "integer" && right.kind === "integer") return onIntegers(operator, left, right);
  return onDoubles(operator, left as Float, right as Float);
}

/** Usual conversions: the operation is unsigned when one operand is. */
function onIntegers(operator: BinaryOperator, left: Integer, right: Integer): Integer | Failure {
  const signed = left.signed && right.signed;
  const a = BigInt.asIntN(64, left.value);
  const b = BigInt.asIntN(64, right.value);
  const x = signed ? a : left.value;
  const y = signed ? b : right.value;
  const made = (value: bigint, as = signed): Integer => ({ kind: "integer", value: value & U64, signed: as });
  const truth = (holds: boolean): Integer => made(holds ? 1n : 0n, true);
  switch (operator) {
    case "*":
      return made(x * y);
    case "/":
      return y === 0n ? "division by zero" : made(x / y);
    case "%":
      // Both operands as .u64, whatever they are (4.5.5): 7 % -3 is 7.
      return right.value === 0n ? "division by zero" : made(left.value % right.value, false);
    case "+":
      return made(x + y);
    case "-":
      return made(x - y);
    case "<<":
      // ptxas takes the amount modulo 64, and the result's type from the left.
      return made(left.value << (right.value & 63n), left.signed);
    case ">>":
      return made((left.signed ? a : left.value) >> (right.value & 63n), left.signed);
    case "<":
      return truth(x < y);
    case "<=":
      return truth(x <= y);
    case ">":
      return truth(x > y);
    case ">=":
      return truth(x >= y);
    case "==":
      return truth(x === y);
    case "!=":
      return truth(x !== y);
    case "&":
      return made(x & y);
    case "^":
      return made(x ^ y);
    case "|":
      return made(x | y);
    case "&&":
      return truth(x !== 0n && y !== 0n);
    case "||":
      return truth(x !== 0n || y !== 0n);
  }
}

function onDoubles(operator: BinaryOperator, left: Float, right: Float): Integer | Float | Failure {
  const a = doubleOf(left.bits);
  const b = doubleOf(right.bits);
  const truth = (holds: boolean): Integer => ({ kind: "integer", value: holds ? 1n : 0n, signed: true });
  switch (operator) {
    case "+":
      return double(a + b, left, right);
    case "-":
      return double(a - b, left, right);
    case "*":
      return double(a * b, left, right);
    case "/":
      return b === 0 ? "division by zero" : double(a / b, left, right);
    case "<":
      return truth(a < b);
    case "<=":
      return truth(a <= b);
    case ">":
      return truth(a > b);
    case ">=":
      return truth(a >= b);
    case "==":
      return truth(a === b);
    case "!=":
      return truth(a !== b);
    default:
      return "integers only";
  }
}

/** A NaN operand goes through, made quiet; an invalid operation gives the default NaN of ptxas's host, which is negative. */
function double(value: number, left: Float, right: Float): Float {
  const nan = isNaN64(left.bits) ? left.bits : isNaN64(right.bits) ? right.bits : 0xfff8_0000_0000_0000n;
  const bits = Number.isNaN(value) ? nan | 0x0008_0000_0000_0000n : doubleBits(value);
  return { kind: "float", bits, width: 64 };
}
