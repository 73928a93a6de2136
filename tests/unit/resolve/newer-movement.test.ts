import { describe, expect, test } from "vitest";
import { parseSnippet } from "../../../src/parser/index.ts";
import { resolveSnippet, type SnippetTarget } from "../../../src/resolve/index.ts";
import { Source } from "../../../src/source/source.ts";

const declared =
  ".reg .b8 y; .reg .b16 h; .reg .b32 r, n, m; .reg .b64 g, p; .reg .b128 w; .reg .f32 f; .shared .align 16 .b8 s[64]; .shared .b64 b; .local .b32 l; ";

function said(line: string, version: string, target: string): readonly string[] {
  const source = new Source("test", `${declared}${line}`);
  const parsed = parseSnippet(source);
  const { diagnostics } = resolveSnippet(source, parsed.value, { version, target } as SnippetTarget);
  const errors = [...parsed.diagnostics, ...diagnostics].filter(({ severity }) => severity === "error");
  return errors.map(({ code }) => code);
}

const put = "shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric";
const tx = "mbarrier::complete_tx::bytes";
const ordered = ["sm_90a", "sm_100f", "sm_103a", "sm_110f"];
const unordered = ["sm_90", "sm_100", "sm_120a"];
const rubin = [
  ["sm_107f", "sm_107a"],
  ["sm_107", "sm_103f", "sm_120f"],
] as const;

