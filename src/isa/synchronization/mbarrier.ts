import type { MemoryOrder, MemoryScope } from "../../interp/contract/memory-consistency.ts";
import type { Plan } from "../../interp/contract/plan/plan.ts";
import type { PhaseQuestion } from "../../interp/contract/plan/plan-async.ts";
import { argument, slice, wrap } from "../../numeric/operation/build.ts";
import { bringing } from "../form/bringing.ts";
import { count, countTo, of, registerOf, to } from "../form/classes.ts";
import {
  type Conflict,
  type Form,
  form,
  type ModifierValues,
  manual,
  type Section,
  section,
  unspecified,
} from "../form/define.ts";
import { access } from "../form/memory-access.ts";
import type { AbsentClass, AddressClass, PredicateClass, RegisterClass } from "../form/operands.ts";

const own = ["shared", "shared::cta"] as const;
const ss = ["shared", "shared::cta", "shared::cluster"] as const;
const scope = ["cta", "cluster"] as const;
const old = { ptx: 70, sm: 80 };
const late = { ptx: 80, sm: 90 };
const young = { ptx: 93, sm: 90 };
/** `.multicast::cluster::32b`: targets of one family. */
const cast = { ptx: 94, sm: 107, only: "f", families: [107] } as const;
const words = {
  "shared::cta": { ptx: 78, sm: 80 },
  "shared::cluster": late,
  release: { ptx: 80, sm: 80 },
  acquire: { ptx: 80, sm: 80 },
  cluster: late,
  relaxed: { ptx: 86, sm: 90 },
  "layout::v0": young,
  "layout::v1": young,
  "phase_type::primary": young,
  "phase_type::conditional": young,
} as const;
/** `.relaxed` came with expect_tx and complete_tx themselves. */
const { relaxed: _, ...countWords } = words;

type Space = (typeof ss)[number] | undefined;
const place = (ss: Space): AddressClass => ({ kind: "address", space: access(ss) });
const number = count();
const token = of("b64", { immediate: "integer" });
const arrivalCount = count({ least: 1, most: 0x7fff_ffff });
const done: PredicateClass = { kind: "predicate", access: "write" };
/**
 * An arrival at another block's object returns no state; arrive, but not arrive_drop, returned one in 7.0 (measured
 * with ptxas 13.0).
 */
const state = ({ act, ss }: { readonly act: Arrival["act"]; readonly ss?: Space }): RegisterClass | AbsentClass =>
  ss === "shared::cluster"
    ? { kind: "absent", unless: ".shared::cta", sink: true }
    : to("b64", { sink: true, ...(act === "arrive" && { late: { _: { ptx: 71, sm: 80 } } }) });

/** `.sem` and `.scope` go together. */
function pairConflict({ sem, scope }: ModifierValues): Conflict | undefined {
  if (sem !== undefined && scope === undefined) return [String(sem), "no scope: .cta or .cluster stands behind it"];
  if (scope !== undefined && sem === undefined) return [String(scope), "no order, which stands before it"];
  return undefined;
}

/** Operations that must not complete the phase stay in the block. */
function ownConflict(mods: ModifierValues): Conflict | undefined {
  const { sem, scope, ss } = mods;
  if (scope === "cluster") return ["cluster", ".noComplete"];
  if (sem === "relaxed") return ["relaxed", ".noComplete"];
  if (ss === "shared::cluster") return ["shared::cluster", ".noComplete"];
  return pairConflict(mods);
}

const layouts = { "layout::v0": "v0", "layout::v1": "v1" } as const;
const layout = ["layout::v0", "layout::v1"] as const;

interface Arrival {
  readonly act: "arrive" | "arrive_drop";
  readonly sem?: "release" | "relaxed" | undefined;
  readonly scope?: MemoryScope | undefined;
  readonly ss?: Space;
}

const arrival = (
  { act, sem = "release", scope = "cta", ss }: Arrival,
  more: { readonly expects?: true; readonly incomplete?: true; readonly multicast?: true } = {},
): Plan => ({
  shape: "mbarrier arrive",
  space: access(ss),
  sem,
  scope,
  drop: act === "arrive_drop",
  expects: more.expects === true,
  incomplete: more.incomplete === true,
  ...(more.multicast && { multicast: true }),
});

interface Wait {
  readonly phase?: "phase_type::primary" | "phase_type::conditional" | undefined;
  readonly sem?: MemoryOrder | undefined;
  readonly scope?: MemoryScope | undefined;
  readonly ss?: Space;
}

