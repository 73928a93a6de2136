import { add, div, type Exact, mul, negate, round } from "../../numeric/exact/exact.ts";
import { type Format, f64 } from "../../numeric/format/format.ts";
import { convert, exactOf, floatOf, holds, integer, integerOf, truth, type Value } from "./value.ts";

/** What two operands come to, or why they come to nothing. */
export type Outcome = Value | { readonly wrong: string };

/** A C operator on two values: integers wrap at 64 bits; with a float among them it is rounded once, to nearest even. */
export function binary(operator: string, a: Value, b: Value): Outcome {
  const format = shared(a, b);
  if (format === undefined) return whole(operator, a, b);
  const order = compare(toFormat(a, format), toFormat(b, format));
  const ordered = comparison(operator, order);
  if (ordered !== undefined) return truth(ordered);
  const exact = arithmetic(operator, toFormat(a, format), toFormat(b, format));
  if (exact === undefined) return { wrong: `${operator} takes integers` };
  return { bits: round(format, "rn", exact), type: format.name };
}

/** `-x`, `+x`, `~x`, `!x`. */
export function unary(operator: string, a: Value): Outcome {
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

/** The format that an operation is done in: the wider one of two registers'; a literal takes that of the other side. */
function shared(a: Value, b: Value): Format | undefined {
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

const toFormat = (value: Value, format: Format): Exact =>
  exactOf({ bits: convert(value, format.name), type: format.name });

function arithmetic(operator: string, a: Exact, b: Exact): Exact | undefined {
  switch (operator) {
    case "+":
      return add(a, b, "rn");
    case "-":
      return add(a, negate(b), "rn");
    case "*":
      return mul(a, b);
    case "/":
      return div(a, b);
    case "%":
      return remainder(a, b);
    default:
      return undefined;
  }
}

/** C's fmod: a - b * trunc(a / b), which every format holds exactly. */
function remainder(a: Exact, b: Exact): Exact {
  if (a.kind !== "finite" || b.kind === "nan" || (b.kind === "finite" && b.sig === 0n)) return { kind: "nan" };
  if (b.kind === "inf") return a;
  const low = Math.min(a.exp, b.exp);
  const sig = (a.sig << BigInt(a.exp - low)) % (b.sig << BigInt(b.exp - low));
  return { kind: "finite", neg: a.neg, sig, exp: low };
}

/** -1, 0 or 1; undefined when one is NaN. */
function compare(a: Exact, b: Exact): number | undefined {
  if (a.kind === "nan" || b.kind === "nan") return undefined;
  const size = (x: Exact): bigint => {
    if (x.kind === "nan") return 0n;
    if (x.kind === "inf") return 1n << 4000n;
    return x.sig << BigInt(x.exp + 1200);
  };
  const [left, right] = [a.neg ? -size(a) : size(a), b.neg ? -size(b) : size(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** What a comparison says of an order; undefined for an operator that compares nothing. */
function comparison(operator: string, order: number | undefined): boolean | undefined {
  switch (operator) {
    case "==":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order === -1;
    case "<=":
      return order !== undefined && order <= 0;
    case ">":
      return order === 1;
    case ">=":
      return order !== undefined && order >= 0;
    default:
      return undefined;
  }
}

/** A full 64 bits without a sign make an operation unsigned, as in C; anything narrower fits in 64 with one. */
const isWide = ({ type, literal }: Value): boolean => (type === "u64" || type === "b64") && !literal;

function whole(operator: string, a: Value, b: Value): Outcome {
  const unsigned = isWide(a) || isWide(b);
  const read = (value: Value): bigint =>
    unsigned ? BigInt.asUintN(64, integerOf(value)) : BigInt.asIntN(64, integerOf(value));
  const [left, right] = [read(a), read(b)];
  const ordered = comparison(operator, left < right ? -1 : left > right ? 1 : 0);
  if (ordered !== undefined) return truth(ordered);
  const { space = b.space, of = b.of } = a;
  const address = { ...(space && { space }), ...(of && { of }) };
  switch (operator) {
    case "+":
      return { ...integer(left + right, unsigned), ...address };
    case "-":
      return { ...integer(left - right, unsigned), ...address };
    case "*":
      return integer(left * right, unsigned);
    case "/":
      return right === 0n ? { wrong: "this divides by zero" } : integer(left / right, unsigned);
    case "%":
      return right === 0n ? { wrong: "this divides by zero" } : integer(left % right, unsigned);
    case "&":
      return integer(left & right, unsigned);
    case "|":
      return integer(left | right, unsigned);
    case "^":
      return integer(left ^ right, unsigned);
    case "<<":
      return integer(right < 0n || right > 63n ? 0n : left << right, unsigned);
    case ">>":
      return integer(right < 0n || right > 63n ? (left < 0n ? -1n : 0n) : left >> right, unsigned);
    default:
      throw new Error(`${operator} is no operator`);
  }
}
