import type { Lane, Operation, Slice } from "../operation/operation.ts";
import { widthOf } from "../operation/type.ts";
import type { VectorMaker } from "./maker.ts";
import type { LowerPart, VectorRule } from "./rule.ts";
import { isWide, type Value, type Vector } from "./vector.ts";

/** Packed operands: each of their lanes by its own rules, then side by side. */
export const lanes: VectorRule = ({ takes, gives, result }, operands, make, lower) => {
  const width = widthOf(gives);
  if (result.into !== "lanes" || width > 64) return undefined;
  const [only] = result.lanes;
  if (width === 1) return only && laneOf(only, takes, operands, make, lower);
  const onto = result.onto && lower({ takes, gives, result: { into: "wrap", type: gives, of: result.onto } }, operands);
  if (result.onto !== undefined && onto === undefined) return undefined;
  // One word of each four lanes, or two.
  const words = wordsOf(onto, width, make);
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

function wordsOf(onto: Value | undefined, width: number, make: VectorMaker): (Vector | undefined)[] {
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