const asked = (
  by: "state" | "parity",
  { phase, sem = "acquire", scope = "cta", ss }: Wait,
  reports?: PhaseQuestion["reports"],
): PhaseQuestion => ({
  by,
  space: access(ss),
  sem,
  scope,
  ...(phase === "phase_type::conditional" && { conditional: true }),
  ...(reports && { reports }),
});

const arrivals = { act: ["arrive", "arrive_drop"], sem: ["release", "relaxed"], scope, ss } as const;
const waits = { phase: ["phase_type::primary"], sem: ["acquire", "relaxed"], scope, ss: own } as const;
const parityWaits = { ...waits, phase: ["phase_type::primary", "phase_type::conditional"] } as const;
/** At objects of several blocks, so that no state comes back. */
const multicasts = { ...arrivals, ss: ["shared::cluster"], multicast: ["multicast::cluster::32b"] } as const;
const blocks = registerOf("b32", { immediate: "integer" });
const nothing: AbsentClass = { kind: "absent", unless: "being without .multicast", sink: true };
const counted = bringing({ ptx: 78, sm: 90 }, words);
const expected = bringing(late, words);

const names = ".shared .align 8 .b64 m; .reg .b64 s; .reg .pred p, r; .reg .b32 d, e; .reg .b8 v;";
const made = `${names} mbarrier.init.shared.b64 [m], 2;`;
const madeForReports = `${names} mbarrier.init.layout::v1.shared.b64 [m], 2;`;
const asks = "mbarrier.test_wait.shared.b64 p, [m], s; selp.b32 d, 1, 0, p;";

/** Two blocks of one thread each: `z` is true in the first. */
const inCluster = { cluster: 2, target: "sm_107f" } as const;
const met = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
const ofTwo = `${made} .reg .pred z; mov.u32 d, %cluster_ctarank; setp.eq.u32 z, d, 0; ${met}`;

const bits = unspecified(
  "an object holds, lowest first, 20 bits of pending and 20 of expected arrivals, 21 of the tx-count and 3 of the phase; a state is what it held before the arrival",
);
const bitsWithReports = unspecified(
  "with .layout::v1 it holds 9, 9 and 21 bits of those, 9 each of the reports of this phase and the one before (8 of the value, then the predicate), 4 of the conditional phase and 3 of the primary one",
  ({ layout }) => layout === "layout::v1",
);
const reportFacts = [
  manual("report and value are those of the phase that has completed last; 0 with .layout::v0"),
  unspecified("report and value while the phase is incomplete: 0"),
];

