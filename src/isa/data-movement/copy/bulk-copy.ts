import type { Plan } from "../../../interp/contract/plan/plan.ts";
import { bulkPolicy, bulkSize, globalPlace, mask16, sharedPlace, withWord } from "../../form/bulk-operands.ts";
import { type Form, form } from "../../form/define.ts";
import { hint } from "../../form/memory-access.ts";
import type { LiteralClass } from "../../form/operands.ts";
import { least } from "../../form/since.ts";

const completion = ["mbarrier::complete_tx::bytes"] as const;
export const bulk = { ptx: 80, sm: 90 } as const;
const any: LiteralClass = { kind: "literal", bits: 32 };

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
  form("cp.async.bulk.shared::cta.global.completion{.hint} [d], [a], n, [mbar]{, policy}", {
    where: { completion, hint },
    operands: ({ hint }) => ({
      d: sharedPlace,
      a: globalPlace,
      n: bulkSize,
      mbar: sharedPlace,
      policy: bulkPolicy(hint),
    }),
    since: { ptx: 86, sm: 90 },
    run: () => ({ shape: "bulk copy", from: "global", to: "shared", whose: "own" }),
    check: [fetched("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [g], 16, [b];")],
  }),
  form("cp.async.bulk.shared::cluster.global.completion{.multicast}{.hint} [d], [a], n, [mbar]{, mask}{, policy}", {
    where: { completion, multicast: ["multicast::cluster"], hint },
    operands: ({ multicast, hint }) => ({
      d: sharedPlace,
      a: globalPlace,
      n: bulkSize,
      mbar: sharedPlace,
      mask: withWord(multicast, ".multicast::cluster", mask16),
      policy: bulkPolicy(hint),
    }),
    since: bulk,
    run: ({ multicast }) => ({
      shape: "bulk copy",
      from: "global",
      to: "shared",
      whose: "any",
      ...(multicast === undefined ? {} : { mask: "ranks" }),
    }),
    check: [
      fetched("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [g], 16, [b];"),
      fetched(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s], [g], 16, [b], 1;",
      ),
    ],
  }),
  form("cp.async.bulk.shared::cluster.shared::cta.completion [d], [a], n, [mbar]", {
    where: { completion },
    operands: { d: sharedPlace, a: sharedPlace, n: bulkSize, mbar: sharedPlace },
    since: bulk,
    run: () => ({ shape: "bulk copy", from: "shared", to: "shared", whose: "other" }),
    // A copy to another block needs a cluster; one of no bytes has no effect.
    check: [
      {
        snippet: `${barrier} cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [s], [s], 0, [b]; mov.b32 d, 7;`,
        gives: { d: 7 },
      },
    ],
  }),
  form("cp.async.bulk.global.shared::cta.bulk_group{.hint}{.cp_mask} [d], [a], n{, policy}{, bytes}", {
    where: { hint },
    operands: ({ hint, cp_mask }) => ({
      d: globalPlace,
      a: sharedPlace,
      n: bulkSize,
      policy: bulkPolicy(hint),
      bytes: withWord(cp_mask, ".cp_mask", mask16),
    }),
    since: ({ cp_mask }) => least(bulk, cp_mask && { ptx: 86, sm: 100 }),
    run: ({ cp_mask }) => ({
      shape: "bulk copy",
      from: "shared",
      to: "global",
      ...(cp_mask ? { mask: "bytes" } : {}),
    }),
    check: [
      written("cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16;", { d: 0x0101_0101, e: 5 }),
      written("cp.async.bulk.global.shared::cta.bulk_group.cp_mask [g], [s], 16, 0x000a;", { d: 0x0100_0107, e: 8 }),
    ],
  }),
  form("cp.async.bulk.prefetch.L2.global{.hint} [a], n{, policy}", {
    where: { hint },
    operands: ({ hint }) => ({ a: globalPlace, n: bulkSize, policy: bulkPolicy(hint) }),
    since: bulk,
    run: () => prefetch,
    check: [
      { snippet: ".reg .b64 g; .reg .b32 d; cp.async.bulk.prefetch.L2.global [g], 16; mov.b32 d, 7;", gives: { d: 7 } },
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
