import type { MemoryOrder, MemoryScope } from "../../interp/contract/memory-consistency.ts";
import type { Plan } from "../../interp/contract/plan/plan.ts";
import { argument, slice, wrap } from "../../numeric/operation/build.ts";
import { bringing } from "../form/bringing.ts";
import { count, countTo, of, registerOf, to } from "../form/classes.ts";
import {
  type Conflict,
  type Form,
  form,
  type ModifierValues,
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
const words = {
  "shared::cta": { ptx: 78, sm: 80 },
  "shared::cluster": late,
  release: { ptx: 80, sm: 80 },
  acquire: { ptx: 80, sm: 80 },
  cluster: late,
  relaxed: { ptx: 86, sm: 90 },
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

interface Arrival {
  readonly act: "arrive" | "arrive_drop";
  readonly sem?: "release" | "relaxed" | undefined;
  readonly scope?: MemoryScope | undefined;
  readonly ss?: Space;
}

const arrival = (
  { act, sem = "release", scope = "cta", ss }: Arrival,
  more: { readonly expects?: true; readonly incomplete?: true } = {},
): Plan => ({
  shape: "mbarrier arrive",
  space: access(ss),
  sem,
  scope,
  drop: act === "arrive_drop",
  expects: more.expects === true,
  incomplete: more.incomplete === true,
});

interface Wait {
  readonly sem?: MemoryOrder | undefined;
  readonly scope?: MemoryScope | undefined;
  readonly ss?: Space;
}

const asked = (by: "state" | "parity", { sem = "acquire", scope = "cta", ss }: Wait) =>
  ({ by, space: access(ss), sem, scope }) as const;

const arrivals = { act: ["arrive", "arrive_drop"], sem: ["release", "relaxed"], scope, ss } as const;
const waits = { sem: ["acquire", "relaxed"], scope, ss: own } as const;
const counted = bringing({ ptx: 78, sm: 90 }, words);
const expected = bringing(late, words);

const made = ".shared .align 8 .b64 m; .reg .b64 s; .reg .pred p; .reg .b32 d; mbarrier.init.shared.b64 [m], 2;";
const asks = "mbarrier.test_wait.shared.b64 p, [m], s; selp.b32 d, 1, 0, p;";

const layout = unspecified(
  "an object holds, lowest first, 20 bits of pending and 20 of expected arrivals, 21 of the tx-count and 3 of the phase; a state is what it held before the arrival",
);

const making: readonly Form[] = [
  form("mbarrier.init{.ss}.b64 [a], n", {
    where: { ss: own },
    operands: ({ ss }) => ({ a: place(ss), n: number }),
    since: bringing(old, words),
    run: ({ ss }) => ({ shape: "mbarrier", act: "init", space: access(ss) }),
    facts: [layout],
    check: [
      { snippet: `${made} mbarrier.arrive.shared.b64 s, [m]; mbarrier.pending_count.b64 d, s;`, gives: { d: 2 } },
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
];

const waiting: readonly Form[] = [
  form("mbarrier.test_wait{.sem}{.scope}{.ss}.b64 p, [a], state", {
    where: waits,
    operands: ({ ss }) => ({ p: done, a: place(ss), state: token }),
    since: bringing(old, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier test", ...asked("state", mods) }),
    check: [{ snippet: `${made} mbarrier.arrive.shared.b64 s, [m], 2; ${asks}`, gives: { d: 1 } }],
  }),
  form("mbarrier.test_wait.parity{.sem}{.scope}{.ss}.b64 p, [a], parity", {
    where: waits,
    operands: ({ ss }) => ({ p: done, a: place(ss), parity: number }),
    since: bringing({ ptx: 71, sm: 80 }, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier test", ...asked("parity", mods) }),
    check: [
      { snippet: `${made} mbarrier.test_wait.parity.shared.b64 p, [m], 0; selp.b32 d, 1, 0, p;`, gives: { d: 0 } },
      { snippet: `${made} mbarrier.test_wait.parity.shared.b64 p, [m], 1; selp.b32 d, 1, 0, p;`, gives: { d: 1 } },
    ],
  }),
  form("mbarrier.try_wait{.sem}{.scope}{.ss}.b64 p, [a], state", {
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
  form("mbarrier.try_wait{.sem}{.scope}{.ss}.b64 p, [a], state, limit", {
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
  form("mbarrier.try_wait.parity{.sem}{.scope}{.ss}.b64 p, [a], parity", {
    where: waits,
    operands: ({ ss }) => ({ p: done, a: place(ss), parity: number }),
    since: bringing({ ptx: 78, sm: 90 }, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier wait", ...asked("parity", mods) }),
    check: [
      // No thread completes the phase: the wait ends all the same.
      { snippet: `${made} mbarrier.try_wait.parity.shared.b64 p, [m], 0; selp.b32 d, 1, 0, p;`, gives: { d: 0 } },
    ],
  }),
  form("mbarrier.try_wait.parity{.sem}{.scope}{.ss}.b64 p, [a], parity, limit", {
    where: waits,
    operands: ({ ss }) => ({ p: done, a: place(ss), parity: number, limit: count() }),
    since: bringing({ ptx: 78, sm: 90 }, words),
    conflict: pairConflict,
    run: (mods) => ({ shape: "mbarrier wait", ...asked("parity", mods) }),
    check: [
      // No thread completes the phase: the wait ends all the same.
      { snippet: `${made} mbarrier.try_wait.parity.shared.b64 p, [m], 0, 10; selp.b32 d, 1, 0, p;`, gives: { d: 0 } },
    ],
  }),
  form("mbarrier.pending_count.b64 d, state", {
    operands: { d: countTo(), state: registerOf("b64") },
    since: old,
    does: () => wrap("u32", slice(argument("state"), 0, 20)),
    facts: [layout],
    check: [{ state: 0x2000_0000_0020_0001n, d: 1 }],
  }),
];

export const mbarrier: Section = section({ of: "synchronization", name: "mbarrier", title: "mbarrier" }, [
  ...making,
  ...arriving,
  ...waiting,
]);
