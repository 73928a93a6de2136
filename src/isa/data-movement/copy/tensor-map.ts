import type { Plan } from "../../../interp/contract/plan/plan.ts";
import type { MapField } from "../../../interp/contract/plan/plan-bulk.ts";
import { genericPlace, globalPlace, oneOf, sharedPlace, specificToo } from "../../form/bulk-operands.ts";
import { of } from "../../form/classes.ts";
import { type Form, form } from "../../form/define.ts";
import type { AddressClass, LiteralClass } from "../../form/operands.ts";

const ss = ["global", "shared::cta"] as const;
const where = (space: (typeof ss)[number] | undefined): AddressClass =>
  space === undefined ? genericPlace : space === "global" ? globalPlace : sharedPlace;
/** sm_90a, and the architecture- and family-specific targets since sm_100. */
const since = { ptx: 83, sm: 90, only: "f" } as const;
const ordinal = oneOf(4);
const whole: LiteralClass = { kind: "literal", bits: 32, only: 128 };

/** The greatest values of table 33. */
const most = { elemtype: 15, interleave_layout: 2, swizzle_mode: 3, fill_mode: 1 } as const;

const change = (field: MapField, space: (typeof ss)[number] | undefined): Plan => ({
  shape: "map field",
  field,
  space: space === undefined ? "generic" : space === "global" ? "global" : "shared",
});
/** A snippet has no tensor map to change: tests/unit/host/tensor-copy.test.ts works these through. */
const never = (line: string) => ({
  snippet: `.reg .b64 g; .reg .b32 d; .reg .pred p; setp.ne.u32 p, 0, 0; @p ${line} mov.b32 d, 7;`,
  gives: { d: 7 },
});

export const tensorMaps: readonly Form[] = [
  form("tensormap.replace.tile.global_address{.ss}.b1024.b64 [a], v", {
    where: { ss },
    operands: ({ ss }) => ({ a: where(ss), v: of("b64") }),
    since,
    run: ({ ss }) => change("global_address", ss),
    check: [never("tensormap.replace.tile.global_address.b1024.b64 [g], g;")],
  }),
  form("tensormap.replace.tile.rank{.ss}.b1024.b32 [a], v", {
    where: { ss },
    operands: ({ ss }) => ({ a: where(ss), v: of("b32") }),
    since,
    run: ({ ss }) => change("rank", ss),
    check: [never("tensormap.replace.tile.rank.b1024.b32 [g], 1;")],
  }),
  form("tensormap.replace.tile.field{.ss}.b1024.b32 [a], ord, v", {
    where: { field: ["box_dim", "global_dim", "element_stride"], ss },
    operands: ({ ss }) => ({ a: where(ss), ord: ordinal, v: of("u32", { types: ["u32", "b32", "s32"] }) }),
    since,
    run: ({ ss, field }) => change(field, ss),
    check: [never("tensormap.replace.tile.box_dim.b1024.b32 [g], 0, 16;")],
  }),
  form("tensormap.replace.tile.global_stride{.ss}.b1024.b64 [a], ord, v", {
    where: { ss },
    operands: ({ ss }) => ({ a: where(ss), ord: ordinal, v: of("b64") }),
    since,
    run: ({ ss }) => change("global_stride", ss),
    check: [never("tensormap.replace.tile.global_stride.b1024.b64 [g], 0, 64;")],
  }),
  form("tensormap.replace.tile.field{.ss}.b1024.b32 [a], v", {
    where: { field: ["elemtype", "interleave_layout", "swizzle_mode", "fill_mode"], ss },
    operands: ({ ss, field }) => ({ a: where(ss), v: oneOf(most[field]) }),
    since,
    run: ({ ss, field }) => change(field, ss),
    check: [never("tensormap.replace.tile.elemtype.b1024.b32 [g], 7;")],
  }),
  form("tensormap.replace.tile.swizzle_atomicity{.ss}.b1024.b32 [a], v", {
    where: { ss },
    operands: ({ ss }) => ({ a: where(ss), v: oneOf(3) }),
    since: specificToo,
    run: ({ ss }) => change("swizzle_atomicity", ss),
    check: [never("tensormap.replace.tile.swizzle_atomicity.b1024.b32 [g], 1;")],
  }),
  form("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned [d], [a], n", {
    where: { scope: ["cta", "cluster", "gpu", "sys"] },
    operands: { d: globalPlace, a: sharedPlace, n: whole },
    since: { ptx: 83, sm: 90 },
    run: ({ scope }) => ({ shape: "map copy", scope }),
    check: [
      {
        snippet:
          ".reg .b64 g; .reg .b32 d; .shared .align 128 .b32 s[32]; .reg .b32 a; mov.b32 a, %tid.x; shl.b32 a, a, 2; .reg .b32 t; mov.b32 t, s; add.u32 a, a, t; st.shared.b32 [a], 9; bar.warp.sync -1; tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [g], [s], 128; ld.global.b32 d, [g+124];",
        buffers: { g: Array.from({ length: 32 }, () => 0) },
        threads: 32,
        gives: { d: 9 },
      },
    ],
  }),
];
