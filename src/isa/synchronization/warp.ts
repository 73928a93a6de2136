import type { Plan } from "../../interp/contract/plan/plan.ts";
import {
  a,
  and,
  b,
  abs as magnitude,
  max,
  min,
  operation,
  or,
  plus,
  round,
  wrap,
  xor,
} from "../../numeric/operation/build.ts";
import type { WarpOperation } from "../../numeric/operation/warp.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form } from "../form/define.ts";
import type { PredicateClass } from "../form/operands.ts";

const among = (op: WarpOperation): Plan => ({ shape: "warp", op });
const membermask = of("b32");
const source: PredicateClass = { kind: "predicate", access: "read", negatable: true, immediate: true };
const verdict: PredicateClass = { kind: "predicate", access: "write" };
const common = ["all", "any", "uni"] as const;
const old = {
  since: { ptx: 12, sm: 12 },
  until: { ptx: 64, sm: 70 },
  deprecated: { since: 60, use: "vote.sync" },
};
const synchronised = { ptx: 51, sm: 30 };

const votes: readonly Form[] = [
  form("vote.sync.mode.pred d, a, membermask", {
    where: { mode: common },
    operands: { d: verdict, a: source, membermask },
    since: synchronised,
    run: ({ mode }) => among({ among: "vote", mode }),
    check: [
      { with: ["all"], a: 1, membermask: 1, d: 1 },
      { with: ["any"], a: 0, membermask: 1, d: 0 },
      { with: ["uni"], a: 0, membermask: 1, d: 1 },
    ],
  }),
  form("vote.sync.ballot.b32 d, a, membermask", {
    operands: { d: to("b32"), a: source, membermask },
    since: synchronised,
    run: () => among({ among: "vote", mode: "ballot" }),
    check: [{ a: 1, membermask: 0xffff_ffff, d: 1 }],
  }),
  form("vote.mode.pred d, a", {
    where: { mode: common },
    operands: { d: verdict, a: source },
    ...old,
    run: ({ mode }) => among({ among: "vote", mode }),
    check: [{ with: ["all"], a: 0, d: 0 }],
  }),
  form("vote.ballot.b32 d, a", {
    operands: { d: to("b32"), a: source },
    ...old,
    since: { ptx: 20, sm: 20 },
    run: () => among({ among: "vote", mode: "ballot" }),
    check: [{ a: 1, d: 1 }],
  }),
];

const width = { b32: 32, b64: 64 } as const;
const types = ["b32", "b64"] as const;
const everyTarget = { ptx: 51, sm: 70 };

const matches: readonly Form[] = [
  form("match.any.sync.type d, a, membermask", {
    where: { type: types },
    operands: ({ type }) => ({ d: to("b32"), a: of(type), membermask }),
    since: everyTarget,
    run: ({ type }) => among({ among: "match", mode: "any", bits: width[type] }),
    check: [{ with: ["b64"], a: 5n, membermask: 0xffff_ffff, d: 1 }],
  }),
  form("match.all.sync.type d{|p}, a, membermask", {
    where: { type: types },
    operands: ({ type }) => ({ d: to("b32", { sink: true }), p: { ...verdict, sink: true }, a: of(type), membermask }),
    since: everyTarget,
    run: ({ type }) => among({ among: "match", mode: "all", bits: width[type] }),
    check: [{ with: ["b32"], a: 5, membermask: 0xffff_ffff, d: 1, p: 1 }],
  }),
];

const joined = {
  add: plus(a, b),
  min: min(a, b),
  max: max(a, b),
  and: and(a, b),
  or: or(a, b),
  xor: xor(a, b),
} as const;
const extrema = { min, max } as const;
/** All lanes as one: an integer modulo 2^32. */
const reduced = (op: keyof typeof joined, type: "u32" | "s32" | "b32"): Plan =>
  among({ among: "reduce", join: operation({ a: type, b: type }, type, wrap(type, joined[op])) });

const reductions: readonly Form[] = [
  form("redux.sync.op.type d, a, membermask", {
    where: { op: ["add", "min", "max"], type: ["u32", "s32"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), membermask }),
    since: { ptx: 70, sm: 80 },
    run: ({ op, type }) => reduced(op, type),
    check: [{ with: ["min", "s32"], a: 0xffff_fffe, membermask: 1, d: 0xffff_fffe }],
  }),
  form("redux.sync.op.b32 d, a, membermask", {
    where: { op: ["and", "or", "xor"] },
    operands: { d: to("b32"), a: of("b32"), membermask },
    since: { ptx: 70, sm: 80 },
    run: ({ op }) => reduced(op, "b32"),
    check: [{ with: ["xor"], a: 0x1234_5678, membermask: 1, d: 0x1234_5678 }],
  }),
  form("redux.sync.op{.abs}{.NaN}.f32 d, a, membermask", {
    where: { op: ["min", "max"] },
    operands: { d: to("f32"), a: of("f32"), membermask },
    since: { ptx: 86, sm: 100, only: "f" },
    run: ({ op, abs, NaN: nan }) => {
      // A single lane takes part too: its NaN becomes the canonical one.
      const each = operation({ a: "f32" }, "f32", round("f32", {}, abs ? magnitude(a) : a));
      const join = operation({ a: "f32", b: "f32" }, "f32", round("f32", {}, extrema[op](a, b, { nan })));
      return among({ among: "reduce", each, join });
    },
    check: [
      { with: ["min", "abs"], a: 0xbf80_0000, membermask: 1, d: 0x3f80_0000 },
      { with: ["max", "NaN"], a: 0xffc0_0001, membermask: 1, d: 0x7fff_ffff },
    ],
  }),
];

/** Data exchange between lanes. */
export const lanes: readonly Form[] = [
  ...votes,
  ...matches,
  form("activemask.b32 d", {
    operands: { d: to("b32") },
    since: { ptx: 62, sm: 30 },
    run: () => ({ shape: "special", name: "activemask" }),
    check: [{ d: 1 }],
  }),
  ...reductions,
  form("elect.sync d|p, membermask", {
    operands: { d: to("b32", { sink: true }), p: verdict, membermask },
    since: { ptx: 80, sm: 90 },
    run: () => among({ among: "elect" }),
    check: [{ membermask: 1, d: 0, p: 1 }],
  }),
  form("griddepcontrol.action", {
    where: { action: ["launch_dependents", "wait"] },
    operands: {},
    since: { ptx: 78, sm: 90 },
    run: ({ action }) => ({
      shape: "nothing",
      why:
        action === "wait"
          ? "grids run one after the other, so all prerequisite grids have completed and all of their writes are visible"
          : "a dependent grid may begin from here on and need not: grids run one after the other, so it begins when this one has completed",
    }),
    check: [{ snippet: ".reg .b32 d; mov.b32 d, 1; griddepcontrol.wait;", gives: { d: 1 } }],
  }),
];
