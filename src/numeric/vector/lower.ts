import { byReference } from "../lower/rule.ts";
import type { Expression } from "../operation/expression.ts";
import type { Lane, Operation, Result, Slice } from "../operation/operation.ts";
import { readsNothing } from "../operation/parts.ts";
import { isFloat, widthOf } from "../operation/type.ts";
import { conversions, conversionsOfNan } from "./convert/rules.ts";
import { floatRules } from "./float/rules.ts";
import { halfRules, packedRules } from "./half/rules.ts";
import { integers } from "./integer/rule.ts";
import { carries } from "./integer/rules/carry.ts";
import { packedIntegers } from "./integer/rules/packed.ts";
import type { VectorMaker } from "./maker.ts";
import type { CarryRule, LowerPart, VectorRule } from "./rule.ts";
import { isWide, type Value, type Vector } from "./vector.ts";

/** Packed operands: each of their lanes by its own rules, then side by side. */
const lanes: VectorRule = ({ takes, gives, result }, operands, make, lower) => {
  const width = widthOf(gives);
  if (result.into !== "lanes" || width > 64) return undefined;
  const [only] = result.lanes;
  if (width === 1) return only && laneOf(only, takes, operands, make, lower);
  const onto = result.onto && lower({ takes, gives, result: { into: "wrap", type: gives, of: result.onto } }, operands);
  if (result.onto !== undefined && onto === undefined) return undefined;
  // One word of each four lanes, or two.
  const words = ontoWords(onto, width, make);
  for (const lane of result.lanes) {
    const given = laneOf(lane, takes, operands, make, lower);
    const at = Math.floor(lane.low / 32);
    const low = lane.low % 32;
    if (given === undefined || isWide(given) || low + lane.bits > 32) return undefined;
    words[at] = placed(given, lane, low, onto && words[at], words[at], make);
  }
  const [first = make.all32(0), second = make.all32(0)] = words;
  return width < 64 ? first : [make.pick(first, second, 0, 4, 1, 5), make.pick(first, second, 2, 6, 3, 7)];
};

function ontoWords(onto: Value | undefined, width: number, make: VectorMaker): (Vector | undefined)[] {
  if (onto === undefined) return width < 64 ? [undefined] : [undefined, undefined];
  return isWide(onto) ? [make.low(onto), make.high(onto)] : [onto];
}

/** The result of one lane's operation. */
function laneOf(
  { operation, takes: slices }: Lane,
  takes: Operation["takes"],
  operands: readonly Value[],
  make: VectorMaker,
  lower: LowerPart,
): Value | undefined {
  const cuts: Value[] = [];
  for (const slice of slices) {
    const at = takes.findIndex(({ name }) => name === slice.of);
    const cut = cutOf(operands[at]!, widthOf(takes[at]!.type), slice, make);
    if (cut === undefined) return undefined;
    cuts.push(cut);
  }
  return lower(operation, cuts);
}

/** Some bits of an operand, all of them in one word. */
function cutOf(operand: Value, width: number, { low, bits }: Slice, make: VectorMaker): Value | undefined {
  if (low === 0 && bits === width) return operand;
  const at = low % 32;
  if (at + bits > 32) return undefined;
  const word = isWide(operand) ? (low < 32 ? make.low(operand) : make.high(operand)) : operand;
  const down = make.shift("i32x4.shr_u", word, at);
  return at + bits === Math.min(width, 32) ? down : make.and(down, make.all32(2 ** bits - 1));
}

/** A lane's result at its place in a word, on top of what is there. */
function placed(
  given: Vector,
  { bits, operation }: Lane,
  low: number,
  onto: Vector | undefined,
  below: Vector | undefined,
  make: VectorMaker,
): Vector {
  const mask = 2 ** bits - 1;
  // A predicate is a mask, of which one bit counts.
  const fits = (widthOf(operation.gives) <= bits && operation.gives !== "pred") || low + bits === 32;
  const up = make.shift("i32x4.shl", fits ? given : make.and(given, make.all32(mask)), low);
  if (below === undefined) return up;
  return make.or(onto ? make.and(below, make.all32(~(mask << low))) : below, up);
}

