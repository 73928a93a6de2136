import type { Bits } from "../op.ts";
import type { Lane, Operation } from "../operation/operation.ts";
import { widthOf } from "../operation/type.ts";
import type { Scalar, ScalarRule } from "./rule.ts";

/** Lanes: each by its own rules, side by side. */
export const lanes: ScalarRule = (operation, lower) => halves(operation, lower) ?? slices(operation, lower);

type Half = (a: number, b?: number, c?: number) => number;

/** Two halves of 32 bits; a predicate is the same in both. */
const halves: ScalarRule = ({ takes, gives, result }, lower) => {
  if (result.into !== "lanes" || result.onto !== undefined || widthOf(gives) !== 32) return undefined;
  const [low, high] = result.lanes;
  if (!low || !high || result.lanes.length !== 2 || takes.length > 3) return undefined;
  if (!isHalf(low, takes, 0) || !isHalf(high, takes, 16)) return undefined;
  const first = lower(low.operation) as Half;
  const second = low.operation === high.operation ? first : (lower(high.operation) as Half);
  const join = (x: number, y: number): number => (x | (y << 16)) >>> 0;
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

const isHalf = (lane: Lane, takes: Operation["takes"], at: number): boolean =>
  lane.low === at &&
  lane.bits === 16 &&
  lane.takes.length === takes.length &&
  lane.takes.every(({ of, low, bits }, index) => {
    const taken = takes[index]!;
    if (of !== taken.name) return false;
    return taken.type === "pred" ? index === 2 : low === at && bits === 16;
  });

/** Lanes that lie anywhere. */
const slices: ScalarRule = ({ takes, gives, result }, lower) => {
  if (result.into !== "lanes" || result.onto !== undefined) return undefined;
  const all = result.lanes.map(({ operation, takes: slices, low, bits }) => {
    const run = lower(operation);
    const read = slices.map(({ of, low, bits }, index) => {
      const at = takes.findIndex(({ name }) => name === of);
      const extract = extractor(widthOf(takes[at]!.type), widthOf(operation.takes[index]!.type), low, bits);
      return (given: readonly Bits[]): Bits => extract(given[at]!);
    });
    return { run, read, low, bits };
  });
  if (widthOf(gives) > 32)
    return (...given) =>
      all.reduce<bigint>(
        (d, { run, read, low, bits }) =>
          d | (BigInt.asUintN(bits, BigInt(run(...read.map((each) => each(given))))) << BigInt(low)),
        0n,
      );
  return (...given) => {
    let d = 0;
    for (const { run, read, low, bits } of all) {
      const lane = run(...read.map((each) => each(given))) as number;
      d |= (bits === 32 ? lane : lane & (2 ** bits - 1)) << low;
    }
    return d >>> 0;
  };
};

function extractor(from: number, to: number, low: number, bits: number): (given: Bits) => Bits {
  const mask = 2 ** bits - 1;
  if (from > 32) {
    const cut = (given: Bits): bigint => BigInt.asUintN(bits, (given as bigint) >> BigInt(low));
    return to > 32 ? cut : (given) => Number(cut(given));
  }
  if (bits === 32) return (given) => given;
  return (given) => ((given as number) >>> low) & mask;
}
