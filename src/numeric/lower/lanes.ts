import type { Bits } from "../bits.ts";
import type { Lane, Operation } from "../operation/operation.ts";
import { widthOf } from "../operation/type.ts";
import type { Scalar, ScalarRule } from "./rule.ts";

/** Lanes: each by its own rules, side by side. */
export const lanes: ScalarRule = (operation, lower) => {
  const { result } = operation;
  if (result.into !== "lanes" || result.onto !== undefined || result.lanes.length === 0) return undefined;
  return halves(operation, lower) ?? longHalves(operation, lower) ?? slices(operation, lower);
};

type Half = (a: number, b?: number, c?: number) => number;

/** Two halves of 32 bits; a predicate is the same in both. */
const halves: ScalarRule = ({ takes, gives, result }, lower) => {
  if (result.into !== "lanes" || widthOf(gives) !== 32) return undefined;
  const [first, second] = pairOf(result.lanes, takes, 16, lower) ?? [];
  if (!first || !second) return undefined;
  const join = (low: number, high: number): number => (low | (high << 16)) >>> 0;
  const byCount: readonly unknown[] = [
    (a: number) => join(first(a & 0xffff), second(a >>> 16)),
    (a: number, b: number) => join(first(a & 0xffff, b & 0xffff), second(a >>> 16, b >>> 16)),
    takes[2]?.type === "pred"
      ? (a: number, b: number, c: number) => join(first(a & 0xffff, b & 0xffff, c), second(a >>> 16, b >>> 16, c))
      : (a: number, b: number, c: number) =>
          join(first(a & 0xffff, b & 0xffff, c & 0xffff), second(a >>> 16, b >>> 16, c >>> 16)),
  ];
  return byCount[takes.length - 1] as Scalar | undefined;
};

/** Two halves of 64 bits. */
const longHalves: ScalarRule = ({ takes, gives, result }, lower) => {
  if (result.into !== "lanes" || widthOf(gives) !== 64 || takes.some(({ type }) => type === "pred")) return undefined;
  const [first, second] = pairOf(result.lanes, takes, 32, lower) ?? [];
  if (!first || !second) return undefined;
  const low = (bits: bigint): number => Number(bits & 0xffff_ffffn);
  const high = (bits: bigint): number => Number(bits >> 32n);
  const join = (least: number, most: number): bigint => BigInt(least) | (BigInt(most) << 32n);
  const byCount: readonly unknown[] = [
    (a: bigint) => join(first(low(a)), second(high(a))),
    (a: bigint, b: bigint) => join(first(low(a), low(b)), second(high(a), high(b))),
    (a: bigint, b: bigint, c: bigint) => join(first(low(a), low(b), low(c)), second(high(a), high(b), high(c))),
  ];
  return byCount[takes.length - 1] as Scalar | undefined;
};

/** The operations of two lanes that take the same half of every operand as they give. */
function pairOf(
  both: readonly Lane[],
  takes: Operation["takes"],
  bits: number,
  lower: (part: Operation) => Scalar,
): readonly [Half, Half] | undefined {
  const [low, high] = both;
  if (!low || !high || both.length !== 2 || takes.length > 3) return undefined;
  if (!isHalf(low, takes, 0, bits) || !isHalf(high, takes, bits, bits)) return undefined;
  return [lower(low.operation) as Half, lower(high.operation) as Half];
}

const isHalf = (lane: Lane, takes: Operation["takes"], at: number, width: number): boolean =>
  lane.low === at &&
  lane.bits === width &&
  lane.takes.length === takes.length &&
  lane.takes.every(({ of, low, bits }, index) => {
    const taken = takes[index];
    if (of !== taken?.name) return false;
    return taken.type === "pred" ? index === 2 : low === at && bits === width;
  });

/** Lanes at any positions: the first, then the others merged in. */
const slices: ScalarRule = ({ takes, gives, result }, lower) => {
  if (result.into !== "lanes") return undefined;
  const all = result.lanes.map((lane) => sliceOf(lane, takes, lower));
  if (widthOf(gives) > 32) {
    const placed = all.map((run, at): Scalar => {
      const { low, bits } = result.lanes[at]!;
      return (...given) => BigInt.asUintN(bits, BigInt(run(...given))) << BigInt(low);
    });
    return placed.reduce(
      (below, lane) =>
        (...given) =>
          (below(...given) as bigint) | (lane(...given) as bigint),
    );
  }
  return all.map((run, at) => laneIn32(run, result.lanes[at]!)).reduce(onTop);
};

function laneIn32(run: Scalar, { operation, low, bits }: Lane): Scalar {
  const whole = bits >= widthOf(operation.gives);
  const mask = bits === 32 ? -1 : 2 ** bits - 1;
  if (whole) return low === 0 ? run : (a, b, c, d, e) => ((run(a!, b!, c!, d!, e!) as number) << low) >>> 0;
  return (a, b, c, d, e) => (((run(a!, b!, c!, d!, e!) as number) & mask) << low) >>> 0;
}

const onTop =
  (below: Scalar, lane: Scalar): Scalar =>
  (a, b, c, d, e) =>
    ((below(a!, b!, c!, d!, e!) as number) | (lane(a!, b!, c!, d!, e!) as number)) >>> 0;

/** One lane as a function on the whole operands. */
function sliceOf({ operation, takes: taken }: Lane, takes: Operation["takes"], lower: (part: Operation) => Scalar) {
  const run = lower(operation);
  const places = taken.map(({ of }) => takes.findIndex(({ name }) => name === of));
  const cuts = taken.map(({ low, bits }, index) =>
    extractor(widthOf(takes[places[index]!]!.type), widthOf(operation.takes[index]!.type), low, bits),
  );
  const [i = 0, j = 0] = places;
  const [first, second] = cuts;
  if (first && places.length === 1) {
    if (i === 0) return first === whole ? run : (((a) => run(first(a!))) satisfies Scalar);
    if (i === 1 && first === whole) return ((_, b) => run(b!)) satisfies Scalar;
    if (i === 1) return ((_, b) => run(first(b!))) satisfies Scalar;
  }
  if (first && second && places.length === 2 && i === 0 && j === 1)
    return ((a, b) => run(first(a!), second(b!))) satisfies Scalar;
  if (first && second && places.length === 2)
    return ((a, b, c, d, e) => {
      const given = [a, b, c, d, e];
      return run(first(given[i]!), second(given[j]!));
    }) satisfies Scalar;
  return ((...given) => run(...cuts.map((cut, index) => cut(given[places[index]!]!)))) satisfies Scalar;
}

const whole = (given: Bits): Bits => given;

function extractor(from: number, to: number, low: number, bits: number): (given: Bits) => Bits {
  if (low === 0 && bits === from) return whole;
  if (from > 32) {
    const cut = (given: Bits): bigint => BigInt.asUintN(bits, (given as bigint) >> BigInt(low));
    return to > 32 ? cut : (given) => Number(cut(given));
  }
  if (low + bits === from) return (given) => (given as number) >>> low;
  const mask = 2 ** bits - 1;
  return (given) => ((given as number) >>> low) & mask;
}
