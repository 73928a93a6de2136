import type { Steps } from "../src/numeric/lower/steps.ts";
import { narrowSteps, pairSteps } from "../src/numeric/lower/word/narrow.ts";
import type { Pair } from "../src/numeric/lower/word/word-steps.ts";
import type { Expression } from "../src/numeric/operation/expression.ts";
import type { Operation } from "../src/numeric/operation/operation.ts";
import { isFloat, isSignedType, widthOf } from "../src/numeric/operation/type.ts";
import { computeLoop, isLoopWidth, type LoopText, registerSource } from "./lane-loop.ts";
import type { LaneSource } from "./source.ts";

/** The loop of an operation of integers; undefined where neither words nor bigints of 64 bits do. */
export function integerLoop(operation: Operation): LoopText | undefined {
  const { takes, gives } = operation;
  if (!isLoopWidth(gives) || !takes.every(({ type }) => isLoopWidth(type)) || takes.length > 4) return undefined;
  if (widthOf(gives) <= 32) {
    const steps = narrowSteps(operation);
    return steps && narrowLoop(operation, steps);
  }
  return bigintLoop(operation) ?? mapped(pairSteps(operation), (pair) => pairLoop(operation, pair));
}

const mapped = <T, U>(x: T | undefined, to: (x: T) => U): U | undefined => (x === undefined ? undefined : to(x));

function narrowLoop(operation: Operation, steps: Steps): LoopText {
  const source = registerSource(operation);
  // A typed array takes a number modulo 2^32.
  const whole = steps.step === "unsigned" ? steps.parts[0]! : steps;
  const sum = whole.step === "add" || whole.step === "sub" ? " | 0" : "";
  const text = source.plan(whole).text(whole);
  return computeLoop(operation, source, [`${source.view("s")}[to + lane] = ${text}${sum};`]);
}

/** Both words are there before one is written: d may be an operand. */
function pairLoop(operation: Operation, { low, high }: Pair): LoopText {
  const source = registerSource(operation).plan(low, high);
  const [first, second] = [source.name(source.text(low)), source.text(high)];
  const w = source.view("w");
  return computeLoop(operation, source, [
    `${w}[2 * (to + lane) + 1] = ${second};`,
    `${w}[2 * (to + lane)] = ${first};`,
  ]);
}

/**
 * Sums, products and AND of 64 bits: a bigint that is cut to 64 bits at once and stays inside the loop is a machine
 * word to the engine. For the other operations it has no machine instruction.
 */
function bigintLoop(operation: Operation): LoopText | undefined {
  const { result } = operation;
  if (result.into !== "wrap") return undefined;
  const source = registerSource(operation);
  const text = bigintText(result.of, operation, source.element.bind(source));
  if (text === undefined || !isCut(result.of)) return undefined;
  return computeLoop(operation, source, [`${source.view("q")}[to + lane] = ${text};`]);
}

const operators = { add: "+", sub: "-", mul: "*", and: "&" } as const;
export const isCut = (x: Expression): boolean =>
  x.node === "label" ? isCut(x.a) : x.node in operators || x.node === "neg";

export function bigintText(x: Expression, operation: Operation, element: LaneSource["element"]): string | undefined {
  switch (x.node) {
    case "argument":
    case "bits": {
      const at = operation.takes.findIndex(({ name }) => name === x.name);
      const { type } = operation.takes[at]!;
      if (isFloat(type) && x.node !== "bits") return undefined;
      if (widthOf(type) === 64) return element("q", at);
      if (widthOf(type) !== 32) return undefined;
      return `BigInt(${element(isSignedType(type) && x.node === "argument" ? "s" : "r", at)})`;
    }
    case "label":
      return bigintText(x.a, operation, element);
    case "neg": {
      const a = bigintText(x.a, operation, element);
      return a && `BigInt.asUintN(64, 0n - ${a})`;
    }
    case "add":
    case "sub":
    case "mul":
    case "and": {
      const [a, b] = [bigintText(x.a, operation, element), bigintText(x.b, operation, element)];
      return a && b && `BigInt.asUintN(64, ${a} ${operators[x.node]} ${b})`;
    }
    default:
      return undefined;
  }
}
