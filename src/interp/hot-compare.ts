import type { Op } from "../numeric/op.ts";
import type { Operand } from "./program.ts";
import type { Warp } from "./warp.ts";

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
  ({ r }) => {
    let held = 0;
    for (let lane = 0; lane < lanes; lane++) if (r[a + lane] === r[b + lane]) held |= 1 << lane;
    return held;
  };

const lessUnsigned: Test =
  (lanes, a, b) =>
  ({ r }) => {
    let held = 0;
    for (let lane = 0; lane < lanes; lane++) if (r[a + lane]! < r[b + lane]!) held |= 1 << lane;
    return held;
  };

const lessSigned: Test =
  (lanes, a, b) =>
  ({ s }) => {
    let held = 0;
    for (let lane = 0; lane < lanes; lane++) if (s[a + lane]! < s[b + lane]!) held |= 1 << lane;
    return held;
  };

const equal64: Test =
  (lanes, a, b) =>
  ({ q }) => {
    let held = 0;
    for (let lane = 0; lane < lanes; lane++) if (q[a + lane] === q[b + lane]) held |= 1 << lane;
    return held;
  };

const lessUnsigned64: Test =
  (lanes, a, b) =>
  ({ q }) => {
    let held = 0;
    for (let lane = 0; lane < lanes; lane++) if (q[a + lane]! < q[b + lane]!) held |= 1 << lane;
    return held;
  };

const lessFloat: Test =
  (lanes, a, b) =>
  ({ f }) => {
    let held = 0;
    for (let lane = 0; lane < lanes; lane++) if (f[a + lane]! < f[b + lane]!) held |= 1 << lane;
    return held;
  };

const atMostFloat: Test =
  (lanes, a, b) =>
  ({ f }) => {
    let held = 0;
    for (let lane = 0; lane < lanes; lane++) if (f[a + lane]! <= f[b + lane]!) held |= 1 << lane;
    return held;
  };

const swapped =
  (test: Test): Test =>
  (lanes, a, b) =>
    test(lanes, b, a);

/** Right for integers only: an unordered pair fails both a test and its opposite. */
const not =
  (test: Test): Test =>
  (lanes, a, b) => {
    const holds = test(lanes, a, b);
    return (warp) => ~holds(warp);
  };

const order = (type: string, less: Test, same: Test): readonly [string, Test][] => [
  [`icompare.${type}.eq`, same],
  [`icompare.${type}.ne`, not(same)],
  [`icompare.${type}.lt`, less],
  [`icompare.${type}.ge`, not(less)],
  [`icompare.${type}.gt`, swapped(less)],
  [`icompare.${type}.le`, not(swapped(less))],
];

/** The names that have a loop; each must equal its operation (a test runs them all). */
export const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ...order("u32", lessUnsigned, equal),
  ...order("s32", lessSigned, equal),
  ...order("u64", lessUnsigned64, equal64),
  ["fcompare.f32.lt", lessFloat],
  ["fcompare.f32.gt", swapped(lessFloat)],
  ["fcompare.f32.le", atMostFloat],
  ["fcompare.f32.ge", swapped(atMostFloat)],
]);
