import type { Op } from "../../numeric/op.ts";
import type { Operand } from "../contract/operand.ts";
import type { Warp } from "../state/warp.ts";
import { below, belowUnsigned } from "./hot-long.ts";
import { lanesWhere } from "./unrolled.ts";

type Test = (lanes: number, a: number, b: number) => (warp: Warp) => number;

/**
 * Comparisons with a loop of their own, by name of the operation; undefined for the others. They give a mask for all
 * lanes, active or not, since reading a register does no harm.
 */
export function hotCompare(op: Op, a: Operand, b: Operand, lanes: number): ((warp: Warp) => number) | undefined {
  const width = op.takes[0];
  if (a.kind !== "slot" || b.kind !== "slot" || a.bits !== width || b.bits !== width) return undefined;
  return tests.get(op.name)?.(lanes, a.slot * lanes, b.slot * lanes);
}

const equal: Test =
  (lanes, a, b) =>
  ({ s }) =>
    lanesWhere(lanes, (lane) => s[a + lane] === s[b + lane]);

const lessUnsigned: Test =
  (lanes, a, b) =>
  ({ r }) =>
    lanesWhere(lanes, (lane) => r[a + lane]! < r[b + lane]!);

const lessSigned: Test =
  (lanes, a, b) =>
  ({ s }) =>
    lanesWhere(lanes, (lane) => s[a + lane]! < s[b + lane]!);

const equal64: Test =
  (lanes, a, b) =>
  ({ w }) =>
    lanesWhere(
      lanes,
      (lane) => w[2 * (a + lane)] === w[2 * (b + lane)] && w[2 * (a + lane) + 1] === w[2 * (b + lane) + 1],
    );

const lessUnsigned64: Test =
  (lanes, a, b) =>
  ({ w }) =>
    lanesWhere(lanes, (lane) => belowUnsigned(w, a + lane, b + lane));

const lessSigned64: Test =
  (lanes, a, b) =>
  ({ w }) =>
    lanesWhere(lanes, (lane) => below(w, a + lane, b + lane));

const equalSingle: Test =
  (lanes, a, b) =>
  ({ f }) =>
    lanesWhere(lanes, (lane) => f[a + lane] === f[b + lane]);

const lessSingle: Test =
  (lanes, a, b) =>
  ({ f }) =>
    lanesWhere(lanes, (lane) => f[a + lane]! < f[b + lane]!);

const atMostSingle: Test =
  (lanes, a, b) =>
  ({ f }) =>
    lanesWhere(lanes, (lane) => f[a + lane]! <= f[b + lane]!);

const equalDouble: Test =
  (lanes, a, b) =>
  ({ d }) =>
    lanesWhere(lanes, (lane) => d[a + lane] === d[b + lane]);

const lessDouble: Test =
  (lanes, a, b) =>
  ({ d }) =>
    lanesWhere(lanes, (lane) => d[a + lane]! < d[b + lane]!);

const atMostDouble: Test =
  (lanes, a, b) =>
  ({ d }) =>
    lanesWhere(lanes, (lane) => d[a + lane]! <= d[b + lane]!);

const swapped =
  (test: Test): Test =>
  (lanes, a, b) =>
    test(lanes, b, a);

const not =
  (test: Test): Test =>
  (lanes, a, b) => {
    const holds = test(lanes, a, b);
    return (warp) => ~holds(warp);
  };

const integers = (type: string, less: Test, same: Test): readonly [string, Test][] => [
  [`icompare.${type}.eq`, same],
  [`icompare.${type}.ne`, not(same)],
  [`icompare.${type}.lt`, less],
  [`icompare.${type}.ge`, not(less)],
  [`icompare.${type}.gt`, swapped(less)],
  [`icompare.${type}.le`, not(swapped(less))],
];

/** The opposite of a relation holds for a NaN too: it is the unordered one. */
const floats = (type: string, less: Test, atMost: Test, same: Test): readonly [string, Test][] => [
  [`fcompare.${type}.eq`, same],
  [`fcompare.${type}.lt`, less],
  [`fcompare.${type}.le`, atMost],
  [`fcompare.${type}.gt`, swapped(less)],
  [`fcompare.${type}.ge`, swapped(atMost)],
  [`fcompare.${type}.neu`, not(same)],
  [`fcompare.${type}.geu`, not(less)],
  [`fcompare.${type}.gtu`, not(atMost)],
  [`fcompare.${type}.leu`, not(swapped(less))],
  [`fcompare.${type}.ltu`, not(swapped(atMost))],
];

/** The names that have a loop; each must equal its operation (a test runs them all). */
export const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ...integers("u32", lessUnsigned, equal),
  ...integers("s32", lessSigned, equal),
  ...integers("u64", lessUnsigned64, equal64),
  ...integers("s64", lessSigned64, equal64),
  ...floats("f32", lessSingle, atMostSingle, equalSingle),
  ...floats("f64", lessDouble, atMostDouble, equalDouble),
]);
