import type { Plan } from "../../interp/contract/plan/plan.ts";
import { bulkSize, genericPlace, globalPlace, rubin } from "../form/bulk-operands.ts";
import { type Form, form, unspecified } from "../form/define.ts";
import type { LiteralClass } from "../form/operands.ts";

/** The address is not used, so a wild one is no fault. */
const nothing: Plan = {
  shape: "nothing",
  why: "it is advice to the caches, which changes no value that a program can read",
};
const line: LiteralClass = { kind: "literal", bits: 32, only: 128 };
const sinceHint = { ptx: 74, sm: 80 };
const before = ".shared .b32 s; .reg .b64 a; .reg .b32 d; mov.b64 a, s; st.shared.b32 [s], 7;";
const unchanged = (instruction: string) => ({
  snippet: `${before} ${instruction} ld.shared.b32 d, [s];`,
  gives: { d: 7 },
});

/** prefetch, prefetchu, applypriority, discard. */
export const cache: readonly Form[] = [
  form("prefetch{.space}.level [a]", {
    where: { space: ["global", "local"], level: ["L1", "L2"] },
    operands: ({ space }) => ({ a: { kind: "address", space: space ?? "generic" } }),
    since: { ptx: 20, sm: 20 },
    run: () => nothing,
    check: [unchanged("prefetch.L1 [a];")],
  }),
  form("prefetch{.space}.level.valid_addr [a]", {
    where: { space: ["global"], level: ["L1::32B"] },
    operands: ({ space }) => ({ a: { kind: "address", space: space ?? "generic" } }),
    since: { ptx: 94, sm: 90 },
    run: () => nothing,
    check: [unchanged("prefetch.L1::32B.valid_addr [a];")],
    facts: [unspecified("the address is not looked at: one that is not valid, which the manual excludes, is no fault")],
  }),
  form("prefetch{.space}.priority [a]", {
    where: { space: ["global"], priority: ["L2::evict_last", "L2::evict_normal"] },
    operands: ({ space }) => ({ a: { kind: "address", space: space ?? "generic" } }),
    since: sinceHint,
    run: () => nothing,
    check: [unchanged("prefetch.global.L2::evict_last [a];")],
  }),
  form("prefetch{.space}.tensormap [a]", {
    where: { space: ["const", "param"] },
    operands: ({ space }) => ({ a: { kind: "address", space: space ?? "generic" } }),
    since: { ptx: 80, sm: 90 },
    run: () => nothing,
    check: [unchanged("prefetch.tensormap [a];")],
  }),
  form("prefetchu.L1 [a]", {
    operands: { a: { kind: "address", space: "generic" } },
    since: { ptx: 20, sm: 20 },
    run: () => nothing,
    check: [unchanged("prefetchu.L1 [a];")],
  }),
  form("applypriority{.space}.L2::evict_normal [a], size", {
    where: { space: ["global"] },
    operands: ({ space }) => ({ a: { kind: "address", space: space ?? "generic" }, size: line }),
    since: sinceHint,
    run: () => nothing,
    check: [unchanged("applypriority.L2::evict_normal [a], 128;")],
  }),
  form("applypriority.async.bulk{.space}.bulk_group.L2::evict_normal [a], size", {
    where: { space: ["global"] },
    operands: ({ space }) => ({ a: space === undefined ? genericPlace : globalPlace, size: bulkSize }),
    since: rubin,
    run: () => nothing,
    check: [
      {
        snippet:
          ".reg .b64 g; .reg .b32 d; applypriority.async.bulk.global.bulk_group.L2::evict_normal [g], 128; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; mov.b32 d, 7;",
        gives: { d: 7 },
        target: "sm_107a",
      },
    ],
    facts: [unspecified("nothing is in flight after it: groups do not have it, and the address is not looked at")],
  }),
  form("discard{.space}.L2 [a], size", {
    where: { space: ["global"] },
    operands: ({ space }) => ({ a: { kind: "address", space: space ?? "generic" }, size: line }),
    since: sinceHint,
    run: ({ space }) => ({ shape: "discard", space: space ?? "generic", bytes: 128 }),
    check: [
      {
        snippet:
          ".shared .align 128 .b32 s[32]; .reg .b64 a; .reg .b32 d; mov.b64 a, s; cvta.shared.u64 a, a; discard.L2 [a], 128; st.shared.b32 [s], 5; ld.shared.b32 d, [s];",
        gives: { d: 5 },
      },
    ],
  }),
];