const making: readonly Form[] = [
  form("mbarrier.init{.layout}{.ss}.b64 [a], n", {
    where: { layout, ss: own },
    operands: ({ ss }) => ({ a: place(ss), n: number }),
    since: bringing(old, words),
    run: ({ layout, ss }) => ({
      shape: "mbarrier",
      act: "init",
      space: access(ss),
      ...(layout && { layout: layouts[layout] }),
    }),
    facts: [bits, bitsWithReports],
    check: [
      { snippet: `${made} mbarrier.arrive.shared.b64 s, [m]; mbarrier.pending_count.b64 d, s;`, gives: { d: 2 } },
    ],
  }),
  form("mbarrier.check_layout.layout{.ss}.b64 p, [a]", {
    where: { layout, ss: ["shared::cta"] },
    operands: ({ ss }) => ({ p: done, a: place(ss) }),
    since: young,
    run: ({ layout, ss }) => ({ shape: "mbarrier layout", space: access(ss), layout: layouts[layout] }),
    check: [
      {
        snippet: `${made} mbarrier.check_layout.layout::v0.shared::cta.b64 p, [m]; selp.b32 d, 1, 0, p;
mbarrier.check_layout.layout::v1.shared::cta.b64 p, [m]; selp.b32 e, 1, 0, p;`,
        gives: { d: 1, e: 0 },
      },
      {
        snippet: `${madeForReports} mbarrier.check_layout.layout::v0.shared::cta.b64 p, [m]; selp.b32 d, 1, 0, p;
mbarrier.check_layout.layout::v1.shared::cta.b64 p, [m]; selp.b32 e, 1, 0, p;`,
        gives: { d: 0, e: 1 },
      },
    ],
  }),
  form("mbarrier.inval{.ss}.b64 [a]", {
    where: { ss: own },
    operands: ({ ss }) => ({ a: place(ss) }),
    since: bringing(old, words),
    run: ({ ss }) => ({ shape: "mbarrier", act: "inval", space: access(ss) }),
    check: [
      {
        snippet: `${made} mbarrier.inval.shared.b64 [m]; mov.b64 s, 5; st.shared.b64 [m], s; ld.shared.b32 d, [m];`,
        gives: { d: 5 },
      },
    ],
  }),
  form("mbarrier.what{.sem}{.scope}{.ss}.b64 [a], n", {
    where: { what: ["expect_tx", "complete_tx"], sem: ["relaxed"], scope, ss },
    operands: ({ ss }) => ({ a: place(ss), n: number }),
    since: bringing(late, countWords),
    conflict: pairConflict,
    run: ({ what, ss }) => ({ shape: "mbarrier", act: what, space: access(ss) }),
    check: [
      {
        snippet: `${made} mbarrier.expect_tx.shared.b64 [m], 8; mbarrier.arrive.shared.b64 s, [m], 2; ${asks}`,
        gives: { d: 0 },
      },
      {
        snippet: `${made} mbarrier.expect_tx.shared.b64 [m], 8; mbarrier.arrive.shared.b64 s, [m], 2; mbarrier.complete_tx.shared.b64 [m], 8; ${asks}`,
        gives: { d: 1 },
      },
    ],
  }),
  form("mbarrier.what{.sem}{.scope}{.ss}.multicast.b64 [a], n, mask", {
    where: {
      what: ["expect_tx", "complete_tx"],
      sem: ["relaxed"],
      scope,
      ss: multicasts.ss,
      multicast: multicasts.multicast,
    },
    operands: ({ ss }) => ({ a: place(ss), n: number, mask: blocks }),
    since: cast,
    conflict: pairConflict,
    run: ({ what, ss }) => ({ shape: "mbarrier", act: what, space: access(ss), multicast: true }),
    check: [
      {
        ...inCluster,
        snippet: `${ofTwo} @z mbarrier.expect_tx.shared::cluster.multicast::cluster::32b.b64 [m], 8, 0x3; ${met}
mbarrier.arrive.shared.b64 s, [m], 2; ${asks} mov.b32 e, d; ${met}
@z mbarrier.complete_tx.shared::cluster.multicast::cluster::32b.b64 [m], 8, 0x3; ${met} ${asks}`,
        gives: { e: 0, d: 1 },
      },
    ],
  }),
];

