import { floatOperand } from "../src/numeric/lower/operand.ts";
import type { Expression } from "../src/numeric/operation/expression.ts";
import type { Operation } from "../src/numeric/operation/operation.ts";
import { formatOf } from "../src/numeric/operation/type.ts";
import type { LaneSource } from "./source.ts";

const operators = { add: "+", sub: "-", mul: "*", div: "/" } as const;
const wholes: Readonly<Record<string, string>> = { rz: "Math.trunc", rm: "Math.floor", rp: "Math.ceil" };

/**
 * The value of an expression in binary64, to be rounded into `to`. Of one operation on operands of f32 it is right to
 * round it again into f32: a double has more than twice as many bits (2 * 24 + 2), which does for quotients and roots
 * too (numeric/binary64/fast.ts).
 */
export function valueText(
  x: Expression,
  operation: Operation,
  source: LaneSource,
  to: "f32" | "f64",
): string | undefined {
  switch (x.node) {
    case "label":
      return valueText(x.a, operation, source, to);
    case "add":
    case "sub":
    case "mul":
    case "div": {
      const one = x.node === "div" && x.a.node === "integer" && x.a.value === 1n;
      const [a, b] = [one ? "1" : operandText(x.a, operation, source, to), operandText(x.b, operation, source, to)];
      return a && b && `${a} ${operators[x.node]} ${b}`;
    }
    case "sqrt": {
      const a = operandText(x.a, operation, source, to);
      return a && `Math.sqrt(${a})`;
    }
    case "integral": {
      const whole = wholes[x.rnd];
      const a = whole && operandText(x.a, operation, source, to);
      return a && `${whole}(${a})`;
    }
    default:
      return convertedText(x, operation, source, to);
  }
}

/** An operand of the format itself. */
export function operandText(
  x: Expression,
  operation: Operation,
  source: LaneSource,
  format: "f32" | "f64",
): string | undefined {
  return floatOperand(x, operation.takes)?.type === format ? floatText(x, operation, source) : undefined;
}

/** An operand of f32 or f64, flushed and with its sign. */
function floatText(x: Expression, { takes }: Operation, source: LaneSource): string | undefined {
  const operand = floatOperand(x, takes);
  if (operand === undefined || (operand.type !== "f32" && operand.type !== "f64")) return undefined;
  if (operand.flush && operand.type === "f64") return undefined;
  const element = source.element(operand.type === "f32" ? "f" : "d", operand.at);
  const text = operand.flush ? `${source.use("flushed")}(${element})` : element;
  switch (operand.sign) {
    case "kept":
      return text;
    case "turned":
      return `-${text}`;
    case "plus":
      return `Math.abs(${text})`;
    case "minus":
      return `-Math.abs(${text})`;
  }
}

/** A number of another type, which binary64 holds; of 64-bit integers what rounds to the same. */
function convertedText(x: Expression, operation: Operation, source: LaneSource, to: "f32" | "f64"): string | undefined {
  const float = floatOperand(x, operation.takes);
  if (float?.type === "f16" && !float.flush && float.sign === "kept") {
    source.bound.set("values", `${source.use("valuesOf")}(${source.use("f16")})`);
    return `values[${source.element("r", float.at)}]!`;
  }
  if (float !== undefined) return floatText(x, operation, source);
  if (x.node !== "argument") return undefined;
  const at = operation.takes.findIndex(({ name }) => name === x.name);
  switch (operation.takes[at]?.type) {
    case "s32":
      return source.element("s", at);
    case "u16":
    case "u32":
      return source.element("r", at);
    case "s64":
    case "u64": {
      const signed = operation.takes[at]?.type === "s64";
      const [high, low] = [signed ? source.word(at, true) : `(${source.word(at, true)} >>> 0)`, source.word(at, false)];
      // Both words are exact in a double, and one addition rounds.
      return to === "f32" ? `${source.use("oddDouble")}(${high}, ${low})` : `${high} * ${2 ** 32} + (${low} >>> 0)`;
    }
    default:
      return undefined;
  }
}

/** The factors and the addend of a fused product and sum. */
export function factorsOf(x: Expression): readonly [a: Expression, b: Expression, c: Expression] | undefined {
  if (x.node === "label") return factorsOf(x.a);
  if (x.node === "add" && x.a.node === "mul") return [x.a.a, x.a.b, x.b];
  if (x.node === "add" && x.b.node === "mul") return [x.b.a, x.b.b, x.a];
  return x.node === "sub" && x.a.node === "mul" ? [x.a.a, x.a.b, { node: "neg", a: x.b }] : undefined;
}

/**
 * A number, or the NaN that an operation generates (PTX ISA, Floating Point): the host would pass an operand's payload
 * on.
 */
export function numberOrNan(value: string, format: "f32" | "f64", source: LaneSource): readonly string[] {
  const { nan } = formatOf(format);
  const [bits, literal, numbers] =
    format === "f32" ? [source.view("s"), `${nan}`, source.view("f")] : [source.view("q"), `${nan}n`, source.view("d")];
  return [`if (Number.isNaN(${value})) ${bits}[to + lane] = ${literal};`, `else ${numbers}[to + lane] = ${value};`];
}
