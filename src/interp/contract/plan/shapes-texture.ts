import { textOf } from "../../../numeric/operation/text.ts";
import type { TexturePlan } from "./plan-texture.ts";
import type { ShapeFacts } from "./shape-facts.ts";
import { step } from "./shape-kinds.ts";

type Facts<S extends TexturePlan["shape"]> = ShapeFacts<Extract<TexturePlan, { readonly shape: S }>>;

/**
 * The entries of textures and surfaces. What they touch depends on the image that a handle leads to, so their binders
 * tell observers of it themselves.
 */
export const textureShapes = {
  texture: {
    ...step,
    reach: "beyond",
    writes: 2,
    images: "reads",
    says: ({ geometry, whole, gather, lod }) =>
      gather !== undefined
        ? `channel ${"rgba"[gather]} of the four texels that linear filtering would weigh`
        : `looks up a ${geometry} texture ${whole ? "at whole texels" : "as its sampler says"}${lod === "base" ? "" : lod === "level" ? ", at a level of detail" : ", at the level of detail of its derivatives"}`,
  },
  surface: {
    ...step,
    reach: "beyond",
    writes: ({ how }) => (how === "load" ? 1 : 0),
    images: ({ how }) => (how === "load" ? "reads" : "writes"),
    says: ({ how, cell, by, outside, op }) =>
      `${how === "reduce" && op !== undefined ? textOf(op, "[a]", (name) => (name === "held" ? "[a]" : name)) : how === "load" ? `reads ${cell.bits} bits` : `writes ${cell.bits} bits`} of a surface, at a ${by} of a row; outside of it ${outsides[outside]}`,
  },
  "image query": { ...step, reach: "beyond", writes: 1, says: ({ query }) => `asks for ${query}` },
  "image type": { ...step, reach: "beyond", writes: 1, says: ({ type }) => `asks whether the handle is of a .${type}` },
} as const satisfies { readonly [S in TexturePlan["shape"]]: Facts<S> };

const outsides = { trap: "a fault", clamp: "at the nearest place", zero: "zeros, or nothing" } as const;
