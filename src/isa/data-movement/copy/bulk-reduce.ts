import type { Update } from "../../../interp/contract/plan/plan-bulk.ts";
import {
  bulkPolicy,
  bulkSize,
  globalPlace,
  mask16,
  ordering,
  sharedPlace,
  withWord,
} from "../../form/bulk-operands.ts";
import { bitsOf } from "../../form/classes.ts";
import { type Conflict, type Form, form, manual, type Since } from "../../form/define.ts";
import { hint } from "../../form/memory-access.ts";
import { together } from "../../form/since.ts";
import { addFloat, halfOp, scalarOps } from "../../form/updates.ts";
import { bulk, orders, scopes, strongly, unordered } from "./bulk-copy.ts";

const completion = ["mbarrier::complete_tx::bytes"] as const;
const redOp = ["and", "or", "xor", "add", "inc", "dec", "min", "max"] as const;
type RedOp = (typeof redOp)[number];
type Type = "b32" | "b64" | "u32" | "s32" | "u64" | "s64" | "f16" | "bf16" | "f32" | "f64";

/**
 * Which types each operation has (PTX ISA, cp.reduce.async.bulk), in the shared memory of a cluster and in global
 * memory.
 */
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

const half = (type: string): type is "f16" | "bf16" => type === "f16" || type === "bf16";

/** What an operation makes of one element. */
const update = (op: RedOp, type: Type): Update => {
  const bits = bitsOf(type);
  if (bits === 8 || bits === 128) throw new Error(`.${type} has no reductions`);
  if (half(type) && (op === "add" || op === "min" || op === "max")) return { op: halfOp(op, type), bits };
  if (half(type)) throw new Error(`.${op}.${type}`);
  return { op: type === "f32" ? addFloat[1] : scalarOps(op, type)[0], bits };
};

const types = ["b32", "b64", "u32", "s32", "u64", "s64", "f16", "bf16", "f32", "f64"] as const;
const toGlobal = ({ redOp, type }: { readonly redOp: RedOp; readonly type: Type }): Conflict | undefined =>
  redOp === "add" && half(type) ? ["add", `.${type} without .noftz`] : unless(inGlobal[redOp], redOp, type);

const scoped: Since = { ptx: 93, sm: 90 };
/** multimem.cp. */
const everywhere: Since = { ptx: 91, sm: 90 };
const sinceNoftz = (type: Type): Since | false => type === "f32" && { ptx: 94, sm: 90 };
const subnormals = manual(
  "add.f32 keeps subnormals, as PTX ISA 9.4 says; up to 9.1 it said that current implementations flush them",
);

/** Four words of global memory, each reduced with `value`. */
const reduced = (op: string, value: number, before: readonly number[], after: readonly number[]) => ({
  snippet: `.reg .b64 g; .reg .b32 d, e, x, y; .shared .align 16 .b32 s[4]; st.shared.v4.b32 [s], {${value}, ${value}, ${value}, ${value}}; fence.proxy.async.shared::cta; cp.reduce.async.bulk.global.shared::cta.bulk_group.${op} [g], [s], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ld.global.v4.b32 {d, e, x, y}, [g];`,
  buffers: { g: before },
  gives: Object.fromEntries(["d", "e", "x", "y"].map((name, at) => [name, (after[at] ?? 0) >>> 0])),
});

