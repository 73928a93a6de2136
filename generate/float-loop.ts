import { floatOperand } from "../src/numeric/lower/operand.ts";
import { pairSteps } from "../src/numeric/lower/word/narrow.ts";
import type { Expression, RoundResult } from "../src/numeric/operation/expression.ts";
import type { Operation, Result } from "../src/numeric/operation/operation.ts";
import { rangeOf, widthOf } from "../src/numeric/operation/type.ts";
import { doubleFma, singleFma } from "./fma-text.ts";
import { halvesLoop, narrowLanes } from "./half-loop.ts";
import { computeLoop, type LoopText, registerSource } from "./lane-loop.ts";
import { singleText } from "./single-text.ts";
import type { LaneSource } from "./source.ts";
import { factorsOf, numberOrNan, valueText } from "./value-text.ts";

/** The loop of an operation of floats, or one that converts from or to them; undefined where no rule knows one. */
export function floatLoop(operation: Operation): LoopText | undefined {
  const { takes, gives, result } = operation;
  if (takes.length > 3 || takes.some(({ type }) => ![16, 32, 64].includes(widthOf(type)))) return undefined;
  if (result.into === "lanes") return halvesLoop(operation) ?? narrowLanes(operation);
  if (![16, 32, 64].includes(widthOf(gives))) return undefined;
  const source = registerSource(operation);
  const body = resultText(result, operation, source);
  return body && computeLoop(operation, source, body, { twice: isPlainFma(result) });
}

/** The most frequent of all. */
const isPlainFma = (result: Result): boolean =>
  result.into === "round" &&
  result.format === "f32" &&
  result.rnd === "rn" &&
  !result.ftz &&
  factorsOf(result.of) !== undefined;

type Lines = readonly string[];

function resultText(result: Result, operation: Operation, source: LaneSource): Lines | undefined {
  switch (result.into) {
    case "round":
      return roundText(result, operation, source);
    case "choose":
      return ofNanOrNot(result, operation, source);
    default:
      return undefined;
  }
}

function roundText(result: RoundResult, operation: Operation, source: LaneSource): Lines | undefined {
  if (result.sat || result.relu || result.satfinite || result.pzo || result.approximate) return undefined;
  switch (result.format) {
    case "f32":
      return (
        extremumText(result, operation, source) ??
        signText(result, operation, source) ??
        intoSingle(result, operation, source)
      );
    case "f64":
      return extremumText(result, operation, source) ?? intoDouble(result, operation, source);
    case "f16":
    case "bf16":
      return intoHalf(result, operation, source);
    default:
      return undefined;
  }
}

function intoSingle(result: RoundResult, operation: Operation, source: LaneSource): Lines | undefined {
  if (result.rnd === "rn" && !result.ftz) {
    const fused = singleFma(result.of, operation, source);
    if (fused !== undefined) return fused;
  }
  return singleText(result, operation, source);
}

function intoDouble({ of, rnd, ftz }: RoundResult, operation: Operation, source: LaneSource): Lines | undefined {
  if (rnd !== "rn" || ftz) return undefined;
  const fused = doubleFma(of, operation, source);
  if (fused !== undefined) return fused;
  if (factorsOf(of) !== undefined) return undefined;
  const value = valueText(of, operation, source, "f64");
  return value === undefined ? undefined : numberOrNan(source.name(value), "f64", source);
}

/** A double to the bits of a narrower format, a NaN to the canonical one. */
function intoHalf({ format, of, rnd, ftz }: RoundResult, operation: Operation, source: LaneSource): Lines | undefined {
  const operand = floatOperand(of, operation.takes);
  if (rnd !== "rn" || ftz || operand === undefined || operand.type !== "f32") return undefined;
  const value = valueText(of, operation, source, "f64");
  if (value === undefined) return undefined;
  return [`${source.view("s")}[to + lane] = ${source.use(format === "f16" ? "toF16" : "toBf16")}(${value});`];
}