/** A line, the version that brought it, targets that have it and targets that have it not. */
const brought: readonly (readonly [line: string, version: string, on: readonly string[], off: readonly string[]])[] = [
  ["ld.volatile.local.b32 r, [l];", "9.1", ["sm_75", "sm_90"], []],
  ["st.volatile.local.b32 [l], r;", "9.1", ["sm_90"], []],
  ["ld.mmio.acquire.sys.global.b32 r, [g];", "9.3", ["sm_75"], ["sm_70"]],
  ["st.mmio.release.sys.global.b32 [g], r;", "9.3", ["sm_75"], ["sm_70"]],
  ["ld.global.u32.proxy::readonly r, [g];", "9.4", ["sm_90"], ["sm_80"]],
  ["ld.b128.proxy::readonly w, [g];", "9.4", ["sm_90"], ["sm_80"]],
  [`st.async.shared::cluster.${tx}.b128 [r], w, [m];`, "9.2", ["sm_90"], ["sm_80"]],
  ["prefetch.global.L1::32B.valid_addr [g];", "9.4", ["sm_90"], ["sm_80"]],
  [`cp.async.bulk.shared::cta.global.${tx}.ignore_oob [s], [g], 16, 0, n, [b];`, "9.2", ["sm_90"], ["sm_80"]],
  [`cp.async.bulk.weak.shared::cta.global.${tx} [s], [g], 16, [b];`, "9.3", ordered, unordered],
  [`cp.async.bulk.relaxed.gpu.shared::cta.global.${tx}.b128 [s], [g], 16, [b];`, "9.3", ordered, unordered],
  [`cp.async.bulk.relaxed.cta.shared::cluster.global.${tx}.b128 [s], [g], 16, [b];`, "9.3", ordered, unordered],
  [`cp.async.bulk.relaxed.cluster.shared::cluster.shared::cta.${tx}.b128 [r], [s], 16, [m];`, "9.3", ordered, unordered],
  ["cp.async.bulk.relaxed.sys.global.shared::cta.bulk_group.b128 [g], [s], 16;", "9.3", ordered, unordered],
  ["cp.async.bulk.relaxed.sys.global.shared::cta.bulk_group.cp_mask.b128 [g], [s], 16, h;", "9.3", ["sm_100f"], ["sm_90a"]],
  ["cp.reduce.async.bulk.relaxed.gpu.global.shared::cta.bulk_group.add.u64 [g], [s], 16;", "9.3", ["sm_90"], ["sm_80"]],
  ["cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f32 [g], [s], 16;", "9.4", ["sm_90"], ["sm_80"]],
  ["multimem.cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16;", "9.1", ["sm_90"], ["sm_80"]],
  ["multimem.cp.async.bulk.global.shared::cta.bulk_group.cp_mask [g], [s], 16, h;", "9.1", ["sm_100"], ["sm_90"]],
  ["multimem.cp.async.bulk.relaxed.sys.global.shared::cta.bulk_group.b128 [g], [s], 16;", "9.3", ordered, unordered],
  ["multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [g], [s], 16;", "9.1", ["sm_90"], ["sm_80"]],
  ["multimem.cp.reduce.async.bulk.relaxed.cta.global.shared::cta.bulk_group.xor.b64 [g], [s], 16;", "9.3", ["sm_90"], []],
  ["multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f32 [g], [s], 16;", "9.4", ["sm_90"], []],
  ["multimem.st.async.release.gpu.global.u32 [g], r;", "9.3", ["sm_100"], ["sm_90"]],
  ["multimem.st.async.release.sys.f32 [g], f;", "9.3", ["sm_100"], ["sm_90"]],
  ["multimem.red.async.release.gpu.global.add.u64 [g], p;", "9.3", ["sm_100"], ["sm_90"]],
  [`cp.async.bulk.shared::cluster.global.${tx}.multicast::cluster::16b [s], [g], 16, [b], h;`, "9.4", ["sm_90"], ["sm_80"]],
  [`cp.async.bulk.shared::cluster.global.${tx}.multicast::cluster::32b [s], [g], 16, [b], r;`, "9.4", ...rubin],
  [`cp.async.bulk.tensor.1d.shared::cluster.global.${tx}.multicast::cluster::32b [s], [g, {r}], [b], m;`, "9.4", ...rubin],
  [`cp.async.bulk.shared::cta.global.${tx}.mbarrier::report::disabled [s], [g], 16, [b];`, "9.4", ...rubin],
  [`cp.async.bulk.tensor.1d.shared::cta.global.${tx}.mbarrier::report::validity::per_element::ff [s], [g, {r}], [b];`, "9.4", ...rubin],
  ["fence.proxy.alias.acquire.sys;", "9.4", ["sm_90"], ["sm_80"]],
  ["fence.proxy.alias.release.sys;", "9.4", ["sm_90"], ["sm_80"]],
  [
    "fence.proxy.async::generic.release.sync_restrict::shared::cluster::read.cluster;",
    "9.4",
    ["sm_90"],
    ["sm_80"],
  ],
  ["fence.proxy.generic::fabric.alias.release.sys;", "9.3", ["sm_100"], ["sm_90"]],
  ["fence.proxy.fabric::generic.alias.acquire.sys;", "9.3", ["sm_100"], ["sm_90"]],
  ["fence.proxy.fabric::fabric.alias.acquire.sys;", "9.3", ["sm_100"], ["sm_90"]],
  ["applypriority.async.bulk.global.bulk_group.L2::evict_normal [g], 128;", "9.4", ...rubin],
  ["applypriority.async.bulk.tensor.1d.global.bulk_group.L2::evict_normal [g, {r}];", "9.4", ...rubin],
  [
    `cp.async.bulk.tensor.1d.shared::cta.global.${tx}.override::global_address [s], [g, p, {r}], [b];`,
    "9.4",
    ...rubin,
  ],
  [
    `cp.async.bulk.tensor.2d.shared::cluster.global.tile.${tx}.multicast::cluster::32b.override::global_address.override::global_dim_stride [s], [g, p, {y, y}, {r}, h, {0, 0}], [b], m;`,
    "9.4",
    ...rubin,
  ],
  [
    "cp.async.bulk.prefetch.tensor.3d.L2.global.tile.override::global_address.override::global_dim_stride [g, p, {h, h, h}, {r, n}, h, {0, 0, 0}];",
    "9.4",
    ...rubin,
  ],
  [
    "cp.async.bulk.tensor.4d.shared::cluster.global.im2col::w::128.mbarrier::complete_tx::bytes.override::global_address.cta_group::1 [s], [g, p, {r, n, m, r}], [b], {h, h};",
    "9.4",
    ...rubin,
  ],
  [
    "applypriority.async.bulk.tensor.1d.global.bulk_group.L2::evict_normal.override::global_address.override::global_dim [g, p, {y}, {0}];",
    "9.4",
    ...rubin,
  ],
  [
    `fabric.try_get.async.shared::cta.${tx}.mbarrier::report::fabric.relaxed.sys.b128 [s], [r, g], 0x100, [b];`,
    "9.3",
    ["sm_100"],
    ["sm_90"],
  ],
  [
    `fabric.try_get.async.shared::cta.${tx}.mbarrier::report::fabric.L2::cache_hint.relaxed.sys.b128 [s], [r, g], n, [b], p;`,
    "9.4",
    ["sm_100"],
    ["sm_90"],
  ],
  [`fabric.try_put.async.multimem.${put}.cp_mask.relaxed.sys.b128 [r, g], [s], n, [b], h;`, "9.3", ["sm_100"], []],
  [`fabric.try_put.async.counted::bytes.${put}.relaxed.sys.b128 [r, g, p], [s], n, [b];`, "9.3", ["sm_100"], []],
  [`fabric.try_red.async.${put}.relaxed.sys.add.u32 [r, g], [s], n, [b];`, "9.3", ["sm_100"], ["sm_90a"]],
  [`fabric.try_red.async.${put}.counted::bytes.relaxed.sys.min.bf16 [r, g, p], [s], n, [b];`, "9.3", ["sm_100"], []],
  [
    `fabric.try_pullred.async.multimem.${tx}.mbarrier::report::fabric.shared::cta.f32.add.sync.relaxed.sys [s], [r, g], n, [b], 0xFFFFFFFF;`,
    "9.3",
    ["sm_100"],
    ["sm_90"],
  ],
  [
    `fabric.try_pullred.async.multimem.${tx}.mbarrier::report::fabric.shared::cta.relaxed.sys.add.acc::f16.e4m3.sync [s], [r, g], n, [b], 0xFFFFFFFF;`,
    "9.3",
    ["sm_100f", "sm_120a"],
    ["sm_100"],
  ],
  ["fabric.submit;", "9.3", ["sm_100"], ["sm_90"]],
  ["fabric.submit.op_restrict::fetching;", "9.3", ["sm_100"], ["sm_90"]],
  ["fabric.wait.sync_restrict::reads;", "9.3", ["sm_100"], ["sm_90"]],
  [
    `fabric.try_get.async.tensor.1d.shared::cta.tiled.${tx}.mbarrier::report::fabric.override::global_address.relaxed.sys.l2::cache_hint.b128 [s], [g, r, p, {n}], [b], g;`,
    "9.4",
    ...rubin,
  ],
  [
    `fabric.try_put.async.tensor.2d.tile.${put}.override::global_address.override::global_dim_stride.relaxed.sys.b128 [g, r, p, {h, h}, {n}, h, {n, m}], [s], n, [b];`,
    "9.4",
    ...rubin,
  ],
  [
    `fabric.try_red.async.tensor.multimem.1d.tile.${put}.counted::bytes.override::global_address.relaxed.sys.max [g, r, p, g, {n}], [s], n, [b];`,
    "9.4",
    ...rubin,
  ],
  [`fabric.try_atom.async.${put}.relaxed.sys.add.bf16x2 [r, g], [s], [s+16], [b];`, "9.4", ["sm_100"], ["sm_90"]],
  [`fabric.try_atom.async.${put}.relaxed.sys.cas.b128 [r, g], [s], [s+32], [b];`, "9.4", ["sm_100"], ["sm_90"]],
  [
    "createpolicy.range.fabric.L2::evict_last.L2::evict_first.b64 p, [r, g], 0x100000, 0x200000;",
    "9.4",
    ["sm_100"],
    ["sm_90"],
  ],
  ["cp.async.bulk.prefetch.L2.global.L2::evict_last [g], 16;", "9.4", ...rubin],
  ["cp.async.bulk.prefetch.tensor.1d.L2.global.L2::evict_last [g, {r}];", "9.4", ...rubin],
  ["cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs::w.bulk_group [g, {r, r, r}], [s];", "9.4", ...rubin],
  ["cp.reduce.async.bulk.tensor.3d.global.shared::cta.or.im2col_no_offs::w.bulk_group [g, {r, r, r}], [s];", "9.4", ...rubin],
]; // biome-ignore format: a table

