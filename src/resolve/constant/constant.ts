import { isZero, round, unpack } from "../../numeric/exact/exact.ts";
import { f64 } from "../../numeric/format/format.ts";
import type * as ast from "../../parser/ast.ts";
import type { BinaryOperator } from "../../parser/ast.ts";
import type { Code } from "../../source/codes/index.ts";
import type { Span } from "../../source/source.ts";
import { type Report, reject } from "../report.ts";
import { type Integer64, onFloats, onIntegers } from "./c-operators.ts";
import { floatLiteral, integerLiteral, isNaN64, U64 } from "./literal.ts";
import type { ConstantValue, FloatConstant, IntegerConstant } from "./value.ts";

type Failure = "integers only" | "division by zero";

/** `left operator right` for two constants of one kind: 64-bit integers or doubles (PTX ISA 4.5.3 to 4.5.5). */
function arithmetic(
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

/** The report for problems. */
export type ConstantContext = Report;

/**
 * The value of a constant expression, with C's precedence and the conversions of PTX ISA 4.5.5; undefined after a
 * diagnostic (PTX16xx). A name other than WARP_SZ gives an address; the caller decides whether it is allowed.
 */
export function evaluate(expr: ast.Expr, context: ConstantContext): ConstantValue | undefined {
  // The tree of a chain such as 1+1+1+... is as deep on its left side as the input is long, so that side is a loop.
  const spine: Extract<ast.Expr, { kind: "binary" }>[] = [];
  let first = expr;
  while (first.kind === "binary") {
    spine.push(first);
    first = first.left;
  }
  let value = term(first, context);
  for (let node = spine.pop(); node !== undefined; node = spine.pop()) {
    const right = evaluate(node.right, context);
    value = value && right && binary(node, value, right, context);
  }
  return value;
}

/** The value of a literal without a sign; undefined for one that is out of range, which is not reported. */
export function numberOf(kind: "integer" | "float", text: string): IntegerConstant | FloatConstant | undefined {
  if (kind === "float") {
    const float = floatLiteral(text);
    return float && { kind, bits: float.bits, width: float.width };
  }
  const integer = integerLiteral(text);
  return integer && { kind, value: integer.value, signed: integer.signed };
}

/** `evaluate` where only an integer is valid; returns its 64 bits as an unsigned number. */
export function evaluateInteger(expr: ast.Expr, context: ConstantContext): bigint | undefined {
  const value = evaluate(expr, context);
  if (value === undefined || value.kind === "integer") return value?.value;
  problem(context, "PTX1605", expr, `${article(value)} is used where an integer is needed`, "an integer constant");
  return undefined;
}

/** 64 bits read as a signed number. */
export const asSigned = (value: bigint): bigint => BigInt.asIntN(64, value);

type Of<K extends ast.Expr["kind"]> = Extract<ast.Expr, { kind: K }>;

function term(expr: Exclude<ast.Expr, Of<"binary">>, context: ConstantContext): ConstantValue | undefined {
  switch (expr.kind) {
    case "integer":
      return integer(expr, context);
    case "float":
      return float(expr, context);
    case "symbol":
      return symbol(expr, context);
    case "unary":
      return unary(expr, context);
    case "conditional":
      return conditional(expr, context);
    case "cast":
      return cast(expr, context);
    case "apply":
      return apply(expr, context);
  }
}

function integer(expr: Of<"integer">, context: ConstantContext): ConstantValue | undefined {
  const value = integerLiteral(expr.text);
  if (value !== undefined) return { kind: "integer", ...value };
  return problem(context, "PTX1601", expr, `${expr.text} does not fit in 64 bits`, "at most 0xffffffffffffffff");
}

function float(expr: Of<"float">, context: ConstantContext): ConstantValue | undefined {
  const value = floatLiteral(expr.text);
  if (value !== undefined) return { kind: "float", ...value };
  return problem(context, "PTX1602", expr, `${expr.text} is out of range of a normal double`, undefined, {
    message: "give the bits: 0f and 8 or 0d and 16 hexadecimal digits",
  });
}

function symbol(expr: Of<"symbol">, context: ConstantContext): ConstantValue | undefined {
  if (expr.component)
    return problem(context, "PTX1608", expr, "a component of a register is not a constant", "a constant");
  if (expr.name.text === "WARP_SZ") return { kind: "integer", value: 32n, signed: true };
  return { kind: "address", name: expr.name, offset: 0n, generic: false };
}

function unary(expr: Of<"unary">, context: ConstantContext): ConstantValue | undefined {
  const operators = [expr.operator];
  let inner = expr.operand;
  for (; inner.kind === "unary"; inner = inner.operand) operators.push(inner.operator);
  if (isBareSingle(inner)) return undefined;
  let value = evaluate(inner, context);
  for (let operator = operators.pop(); operator && value; operator = operators.pop())
    value = prefixed(operator, value, expr, context);
  return value;
}

function prefixed(operator: Of<"unary">["operator"], value: ConstantValue, at: Span, context: ConstantContext) {
  if (value.kind === "address") return notArithmetic(context, at);
  if (value.kind === "float") {
    if (operator === "!" || operator === "~") return integersOnly(context, at, operator);
    if (value.width === 32) return rawBits(context, at);
    return operator === "-" ? { ...value, bits: value.bits ^ (1n << 63n) } : value;
  }
  switch (operator) {
    case "+":
      return value;
    case "-":
      return { ...value, value: -value.value & U64 };
    case "!":
      return { ...value, value: value.value === 0n ? 1n : 0n, signed: true };
    case "~":
      return { ...value, value: value.value ^ U64, signed: false };
  }
}

function binary(
  node: Of<"binary">,
  left: ConstantValue,
  right: ConstantValue,
  context: ConstantContext,
): ConstantValue | undefined {
  if (left.kind === "address") {
    if (node.operator !== "+" || right.kind !== "integer" || left.mask !== undefined)
      return notArithmetic(context, node);
    return { ...left, offset: asSigned(left.offset + right.value) };
  }
  if (right.kind === "address") return notArithmetic(context, node);
  if (isBareSingle(node.left) || isBareSingle(node.right)) return undefined;
  if (left.kind !== right.kind)
    return problem(context, "PTX1604", node, `${node.operator} mixes an integer and a float`, "two of the same kind");
  if ((left.kind === "float" && left.width === 32) || (right.kind === "float" && right.width === 32))
    return rawBits(context, node);
  const result = arithmetic(node.operator, left, right);
  if (result === "integers only") return integersOnly(context, node, node.operator);
  if (result === "division by zero") return problem(context, "PTX1603", node, "division by zero", undefined);
  return result;
}

function conditional(expr: Of<"conditional">, context: ConstantContext): ConstantValue | undefined {
  let node: ast.Expr = expr;
  let chosen: ConstantValue | undefined;
  let sound = true;
  // Both branches are evaluated, as in ptxas: 1 ? 2 : 1/0 is an error.
  const arm = (at: ast.Expr): ConstantValue | undefined => {
    const value = evaluate(at, context);
    if (value && value.kind !== "integer") integersOnly(context, at, "?:");
    sound &&= value?.kind === "integer";
    return value;
  };
  while (node.kind === "conditional") {
    const test = arm(node.test);
    const then = arm(node.then);
    if (chosen === undefined && test?.kind === "integer" && test.value !== 0n) chosen = then;
    node = node.otherwise;
  }
  const last = arm(node);
  return sound ? (chosen ?? last) : undefined;
}

function cast(expr: Of<"cast">, context: ConstantContext): ConstantValue | undefined {
  const value = evaluate(expr.operand, context);
  if (expr.type.text !== "s64" && expr.type.text !== "u64")
    return problem(context, "PTX1606", expr.type, `.${expr.type.text} is not a cast`, ".s64 or .u64");
  if (value === undefined) return undefined;
  if (value.kind === "address") return notArithmetic(context, expr);
  if (value.kind === "float") return integersOnly(context, expr, "a cast");
  return { ...value, signed: expr.type.text === "s64" };
}

function apply(expr: Of<"apply">, context: ConstantContext): ConstantValue | undefined {
  const argument = evaluate(expr.argument, context);
  if (argument === undefined) return undefined;
  if (argument.kind !== "address" || argument.mask !== undefined)
    return problem(context, "PTX1608", expr.argument, "this takes the address of a variable", "a variable's name");
  if (expr.callee.kind === "symbol" && expr.callee.name.text === "generic") {
    if (argument.offset === 0n && expr.argument.kind === "symbol") return { ...argument, generic: true };
    return problem(context, "PTX1608", expr.argument, "generic() takes a name alone", "a variable's name", {
      message: "add the offset outside: generic(x)+4",
    });
  }
  const mask = evaluateInteger(expr.callee, context);
  if (mask === undefined) return undefined;
  for (let byte = 0xffn; byte <= U64; byte <<= 8n) if (mask === byte) return { ...argument, mask };
  return problem(
    context,
    "PTX1609",
    expr.callee,
    "a mask selects one byte of an address",
    "0xFF, 0xFF00, 0xFF0000 ...",
  );
}

/** `0f3f800000` without parentheses beside an operator, which the parser has reported. */
const isBareSingle = (expr: ast.Expr): boolean =>
  expr.kind === "float" && expr.end - expr.start === expr.text.length && /^0f/i.test(expr.text);

const article = ({ kind }: ConstantValue): string => (kind === "float" ? "a float" : "an address");

const integersOnly = (context: ConstantContext, at: Span, what: string): undefined =>
  problem(context, "PTX1605", at, `${what} works on integers only`, "integers");

const rawBits = (context: ConstantContext, at: Span): undefined =>
  problem(context, "PTX1607", at, "a 0f constant takes no operator", undefined, {
    message: "set the sign bit in the digits, or write the number in decimal or as 0d",
  });

const notArithmetic = (context: ConstantContext, at: Span): undefined =>
  problem(context, "PTX1608", at, "an address takes only + and an integer after it", "name+integer");

function problem(
  context: ConstantContext,
  code: Code,
  at: Span,
  message: string,
  expected: string | undefined,
  help?: { readonly message: string },
): undefined {
  return reject(context, code, at, message, {
    ...(expected === undefined ? {} : { expected }),
    ...(help === undefined ? {} : { help: [help] }),
    manual: "constant-expressions",
  });
}