export const bulkReductions: readonly Form[] = [
  form("cp.reduce.async.bulk{.relaxed.scope}.shared::cluster.shared::cta.completion.redOp.type [d], [a], n, [mbar]", {
    where: { scope: ["cta", "cluster"], completion, redOp, type: ["b32", "u32", "s32", "u64"] },
    operands: { d: sharedPlace, a: sharedPlace, n: bulkSize, mbar: sharedPlace },
    since: ({ relaxed }) => (relaxed ? scoped : bulk),
    conflict: ({ redOp, type }) => unless(inCluster[redOp], redOp, type),
    run: ({ redOp, type, scope }) => ({
      shape: "bulk copy",
      from: "shared",
      to: "shared",
      whose: "other",
      update: update(redOp, type),
      scope: scope ?? "sys",
    }),
    check: [
      {
        snippet:
          ".reg .b32 d; .shared .align 16 .b32 s[4]; .shared .align 8 .b64 b; mbarrier.init.shared::cta.b64 [b], 1; cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.and.b32 [s], [s], 0, [b]; mov.b32 d, 7;",
        gives: { d: 7 },
      },
    ],
  }),
  form("cp.reduce.async.bulk{.relaxed.scope}.global.shared::cta.bulk_group{.hint}.redOp.type [d], [a], n{, policy}", {
    where: { scope: scopes, hint, redOp, type: types },
    operands: ({ hint }) => ({ d: globalPlace, a: sharedPlace, n: bulkSize, policy: bulkPolicy(hint) }),
    since: ({ relaxed }) => (relaxed ? scoped : bulk),
    conflict: toGlobal,
    run: ({ redOp, type, scope }) => ({
      shape: "bulk copy",
      from: "shared",
      to: "global",
      update: update(redOp, type),
      scope: scope ?? "sys",
    }),
    facts: [subnormals],
    check: [
      reduced("inc.u32", 4, [3, 4, 5, 0], [4, 0, 0, 1]),
      reduced("min.s32", 4, [3, -4, 5, 0], [3, -4, 4, 0]),
      reduced(
        "add.f32",
        0x3f80_0000,
        [0x3f80_0000, 0, 0x8000_0000, 0xbf80_0000],
        [0x4000_0000, 0x3f80_0000, 0x3f80_0000, 0],
      ),
      reduced("add.f32", 1, [1, 0, 0x007f_ffff, 0x8000_0001], [2, 1, 0x0080_0000, 0]),
    ],
  }),
  form(
    "cp.reduce.async.bulk{.relaxed.scope}.global.shared::cta.bulk_group{.hint}.add.noftz.type [d], [a], n{, policy}",
    {
      where: { scope: scopes, hint, type: ["f16", "bf16", "f32"] },
      operands: ({ hint }) => ({ d: globalPlace, a: sharedPlace, n: bulkSize, policy: bulkPolicy(hint) }),
      since: ({ relaxed, type }) => together(bulk, relaxed && scoped, sinceNoftz(type)),
      run: ({ type, scope }) => ({
        shape: "bulk copy",
        from: "shared",
        to: "global",
        update: update("add", type),
        scope: scope ?? "sys",
      }),
      // Subnormals stay: 2^-24 + 2^-24 is 2^-23.
      check: [
        reduced(
          "add.noftz.f16",
          0x3c00_0001,
          [0x3c00_0001, 0, 1, 0],
          [0x4000_0002, 0x3c00_0001, 0x3c00_0002, 0x3c00_0001],
        ),
        reduced("add.noftz.f32", 1, [1, 0, 0x007f_ffff, 0x8000_0001], [2, 1, 0x0080_0000, 0]),
      ],
    },
  ),
];

/** A snippet has no multimem address: tests/unit/host/tensor-map.test.ts works these through. */
const never = (line: string) => ({
  snippet: `.reg .b64 g; .reg .b32 d; .reg .pred p; .shared .align 16 .b32 s[4]; setp.ne.u32 p, 0, 0; @p ${line} mov.b32 d, 7;`,
  gives: { d: 7 },
});

/** Copies to all replicas of a multimem address, and reductions there. */
export const multimemBulk: readonly Form[] = [
  form("multimem.cp.async.bulk{.sem}{.scope}.global.shared::cta.bulk_group{.cp_mask}{.type} [d], [a], n{, bytes}", {
    where: { ...orders, scope: scopes },
    operands: ({ cp_mask }) => ({
      d: globalPlace,
      a: sharedPlace,
      n: bulkSize,
      bytes: withWord(cp_mask, ".cp_mask", mask16),
    }),
    since: ({ sem, cp_mask }) => together(everywhere, sem && ordering, cp_mask && { ptx: 91, sm: 100 }),
    conflict: strongly,
    run: ({ scope, cp_mask }) => ({
      shape: "bulk copy",
      from: "shared",
      to: "global",
      multimem: true,
      ...(cp_mask ? { masked: true } : {}),
      ...(scope === undefined ? {} : { scope }),
    }),
    facts: unordered,
    check: [never("multimem.cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16;")],
  }),
  form("multimem.cp.reduce.async.bulk{.relaxed.scope}.global.shared::cta.bulk_group.redOp.type [d], [a], n", {
    where: { scope: scopes, redOp, type: types },
    operands: { d: globalPlace, a: sharedPlace, n: bulkSize },
    since: ({ relaxed }) => (relaxed ? scoped : everywhere),
    conflict: toGlobal,
    run: ({ redOp, type, scope }) => ({
      shape: "bulk copy",
      from: "shared",
      to: "global",
      multimem: true,
      update: update(redOp, type),
      scope: scope ?? "sys",
    }),
    facts: [subnormals],
    check: [never("multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [g], [s], 16;")],
  }),
  form("multimem.cp.reduce.async.bulk{.relaxed.scope}.global.shared::cta.bulk_group.add.noftz.type [d], [a], n", {
    where: { scope: scopes, type: ["f16", "bf16", "f32"] },
    operands: { d: globalPlace, a: sharedPlace, n: bulkSize },
    since: ({ relaxed, type }) => together(everywhere, relaxed && scoped, sinceNoftz(type)),
    run: ({ type, scope }) => ({
      shape: "bulk copy",
      from: "shared",
      to: "global",
      multimem: true,
      update: update("add", type),
      scope: scope ?? "sys",
    }),
    check: [never("multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [g], [s], 16;")],
  }),
];
