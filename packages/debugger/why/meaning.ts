import { type Exact, isZero, unpack } from "../../../src/numeric/exact/exact.ts";
import { formats, packedType } from "../../../src/numeric/format/named.ts";
import { asReal, type Environment, evaluate, integerOf, roundingIn } from "../../../src/numeric/operation/evaluate.ts";
import type { Expression, RoundResult } from "../../../src/numeric/operation/expression.ts";
import type { Operation, Result } from "../../../src/numeric/operation/operation.ts";
import { partsOf } from "../../../src/numeric/operation/parts.ts";
import { intoBits } from "../../../src/numeric/operation/reference.ts";
import { formatRoundedInto, roundedBits } from "../../../src/numeric/operation/rounding.ts";
import { expressionText } from "../../../src/numeric/operation/text.ts";
import { rangeOf, type TypeName } from "../../../src/numeric/operation/type.ts";
import { valueText } from "./value-text.ts";

/** What is wrong with a number: it is none, or an infinity. */
export type Strange = "nan" | "infinity";

/** Whether bits of a type, or one of the lanes that it packs, are NaN or infinite; the NaN comes first. */
export function strangeIn(type: string, bits: bigint | undefined): Strange | undefined {
  if (bits === undefined) return undefined;
  const packed = packedType(type);
  const kinds =
    packed === undefined
      ? formats.filter(({ name }) => name === type).map((format) => unpack(format, bits).kind)
      : Array.from(
          { length: packed.count },
          (_, at) => unpack(packed.lane, BigInt.asUintN(packed.width, bits >> BigInt(at * packed.width))).kind,
        );
  return kinds.includes("nan") ? "nan" : kinds.includes("inf") ? "infinity" : undefined;
}

/** What an operation computed of its operands. */
export interface Meaning {
  /** With the operands' values: `sqrt(-4.0)`. */
  readonly sum: string;
  /** Why that gives what it does, where that is not to be expected. */
  readonly note?: string;
  /** The operands that it is made of; of two possible results those of the one that was chosen. */
  readonly uses?: readonly string[];
  /** Of lanes: which bits of each operand made the lane that is meant. */
  readonly slices?: readonly { readonly of: string; readonly low: number; readonly bits: number; readonly type: TypeName }[]; // biome-ignore format: a list
}

/** Characters of a sum: a longer one is left to the list of operands. */
const LONGEST = 72;

/**
 * What an operation computed: of lanes only the one that has the bits from `low` on, or else the first one whose result
 * is NaN or infinite. `texts`: what operands are shown as, where not as numbers.
 */
export function meaningOf(
  operation: Operation,
  bits: readonly bigint[],
  low?: number,
  texts: readonly (string | undefined)[] = [],
): Meaning | undefined {
  const { result, takes } = operation;
  const env: Environment = { takes, bits, rnd: "rn" };
  const chosen = chosenOf(result, env);
  if (chosen.into === "lanes") {
    const own =
      chosen.lanes.find((lane) => low !== undefined && lane.low <= low && low < lane.low + lane.bits) ??
      (low === undefined ? chosen.lanes.find(({ operation, takes }) => strangeIn(operation.gives, intoBits(operation.result, slicedEnv(operation, takes, env)))) : undefined); // biome-ignore format: one row
    if (own === undefined) return undefined;
    const slices = own.takes.map((slice, at) => ({ ...slice, type: own.operation.takes[at]?.type ?? "b32" }));
    const inner = meaningOf(own.operation, slicedEnv(own.operation, own.takes, env).bits);
    return inner && { ...inner, slices };
  }
  const at = chosen.into === "round" ? roundingIn(chosen, env) : env;
  const named = (name: string): string => {
    const index = takes.findIndex((each) => each.name === name);
    const type = takes[index]?.type ?? "b32";
    return texts[index] ?? valueText({ type: type === "pred" ? "u8" : type, bits: bits[index] ?? 0n });
  };
  const sum = expressionText(chosen.of, named).replace(/\b(?:ftz|bits)\(([^()]*)\)/g, "$1");
  const note = noteOn(chosen, at);
  const uses = [...namesIn(chosen.of, env), ...decidingNames(result, env)];
  return { sum: sum.length > LONGEST ? "" : sum, uses, ...(note === undefined ? {} : { note }) };
}

const slicedEnv = (
  { takes }: Operation,
  slices: readonly { readonly of: string; readonly low: number; readonly bits: number }[],
  env: Environment,
): Environment => ({
  takes,
  bits: slices.map(({ of, low, bits }) => BigInt.asUintN(bits, (env.bits[env.takes.findIndex(({ name }) => name === of)] ?? 0n) >> BigInt(low))),
  rnd: "rn",
}); // biome-ignore format: a row each

