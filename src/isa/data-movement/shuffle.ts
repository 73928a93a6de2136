import type { Plan } from "../../interp/contract/plan/plan.ts";
import {
  and,
  argument,
  minus,
  not,
  operation,
  or,
  plus,
  predicate,
  relation,
  wrap,
  xor,
} from "../../numeric/operation/build.ts";
import type { Expression, Relation } from "../../numeric/operation/expression.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form } from "../form/define.ts";
import type { PredicateClass } from "../form/operands.ts";

const mode = ["up", "down", "bfly", "idx"] as const;
const inRange: PredicateClass = { kind: "predicate", access: "write", sink: true };

const [lane, b, bound, segment] = ["lane", "b", "bound", "segment"].map(argument) as [
  Expression, Expression, Expression, Expression,
]; // biome-ignore format: one line
const takes = { lane: "u32", b: "u32", bound: "u32", segment: "u32" } as const;

/** The lane j of the manual's pseudo-code, and how it must lie to the segment's maxLane; upwards that is its least. */
const lanes: Readonly<Record<(typeof mode)[number], readonly [j: Expression, Relation]>> = {
  up: [minus(lane, b), "ge"],
  down: [plus(lane, b), "le"],
  bfly: [xor(lane, b), "le"],
  idx: [or(and(lane, segment), and(b, not(segment))), "le"],
};

function plan(mode: keyof typeof lanes): Plan {
  const [j, relates] = lanes[mode];
  const source = operation(takes, "u32", wrap("u32", j));
  const inRange = operation(takes, "pred", predicate(relation(relates, j, bound)));
  return { shape: "warp", op: { among: "shuffle", mode, source, inRange } };
}

/** Results with four or more lanes are tested in tests/conformance/synchronization.test.ts. */
export const shuffles: readonly Form[] = [
  form("shfl.sync.mode.b32 d{|p}, a, b, c, membermask", {
    where: { mode },
    operands: { d: to("b32"), p: inRange, a: of("b32"), b: of("b32"), c: of("b32"), membermask: of("b32") },
    since: { ptx: 51, sm: 30 },
    run: ({ mode }) => plan(mode),
    check: [
      { with: ["idx"], a: 7, b: 0, c: 31, membermask: 1, d: 7, p: 1 },
      { with: ["down"], a: 7, b: 1, c: 0, membermask: 1, d: 7, p: 0 },
    ],
  }),
  form("shfl.mode.b32 d{|p}, a, b, c", {
    where: { mode },
    operands: { d: to("b32"), p: inRange, a: of("b32"), b: of("b32"), c: of("b32") },
    since: { ptx: 30, sm: 30 },
    until: { ptx: 64, sm: 70 },
    deprecated: { since: 60, use: "shfl.sync" },
    run: ({ mode }) => plan(mode),
    check: [{ with: ["up"], a: 7, b: 1, c: 0, d: 7, p: 0 }],
  }),
];
