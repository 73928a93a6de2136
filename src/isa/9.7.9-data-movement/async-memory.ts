import { form, type Section, section } from "../form/define.ts";
import { bringing, open } from "../form/open.ts";

const completion = ["mbarrier::complete_tx::bytes"] as const;
const vec = ["v2", "v4", "v8"] as const;
const sem = ["relaxed", "acquire", "release"] as const;
const scope = ["cta", "cluster", "gpu", "sys"] as const;
const integers = ["b32", "b64", "u32", "u64", "s32", "s64"] as const;
const halves = ["f16", "f16x2", "bf16", "bf16x2", "e4m3", "e5m2", "e4m3x2", "e5m2x2", "e4m3x4", "e5m2x4"] as const;
const eights = { ptx: 86, sm: 100, only: "f" } as const;
const multimemWords = {
  e4m3: eights, e5m2: eights, e4m3x2: eights, e5m2x2: eights, e4m3x4: eights, e5m2x4: eights,
  "acc::f32": { ptx: 82, sm: 90 }, "acc::f16": eights,
} as const; // biome-ignore format: two thoughts
const arch = { ptx: 83, sm: 90, only: "a" } as const;

/** 9.7.9.11 to 9.7.9.15, 9.7.13.17 and the tensor map's: what goes to another block's memory, or to many devices'. */
export const asyncMemory: Section = section(
  "9.7.9.12",
  "Asynchronous Stores and Multimem",
  "data-movement-and-conversion-instructions",
  [
    form("st.async{.weak}.shared::cluster.completion{.vec}.type [d], b, [mbar]", {
      where: { completion, vec: ["v2", "v4"], type: [...integers, "f32", "f64"] },
      operands: { d: open, b: open, mbar: open },
      since: { ptx: 81, sm: 90 },
    }),
    form("st.async{.mmio}.release.scope{.ss}.type [d], b", {
      where: {
        scope: ["gpu", "sys"],
        ss: ["global"],
        type: ["b8", "b16", "u8", "u16", "s8", "s16", ...integers, "f32", "f64"],
      },
      operands: { d: open, b: open },
      since: { ptx: 87, sm: 100 },
    }),
    form("st.bulk{.weak}{.ss} [d], n, value", {
      where: { ss: ["shared::cta"] },
      operands: { d: open, n: open, value: open },
      since: { ptx: 86, sm: 100 },
    }),
    form("red.async.relaxed.cluster.shared::cluster.completion.op.type [d], b, [mbar]", {
      where: { completion, op: ["add", "inc", "dec", "min", "max", "and", "or", "xor"], type: integers },
      operands: { d: open, b: open, mbar: open },
      since: { ptx: 81, sm: 90 },
    }),
    form("red.async{.mmio}.release.scope{.ss}.add.type [d], b", {
      where: { scope: ["gpu", "sys"], ss: ["global"], type: ["u32", "s32", "u64", "s64"] },
      operands: { d: open, b: open },
      since: { ptx: 87, sm: 100 },
    }),
    form("multimem.ld_reduce{.weak}{.sem}{.scope}{.ss}.op{.acc}{.vec}.type d, [a]", {
      where: {
        sem,
        scope,
        ss: ["global"],
        op: ["min", "max", "add", "and", "or", "xor"],
        acc: ["acc::f32", "acc::f16"],
        vec,
        type: [...integers, "f32", "f64", ...halves],
      },
      operands: { d: open, a: open },
      since: bringing({ ptx: 81, sm: 90 }, multimemWords),
    }),
    form("multimem.st{.weak}{.sem}{.scope}{.ss}{.vec}.type [a], b", {
      where: { sem, scope, ss: ["global"], vec, type: [...integers, "f32", "f64", ...halves] },
      operands: { a: open, b: open },
      since: bringing({ ptx: 81, sm: 90 }, multimemWords),
    }),
    form("multimem.red{.sem}{.scope}{.ss}.op{.vec}.type [a], b", {
      where: {
        sem,
        scope,
        ss: ["global"],
        op: ["min", "max", "add", "and", "or", "xor"],
        vec,
        type: [...integers, "f32", "f64", ...halves],
      },
      operands: { a: open, b: open },
      since: bringing({ ptx: 81, sm: 90 }, multimemWords),
    }),
    form("tensormap.replace.tile.field{.ss}.b1024.type [a], v", {
      where: {
        field: ["global_address", "rank", "elemtype", "interleave_layout", "swizzle_mode", "fill_mode"],
        ss: ["global", "shared::cta"],
        type: ["b32", "b64"],
      },
      operands: { a: open, v: open },
      since: arch,
    }),
    form("tensormap.replace.tile.swizzle_atomicity{.ss}.b1024.b32 [a], v", {
      where: { ss: ["global", "shared::cta"] },
      operands: { a: open, v: open },
      since: eights,
    }),
    form("tensormap.replace.tile.field{.ss}.b1024.type [a], ord, v", {
      where: {
        field: ["box_dim", "global_dim", "global_stride", "element_stride"],
        ss: ["global", "shared::cta"],
        type: ["b32", "b64"],
      },
      operands: { a: open, ord: open, v: open },
      since: arch,
    }),
    form("tensormap.cp_fenceproxy.global.src.proxy.release.scope.sync.aligned [d], [a], n", {
      where: { src: ["shared::cta"], proxy: ["tensormap::generic"], scope },
      operands: { d: open, a: open, n: open },
      since: { ptx: 83, sm: 90 },
    }),
    form("clusterlaunchcontrol.try_cancel.async{.ss}.completion{.all}.b128 [a], [mbar]", {
      where: { ss: ["shared::cta"], completion, all: ["multicast::cluster::all"] },
      operands: { a: open, mbar: open },
      since: bringing({ ptx: 86, sm: 100 }, { "multicast::cluster::all": eights }),
    }),
    form("clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, r", {
      operands: { p: open, r: open },
      since: { ptx: 86, sm: 100 },
    }),
    form("clusterlaunchcontrol.query_cancel.what.v4.b32.b128 d, r", {
      where: { what: ["get_first_ctaid"] },
      operands: { d: open, r: open },
      since: { ptx: 86, sm: 100 },
    }),
    form("clusterlaunchcontrol.query_cancel.what.b32.b128 d, r", {
      where: { what: ["get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z"] },
      operands: { d: open, r: open },
      since: { ptx: 86, sm: 100 },
    }),
  ],
);
