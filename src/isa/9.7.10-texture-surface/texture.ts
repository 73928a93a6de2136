import { form, type Section, section } from "../form/define.ts";
import { bringing, open } from "../form/open.ts";

const type = ["u32", "s32", "f32", "f16"] as const;
const coordinate = ["s32", "f32"] as const;
const words = {
  f16: { ptx: 42, sm: 53 }, f16x2: { ptx: 42, sm: 53 }, a1d: { ptx: 23, sm: 10 }, a2d: { ptx: 23, sm: 10 },
  cube: { ptx: 30, sm: 10 }, acube: { ptx: 30, sm: 20 }, "2dms": { ptx: 32, sm: 30 }, a2dms: { ptx: 32, sm: 30 },
  level: { ptx: 30, sm: 20 }, grad: { ptx: 30, sm: 20 }, base: { ptx: 30, sm: 20 },
} as const; // biome-ignore format: by kind
const geometry = ["1d", "2d", "3d", "a1d", "a2d", "cube", "acube", "2dms", "a2dms"] as const;
const surface = ["1d", "2d", "3d", "a1d", "a2d", "4d"] as const;
const vec = ["v2", "v4"] as const;
const clamp = ["trap", "clamp", "zero"] as const;
const surfaceWords = {
  b64: { ptx: 30, sm: 20 },
  "4d": { ptx: 30, sm: 30 },
} as const;

/** 9.7.10 and 9.7.11. */
export const texture: Section = section("9.7.10", "Texture and Surface", "texture-instructions", [
  form("tex{.mode}.geometry.vec.type.ctype d, [a]{, lod}{, x}{, y}", {
    where: { mode: ["base", "level", "grad"], geometry, vec: ["v4"], type, ctype: coordinate },
    operands: { d: open, a: open, lod: open, x: open, y: open },
    since: bringing({ ptx: 10, sm: 10 }, words),
  }),
  form("tex{.mode}.geometry.vec.f16x2.ctype d, [a]{, lod}{, x}{, y}", {
    where: { mode: ["base", "level", "grad"], geometry, vec: ["v2"], ctype: coordinate },
    operands: { d: open, a: open, lod: open, x: open, y: open },
    since: bringing({ ptx: 42, sm: 53 }, words),
  }),
  form("tld4.component.geometry.v4.type.f32 d, [a]{, x}{, y}", {
    where: { component: ["r", "g", "b", "a"], geometry: ["2d", "a2d", "cube", "acube"], type: ["u32", "s32", "f32"] },
    operands: { d: open, a: open, x: open, y: open },
    since: bringing(
      { ptx: 22, sm: 20 },
      { a2d: { ptx: 43, sm: 30 }, cube: { ptx: 43, sm: 30 }, acube: { ptx: 43, sm: 30 } },
    ),
  }),
  form("txq{.level}.query.b32 d, [a]{, lod}", {
    where: {
      query: [
        "width", "height", "depth", "channel_data_type", "channel_order", "normalized_coords", "array_size",
        "num_mipmap_levels", "num_samples", "force_unnormalized_coords", "filter_mode", "addr_mode_0", "addr_mode_1",
        "addr_mode_2", "memory_layout",
      ],
    },
    operands: { d: open, a: open, lod: open },
    since: { ptx: 15, sm: 10 },
  }), // biome-ignore format: one list
  form("istypep.type p, a", {
    where: { type: ["texref", "samplerref", "surfref"] },
    operands: { p: open, a: open },
    since: { ptx: 40, sm: 30 },
  }),
  form("suld.b.geometry{.cop}{.vec}.type.clamp d, [a]", {
    where: { geometry: surface, cop: ["ca", "cg", "cs", "cv"], vec, type: ["b8", "b16", "b32", "b64"], clamp },
    operands: { d: open, a: open },
    since: bringing({ ptx: 15, sm: 10 }, surfaceWords),
  }),
  form("sust.how.geometry{.cop}{.vec}.type.clamp [a], b", {
    where: {
      how: ["b", "p"],
      geometry: surface,
      cop: ["wb", "cg", "cs", "wt"],
      vec,
      type: ["b8", "b16", "b32", "b64"],
      clamp,
    },
    operands: { a: open, b: open },
    since: bringing({ ptx: 15, sm: 20 }, surfaceWords),
  }),
  form("sured.how.op.geometry.type.clamp [a], b", {
    where: {
      how: ["b", "p"],
      op: ["add", "min", "max", "and", "or"],
      geometry: surface,
      type: ["u32", "u64", "s32", "s64", "b32", "b64"],
      clamp,
    },
    operands: { a: open, b: open },
    since: bringing({ ptx: 30, sm: 20 }, surfaceWords),
  }),
  form("suq.query.b32 d, [a]", {
    where: {
      query: ["width", "height", "depth", "channel_data_type", "channel_order", "array_size", "memory_layout"],
    },
    operands: { d: open, a: open },
    since: { ptx: 15, sm: 10 },
  }),
]);