/** One NaN gives the other operand; -0 is below +0, which `Math.min` knows. */
function extremumText({ format, of, ftz }: RoundResult, operation: Operation, source: LaneSource): Lines | undefined {
  if ((of.node !== "min" && of.node !== "max") || of.propagate || (format !== "f32" && format !== "f64"))
    return undefined;
  if (ftz !== undefined && format === "f64") return undefined;
  const parts = [of.a, of.b].map((x) => {
    const operand = floatOperand(x, operation.takes);
    return operand?.type === format && operand.flush === (ftz ?? false) && operand.sign === "kept"
      ? valueText(x, operation, source, format)
      : undefined;
  });
  if (!parts.every((part) => part !== undefined)) return undefined;
  const [x, y] = parts.map((part) => source.name(part)) as [string, string];
  const z = source.name(`Math.${of.node}(${x}, ${y})`);
  const to = `${source.view(format === "f32" ? "f" : "d")}[to + lane]`;
  return [
    `if (${z} === ${z}) ${to} = ${z};`,
    `else if (${x} === ${x}) ${to} = ${x};`,
    "else {",
    ...numberOrNan(y, format, source),
    "}",
  ];
}

/** The sign of an f32 turned over or taken away, where it is a number. */
function signText({ of, ftz }: RoundResult, operation: Operation, source: LaneSource): Lines | undefined {
  if (of.node !== "neg" && of.node !== "abs") return undefined;
  const operand = floatOperand(of.a, operation.takes);
  if (operand === undefined || operand.type !== "f32" || operand.flush || operand.sign !== "kept" || ftz)
    return undefined;
  const bits = source.element("s", operand.at);
  const made = source.name(of.node === "neg" ? `${bits} ^ 0x8000_0000` : `${bits} & 0x7fff_ffff`);
  const to = `${source.view("s")}[to + lane]`;
  return [`${to} = (${made} & 0x7fff_ffff) > 0x7f80_0000 ? 0x7fff_ffff : ${made};`];
}

/** Something for a NaN, and something for a number: an integer that it is cut or rounded to, or the same in f64. */
function ofNanOrNot(result: Result & { into: "choose" }, operation: Operation, source: LaneSource): Lines | undefined {
  const { when, yes, no } = result;
  if (when.node !== "is" || when.property !== "notanumber") return undefined;
  const operand = floatOperand(when.a, operation.takes);
  if (operand === undefined || (operand.type !== "f32" && operand.type !== "f64") || operand.flush) return undefined;
  if (no.into === "clamp") return integerText(no.of, no.type, yes, operation, source);
  if (no.into !== "round" || no.format !== "f64" || no.rnd !== "rn") return undefined;
  const value = valueText(no.of, operation, source, "f64");
  const ofNan = pairSteps({ ...operation, result: yes });
  if (value === undefined || ofNan === undefined) return undefined;
  const x = source.name(value);
  source.plan(ofNan.low, ofNan.high);
  const w = source.view("w");
  const before = source.statements.length;
  const [high, low] = [source.text(ofNan.high), source.text(ofNan.low)];
  const words = source.statements.splice(before);
  return [
    `if (Number.isNaN(${x})) { ${words.join(" ")} ${w}[2 * (to + lane) + 1] = ${high}; ${w}[2 * (to + lane)] = ${low}; }`,
    `else ${source.view("d")}[to + lane] = ${x};`,
  ];
}

const wholes: Readonly<Record<string, string>> = { rz: "Math.trunc", rm: "Math.floor", rp: "Math.ceil" };

/** A float to an integer: clamped where it is beyond the range. */
function integerText(
  of: Expression,
  type: Parameters<typeof rangeOf>[0],
  ofNan: Result,
  operation: Operation,
  source: LaneSource,
): Lines | undefined {
  const whole = of.node === "integral" ? wholes[of.rnd] : undefined;
  if (of.node !== "integral" || whole === undefined || ofNan.into !== "wrap" || ofNan.of.node !== "integer")
    return undefined;
  const value = valueText(of.a, operation, source, "f64");
  if (value === undefined) return undefined;
  const nan = ofNan.of.value;
  const [least, greatest] = rangeOf(type);
  if (widthOf(type) === 64) {
    if (of.rnd !== "rz" || nan !== 1n << 63n) return undefined;
    const put = source.use(type === "s64" ? "putSigned" : "putUnsigned");
    return [`${put}(${source.view("w")}, 2 * (to + lane), ${value});`];
  }
  if (widthOf(type) !== 32) return undefined;
  // A store into a typed array cuts off the fraction and makes NaN 0; what is beyond its range is clamped first.
  const x = source.name(of.rnd === "rz" ? value : `${whole}(${value})`);
  const clamped = `Math.max(Math.min(${x}, ${greatest}), ${least})`;
  const text = nan === 0n ? clamped : `Number.isNaN(${x}) ? ${nan} : ${clamped}`;
  return [`${source.view(type === "u32" ? "r" : "s")}[to + lane] = ${text};`];
}
