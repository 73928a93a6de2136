import { add, compare, div, type Exact, mul, negate } from "../../numeric/exact/exact.ts";
import type { BinaryOperator } from "../../parser/ast.ts";

/** 64 bits, two's complement, as an unsigned number; `signed` decides how it divides, shifts and compares. */
export interface Integer64 {
  readonly value: bigint;
  readonly signed: boolean;
}

/**
 * `left operator right` as C computes it on 64-bit integers, which wrap: unsigned when one operand is, but a shift goes
 * by its left operand alone. A shift by 64 or more, or by less than 0, moves all bits out. Comparisons and logical
 * operators return a boolean; a division by zero returns undefined.
 */
export function onIntegers(
  operator: BinaryOperator,
  left: Integer64,
  right: Integer64,
): Integer64 | boolean | undefined {
  const signed = left.signed && right.signed;
  const read = (value: bigint, as: boolean): bigint => (as ? BigInt.asIntN(64, value) : value);
  const made = (value: bigint, as = signed): Integer64 => ({ value: BigInt.asUintN(64, value), signed: as });
  const x = read(left.value, signed);
  const y = read(right.value, signed);
  const beyond = right.value > 63n;
  const shifted = read(left.value, left.signed);
  switch (operator) {
    case "*":
      return made(x * y);
    case "/":
      return y === 0n ? undefined : made(x / y);
    case "%":
      return y === 0n ? undefined : made(x % y);
    case "+":
      return made(x + y);
    case "-":
      return made(x - y);
    case "<<":
      return made(beyond ? 0n : shifted << right.value, left.signed);
    case ">>":
      return made(shifted >> (beyond ? 64n : right.value), left.signed);
    case "&":
      return made(x & y);
    case "^":
      return made(x ^ y);
    case "|":
      return made(x | y);
    case "&&":
      return x !== 0n && y !== 0n;
    case "||":
      return x !== 0n || y !== 0n;
    default:
      return holds(operator, x < y ? -1 : x > y ? 1 : 0);
  }
}

/**
 * `left operator right` on floating-point numbers: the exact result, for the caller to round, or a boolean for a
 * comparison. Undefined for the operators that work on integers only. `%` is C's fmod.
 */
export function onFloats(operator: BinaryOperator, left: Exact, right: Exact): Exact | boolean | undefined {
  switch (operator) {
    case "+":
      return add(left, right, "rn");
    case "-":
      return add(left, negate(right), "rn");
    case "*":
      return mul(left, right);
    case "/":
      return div(left, right);
    case "%":
      return remainder(left, right);
    case "<<":
    case ">>":
    case "&":
    case "^":
    case "|":
    case "&&":
    case "||":
      return undefined;
    default:
      return holds(operator, left.kind === "nan" || right.kind === "nan" ? undefined : compare(left, right));
  }
}

/** a - b * trunc(a / b), which every format of the operands holds exactly. */
function remainder(a: Exact, b: Exact): Exact {
  if (a.kind !== "finite" || b.kind === "nan" || (b.kind === "finite" && b.sig === 0n)) return { kind: "nan" };
  if (b.kind === "inf") return a;
  const low = Math.min(a.exp, b.exp);
  const sig = (a.sig << BigInt(a.exp - low)) % (b.sig << BigInt(b.exp - low));
  return { kind: "finite", neg: a.neg, sig, exp: low };
}

/** The result of a comparison for an order: below 0, 0 or above 0, and undefined for NaN, which is unordered. */
function holds(operator: "<" | "<=" | ">" | ">=" | "==" | "!=", order: number | undefined): boolean {
  if (order === undefined) return operator === "!=";
  switch (operator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "==":
      return order === 0;
    case "!=":
      return order !== 0;
  }
}