/** A label matters only to derivations. */
const labelled: VectorRule = ({ takes, gives, result }, operands, _, lower) => {
  const of = "of" in result ? result.of : undefined;
  return of?.node === "label"
    ? lower({ takes, gives, result: { ...result, of: of.a } as Result }, operands)
    : undefined;
};

/** An operation that reads no operand is computed now. */
const constant: VectorRule = (operation, _, make) => {
  const { takes, gives, result } = operation;
  const width = widthOf(gives);
  if (!("of" in result) || result.into === "carry" || !readsNothing(result.of) || width > 64) return undefined;
  if (result.into === "round" && result.chance !== undefined) return undefined;
  const bits = byReference(operation)(...takes.map(({ type }) => (widthOf(type) > 32 ? 0n : 0)));
  if (width === 64) return [make.all64(BigInt(bits)), make.all64(BigInt(bits))];
  return make.all32(width === 1 ? -Number(bits) : Number(bits));
};

/** An operand's bits as they are: those of an integer do not depend on its sign. */
const move: VectorRule = ({ takes, gives, result }, operands) => {
  if (result.into === "predicate" && gives === "pred" && result.of.node === "argument") {
    const { name } = result.of;
    const at = takes.findIndex((taken) => taken.name === name);
    return takes[at]?.type === "pred" ? operands[at] : undefined;
  }
  if (result.into !== "wrap" || (result.of.node !== "bits" && result.of.node !== "argument")) return undefined;
  const { name, node } = result.of;
  const at = takes.findIndex((taken) => taken.name === name);
  const type = takes[at]?.type;
  if (type === undefined || (node === "argument" && isFloat(type))) return undefined;
  const width = widthOf(gives);
  return widthOf(type) === width && widthOf(result.type) === width && width > 1 ? operands[at] : undefined;
};

/** One of two results, each by its own rules: both are computed. */
const choice: VectorRule = ({ takes, gives, result }, operands, make, lower) => {
  const chosen = result.into === "choose" ? result : selected(result);
  if (chosen === undefined) return undefined;
  const when = lower({ takes, gives: "pred", result: { into: "predicate", of: chosen.when } }, operands);
  if (when === undefined || isWide(when)) return undefined;
  const yes = lower({ takes, gives, result: chosen.yes }, operands);
  const no = lower({ takes, gives, result: chosen.no }, operands);
  return yes && no && eitherOf(when, yes, no, make);
};

function eitherOf(when: Vector, yes: Value, no: Value, make: VectorMaker): Value | undefined {
  if (!isWide(yes) && !isWide(no)) return make.choose(when, yes, no);
  if (!isWide(yes) || !isWide(no)) return undefined;
  const [first, second] = make.widen(when);
  return [make.choose(first, yes[0], no[0]), make.choose(second, yes[1], no[1])];
}

/** A result of a selection is a selection of results. */
function selected(result: Result): { when: Expression; yes: Result; no: Result } | undefined {
  if (!("of" in result) || result.into === "carry" || result.of.node !== "select") return undefined;
  const { of: x } = result;
  return { when: x.when, yes: { ...result, of: x.yes }, no: { ...result, of: x.no } };
}

/** Rules in the order in which they are tried; the first that applies is used. */
const rules: readonly VectorRule[] = [
  labelled,
  ...packedRules,
  packedIntegers,
  lanes,
  constant,
  move,
  ...conversionsOfNan,
  integers,
  choice,
  ...floatRules,
  ...halfRules,
  ...conversions,
];

/** An operation on four lanes of a warp, as WebAssembly code can compute it; undefined if no rule applies. */
export function vectorOf(operation: Operation, operands: readonly Value[], make: VectorMaker): Value | undefined {
  // A value of 128 bits has no vectors.
  if ([operation.gives, ...operation.takes.map(({ type }) => type)].some((type) => widthOf(type) > 64))
    return undefined;
  const lower = (part: Operation, given: readonly Value[]): Value | undefined => vectorOf(part, given, make);
  for (const rule of rules) {
    const found = rule(operation, operands, make, lower);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same for an operation with a carry-out. */
export const carryOf: CarryRule = carries;
