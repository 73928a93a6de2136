import type { MemoryScope } from "../../../interp/contract/memory-consistency.ts";
import type { Plan } from "../../../interp/contract/plan/plan.ts";
import {
  bulkPolicy,
  bulkSize,
  globalPlace,
  inspected,
  inspectionOf,
  mask16,
  maskBits,
  multicast,
  ordering,
  ranksMask,
  report,
  rubin,
  sharedPlace,
  sinceMulticast,
  withWord,
} from "../../form/bulk-operands.ts";
import { count } from "../../form/classes.ts";
import { type Conflict, type Form, form, unspecified } from "../../form/define.ts";
import { hint } from "../../form/memory-access.ts";
import type { LiteralClass } from "../../form/operands.ts";
import { together } from "../../form/since.ts";

const completion = ["mbarrier::complete_tx::bytes"] as const;
export const bulk = { ptx: 80, sm: 90 } as const;
const any: LiteralClass = { kind: "literal", bits: 32 };
const sem = ["weak", "relaxed"] as const;
const type = ["b128"] as const;
export const scopes = ["cta", "cluster", "gpu", "sys"] as const;

interface Order {
  readonly sem: (typeof sem)[number] | undefined;
  readonly scope: MemoryScope | undefined;
  readonly type: "b128" | undefined;
}

/** A strong copy has a scope and the size of what it moves at once, and no other copy has. */
export const strongly = ({ sem, scope, type }: Order): Conflict | undefined => {
  const more = scope ?? type;
  if (sem !== "relaxed") return more === undefined ? undefined : [more, "no .relaxed, which it belongs to"];
  if (scope === undefined) return [sem, "no scope: it needs .cta, .cluster, .gpu or .sys"];
  return type === undefined ? [sem, "no .b128 at the end"] : undefined;
};
export const orders = { sem, type } as const;
const scoped = (scope: MemoryScope | undefined) => (scope === undefined ? {} : { scope });
export const unordered = [
  unspecified("until it has been waited for it conflicts with other accesses as a copy without .relaxed does"),
];
const masked = (cp_mask: boolean) => cp_mask && { ptx: 86, sm: 100 };

/** How many bytes at an end of a copy may lie outside of its source. */
const ignored = count({ least: 0, most: 15 });

/** A hint to the L2 cache. */
export const prefetch: Plan = {
  shape: "nothing",
  why: "it brings data to the L2 cache, which changes no value that a program can read",
};

const buffers = { g: [7, 8, 9, 10] };
const registers = ".reg .b64 g; .reg .b32 d, e; .reg .pred p; .shared .align 128 .b32 s[32]; .shared .align 8 .b64 b;";
const barrier = `${registers} mbarrier.init.shared::cta.b64 [b], 1;`;
const arrived =
  "mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 16; W: mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0; @!p bra W;";
const fetched = (copy: string) => ({
  snippet: `${barrier} ${copy} ${arrived} ld.shared.b32 d, [s]; ld.shared.b32 e, [s+12];`,
  buffers,
  gives: { d: 7, e: 10 },
});
const sources = `${registers} st.shared.v4.b32 [s], {0x01010101, 5, 5, 5}; fence.proxy.async.shared::cta;`;
const written = (copy: string, gives: Readonly<Record<string, number>>) => ({
  snippet: `${sources} ${copy} cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ld.global.b32 d, [g]; ld.global.b32 e, [g+4];`,
  buffers,
  gives,
});

