import { genericPlace, globalPlace, oneOf, sharedPlace, specificToo } from "../form/bulk-operands.ts";
import { of } from "../form/classes.ts";
import { type Form, form } from "../form/define.ts";
import type { AddressClass, LiteralClass } from "../form/operands.ts";

const ss = ["global", "shared::cta"] as const;
const where = (space: (typeof ss)[number] | undefined): AddressClass =>
  space === undefined ? genericPlace : space === "global" ? globalPlace : sharedPlace;
/** sm_90a, and the architecture- and family-specific targets since sm_100. */
const since = { ptx: 83, sm: 90, only: "f" } as const;
const ordinal = oneOf(4);
const whole: LiteralClass = { kind: "literal", bits: 32, only: 128 };

/** The greatest values of table 33. */
const most = { elemtype: 15, interleave_layout: 2, swizzle_mode: 3, fill_mode: 1 } as const;

/** 9.7.9.27, 9.7.13.17. */
export const tensorMaps: readonly Form[] = [
  form("tensormap.replace.tile.global_address{.ss}.b1024.b64 [a], v", {
    where: { ss },
    operands: ({ ss }) => ({ a: where(ss), v: of("b64") }),
    since,
  }),
  form("tensormap.replace.tile.rank{.ss}.b1024.b32 [a], v", {
    where: { ss },
    operands: ({ ss }) => ({ a: where(ss), v: of("b32") }),
    since,
  }),
  form("tensormap.replace.tile.field{.ss}.b1024.b32 [a], ord, v", {
    where: { field: ["box_dim", "global_dim", "element_stride"], ss },
    operands: ({ ss }) => ({ a: where(ss), ord: ordinal, v: of("u32", { types: ["u32", "b32", "s32"] }) }),
    since,
  }),
  form("tensormap.replace.tile.global_stride{.ss}.b1024.b64 [a], ord, v", {
    where: { ss },
    operands: ({ ss }) => ({ a: where(ss), ord: ordinal, v: of("b64") }),
    since,
  }),
  form("tensormap.replace.tile.field{.ss}.b1024.b32 [a], v", {
    where: { field: ["elemtype", "interleave_layout", "swizzle_mode", "fill_mode"], ss },
    operands: ({ ss, field }) => ({ a: where(ss), v: oneOf(most[field]) }),
    since,
  }),
  form("tensormap.replace.tile.swizzle_atomicity{.ss}.b1024.b32 [a], v", {
    where: { ss },
    operands: ({ ss }) => ({ a: where(ss), v: oneOf(3) }),
    since: specificToo,
  }),
  form("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned [d], [a], n", {
    where: { scope: ["cta", "cluster", "gpu", "sys"] },
    operands: { d: globalPlace, a: sharedPlace, n: whole },
    since: { ptx: 83, sm: 90 },
  }),
];
