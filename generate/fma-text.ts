import type { Expression } from "../src/numeric/operation/expression.ts";
import type { Operation } from "../src/numeric/operation/operation.ts";
import type { LaneSource } from "./source.ts";
import { factorsOf, numberOrNan, operandText } from "./value-text.ts";

type Lines = readonly string[];

/** The operands as the operation's own function takes them. */
export const operandBits = ({ takes }: Operation, source: LaneSource): string =>
  takes.map((_, at) => source.element("r", at)).join(", ");

function parts(x: Expression, operation: Operation, source: LaneSource, format: "f32" | "f64") {
  const texts = factorsOf(x)?.map((part) => operandText(part, operation, source, format));
  const [a, b, c] = texts ?? [];
  return a && b && c ? ([a, b, c] as const) : undefined;
}

/**
 * The product of singles is exact in double, and the sum is rounded there first. That does harm only when it comes to
 * lie halfway between two singles, having lost an `error` that says on which side of the half it was. A half has 25
 * bits: Veltkamp's split leaves no `rest` of it, and otherwise one of at least a unit of the sum's last place, which no
 * error reaches. So one comparison tells the sums that can be rounded again; the operation itself decides the others,
 * and what is not finite.
 */
export function singleFma(x: Expression, operation: Operation, source: LaneSource): Lines | undefined {
  const sum = safeSum(x, operation, source);
  if (sum === undefined) return undefined;
  const run = `${source.view("r")}[to + lane] = run(${operandBits(operation, source)});`;
  return [`if (${sum.safe}) ${source.view("f")}[to + lane] = ${sum.value};`, `else ${run}`];
}

/** A fused sum in double, and when it can be rounded again. */
export function safeSum(
  x: Expression,
  operation: Operation,
  source: LaneSource,
): { readonly value: string; readonly safe: string } | undefined {
  const texts = parts(x, operation, source, "f32");
  if (texts === undefined) return undefined;
  const product = source.name(`${texts[0]} * ${texts[1]}`);
  const addend = source.name(texts[2]);
  const sum = source.name(`${product} + ${addend}`);
  const back = source.name(`${sum} - ${product}`);
  const error = source.name(`${product} - (${sum} - ${back}) + (${addend} - ${back})`);
  const wide = source.name(`${sum} * ${0x1000_0001}`);
  const rest = source.name(`${wide} - (${wide} - ${sum}) - ${sum}`);
  return { value: sum, safe: `Math.abs(${rest}) >= Math.abs(${error})` };
}

/** A fused sum of singles in double, rounded to odd: whatever rounding follows is the only one that shows. */
export function oddFma(x: Expression, operation: Operation, source: LaneSource): string | undefined {
  const texts = parts(x, operation, source, "f32");
  return texts && `${source.use("oddSum")}(${texts[0]} * ${texts[1]}, ${texts[2]})`;
}

/**
 * Product and sum are kept exact as three doubles, as fmaDouble does it. The lower two are added first, and `lost` is
 * what that takes away: the lowest is never above half the middle one, unless that is 0. It does harm only where their
 * sum, `rest`, comes to lie halfway between two neighbours of `high`; there it is a multiple of the last place of
 * `high / 2`. fmaDouble decides those, and whatever overflows, is no number or loses bits below 2^-1074.
 */
export function doubleFma(expression: Expression, operation: Operation, source: LaneSource): Lines | undefined {
  const texts = parts(expression, operation, source, "f64");
  if (texts === undefined) return undefined;
  const [x, y, z] = texts.map((text) => source.name(text)) as [string, string, string];
  const [productError, sumError] = [source.use("productError"), source.use("sumError")];
  const product = source.name(`${x} * ${y}`);
  const error = source.name(`${productError}(${x}, ${y}, ${product})`);
  const low = source.name(`${z} + ${error}`);
  const high = source.name(`${product} + ${low}`);
  const middle = source.name(`${sumError}(${product}, ${low}, ${high})`);
  const lowest = source.name(`${sumError}(${z}, ${error}, ${low})`);
  const rest = source.name(`${middle} + ${lowest}`);
  const lost = source.name(`${lowest} - (${rest} - ${middle})`);
  const half = source.name(`${high} * 0.5`);
  const plain = `(${lost} === 0 || Math.abs(${half} + ${rest} - ${half} - ${rest}) > 0) && Math.abs(${product}) >= ${source.use("LEAST")}`;
  const to = `${source.view("d")}[to + lane]`;
  const other = [`const sum = ${source.use("fmaDouble")}(${x}, ${y}, ${z});`, ...numberOrNan("sum", "f64", source)];
  return [`if (${plain}) ${to} = ${high} + ${rest}; else { ${other.join(" ")} }`];
}
