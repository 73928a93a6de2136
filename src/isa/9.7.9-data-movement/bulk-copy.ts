import { bulkPolicy, bulkSize, globalPlace, mask16, sharedPlace, withWord } from "../form/bulk-operands.ts";
import { type Form, form } from "../form/define.ts";
import { hint } from "../form/memory-access.ts";
import type { LiteralClass } from "../form/operands.ts";
import { least } from "../form/since.ts";

const completion = ["mbarrier::complete_tx::bytes"] as const;
export const bulk = { ptx: 80, sm: 90 } as const;
const any: LiteralClass = { kind: "literal", bits: 32 };

/** 9.7.9.26.4.1 and 9.7.9.26.4.3, and waiting for them: 9.7.9.26.6. */
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
  }),
  form("cp.async.bulk.shared::cluster.shared::cta.completion [d], [a], n, [mbar]", {
    where: { completion },
    operands: { d: sharedPlace, a: sharedPlace, n: bulkSize, mbar: sharedPlace },
    since: bulk,
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
  }),
  form("cp.async.bulk.prefetch.L2.global{.hint} [a], n{, policy}", {
    where: { hint },
    operands: ({ hint }) => ({ a: globalPlace, n: bulkSize, policy: bulkPolicy(hint) }),
    since: bulk,
  }),
  form("cp.async.bulk.commit_group", { operands: {}, since: bulk }),
  form("cp.async.bulk.wait_group{.read} n", { operands: { n: any }, since: bulk }),
];
