import { problem } from "../../../../src/host/problem.ts";
import { integerWidths } from "../../../../src/numeric/operation/type.ts";
import type { Diagnostic } from "../../../../src/source/diagnostic.ts";
import { evaluate, type Surroundings, span } from "./evaluate.ts";
import type { ReplExpression } from "./expression.ts";
import { type LinePart, Refusal, spanOf } from "./refusal.ts";
import { exactOf, floatOf, widthIn } from "./value.ts";

/** `0 > x` is `x < 0`. */
const mirrored: ReadonlyMap<string, string> = new Map([
  ["<", ">"],
  ["<=", ">="],
  [">", "<"],
  [">=", "<="],
  ["==", "=="],
  ["!=", "!="],
]);

/**
 * A warning for each comparison with a constant that the type of the other side decides, whatever its value is: `%r1 < 0` of a
 * .b32 register, whose bits are an unsigned number here.
 */
export function decidedComparisons(expression: ReplExpression, part: LinePart, around: Surroundings): Diagnostic[] {
  if (expression.kind === "binary" && mirrored.has(expression.operator)) {
    const { operator, left, right } = expression;
    const found = isConstant(right)
      ? decided(left, operator, right, part, around)
      : isConstant(left)
        ? decided(right, mirrored.get(operator) ?? operator, left, part, around)
        : undefined;
    if (found !== undefined) return [found];
  }
  return partsOf(expression).flatMap((each) => decidedComparisons(each, part, around));
}

function partsOf(expression: ReplExpression): readonly ReplExpression[] {
  switch (expression.kind) {
    case "binary":
      return [expression.left, expression.right];
    case "choice":
      return [expression.condition, expression.yes, expression.no];
    case "unary":
    case "reading":
      return [expression.operand];
    default:
      return [];
  }
}

const isConstant = (expression: ReplExpression): boolean =>
  expression.kind === "number" ||
  ((expression.kind === "unary" || expression.kind === "binary") && partsOf(expression).every(isConstant));

function decided(
  subject: ReplExpression,
  operator: string,
  constant: ReplExpression,
  part: LinePart,
  around: Surroundings,
): Diagnostic | undefined {
  if (isConstant(subject)) return undefined;
  try {
    const value = evaluate(subject, part, around);
    const compared = evaluate(constant, part, around);
    const exact = exactOf(compared);
    const { type, calculated } = value;
    const width = widthIn(type);
    if (calculated || floatOf(type) !== undefined || exact.kind !== "finite" || width > 64) return undefined;
    const signed = type.startsWith("s");
    // Twice the number, and one more for a fraction, which is all that order depends on.
    const size = exact.exp >= 0 ? exact.sig << BigInt(exact.exp) : exact.sig >> BigInt(-exact.exp);
    const whole = exact.exp >= 0 || size << BigInt(-exact.exp) === exact.sig;
    const magnitude = 2n * size + (whole ? 0n : 1n);
    const negative = exact.neg && magnitude !== 0n;
    const wraps = negative && whole && !signed && width === 64 && floatOf(compared.type) === undefined; // biome-ignore format: one row
    const against = wraps ? 2n * BigInt.asUintN(64, -size) : negative ? -magnitude : magnitude;
    const low = signed ? -(1n << BigInt(width)) : 0n;
    const high = 2n * ((1n << BigInt(signed ? width - 1 : width)) - 1n);
    const holds = outcome(operator, low, high, against);
    if (holds === undefined) return undefined;
    const [name, other] = [span(subject, part).text, span(constant, part).text];
    const why = signed || width === 1 ? "" : " and compares unsigned";
    const help = !signed && (integerWidths as readonly number[]).includes(width) && against <= 0n ? [{ message: `write ${name.replace(/:\w+$/, "")}:s${width}` }] : []; // biome-ignore format: one row
    const message = `${name} is .${type}${why}: ${holds ? "always" : "never"} ${operator} ${other}`;
    return problem("PTX2403", message, { severity: "warning", source: part.source, span: spanOf(part), help });
  } catch (error) {
    // What has no value yet, such as memory that the program has not reached, is asked at the stop.
    if (!(error instanceof Refusal)) throw error;
    return undefined;
  }
}

/** Whether a comparison holds for all numbers from `low` to `high`, or for none; undefined where it depends. */
function outcome(operator: string, low: bigint, high: bigint, against: bigint): boolean | undefined {
  switch (operator) {
    case "<":
      return high < against ? true : low >= against ? false : undefined;
    case "<=":
      return high <= against ? true : low > against ? false : undefined;
    case ">":
      return low > against ? true : high <= against ? false : undefined;
    case ">=":
      return low >= against ? true : high < against ? false : undefined;
    default: {
      const outside = against < low || against > high;
      return outside ? operator === "!=" : undefined;
    }
  }
}
