import type { Plan } from "../../interp/contract/plan/plan.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form } from "../form/define.ts";
import type { PredicateClass, RegisterClass } from "../form/operands.ts";
import { least } from "../form/since.ts";

const number: RegisterClass = of("u32", { least: 0, most: 15 });
const count: RegisterClass = of("u32", { multiple: 32 });
/** arrive does not wait, so the number of waiting threads must be given. */
const counted: RegisterClass = of("u32", { least: 1, multiple: 32 });
const vote: PredicateClass = { kind: "predicate", access: "read", negatable: true, immediate: true };
const verdict: PredicateClass = { kind: "predicate", access: "write" };

type Act = (Plan & { shape: "barrier" })["act"];
const barrier = (act: Act, aligned: boolean): Plan => ({ shape: "barrier", act, aligned });

const bar = { ptx: 10, sm: 10 };
const red = { ptx: 20, sm: 20 };
const piecewise = { ptx: 51, sm: 30 };
/** `.cta` states the default. */
const cta = { ptx: 78, sm: 20 };

const waits = (line: string) => ({ snippet: `.reg .b32 d; ${line} mov.b32 d, 1;`, gives: { d: 1 } });
const counts = (line: string) => ({
  snippet: `.reg .b32 d; .reg .pred p, q; setp.eq.u32 p, 0, 0; setp.ne.u32 q, 0, 0; ${line}`,
  gives: { d: 1 },
});
const decides = (line: string) => ({
  snippet: `.reg .b32 d; .reg .pred p, q, r; setp.eq.u32 p, 0, 0; setp.ne.u32 q, 0, 0; ${line} selp.b32 d, 1, 0, r;`,
  gives: { d: 1 },
});
const op = ["and", "or"] as const;

/** bar is barrier.aligned. */
const block: readonly Form[] = [
  form("bar{.cta}.sync a", {
    operands: { a: number },
    since: (mods) => least(bar, mods.cta && cta),
    run: () => barrier("sync", true),
    check: [waits("bar.sync 0;")],
  }),
  form("bar{.cta}.sync a, b", {
    operands: { a: number, b: count },
    since: (mods) => least(bar, mods.cta && cta),
    run: () => barrier("sync", true),
    check: [waits("bar.cta.sync 1, 32;")],
  }),
  form("bar{.cta}.arrive a, b", {
    operands: { a: number, b: counted },
    since: (mods) => least(red, mods.cta && cta),
    run: () => barrier("arrive", true),
    check: [waits("bar.arrive 15, 64;")],
  }),
  form("bar{.cta}.red.popc.u32 d, a, c", {
    operands: { d: to("u32"), a: number, c: vote },
    since: (mods) => least(red, mods.cta && cta),
    run: () => barrier("popc", true),
    check: [counts("bar.red.popc.u32 d, 0, p;"), counts("bar.red.popc.u32 d, 0, !q;")],
  }),
  form("bar{.cta}.red.popc.u32 d, a, b, c", {
    operands: { d: to("u32"), a: number, b: count, c: vote },
    since: (mods) => least(red, mods.cta && cta),
    run: () => barrier("popc", true),
    check: [counts("bar.red.popc.u32 d, 0, 32, p;")],
  }),
  form("bar{.cta}.red.op.pred p, a, c", {
    where: { op },
    operands: { p: verdict, a: number, c: vote },
    since: (mods) => least(red, mods.cta && cta),
    run: ({ op }) => barrier(op, true),
    check: [decides("bar.red.and.pred r, 0, p;"), decides("bar.red.or.pred q, 1, q; not.pred r, q;")],
  }),
  form("bar{.cta}.red.op.pred p, a, b, c", {
    where: { op },
    operands: { p: verdict, a: number, b: count, c: vote },
    since: (mods) => least(red, mods.cta && cta),
    run: ({ op }) => barrier(op, true),
    check: [decides("bar.red.or.pred r, 0, 32, p;")],
  }),
  form("barrier{.cta}.sync{.aligned} a", {
    operands: { a: number },
    since: (mods) => least(piecewise, mods.cta && cta),
    run: ({ aligned }) => barrier("sync", aligned),
    check: [waits("barrier.sync 0;")],
  }),
  form("barrier{.cta}.sync{.aligned} a, b", {
    operands: { a: number, b: count },
    since: (mods) => least(piecewise, mods.cta && cta),
    run: ({ aligned }) => barrier("sync", aligned),
    check: [waits("barrier.cta.sync.aligned 1, 32;")],
  }),
  form("barrier{.cta}.arrive{.aligned} a, b", {
    operands: { a: number, b: counted },
    since: (mods) => least(piecewise, mods.cta && cta),
    run: ({ aligned }) => barrier("arrive", aligned),
    check: [waits("barrier.arrive 15, 64;")],
  }),
  form("barrier{.cta}.red.popc{.aligned}.u32 d, a, c", {
    operands: { d: to("u32"), a: number, c: vote },
    since: (mods) => least(piecewise, mods.cta && cta),
    run: ({ aligned }) => barrier("popc", aligned),
    check: [counts("barrier.red.popc.u32 d, 0, p;")],
  }),
  form("barrier{.cta}.red.popc{.aligned}.u32 d, a, b, c", {
    operands: { d: to("u32"), a: number, b: count, c: vote },
    since: (mods) => least(piecewise, mods.cta && cta),
    run: ({ aligned }) => barrier("popc", aligned),
    check: [counts("barrier.red.popc.aligned.u32 d, 0, 32, p;")],
  }),
  form("barrier{.cta}.red.op{.aligned}.pred p, a, c", {
    where: { op },
    operands: { p: verdict, a: number, c: vote },
    since: (mods) => least(piecewise, mods.cta && cta),
    run: ({ op, aligned }) => barrier(op, aligned),
    check: [decides("barrier.red.and.pred r, 0, p;")],
  }),
  form("barrier{.cta}.red.op{.aligned}.pred p, a, b, c", {
    where: { op },
    operands: { p: verdict, a: number, b: count, c: vote },
    since: (mods) => least(piecewise, mods.cta && cta),
    run: ({ op, aligned }) => barrier(op, aligned),
    check: [decides("barrier.red.or.aligned.pred r, 0, 32, p;")],
  }),
];

const warp: readonly Form[] = [
  form("bar.warp.sync membermask", {
    operands: { membermask: of("b32") },
    since: piecewise,
    run: () => ({ shape: "warp", op: { among: "sync" } }),
    check: [waits("bar.warp.sync 0xffffffff;")],
  }),
];

/** Memory is sequentially consistent, so the release of arrive and the acquire of wait hold anyway. */
const cluster: readonly Form[] = [
  form("barrier.cluster.arrive{.sem}{.aligned}", {
    where: { sem: ["release", "relaxed"] },
    operands: {},
    since: ({ sem }) => ({ ptx: sem === undefined ? 78 : 80, sm: 90 }),
    run: ({ sem, aligned }) => ({
      shape: "cluster barrier",
      act: "arrive",
      aligned,
      ...(sem === "relaxed" && { relaxed: true }),
    }),
    check: [waits("barrier.cluster.arrive;")],
  }),
  form("barrier.cluster.wait{.acquire}{.aligned}", {
    operands: {},
    since: ({ acquire }) => ({ ptx: acquire ? 80 : 78, sm: 90 }),
    run: ({ aligned }) => ({ shape: "cluster barrier", act: "wait", aligned }),
    check: [waits("barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;")],
  }),
];

/** Barriers of a block, of a warp and of a cluster. */
export const barriers: readonly Form[] = [...block, ...warp, ...cluster];
