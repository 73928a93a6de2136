import { type Form, form, type Section, section } from "../form/define.ts";
import { bringing, open } from "../form/open.ts";
import { copies } from "./cp-async.ts";

const hint = ["L2::cache_hint"] as const;
const bulk = { ptx: 80, sm: 90 };
const words = {
  "shared::cta": { ptx: 86, sm: 90 },
  "cta_group::1": { ptx: 86, sm: 100, only: "f" },
  "cta_group::2": { ptx: 86, sm: 100, only: "f" },
  "im2col::w": { ptx: 86, sm: 100 },
  "im2col::w::128": { ptx: 86, sm: 100, only: "f" },
  "tile::gather4": { ptx: 86, sm: 100 },
  "tile::scatter4": { ptx: 86, sm: 100, only: "f" },
  cp_mask: { ptx: 86, sm: 100 },
} as const;
const dim = ["1d", "2d", "3d", "4d", "5d"] as const;
const loadMode = ["tile", "tile::gather4", "im2col", "im2col::w", "im2col::w::128"] as const;
const storeMode = ["tile", "tile::scatter4", "im2col_no_offs"] as const;
const redOp = ["and", "or", "xor", "add", "inc", "dec", "min", "max"] as const;
const type = ["u32", "s32", "u64", "s64", "b32", "b64", "f16", "bf16", "f32", "f64"] as const;
const completion = ["mbarrier::complete_tx::bytes"] as const;
const group = ["cta_group::1", "cta_group::2"] as const;

/** Copies of many bytes by the copy engine. */
const many: readonly Form[] = [
  form("cp.async.bulk.dst.src.completion{.multicast}{.hint} [d], [a], n, [mbar]{, mask}{, policy}", {
    where: {
      dst: ["shared::cluster", "shared::cta"],
      src: ["global"],
      completion,
      multicast: ["multicast::cluster"],
      hint,
    },
    operands: { d: open, a: open, n: open, mbar: open, mask: open, policy: open },
    since: bringing(bulk, words),
  }),
  form("cp.async.bulk.shared::cluster.src.completion [d], [a], n, [mbar]", {
    where: { src: ["shared::cta"], completion },
    operands: { d: open, a: open, n: open, mbar: open },
    since: bulk,
  }),
  form("cp.async.bulk.global.src.bulk_group{.hint}{.cp_mask} [d], [a], n{, policy}{, mask}", {
    where: { src: ["shared::cta"], hint },
    operands: { d: open, a: open, n: open, policy: open, mask: open },
    since: bringing(bulk, { cp_mask: words.cp_mask }),
  }),
  form("cp.async.bulk.prefetch.L2.global{.hint} [a], n{, policy}", {
    where: { hint },
    operands: { a: open, n: open, policy: open },
    since: bulk,
  }),
  form("cp.async.bulk.commit_group", { operands: {}, since: bulk }),
  form("cp.async.bulk.wait_group{.read} n", { operands: { n: open }, since: bulk }),
  form("cp.reduce.async.bulk.shared::cluster.src.completion.redOp.type [d], [a], n, [mbar]", {
    where: { src: ["shared::cta"], completion, redOp, type },
    operands: { d: open, a: open, n: open, mbar: open },
    since: bulk,
  }),
  form("cp.reduce.async.bulk.global.src.bulk_group{.hint}.redOp{.noftz}.type [d], [a], n{, policy}", {
    where: { src: ["shared::cta"], hint, redOp, type },
    operands: { d: open, a: open, n: open, policy: open },
    since: bulk,
  }),
];

/** Copies of boxes of a tensor, which a tensor map describes. */
const tensor: readonly Form[] = [
  form(
    "cp.async.bulk.tensor.dim.dst.global{.loadMode}.completion{.multicast}{.group}{.hint} [d], [t], [mbar]{, info}{, mask}{, policy}",
    {
      where: {
        dim,
        dst: ["shared::cluster", "shared::cta"],
        loadMode,
        completion,
        multicast: ["multicast::cluster"],
        group,
        hint,
      },
      operands: { d: open, t: open, mbar: open, info: open, mask: open, policy: open },
      since: bringing(bulk, words),
    },
  ),
  form("cp.async.bulk.tensor.dim.global.src{.storeMode}.bulk_group{.hint} [t], [a]{, policy}", {
    where: { dim, src: ["shared::cta"], storeMode, hint },
    operands: { t: open, a: open, policy: open },
    since: bringing(bulk, { "tile::scatter4": words["tile::scatter4"] }),
  }),
  form("cp.reduce.async.bulk.tensor.dim.global.src.redOp{.storeMode}.bulk_group{.hint} [t], [a]{, policy}", {
    where: { dim, src: ["shared::cta"], redOp, storeMode, hint },
    operands: { t: open, a: open, policy: open },
    since: bulk,
  }),
  form("cp.async.bulk.prefetch.tensor.dim.L2.global{.loadMode}{.hint} [t]{, info}{, policy}", {
    where: { dim, loadMode, hint },
    operands: { t: open, info: open, policy: open },
    since: bringing(bulk, words),
  }),
];

/** 9.7.9.25, 9.7.9.26 and 9.7.9.27. */
export const asyncCopy: Section = section(
  "9.7.9.25",
  "Asynchronous Copy",
  "data-movement-and-conversion-instructions",
  [...copies, ...many, ...tensor],
);