const arriving: readonly Form[] = [
  form("mbarrier.act{.sem}{.scope}{.ss}.b64 state, [a]", {
    where: arrivals,
    operands: ({ act, ss }) => ({ state: state({ act, ss }), a: place(ss) }),
    since: bringing(old, words),
    conflict: pairConflict,
    run: (mods) => arrival(mods),
    check: [
      { snippet: `${made} mbarrier.arrive.shared.b64 s, [m]; ${asks}`, gives: { d: 0 } },
      {
        snippet: `${made} mbarrier.arrive.shared.b64 _, [m]; mbarrier.arrive.shared.b64 s, [m]; ${asks}`,
        gives: { d: 1 },
      },
      // The next phase expects one arrival less.
      {
        snippet: `${made} mbarrier.arrive_drop.shared.b64 _, [m]; mbarrier.arrive.shared.b64 _, [m]; mbarrier.arrive.shared.b64 s, [m]; ${asks}`,
        gives: { d: 1 },
      },
    ],
  }),
  form("mbarrier.act{.sem}{.scope}{.ss}.b64 state, [a], n", {
    where: arrivals,
    operands: ({ act, ss }) => ({ state: state({ act, ss }), a: place(ss), n: arrivalCount }),
    since: counted,
    conflict: pairConflict,
    run: (mods) => arrival(mods),
    check: [{ snippet: `${made} mbarrier.arrive.shared.b64 s, [m], 2; ${asks}`, gives: { d: 1 } }],
  }),
  form("mbarrier.act.expect_tx{.sem}{.scope}{.ss}.b64 state, [a], n", {
    where: arrivals,
    operands: ({ act, ss }) => ({ state: state({ act, ss }), a: place(ss), n: number }),
    since: expected,
    conflict: pairConflict,
    run: (mods) => arrival(mods, { expects: true }),
    check: [
      {
        snippet: `${made} mbarrier.arrive.shared.b64 _, [m]; mbarrier.arrive.expect_tx.shared.b64 s, [m], 4; ${asks}`,
        gives: { d: 0 },
      },
    ],
  }),
  form("mbarrier.act.noComplete{.sem}{.scope}{.ss}.b64 state, [a], n", {
    where: arrivals,
    operands: ({ act, ss }) => ({ state: state({ act, ss }), a: place(ss), n: arrivalCount }),
    since: bringing(old, words),
    conflict: ownConflict,
    run: (mods) => arrival(mods, { incomplete: true }),
    check: [{ snippet: `${made} mbarrier.arrive.noComplete.shared.b64 s, [m], 1; ${asks}`, gives: { d: 0 } }],
  }),
  form("mbarrier.act{.sem}{.scope}{.ss}.multicast.b64 state, [a], mask", {
    where: multicasts,
    operands: ({ ss }) => ({ state: nothing, a: place(ss), mask: blocks }),
    since: cast,
    conflict: pairConflict,
    run: (mods) => arrival(mods, { multicast: true }),
    check: [
      {
        ...inCluster,
        snippet: `${ofTwo} mbarrier.arrive.shared.b64 s, [m]; ${asks} mov.b32 e, d; ${met}
@z mbarrier.arrive.release.cluster.shared::cluster.multicast::cluster::32b.b64 _, [m], 0x3; ${met} ${asks}`,
        gives: { e: 0, d: 1 },
      },
    ],
  }),
  form("mbarrier.act{.sem}{.scope}{.ss}.multicast.b64 state, [a], n, mask", {
    where: multicasts,
    operands: ({ ss }) => ({ state: nothing, a: place(ss), n: arrivalCount, mask: blocks }),
    since: cast,
    conflict: pairConflict,
    run: (mods) => arrival(mods, { multicast: true }),
    check: [
      {
        ...inCluster,
        // Only the first block's object is in the mask.
        snippet: `${ofTwo} @z mbarrier.arrive.shared::cluster.multicast::cluster::32b.b64 _, [m], 2, 0x1; ${met}
mbarrier.test_wait.parity.shared.b64 p, [m], 0; selp.b32 d, 1, 0, p;`,
        gives: { d: 1 },
      },
    ],
  }),
  form("mbarrier.act.expect_tx{.sem}{.scope}{.ss}.multicast.b64 state, [a], n, mask", {
    where: multicasts,
    operands: ({ ss }) => ({ state: nothing, a: place(ss), n: number, mask: blocks }),
    since: cast,
    conflict: pairConflict,
    run: (mods) => arrival(mods, { expects: true, multicast: true }),
    check: [
      {
        ...inCluster,
        snippet: `${ofTwo} mbarrier.arrive.shared.b64 s, [m]; ${met}
@z mbarrier.arrive.expect_tx.shared::cluster.multicast::cluster::32b.b64 _, [m], 8, 0x3; ${met} ${asks} mov.b32 e, d;
mbarrier.complete_tx.shared.b64 [m], 8; ${asks}`,
        gives: { e: 0, d: 1 },
      },
    ],
  }),
];

