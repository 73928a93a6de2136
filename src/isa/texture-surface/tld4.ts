import { bringing } from "../form/bringing.ts";
import { type Form, form } from "../form/define.ts";
import { comparison, coordinates, filtering, offsets, residence, result, sampler, texture } from "./lookup.ts";

const channel = { r: 0, g: 1, b: 2, a: 3 } as const;
const late = { ptx: 43, sm: 30 } as const;

export const tld4: readonly Form[] = [
  form("tld4.comp.geom.v4.dtype.f32 d{|p}, [a{, b}, c]{, e}{, f}", {
    where: { comp: ["r", "g", "b", "a"], geom: ["2d", "a2d", "cube", "acube"], dtype: ["u32", "s32", "f32"] },
    operands: ({ geom, dtype }) => ({
      d: result(dtype),
      p: residence,
      a: texture,
      b: sampler,
      c: coordinates(geom, "f32"),
      e: offsets(geom),
      f: comparison(geom, "f32"),
    }),
    since: bringing({ ptx: 22, sm: 20 }, { a2d: late, cube: late, acube: late }),
    run: ({ comp, geom }) => ({
      shape: "texture",
      geometry: geom,
      whole: false,
      lod: "base",
      gives: "word",
      gather: channel[comp],
    }),
    facts: filtering,
    check: [
      {
        snippet: "tld4.r.2d.v4.f32.f32 {x, y, z, w}, [h, {c, c}];",
        textures: { h: { as: "texref", type: "f32", size: [2, 2], values: [1, 2, 3, 5] } },
        given: { c: 0x3f80_0000 },
        gives: { x: 0x4040_0000, y: 0x40a0_0000, z: 0x4000_0000, w: 0x3f80_0000 },
      },
    ],
  }),
];
