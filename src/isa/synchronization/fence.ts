import type { FencedProxy, MemoryScope, PlannedFence } from "../../interp/contract/memory-consistency.ts";
import type { Plan } from "../../interp/contract/plan/plan.ts";
import { type Form, form } from "../form/define.ts";
import type { AddressClass, LiteralClass } from "../form/operands.ts";
import { least } from "../form/since.ts";

type Fence = Extract<Plan, { readonly shape: "nothing" }>;
const ordered = (scope: MemoryScope, sem: PlannedFence["sem"] = "acq_rel"): Fence => ({
  shape: "nothing",
  fence: { sem, scope },
  why: "one warp runs at a time and every access is complete when it is made, so nothing is left to order; --sanitize race hears it",
});
const same = (fencedProxy: FencedProxy): Fence => ({
  shape: "nothing",
  fencedProxy,
  why: "all proxies see one memory here; what is in flight is ordered by its own wait",
});

const scope = ["cta", "cluster", "gpu", "sys"] as const;
const address: AddressClass = { kind: "address", space: "generic" };
const line: LiteralClass = { kind: "literal", bits: 32, only: 128 };
const one = (fence: string) => ({ snippet: `.reg .b32 d; mov.b32 d, 1; ${fence}`, gives: { d: 1 } });
const restricted = { ptx: 86, sm: 90 };

export const fences: readonly Form[] = [
  form("fence{.sem}.scope", {
    where: { sem: ["sc", "acq_rel", "acquire", "release"], scope },
    operands: {},
    since: ({ scope }) => least({ ptx: 51, sm: 70 }, scope),
    run: ({ sem, scope }) => ordered(scope, sem),
    check: [one("fence.acq_rel.gpu;"), one("fence.sys;")],
  }),
  form("fence.acquire.sync_restrict::shared::cluster.cluster", {
    operands: {},
    since: restricted,
    run: () => ordered("cluster", "acquire"),
    check: [one("fence.acquire.sync_restrict::shared::cluster.cluster;")],
  }),
  form("fence.release.sync_restrict::shared::cta.cluster", {
    operands: {},
    since: restricted,
    run: () => ordered("cluster", "release"),
    check: [one("fence.release.sync_restrict::shared::cta.cluster;")],
  }),
  form("fence.mbarrier_init.release.cluster", {
    operands: {},
    since: { ptx: 80, sm: 90 },
    run: () => ({ shape: "proxy fence", inits: true }),
    check: [one("fence.mbarrier_init.release.cluster;")],
  }),
  form("fence.proxy.alias", {
    operands: {},
    since: { ptx: 75, sm: 70 },
    run: () => same("alias"),
    check: [one("fence.proxy.alias;")],
  }),
  form("fence.proxy.alias.sem.sys", {
    where: { sem: ["acquire", "release"] },
    operands: {},
    since: { ptx: 94, sm: 90 },
    run: ({ sem }) => ({ ...ordered("sys", sem), fencedProxy: "alias" }),
    check: [one("fence.proxy.alias.release.sys;"), one("fence.proxy.alias.acquire.sys;")],
  }),
  form("fence.proxy.async{.space}", {
    where: { space: ["global", "shared::cta", "shared::cluster"] },
    operands: {},
    since: { ptx: 80, sm: 90 },
    run: ({ space }) =>
      space === "global"
        ? { ...same("async"), fencedSpace: "global" }
        : { shape: "proxy fence", ...(space !== undefined && { fencedSpace: "shared" }) },
    check: [one("fence.proxy.async.shared::cta;")],
  }),
  form("fence.proxy.tensormap::generic.release.scope", {
    where: { scope },
    operands: {},
    since: { ptx: 83, sm: 90 },
    run: () => ({ shape: "map fence", act: "release" }),
    check: [one("fence.proxy.tensormap::generic.release.gpu;")],
  }),
  form("fence.proxy.tensormap::generic.acquire.scope [addr], size", {
    where: { scope },
    operands: { addr: address, size: line },
    since: { ptx: 83, sm: 90 },
    run: () => ({ shape: "map fence", act: "acquire" }),
    check: [
      {
        snippet: ".reg .b64 a; .reg .b32 d; mov.b32 d, 1; fence.proxy.tensormap::generic.acquire.gpu [a], 128;",
        buffers: { a: Array.from({ length: 32 }, () => 0) },
        gives: { d: 1 },
      },
    ],
  }),
  form("fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster", {
    operands: {},
    since: restricted,
    run: () => same("async"),
    check: [one("fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;")],
  }),
  form("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster", {
    operands: {},
    since: restricted,
    run: () => same("async"),
    check: [one("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;")],
  }),
  form("fence.proxy.async::generic.release.sync_restrict::shared::cluster::read.cluster", {
    operands: {},
    since: { ptx: 94, sm: 90 },
    run: () => ({
      shape: "nothing",
      why: "it orders reads alone, and every read is complete when it is made",
    }),
    check: [one("fence.proxy.async::generic.release.sync_restrict::shared::cluster::read.cluster;")],
  }),
  form("fence.proxy.proxies.alias.sem.sys", {
    where: { proxies: ["generic::fabric", "fabric::generic", "fabric::fabric"], sem: ["acquire", "release"] },
    operands: {},
    since: { ptx: 93, sm: 100 },
    run: () => ({ shape: "nothing", why: "nothing accesses memory by the fabric proxy here" }),
    check: [
      one("fence.proxy.generic::fabric.alias.release.sys;"),
      one("fence.proxy.fabric::fabric.alias.acquire.sys;"),
    ],
  }),
  form("membar.level", {
    where: { level: ["cta", "gl", "sys"] },
    operands: {},
    since: ({ level }) => (level === "sys" ? { ptx: 20, sm: 20 } : { ptx: 14, sm: 10 }),
    run: ({ level }) => ordered(level === "gl" ? "gpu" : level, "sc"),
    check: [one("membar.gl;")],
  }),
  form("membar.proxy.alias", {
    operands: {},
    since: { ptx: 75, sm: 60 },
    run: () => same("alias"),
    check: [one("membar.proxy.alias;")],
  }),
];
