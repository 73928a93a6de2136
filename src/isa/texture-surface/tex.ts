import type { TexturePlan } from "../../interp/contract/plan/plan-texture.ts";
import { bringing } from "../form/bringing.ts";
import { type Conflict, type Form, form, manual, unspecified } from "../form/define.ts";
import { least } from "../form/since.ts";
import {
  comparison,
  coordinates,
  coordinateTypes,
  derivative,
  filtering,
  geometries,
  geometryConflict,
  isCube,
  lodOf,
  offsets,
  residence,
  result,
  sampler,
  type TexelType,
  texture,
} from "./lookup.ts";

const words = {
  f16: { ptx: 42, sm: 53 }, f16x2: { ptx: 42, sm: 53 }, a1d: { ptx: 23, sm: 10 }, a2d: { ptx: 23, sm: 10 },
  cube: { ptx: 30, sm: 10 }, acube: { ptx: 30, sm: 20 }, "2dms": { ptx: 32, sm: 30 }, a2dms: { ptx: 32, sm: 30 },
  level: { ptx: 31, sm: 20 }, grad: { ptx: 31, sm: 20 }, base: { ptx: 31, sm: 20 },
} as const; // biome-ignore format: by kind
const since = bringing({ ptx: 10, sm: 10 }, words);
const dtype = ["u32", "s32", "f16", "f32", "f16x2"] as const;
const where = { geom: geometries, vec: ["v2", "v4"], dtype, ctype: coordinateTypes } as const;

interface Words {
  readonly geom: (typeof geometries)[number];
  readonly vec: "v2" | "v4";
  readonly dtype: TexelType;
  readonly ctype: (typeof coordinateTypes)[number];
}

const around = ({ geom, dtype, ctype }: Words) => ({
  d: result(dtype),
  p: residence,
  a: texture,
  b: sampler,
  c: coordinates(geom, ctype),
  e: offsets(geom),
  f: comparison(geom, ctype),
});

function conflict({ geom, vec, dtype, ctype }: Words): Conflict | undefined {
  if (vec === "v2" && dtype !== "f16x2") return ["v2", `.${dtype}: a texel has four channels`];
  if (vec === "v4" && dtype === "f16x2") return ["v4", ".f16x2: two pairs hold the four channels"];
  return geometryConflict(geom, ctype);
}

/** Samples have no levels. */
const levelConflict = (mods: Words, word: "level" | "grad"): Conflict | undefined =>
  mods.geom.endsWith("ms") ? [mods.geom, `.${word}: what has samples has no levels`] : conflict(mods);

const plan = ({ geom, dtype, ctype }: Words, lod: "base" | "level" | "grad"): TexturePlan => ({
  shape: "texture",
  geometry: geom,
  whole: ctype === "s32",
  lod,
  gives: dtype === "f16" ? "half" : dtype === "f16x2" ? "pair" : "word",
});

const facts = [
  manual("CUDA's programming guide, Texture Fetching: nearest-point sampling, linear filtering, addressing"),
  ...filtering,
];
const levels = [
  ...facts,
  unspecified("a level of detail has eight bits behind the point; between two levels the same weights are used"),
];

const line = { as: "texref", type: "f32", size: [4], values: [1, 2, 3, 5] } as const;
const plane = { as: "texref", type: "u8", size: [2, 2], values: [0, 255, 255, 255], fraction: true } as const;
const half = 0x3f00_0000;

export const tex: readonly Form[] = [
  form("tex{.base}.geom.vec.dtype.ctype d{|p}, [a{, b}, c]{, e}{, f}", {
    where,
    operands: around,
    since,
    conflict,
    run: (mods) => plan(mods, "base"),
    facts,
    check: [
      {
        snippet: "tex.1d.v4.f32.f32 {x, y, z, w}, [h, {c}];",
        textures: { h: { ...line, filter: "linear" } },
        given: { c: 0x4000_0000 },
        gives: { x: 0x4020_0000, y: 0, z: 0, w: 0x3f80_0000 }, // at 2.0 midway between T[1] and T[2]
      },
      {
        snippet: "tex.1d.v4.f32.s32 {x, y, z, w}|p, [h, {c}], {1}; selp.b32 q, 1, 0, p;",
        textures: { h: line },
        given: { c: 1 },
        gives: { x: 0x4040_0000, q: 1 },
      },
      {
        snippet: "tex.2d.v2.f16x2.f32 {x, y}, [h, {c, c}];",
        textures: { h: { ...plane, filter: "linear", normalized: true } },
        given: { c: half },
        gives: { x: 0x3a00, y: 0x3c00_0000 }, // three quarters, and the fourth channel that is missing
      },
    ],
  }),
  form("tex.level.geom.vec.dtype.ctype d{|p}, [a{, b}, c], lod{, e}{, f}", {
    where,
    operands: (mods) => ({ ...around(mods), lod: lodOf(mods.ctype) }),
    since,
    conflict: (mods) => levelConflict(mods, "level"),
    run: (mods) => plan(mods, "level"),
    facts: levels,
    check: [
      {
        snippet: "tex.level.1d.v4.f32.f32 {x, y, z, w}, [h, {c}], l;",
        textures: { h: { ...line, levels: 2, values: [1, 2, 3, 5, 10, 20], normalized: true, levelFilter: "linear" } },
        given: { c: 0, l: half },
        gives: { x: 0x40b0_0000 }, // 1 and 10, half of each
      },
    ],
  }),
  form("tex.grad.geom.vec.dtype.ctype d{|p}, [a{, b}, c], dPdx, dPdy{, e}{, f}", {
    where,
    operands: (mods) => ({ ...around(mods), dPdx: derivative(mods.geom), dPdy: derivative(mods.geom) }),
    since: (mods) => least(since(mods), isCube(mods.geom) && { ptx: 43, sm: 20 }),
    conflict: (mods) => levelConflict(mods, "grad"),
    run: (mods) => plan(mods, "grad"),
    facts: [...levels, unspecified("the level is log2 of the longer derivative, in texels")],
    check: [
      {
        snippet: "tex.grad.1d.v4.f32.f32 {x, y, z, w}, [h, {c}], {g}, {g};",
        textures: { h: { ...line, levels: 2, values: [1, 2, 3, 5, 10, 20], normalized: true } },
        given: { c: 0, g: half },
        gives: { x: 0x4120_0000 }, // half the width is two texels: level 1
      },
    ],
  }),
];