describe.each(brought)("%s", (line, version, on, off) => {
  test("is there from its version on", () => {
    for (const target of on) expect([target, said(line, version, target)]).toEqual([target, []]);
    const [whole, part] = version.split(".").map(Number);
    const before = part === 0 ? `${whole! - 1}.8` : `${whole}.${part! - 1}`;
    const [target = ""] = on;
    const older = target.startsWith("sm_107") ? [] : said(line, before, target);
    if (!target.startsWith("sm_107")) expect(older).toEqual(["PTX1213"]);
  });

  test("is not there on other targets", () => {
    for (const target of off) expect([target, said(line, version, target)]).toEqual([target, ["PTX1212"]]);
  });
});

test.each([
  [`cp.async.bulk.relaxed.shared::cta.global.${tx}.b128 [s], [g], 16, [b];`, "PTX1207"],
  [`cp.async.bulk.relaxed.gpu.shared::cta.global.${tx} [s], [g], 16, [b];`, "PTX1207"],
  [`cp.async.bulk.weak.gpu.shared::cta.global.${tx} [s], [g], 16, [b];`, "PTX1207"],
  [`cp.async.bulk.shared::cta.global.${tx}.ignore_oob [s], [g], 16, 0, 16, [b];`, "PTX1303"],
  [`cp.async.bulk.shared::cta.global.${tx}.ignore_oob [s], [g], 16, [b];`, "PTX1301"],
  ["cp.reduce.async.bulk.relaxed.global.shared::cta.bulk_group.add.u64 [g], [s], 16;", "PTX1211"],
  ["multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [g], [s], 16;", "PTX1207"],
  [`st.async.shared::cluster.${tx}.v2.b128 [r], {w, w}, [m];`, "PTX1207"],
  [`cp.async.bulk.tensor.1d.shared::cta.global.${tx}.override::global_dim [s], [g, {y}, {0}], [b];`, "PTX1207"],
  [
    `cp.async.bulk.tensor.2d.shared::cta.global.${tx}.override::global_address.override::global_dim [s], [g, p, {y, y}, {0, 0}], [b];`,
    "PTX1207",
  ],
  [
    `cp.async.bulk.tensor.2d.shared::cluster.global.${tx}.multicast::cluster.override::global_address.override::global_dim_stride [s], [g, p, {y, y}, {r}, h, {0, 0}], [b], h;`,
    "PTX1207",
  ],
  [`cp.async.bulk.tensor.1d.shared::cta.global.${tx}.override::global_address [s], [g, {r}], [b];`, "PTX1307"],
  [`cp.async.bulk.tensor.1d.shared::cta.global.${tx} [s], [g, p, {r}], [b];`, "PTX1307"],
  [`fabric.try_red.async.${put}.relaxed.sys.add.s32 [r, g], [s], n, [b];`, "PTX1210"],
  [`fabric.try_put.async.${put}.relaxed.sys.b128 [r, g, p], [s], n, [b];`, "PTX1301"],
  [`fabric.try_put.async.${put}.relaxed.sys.b128 [g, g], [s], n, [b];`, "PTX1302"],
  [
    `fabric.try_pullred.async.multimem.shared::cta.${tx}.mbarrier::report::fabric.relaxed.sys.add.u32.sync [s], [r, g], n, [b], 0xFF;`,
    "PTX1303",
  ],
  ["ld.shared.u32.proxy::readonly r, [s];", "PTX1207"],
])("%s is refused", (line, code) => {
  expect(said(line, "9.4", line.includes("override") ? "sm_107a" : "sm_100a")).toEqual([code]);
});
