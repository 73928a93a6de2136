import type { ImageQuery } from "../../interp/contract/plan/plan-texture.ts";
import { type Form, form, unspecified } from "../form/define.ts";
import { least } from "../form/since.ts";
import { level, pointer, queried, surface } from "./lookup.ts";

const ofTexture = [
  "width", "height", "depth", "channel_data_type", "channel_order", "normalized_coords", "array_size",
  "num_mipmap_levels", "num_samples",
] as const; // biome-ignore format: one list
const ofSampler = ["filter_mode", "addr_mode_0", "addr_mode_1", "addr_mode_2"] as const;

/** The version that introduced each query; the others exist from the beginning. */
const news: Readonly<Partial<Record<ImageQuery, { readonly ptx: number; readonly sm: number }>>> = {
  channel_data_type: { ptx: 21, sm: 10 },
  channel_order: { ptx: 21, sm: 10 },
  force_unnormalized_coords: { ptx: 22, sm: 10 },
  array_size: { ptx: 41, sm: 10 },
  num_mipmap_levels: { ptx: 41, sm: 20 },
  num_samples: { ptx: 41, sm: 30 },
  memory_layout: { ptx: 42, sm: 10 },
};
const first = { ptx: 15, sm: 10 } as const;
const since = ({ query }: { readonly query: ImageQuery }) => least(first, news[query]);

const facts = [
  unspecified("channel types and orders are OpenCL's numbers (Tables 12 and 13); a size that an image has not is 1"),
];
const image = { type: "u8", size: [5, 3], channels: 2, values: [] } as const;

export const queries: readonly Form[] = [
  form("txq.query.b32 d, [a]", {
    where: { query: ofTexture },
    operands: { d: queried, a: { kind: "handle", of: ["texref"], bracketed: true } },
    since,
    run: ({ query }) => ({ shape: "image query", query }),
    facts,
    check: [
      {
        snippet: "txq.width.b32 x, [h]; txq.height.b32 y, [h]; txq.channel_order.b32 z, [h];",
        textures: { h: { ...image, as: "texref" } },
        gives: { x: 5, y: 3, z: 0x10b2 },
      },
    ],
  }),
  form("txq.level.query.b32 d, [a], lod", {
    where: { query: ["width", "height", "depth"] },
    operands: { d: queried, a: { kind: "handle", of: ["texref"], bracketed: true }, lod: level },
    since: { ptx: 43, sm: 30 },
    run: ({ query }) => ({ shape: "image query", query }),
    facts,
    check: [
      {
        snippet: "txq.level.width.b32 x, [h], 1; txq.level.height.b32 y, [h], 2;",
        textures: { h: { ...image, as: "texref", levels: 3 } },
        gives: { x: 2, y: 1 },
      },
    ],
  }),
  form("txq.squery.b32 d, [a]", {
    where: { squery: ofSampler },
    operands: { d: queried, a: { kind: "handle", of: ["texref", "samplerref"], bracketed: true, sampling: true } },
    since: first,
    run: ({ squery }) => ({ shape: "image query", query: squery }),
    check: [
      {
        snippet: "txq.filter_mode.b32 x, [h]; txq.addr_mode_0.b32 y, [h];",
        textures: { h: { ...image, as: "texref", fraction: true, filter: "linear", normalized: true, mode: "mirror" } },
        gives: { x: 1, y: 1 },
      },
    ],
  }),
  form("txq.force_unnormalized_coords.b32 d, [a]", {
    operands: { d: queried, a: { kind: "handle", of: ["samplerref"], bracketed: true } },
    since: () => least(first, news.force_unnormalized_coords),
    run: () => ({ shape: "image query", query: "force_unnormalized_coords" }),
    check: [
      {
        snippet: "txq.force_unnormalized_coords.b32 x, [h];",
        textures: { h: { ...image, as: "samplerref" } },
        gives: { x: 0 },
      },
    ],
  }),
  form("txq.memory_layout.b32 d, [a]", {
    undocumented: true,
    operands: { d: queried, a: { kind: "handle", of: ["texref", "samplerref"], bracketed: true } },
    since: () => least(first, news.memory_layout),
    run: () => ({ shape: "image query", query: "memory_layout" }),
    check: [{ snippet: "txq.memory_layout.b32 x, [h];", textures: { h: { ...image, as: "texref" } }, gives: { x: 0 } }],
  }),
  form("istypep.type p, a", {
    where: { type: ["texref", "samplerref", "surfref"] },
    operands: { p: { kind: "predicate", access: "write" }, a: pointer },
    since: { ptx: 40, sm: 30 },
    run: ({ type }) => ({ shape: "image type", type }),
    check: [
      {
        snippet: "istypep.texref p, h; istypep.surfref q, h; selp.b32 x, 1, 0, p; selp.b32 y, 1, 0, q;",
        textures: { h: { ...image, as: "texref" } },
        gives: { x: 1, y: 0 },
      },
    ],
  }),
  form("suq.query.b32 d, [a]", {
    where: {
      query: ["width", "height", "depth", "channel_data_type", "channel_order", "array_size", "memory_layout"],
    },
    operands: { d: queried, a: { ...surface, bracketed: true } },
    since,
    run: ({ query }) => ({ shape: "image query", query }),
    facts,
    check: [
      {
        snippet: "suq.width.b32 x, [h]; suq.memory_layout.b32 y, [h]; suq.array_size.b32 z, [h];",
        textures: { h: { ...image, as: "surfref", layers: 3 } },
        gives: { x: 5, y: 0, z: 3 },
      },
    ],
  }),
];