function chosenOf(result: Result, env: Environment): Exclude<Result, { into: "choose" }> {
  return result.into === "choose" ? chosenOf(integerOf(result.when, env) !== 0n ? result.yes : result.no, env) : result;
}

/** The operands that an expression reads: of a choice the part that was chosen. */
function namesIn(x: Expression, env: Environment): readonly string[] {
  if (x.node === "argument" || x.node === "bits" || x.node === "flush") return [x.name];
  if (x.node !== "select") return partsOf(x).flatMap((part) => namesIn(part, env));
  return [...namesIn(integerOf(x.when, env) !== 0n ? x.yes : x.no, env), ...namesIn(x.when, env)];
}

/** The operands that decide between results. */
const decidingNames = (result: Result, env: Environment): readonly string[] =>
  result.into === "choose" ? namesIn(result.when, env) : [];

function noteOn(result: Exclude<Result, { into: "choose" | "lanes" }>, env: Environment): string | undefined {
  if (result.into === "predicate" || result.into === "carry") return undefined;
  const value = evaluate(result.of, env);
  if (result.into === "wrap" || result.into === "clamp") {
    const exact = typeof value === "bigint" ? value : undefined;
    const [least, greatest] = rangeOf(result.type);
    if (result.into === "clamp") {
      const beyond = exact === undefined ? isBeyond(asReal(value), least, greatest) : exact < least || exact > greatest;
      return beyond ? `out of range of ${result.type}: the nearest number is taken` : undefined;
    }
    if (exact === undefined || (exact >= least && exact <= greatest) || result.type.startsWith("b")) return undefined;
    // An unsigned sum with a negative number is a difference, as compilers write it.
    return exact < least || !isArithmetic(result.of)
      ? undefined
      : `in full ${exact}, which ${result.type} has no room for`;
  }
  return strangeNote(result.of, env) ?? tooLarge(result, env);
}

const isArithmetic = (x: Expression): boolean =>
  x.node === "label" ? isArithmetic(x.a) : x.node === "add" || x.node === "mul" || x.node === "shl";

function isBeyond(x: Exact, least: bigint, greatest: bigint): boolean {
  if (x.kind !== "finite") return true;
  const size = x.exp >= 0 ? x.sig << BigInt(x.exp) : x.sig >> BigInt(-x.exp);
  const whole = x.neg ? -size : size;
  return whole < least || whole > greatest;
}

/** A number of the result that is finite, and has no room in its format. */
function tooLarge(result: RoundResult, env: Environment): string | undefined {
  const exact = asReal(evaluate(result.of, env));
  const chance = result.chance === undefined ? 0n : integerOf(result.chance.of, env);
  const format = formatRoundedInto(result);
  const { kind } = unpack(format, roundedBits(result, exact, chance));
  if (exact.kind === "finite" && kind !== "finite") return `too large for ${result.format}`;
  if (exact.kind === "nan" && kind === "finite") return result.sat ? "sat makes 0 of NaN" : "NaN becomes a number";
  if (exact.kind === "inf" && kind === "finite") return "an infinity becomes the largest number";
  return undefined;
}

/** The innermost part that is NaN or infinite though none of its parts is, in words. */
function strangeNote(x: Expression, env: Environment): string | undefined {
  const value = evaluate(x, env);
  if (typeof value === "bigint" || value.kind === "finite") return undefined;
  const parts = x.node === "select" ? [integerOf(x.when, env) !== 0n ? x.yes : x.no] : partsOf(x);
  const values = parts.map((part) => asReal(evaluate(part, env)));
  const same = parts.find((_, at) => values[at]?.kind === value.kind);
  if (same !== undefined) return strangeNote(same, env);
  const [a, b] = values;
  if (a === undefined) return undefined;
  const infinite = a.kind === "inf" ? a : b?.kind === "inf" ? b : undefined;
  switch (x.node) {
    case "sqrt":
      return "the square root of a negative number";
    case "add":
    case "sub":
      return "infinity minus infinity";
    case "mul":
      return "0 times infinity";
    case "div":
      if (value.kind === "inf") return "division by 0";
      return infinite === undefined ? "0 divided by 0" : "infinity divided by infinity";
    case "function":
      if (value.kind === "inf")
        return isZero(a) ? (x.name === "lg2" ? "the logarithm of 0" : "1 divided by 0") : undefined;
      if (x.name === "lg2") return "the logarithm of a negative number";
      return x.name === "rsqrt" ? "the square root of a negative number" : "of an infinity";
    default:
      return undefined;
  }
}