const waiting: readonly Form[] = [
  form("mbarrier.test_wait{.phase}{.sem}{.scope}{.ss}.b64 p, [a], state", {
    where: waits,
    operands: ({ ss }) => ({ p: done, a: place(ss), state: token }),
    since: bringing(old, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier test", ...asked("state", mods) }),
    check: [{ snippet: `${made} mbarrier.arrive.shared.b64 s, [m], 2; ${asks}`, gives: { d: 1 } }],
  }),
  form("mbarrier.test_wait.parity{.phase}{.sem}{.scope}{.ss}.b64 p, [a], parity", {
    where: parityWaits,
    operands: ({ ss }) => ({ p: done, a: place(ss), parity: number }),
    since: bringing({ ptx: 71, sm: 80 }, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier test", ...asked("parity", mods) }),
    check: [
      { snippet: `${made} mbarrier.test_wait.parity.shared.b64 p, [m], 0; selp.b32 d, 1, 0, p;`, gives: { d: 0 } },
      { snippet: `${made} mbarrier.test_wait.parity.shared.b64 p, [m], 1; selp.b32 d, 1, 0, p;`, gives: { d: 1 } },
    ],
  }),
  form("mbarrier.try_wait{.phase}{.sem}{.scope}{.ss}.b64 p, [a], state", {
    where: waits,
    operands: ({ ss }) => ({ p: done, a: place(ss), state: token }),
    since: bringing({ ptx: 78, sm: 90 }, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier wait", ...asked("state", mods) }),
    facts: [unspecified("a wait ends without its phase when nobody else can go on; the time limit is not looked at")],
    check: [
      {
        snippet: `${made} mbarrier.arrive.shared.b64 s, [m], 2; mbarrier.try_wait.shared.b64 p, [m], s; selp.b32 d, 1, 0, p;`,
        gives: { d: 1 },
      },
    ],
  }),
  form("mbarrier.try_wait{.phase}{.sem}{.scope}{.ss}.b64 p, [a], state, limit", {
    where: waits,
    operands: ({ ss }) => ({ p: done, a: place(ss), state: token, limit: count() }),
    since: bringing({ ptx: 78, sm: 90 }, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier wait", ...asked("state", mods) }),
    check: [
      {
        snippet: `${made} mbarrier.arrive.shared.b64 s, [m], 1; mbarrier.try_wait.shared.b64 p, [m], s, 100; selp.b32 d, 1, 0, p;`,
        gives: { d: 0 },
      },
    ],
  }),
  form("mbarrier.try_wait.parity{.phase}{.sem}{.scope}{.ss}.b64 p, [a], parity", {
    where: parityWaits,
    operands: ({ ss }) => ({ p: done, a: place(ss), parity: number }),
    since: bringing({ ptx: 78, sm: 90 }, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier wait", ...asked("parity", mods) }),
    check: [
      // No thread completes the phase: the wait ends all the same.
      { snippet: `${made} mbarrier.try_wait.parity.shared.b64 p, [m], 0; selp.b32 d, 1, 0, p;`, gives: { d: 0 } },
    ],
  }),
  form("mbarrier.try_wait.parity{.phase}{.sem}{.scope}{.ss}.b64 p, [a], parity, limit", {
    where: parityWaits,
    operands: ({ ss }) => ({ p: done, a: place(ss), parity: number, limit: count() }),
    since: bringing({ ptx: 78, sm: 90 }, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier wait", ...asked("parity", mods) }),
    check: [
      // No thread completes the phase: the wait ends all the same.
      { snippet: `${made} mbarrier.try_wait.parity.shared.b64 p, [m], 0, 10; selp.b32 d, 1, 0, p;`, gives: { d: 0 } },
    ],
  }),
  form("mbarrier.test_wait.phase{.sem}{.scope}{.ss}.b64 p|r, [a], state", {
    where: waits,
    operands: ({ ss }) => ({ p: done, r: done, a: place(ss), state: token }),
    since: bringing(young, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier test", ...asked("state", mods, "predicate") }),
    facts: reportFacts,
    check: [
      {
        snippet: `${madeForReports} mbarrier.arrive.shared.b64 s, [m], 2; mbarrier.test_wait.phase_type::primary.shared.b64 p|r, [m], s; selp.b32 d, 1, 0, p; selp.b32 e, 1, 0, r;`,
        gives: { d: 1, e: 0 },
      },
    ],
  }),
  form("mbarrier.test_wait.phase{.sem}{.scope}{.ss}.b64 p|r, v, [a], state", {
    where: waits,
    operands: ({ ss }) => ({ p: done, r: done, v: to("b8"), a: place(ss), state: token }),
    since: bringing(young, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier test", ...asked("state", mods, "value") }),
    facts: reportFacts,
    check: [
      {
        snippet: `${madeForReports} mbarrier.arrive.shared.b64 s, [m], 2; mbarrier.test_wait.phase_type::primary.shared.b64 p|r, v, [m], s; selp.b32 d, 1, 0, p; selp.b32 e, 1, 0, r;`,
        gives: { d: 1, e: 0 },
      },
    ],
  }),
  form("mbarrier.test_wait.parity.phase{.sem}{.scope}{.ss}.b64 p|r, [a], parity", {
    where: waits,
    operands: ({ ss }) => ({ p: done, r: done, a: place(ss), parity: number }),
    since: bringing(young, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier test", ...asked("parity", mods, "predicate") }),
    facts: reportFacts,
    check: [
      {
        snippet: `${madeForReports} mbarrier.arrive.shared.b64 s, [m], 2; mbarrier.test_wait.parity.phase_type::primary.shared.b64 p|r, [m], 0; selp.b32 d, 1, 0, p; selp.b32 e, 1, 0, r;`,
        gives: { d: 1, e: 0 },
      },
    ],
  }),
  form("mbarrier.test_wait.parity.phase{.sem}{.scope}{.ss}.b64 p|r, v, [a], parity", {
    where: waits,
    operands: ({ ss }) => ({ p: done, r: done, v: to("b8"), a: place(ss), parity: number }),
    since: bringing(young, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier test", ...asked("parity", mods, "value") }),
    facts: reportFacts,
    check: [
      {
        snippet: `${madeForReports} mbarrier.arrive.shared.b64 s, [m], 2; mbarrier.test_wait.parity.phase_type::primary.shared.b64 p|r, v, [m], 0; selp.b32 d, 1, 0, p; selp.b32 e, 1, 0, r;`,
        gives: { d: 1, e: 0 },
      },
    ],
  }),
  form("mbarrier.try_wait.phase{.sem}{.scope}{.ss}.b64 p|r, [a], state{, limit}", {
    where: waits,
    operands: ({ ss }) => ({ p: done, r: done, a: place(ss), state: token, limit: count({ loose: true }) }),
    since: bringing(young, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier wait", ...asked("state", mods, "predicate") }),
    facts: reportFacts,
    check: [
      {
        snippet: `${madeForReports} mbarrier.arrive.shared.b64 s, [m], 2; mbarrier.try_wait.phase_type::primary.shared.b64 p|r, [m], s; selp.b32 d, 1, 0, p; selp.b32 e, 1, 0, r;`,
        gives: { d: 1, e: 0 },
      },
    ],
  }),
  form("mbarrier.try_wait.phase{.sem}{.scope}{.ss}.b64 p|r, v, [a], state{, limit}", {
    where: waits,
    operands: ({ ss }) => ({
      p: done,
      r: done,
      v: to("b8"),
      a: place(ss),
      state: token,
      limit: count({ loose: true }),
    }),
    since: bringing(young, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier wait", ...asked("state", mods, "value") }),
    facts: reportFacts,
    check: [
      {
        snippet: `${madeForReports} mbarrier.arrive.shared.b64 s, [m], 2; mbarrier.try_wait.phase_type::primary.shared.b64 p|r, v, [m], s, 100; selp.b32 d, 1, 0, p; selp.b32 e, 1, 0, r;`,
        gives: { d: 1, e: 0 },
      },
    ],
  }),
  form("mbarrier.try_wait.parity.phase{.sem}{.scope}{.ss}.b64 p|r, [a], parity{, limit}", {
    where: waits,
    operands: ({ ss }) => ({ p: done, r: done, a: place(ss), parity: number, limit: count({ loose: true }) }),
    since: bringing(young, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier wait", ...asked("parity", mods, "predicate") }),
    facts: reportFacts,
    check: [
      {
        snippet: `${madeForReports} mbarrier.arrive.shared.b64 s, [m], 2; mbarrier.try_wait.parity.phase_type::primary.shared.b64 p|r, [m], 0; selp.b32 d, 1, 0, p; selp.b32 e, 1, 0, r;`,
        gives: { d: 1, e: 0 },
      },
    ],
  }),
  form("mbarrier.try_wait.parity.phase{.sem}{.scope}{.ss}.b64 p|r, v, [a], parity{, limit}", {
    where: waits,
    operands: ({ ss }) => ({
      p: done,
      r: done,
      v: to("b8"),
      a: place(ss),
      parity: number,
      limit: count({ loose: true }),
    }),
    since: bringing(young, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier wait", ...asked("parity", mods, "value") }),
    facts: reportFacts,
    check: [
      {
        snippet: `${madeForReports} mbarrier.arrive.shared.b64 s, [m], 2; mbarrier.try_wait.parity.phase_type::primary.shared.b64 p|r, v, [m], 0, 100; selp.b32 d, 1, 0, p; selp.b32 e, 1, 0, r;`,
        gives: { d: 1, e: 0 },
      },
    ],
  }),
  form("mbarrier.pending_count{.layout}.b64 d, state", {
    where: { layout: ["layout::v0"] },
    operands: { d: countTo(), state: registerOf("b64") },
    since: bringing(old, words),
    does: () => wrap("u32", slice(argument("state"), 0, 20)),
    facts: [bits],
    check: [{ state: 0x2000_0000_0020_0001n, d: 1 }],
  }),
];

export const mbarrier: Section = section(
  { of: "synchronization", name: "mbarrier", title: "mbarrier" },
  [...making, ...arriving, ...waiting],
  {
    "": "mbarrier.init mbarrier.inval mbarrier.what=mbarrier.expect_tx mbarrier.act=mbarrier.arrive mbarrier.test_wait=mbarrier.test_wait.try_wait mbarrier.try_wait=mbarrier.test_wait.try_wait mbarrier.pending_count mbarrier.check_layout",
  },
);
