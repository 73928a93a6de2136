import type { Expression, RoundResult } from "../src/numeric/operation/expression.ts";
import type { Operation } from "../src/numeric/operation/operation.ts";
import { oddFma, operandBits, safeSum } from "./fma-text.ts";
import type { LaneSource } from "./source.ts";
import { factorsOf, numberOrNan, operandText, valueText } from "./value-text.ts";

type Lines = readonly string[];

const NORMAL = "1.1754943508222875e-38"; // 2^-126, the smallest normal number

/** A value in binary64 rounded into f32 as a modifier says. */
export function singleText(result: RoundResult, operation: Operation, source: LaneSource): Lines | undefined {
  const { rnd, ftz } = result;
  if (rnd !== "rn" && rnd !== "rz" && rnd !== "rm" && rnd !== "rp") return undefined;
  const found = sumOf(result.of, rnd, operation, source);
  if (found === undefined) return undefined;
  const { value, safe, sum } = found;
  if (rnd === "rn" && !ftz) {
    if (safe !== undefined) return undefined;
    return numberOrNan(value, "f32", source);
  }
  if (!operation.takes.every(({ type }) => type === "f32")) return undefined;
  const f = source.view("f");
  const ask = `${source.view("r")}[to + lane] = run(${operandBits(operation, source)});`;
  // Toward -inf a sum that is exactly 0 is -0, unless both are +0 (IEEE 754, 6.3): the operation itself decides.
  const plain = [ftz ? `Math.abs(${value}) >= ${NORMAL}` : `!Number.isNaN(${value})`, safe].filter((test) => test);
  const negativeZero = rnd === "rm" && sum;
  if (negativeZero && !ftz) plain.push(`${value} !== 0`);
  const put = `{ ${f}[to + lane] = ${value}; ${adjusted(rnd, value, source)} }`;
  if (!ftz) return [`if (${plain.join(" && ")}) ${put}`, `else ${ask}`];
  // Where rounding might reach the smallest normal number the operation decides; below, it is a zero of its sign.
  const tiny = [`Math.abs(${value}) < ${2 ** -126 - 2 ** -149}`, negativeZero && `${value} !== 0`].filter(
    (test) => test,
  );
  return [
    `if (${plain.join(" && ")}) ${put}`,
    `else if (${tiny.join(" && ")}) ${f}[to + lane] = ${value} * 0;`,
    `else ${ask}`,
  ];
}

/** The value before it is rounded, and where it may be rounded again, if not everywhere. */
function sumOf(
  x: Expression,
  rnd: RoundResult["rnd"],
  operation: Operation,
  source: LaneSource,
): { readonly value: string; readonly safe?: string; readonly sum: boolean } | undefined {
  if (factorsOf(x) !== undefined) {
    if (rnd === "rn") {
      const found = safeSum(x, operation, source);
      return found && { ...found, sum: true };
    }
    const sum = oddFma(x, operation, source);
    return sum === undefined ? undefined : { value: source.name(sum), sum: true };
  }
  const text = rnd === "rn" ? valueText(x, operation, source, "f32") : directedText(x, operation, source);
  return text === undefined ? undefined : { value: source.name(text), sum: isSum(x) };
}

const isSum = (x: Expression): boolean => (x.node === "label" ? isSum(x.a) : x.node === "add" || x.node === "sub");

/** Quotients, roots and products as for rn; a sum of f32 may need more bits than a double has, and is rounded to odd. */
function directedText(x: Expression, operation: Operation, source: LaneSource): string | undefined {
  if (x.node !== "add" && x.node !== "sub") return valueText(x, operation, source, "f32");
  const [a, b] = [operandText(x.a, operation, source, "f32"), operandText(x.b, operation, source, "f32")];
  return a && b && `${source.use("oddSum")}(${a}, ${x.node === "sub" ? "-" : ""}${b})`;
}

/**
 * A number rounded to nearest, moved by one place if it is on the wrong side. Codes of f32 rise with the magnitude,
 * from a zero of either sign to infinity.
 */
function adjusted(rnd: "rn" | "rz" | "rm" | "rp", value: string, source: LaneSource): string {
  if (rnd === "rn") return "";
  const [made, code] = [`${source.view("f")}[to + lane]!`, `${source.view("s")}[to + lane]!`];
  switch (rnd) {
    case "rz":
      return `if (Math.abs(${made}) > Math.abs(${value})) ${code}--;`;
    case "rm":
      return `if (${made} > ${value}) ${code} += ${value} > 0 ? -1 : 1;`;
    case "rp":
      return `if (${made} < ${value}) ${code} += ${value} < 0 ? -1 : 1;`;
  }
}