/** cp.async.bulk and its prefetch, and waiting for them. */
export const bulkCopies: readonly Form[] = [
  form(
    "cp.async.bulk{.sem}{.scope}.shared::cta.global.completion{.report}{.hint}{.type} [d], [a], n, [mbar]{, policy}",
    {
      where: { ...orders, scope: scopes, completion, report, hint },
      operands: ({ hint }) => ({
        d: sharedPlace,
        a: globalPlace,
        n: bulkSize,
        mbar: sharedPlace,
        policy: bulkPolicy(hint),
      }),
      since: ({ sem, report }) => together({ ptx: 86, sm: 90 }, sem && ordering, report && rubin),
      conflict: strongly,
      run: ({ scope, report }) => ({
        shape: "bulk copy",
        from: "global",
        to: "shared",
        whose: "own",
        ...scoped(scope),
        ...inspectionOf(report),
      }),
      facts: [...unordered, inspected],
      check: [
        fetched("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [g], 16, [b];"),
        fetched("cp.async.bulk.relaxed.gpu.shared::cta.global.mbarrier::complete_tx::bytes.b128 [s], [g], 16, [b];"),
        {
          // Among the bytes is one of 0xff.
          target: "sm_107f",
          snippet: `${registers} .reg .pred r; mbarrier.init.layout::v1.shared::cta.b64 [b], 1; cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.mbarrier::report::validity::per_element::ff [s], [g], 16, [b]; mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 16; W: mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0; @!p bra W; mbarrier.test_wait.parity.phase_type::primary.shared::cta.b64 p|r, [b], 0; selp.b32 d, 1, 0, r; ld.shared.b32 e, [s+4];`,
          buffers: { g: [7, 0xff00, 9, 10] },
          gives: { d: 1, e: 0xff00 },
        },
      ],
    },
  ),
  form(
    "cp.async.bulk{.sem}{.scope}.shared::cta.global.completion{.report}{.hint}.ignore_oob{.type} [d], [a], n, left, right, [mbar]{, policy}",
    {
      where: { ...orders, scope: scopes, completion, report: [report[0]], hint },
      operands: ({ hint }) => ({
        d: sharedPlace,
        a: globalPlace,
        n: bulkSize,
        left: ignored,
        right: ignored,
        mbar: sharedPlace,
        policy: bulkPolicy(hint),
      }),
      since: ({ sem, report }) => together({ ptx: 92, sm: 90 }, sem && ordering, report && rubin),
      conflict: strongly,
      run: ({ scope }) => ({
        shape: "bulk copy",
        from: "global",
        to: "shared",
        whose: "own",
        ignores: true,
        ...scoped(scope),
      }),
      facts: [
        ...unordered,
        unspecified("bytes that it ignores stay as they are in shared memory, and count as never written"),
        unspecified("the mbarrier object is told of all n bytes, ignored ones too"),
      ],
      check: [
        {
          snippet: `${barrier} st.shared.v4.b32 [s], {1, 2, 3, 4}; st.shared.v4.b32 [s+16], {1, 2, 3, 4}; fence.proxy.async.shared::cta; cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [s], [g], 32, 0, 12, [b]; mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 32; W: mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0; @!p bra W; ld.shared.b32 d, [s+12]; ld.shared.b32 e, [s+16];`,
          buffers: { g: [7, 8, 9, 10, 11] },
          gives: { d: 10, e: 11 },
        },
      ],
    },
  ),
  form(
    "cp.async.bulk{.sem}{.scope}.shared::cluster.global.completion{.report}{.multicast}{.hint}{.type} [d], [a], n, [mbar]{, mask}{, policy}",
    {
      where: { ...orders, scope: scopes, completion, report, multicast, hint },
      operands: ({ multicast, hint }) => ({
        d: sharedPlace,
        a: globalPlace,
        n: bulkSize,
        mbar: sharedPlace,
        mask: ranksMask(multicast),
        policy: bulkPolicy(hint),
      }),
      since: ({ sem, report, multicast }) =>
        together(bulk, sem && ordering, report && rubin, sinceMulticast(multicast)),
      conflict: strongly,
      run: ({ multicast, report, scope }) => ({
        shape: "bulk copy",
        from: "global",
        to: "shared",
        whose: "any",
        multicast: maskBits(multicast),
        ...scoped(scope),
        ...inspectionOf(report),
      }),
      facts: [...unordered, inspected],
      check: [
        fetched("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [g], 16, [b];"),
        fetched(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s], [g], 16, [b], 1;",
        ),
        {
          ...fetched(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster::32b [s], [g], 16, [b], 1;",
          ),
          target: "sm_107a",
        },
      ],
    },
  ),
  form("cp.async.bulk{.sem}{.scope}.shared::cluster.shared::cta.completion{.type} [d], [a], n, [mbar]", {
    where: { ...orders, scope: ["cta", "cluster"], completion },
    operands: { d: sharedPlace, a: sharedPlace, n: bulkSize, mbar: sharedPlace },
    since: ({ sem }) => together(bulk, sem && ordering),
    conflict: strongly,
    run: ({ scope }) => ({ shape: "bulk copy", from: "shared", to: "shared", whose: "other", ...scoped(scope) }),
    facts: unordered,
    // A copy to another block needs a cluster; one of no bytes has no effect.
    check: [
      {
        snippet: `${barrier} cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [s], [s], 0, [b]; mov.b32 d, 7;`,
        gives: { d: 7 },
      },
    ],
  }),
  form(
    "cp.async.bulk{.sem}{.scope}.global.shared::cta.bulk_group{.hint}{.cp_mask}{.type} [d], [a], n{, policy}{, bytes}",
    {
      where: { ...orders, scope: scopes, hint },
      operands: ({ hint, cp_mask }) => ({
        d: globalPlace,
        a: sharedPlace,
        n: bulkSize,
        policy: bulkPolicy(hint),
        bytes: withWord(cp_mask, ".cp_mask", mask16),
      }),
      since: ({ sem, cp_mask }) => together(bulk, sem && ordering, masked(cp_mask)),
      conflict: strongly,
      run: ({ scope, cp_mask }) => ({
        shape: "bulk copy",
        from: "shared",
        to: "global",
        ...(cp_mask ? { masked: true } : {}),
        ...scoped(scope),
      }),
      facts: unordered,
      check: [
        written("cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16;", { d: 0x0101_0101, e: 5 }),
        written("cp.async.bulk.relaxed.sys.global.shared::cta.bulk_group.b128 [g], [s], 16;", { d: 0x0101_0101, e: 5 }),
        written("cp.async.bulk.global.shared::cta.bulk_group.cp_mask [g], [s], 16, 0x000a;", {
          d: 0x0100_0107,
          e: 8,
        }),
      ],
    },
  ),
  form("cp.async.bulk.prefetch.L2.global{.hint} [a], n{, policy}", {
    where: { hint },
    operands: ({ hint }) => ({ a: globalPlace, n: bulkSize, policy: bulkPolicy(hint) }),
    since: bulk,
    run: () => prefetch,
    check: [
      { snippet: ".reg .b64 g; .reg .b32 d; cp.async.bulk.prefetch.L2.global [g], 16; mov.b32 d, 7;", gives: { d: 7 } },
    ],
  }),
  form("cp.async.bulk.prefetch.L2.global.priority [a], n", {
    where: { priority: ["L2::evict_last"] },
    operands: { a: globalPlace, n: bulkSize },
    since: rubin,
    run: () => prefetch,
    check: [
      {
        snippet: ".reg .b64 g; .reg .b32 d; cp.async.bulk.prefetch.L2.global.L2::evict_last [g], 16; mov.b32 d, 7;",
        gives: { d: 7 },
        target: "sm_107a",
      },
    ],
  }),
  form("cp.async.bulk.commit_group", {
    operands: {},
    since: bulk,
    run: () => ({ shape: "commit group", line: "bulk" }),
    check: [written("cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16;", { d: 0x0101_0101, e: 5 })],
  }),
  form("cp.async.bulk.wait_group{.read} n", {
    operands: { n: any },
    since: bulk,
    run: ({ read }) => ({ shape: "wait group", line: "bulk", ...(read ? { reads: true } : {}) }),
    check: [
      written("cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16;", { d: 0x0101_0101, e: 5 }),
      {
        snippet: `${sources} cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; st.shared.b32 [s], 1; cp.async.bulk.wait_group 0; ld.global.b32 d, [g];`,
        buffers,
        gives: { d: 0x0101_0101 },
      },
    ],
  }),
];
