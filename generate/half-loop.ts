import { floatOperand } from "../src/numeric/lower/operand.ts";
import type { Expression } from "../src/numeric/operation/expression.ts";
import type { Lane, Operation } from "../src/numeric/operation/operation.ts";
import { computeLoop, type LoopText, registerSource } from "./lane-loop.ts";
import { factorsOf } from "./value-text.ts";

const operators = { add: "+", sub: "-", mul: "*" } as const;

/**
 * Pairs of halves: the value of each code comes from a table. A double holds the product of two halves exactly, and a
 * sum that is first rounded to double is still rounded correctly to half (numeric/binary64/fast.ts).
 */
export function halvesLoop(operation: Operation): LoopText | undefined {
  const { takes, result } = operation;
  if (result.into !== "lanes" || result.onto !== undefined || result.lanes.length !== 2) return undefined;
  if (!takes.every(({ type }) => type === "b32") || !result.lanes.every((lane, at) => isHalf(lane, at, takes.length)))
    return undefined;
  const source = registerSource(operation);
  const words = takes.map((_, at) => source.name(source.element("s", at)));
  const values = [`& 0xffff`, `>>> 16`].map((cut) => words.map((word) => `values[${word} ${cut}]!`));
  const texts = result.lanes.map(({ operation: lane }, at) => laneText(lane, values[at] ?? []));
  if (!texts.every((text) => text !== undefined)) return undefined;
  source.bound.set("values", `${source.use("valuesOf")}(${source.use("f16")})`);
  source.bound.set("results", source.use("halfResults"));
  const body = texts.map((text, at) => `results[2 * lane${at === 0 ? "" : " + 1"}] = ${text};`);
  source.view("s");
  return computeLoop(operation, source, body, {
    behind: `${source.use("roundHalves")}(s, to, lanes, active);`,
  });
}

const isHalf = ({ operation, takes, low, bits }: Lane, at: number, count: number): boolean =>
  low === 16 * at &&
  bits === 16 &&
  takes.length === count &&
  operation.takes.every(({ type }) => type === "f16") &&
  takes.every((slice, index) => slice.low === 16 * at && slice.bits === 16 && index < count);

function laneText({ takes, result }: Operation, values: readonly string[]): string | undefined {
  if (result.into !== "round" || result.format !== "f16" || result.rnd !== "rn") return undefined;
  if (result.ftz || result.sat || result.relu || result.satfinite || result.pzo || result.approximate) return undefined;
  const value = (x: Expression): string | undefined => {
    const operand = floatOperand(x, takes);
    if (operand === undefined || operand.flush || operand.sign !== "kept") return undefined;
    return values[operand.at];
  };
  const fused = factorsOf(result.of);
  if (fused !== undefined) {
    const [a, b, c] = fused.map(value);
    return a && b && c && `${a} * ${b} + ${c}`;
  }
  const { of } = result;
  if (of.node !== "add" && of.node !== "sub" && of.node !== "mul") return undefined;
  const [a, b] = [value(of.a), value(of.b)];
  return a && b && `${a} ${operators[of.node]} ${b}`;
}

/** Two numbers in f32 to a pair of halves. */
export function narrowLanes(operation: Operation): LoopText | undefined {
  const { takes, result } = operation;
  if (result.into !== "lanes" || result.onto !== undefined || !takes.every(({ type }) => widthIs32(type)))
    return undefined;
  const source = registerSource(operation);
  const texts = result.lanes.map(({ operation: lane, takes: slices, low, bits }) => {
    const { result } = lane;
    if (result.into !== "round" || (result.format !== "f16" && result.format !== "bf16") || bits !== 16)
      return undefined;
    if (result.rnd !== "rn" || result.ftz || result.sat || result.relu || result.satfinite || result.pzo)
      return undefined;
    const operand = floatOperand(result.of, lane.takes);
    const slice = slices[operand?.at ?? 0];
    if (operand?.type !== "f32" || operand.flush || operand.sign !== "kept" || slice?.bits !== 32) return undefined;
    const at = takes.findIndex(({ name }) => name === slice.of);
    const made = `${source.use(result.format === "f16" ? "toF16" : "toBf16")}(${source.element("f", at)})`;
    return low === 0 ? made : `(${made} << ${low})`;
  });
  if (!texts.every((text) => text !== undefined)) return undefined;
  return computeLoop(operation, source, [`${source.view("s")}[to + lane] = ${texts.join(" | ")};`]);
}

const widthIs32 = (type: string): boolean => type === "f32" || type === "b32";
