import { describe, expect, it } from "vitest";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { widthOf } from "../../../../src/numeric/operation/type.ts";
import { partsOf } from "../../../../src/numeric/vector/emit.ts";
import { vectorOf } from "../../../../src/numeric/vector/lower.ts";
import { constant32, VectorMaker } from "../../../../src/numeric/vector/maker.ts";
import { isWide, type Value, type Vector } from "../../../../src/numeric/vector/vector.ts";
import { operationOf } from "../entry.ts";
import { Random, randomBits, randomOperation } from "../random-operation.ts";
import { operationsOf } from "../table-operations.ts";
import { isOfIntegers, operationsOfTable } from "./table-operations.ts";

/** What counts for a step that takes its lanes apart, and for an operation to which no rule leads. */
const [LANES, NONE] = [20, 1000];

/** How many instructions all these operations take, each by itself; with `known`, some of their operands are known. */
function size(operations: readonly Operation[], { known = false, fused = false } = {}): number {
  let sum = 0;
  for (const [seed, operation] of operations.entries()) {
    const random = new Random(seed);
    const bits = randomBits(operation, random);
    const make = new VectorMaker({ fused });
    const operands = operation.takes.map(({ type }, at): Value => {
      const isLong = widthOf(type) === 64;
      if (known && random.below(2) === 0)
        return isLong ? [make.all64(bits[at]!), make.all64(bits[at]!)] : make.all32(Number(bits[at]!));
      return isLong ? [make.input(2 * at), make.input(2 * at + 1)] : make.input(2 * at);
    });
    const found = new Set<Vector>();
    const visit = (of: Vector): void => {
      if (of.node === "input" || of.node === "constant" || found.has(of)) return;
      found.add(of);
      // Lane by lane is the last resort.
      sum += of.node === "lanes" ? LANES : 1;
      for (const part of partsOf(of)) visit(part);
      if (of.node === "rarely") visit(of.instead.gives);
    };
    const value = vectorOf(operation, operands, make);
    if (value === undefined) sum += NONE;
    else for (const each of isWide(value) ? value : [value]) visit(each);
  }
  return sum;
}

const table = operationsOfTable();
const integers = table.filter(({ operation, carryOut }) => isOfIntegers(operation) && !carryOut);
const of = (section: string): Operation[] => [...operationsOf(section).values()].map(([, operation]) => operation);

it("a rotation by whole bytes is one shuffle, another one two shifts and their union", () => {
  const sizes = [1, 8, 13, 16, 24].map((amount) => {
    const make = new VectorMaker();
    const a = make.input(0);
    const found = new Set<Vector>();
    const visit = (of: Vector): void => {
      if (of.node !== "input" && of.node !== "constant") found.add(of);
      for (const part of partsOf(of)) visit(part);
    };
    visit(vectorOf(operationOf("shf.l.wrap.b32"), [a, a, make.all32(amount)], make) as Vector);
    return found.size;
  });
  expect(sizes).toEqual([3, 1, 3, 1, 1]);
});

it("only four words that are the same are one number", () => {
  for (let which = 0; which < 16; which++) {
    const words = [0, 1, 2, 3].map((at) => (which >> at) & 1) as [number, number, number, number];
    const all = which === 0 ? 0 : which === 15 ? 1 : undefined;
    expect(constant32({ node: "constant", words })).toBe(all);
  }
});

/**
 * Each rule that writes shorter code where it may is worth its lines only as long as it is taken. What the code has to give,
 * other tests say; here it must not grow. Where it becomes shorter, so does the number.
 */
describe("the code of all operations together is no longer than it was", () => {
  it.each<[string, () => number, number]>([
    ["of integers", () => size(integers.map(({ operation }) => operation)), 25862],
    [
      "of integers, where some are known",
      () =>
        size(
          integers.map(({ operation }) => operation),
          { known: true },
        ),
      17326,
    ],
    [
      "of integers that are no instruction's",
      () =>
        size(
          Array.from({ length: 700 }, (_, seed) => randomOperation(2 * seed)),
          { known: true },
        ),
      195475,
    ],
    ["of f32 and f64", () => size(of("floating-point")), 19259],
    ["of f32 and f64, with fused instructions", () => size(of("floating-point"), { fused: true }), 18068],
    ["of halves", () => size(of("half-precision")), 6225],
    ["of relations", () => size(of("comparison-selection").filter((_, at) => at % 9 === 0)), 5641],
    ["of conversions", () => size(of("data-movement").filter((_, at) => at % 3 === 0)), 12621],
  ])("%s", (_, now, most) => {
    expect(now()).toBeLessThanOrEqual(most);
  });
});
