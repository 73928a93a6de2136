import { bulkPolicy, bulkSize, globalPlace, sharedPlace } from "../form/bulk-operands.ts";
import { type Conflict, type Form, form } from "../form/define.ts";
import { hint } from "../form/memory-access.ts";
import { bulk } from "./bulk-copy.ts";

const completion = ["mbarrier::complete_tx::bytes"] as const;
const redOp = ["and", "or", "xor", "add", "inc", "dec", "min", "max"] as const;
type RedOp = (typeof redOp)[number];

/** Which types each operation has (9.7.9.26.4.2), in the shared memory of a cluster and in global memory. */
const inCluster: Readonly<Record<RedOp, readonly string[]>> = {
  and: ["b32"], or: ["b32"], xor: ["b32"], add: ["u32", "s32", "u64"], inc: ["u32"], dec: ["u32"],
  min: ["u32", "s32"], max: ["u32", "s32"],
}; // biome-ignore format: a table
const ordered = ["u32", "s32", "u64", "s64", "f16", "bf16"];
const inGlobal: Readonly<Record<RedOp, readonly string[]>> = {
  and: ["b32", "b64"], or: ["b32", "b64"], xor: ["b32", "b64"], add: ["u32", "s32", "u64", "f32", "f64"],
  inc: ["u32"], dec: ["u32"], min: ordered, max: ordered,
}; // biome-ignore format: a table

const unless = (types: readonly string[], op: string, type: string): Conflict | undefined =>
  types.includes(type) ? undefined : [type, `.${op}, which is for .${types.join(", .")}`];

/** 9.7.9.26.4.2. */
export const bulkReductions: readonly Form[] = [
  form("cp.reduce.async.bulk.shared::cluster.shared::cta.completion.redOp.type [d], [a], n, [mbar]", {
    where: { completion, redOp, type: ["b32", "u32", "s32", "u64"] },
    operands: { d: sharedPlace, a: sharedPlace, n: bulkSize, mbar: sharedPlace },
    since: bulk,
    conflict: ({ redOp, type }) => unless(inCluster[redOp], redOp, type),
  }),
  form("cp.reduce.async.bulk.global.shared::cta.bulk_group{.hint}.redOp.type [d], [a], n{, policy}", {
    where: { hint, redOp, type: ["b32", "b64", "u32", "s32", "u64", "s64", "f16", "bf16", "f32", "f64"] },
    operands: ({ hint }) => ({ d: globalPlace, a: sharedPlace, n: bulkSize, policy: bulkPolicy(hint) }),
    since: bulk,
    conflict: ({ redOp, type }) =>
      redOp === "add" && (type === "f16" || type === "bf16")
        ? ["add", `.${type} without .noftz`]
        : unless(inGlobal[redOp], redOp, type),
  }),
  form("cp.reduce.async.bulk.global.shared::cta.bulk_group{.hint}.add.noftz.type [d], [a], n{, policy}", {
    where: { hint, type: ["f16", "bf16"] },
    operands: ({ hint }) => ({ d: globalPlace, a: sharedPlace, n: bulkSize, policy: bulkPolicy(hint) }),
    since: bulk,
  }),
];
