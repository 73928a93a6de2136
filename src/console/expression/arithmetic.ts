import { type Exact, negate, round } from "../../numeric/exact/exact.ts";
import { type Format, f64 } from "../../numeric/format/format.ts";
import type { BinaryOperator } from "../../parser/ast.ts";
import { type Integer64, onFloats, onIntegers } from "../../resolve/constant/c-operators.ts";
import { convert, type ExpressionValue, exactOf, floatOf, holds, integer, integerOf, truth } from "./value.ts";

/** The result of an operator, or why there is none. */
export type ArithmeticResult = ExpressionValue | { readonly wrong: string };

/** A C operator on two values: integers wrap at 64 bits; with a float among them it is rounded once, to nearest even. */
export function binary(operator: BinaryOperator, a: ExpressionValue, b: ExpressionValue): ArithmeticResult {
  const format = shared(a, b);
  if (format === undefined) return whole(operator, a, b);
  const made = onFloats(operator, toFormat(a, format), toFormat(b, format));
  if (made === undefined) return { wrong: `${operator} takes integers` };
  if (typeof made === "boolean") return truth(made);
  return { bits: round(format, "rn", made), type: format.name };
}

/** `-x`, `+x`, `~x`, `!x`. */
export function unary(operator: string, a: ExpressionValue): ArithmeticResult {
  const format = floatOf(a.type);
  if (operator === "!") return truth(!holds(a));
  if (operator === "+") return a;
  if (format !== undefined) {
    if (operator === "~") return { wrong: "~ takes an integer" };
    const bits = round(format, "rn", negate(exactOf(a)));
    return { bits, type: a.type, ...(a.literal !== undefined && { literal: opposite(a.literal) }) };
  }
  const value = integerOf(a);
  const made = integer(operator === "-" ? -value : ~value, isWide(a));
  return a.literal === undefined ? made : { ...made, literal: made.bits.toString() };
}

const opposite = (literal: string): string => (literal.startsWith("-") ? literal.slice(1) : `-${literal}`);

/** The format of an operation: the wider one of two registers; a literal takes the format of the other side. */
function shared(a: ExpressionValue, b: ExpressionValue): Format | undefined {
  const [left, right] = [floatOf(a.type), floatOf(b.type)];
  if (left === undefined && right === undefined) return undefined;
  if (a.literal && b.literal) return f64;
  if (a.literal) return right ?? left;
  if (b.literal) return left ?? right;
  if (left === undefined || right === undefined) return left ?? right;
  // Neither f16 nor bf16 holds the other.
  if (left !== right && left.width === right.width) return f64;
  return left.width >= right.width ? left : right;
}

const toFormat = (value: ExpressionValue, format: Format): Exact =>
  exactOf({ bits: convert(value, format.name), type: format.name });

/** An unsigned 64-bit operand makes an operation unsigned, as in C; anything narrower fits in 64 bits with a sign. */
const isWide = ({ type, literal }: ExpressionValue): boolean => (type === "u64" || type === "b64") && !literal;

const integer64 = (value: ExpressionValue): Integer64 => ({
  value: BigInt.asUintN(64, integerOf(value)),
  signed: !isWide(value),
});

function whole(operator: BinaryOperator, a: ExpressionValue, b: ExpressionValue): ArithmeticResult {
  const made = onIntegers(operator, integer64(a), integer64(b));
  if (made === undefined) return { wrong: "this divides by zero" };
  if (typeof made === "boolean") return truth(made);
  const result = integer(made.value, !made.signed);
  if (operator !== "+" && operator !== "-") return result;
  const { space = b.space, of = b.of } = a;
  return { ...result, ...(space && { space }), ...(of && { of }) };
}
