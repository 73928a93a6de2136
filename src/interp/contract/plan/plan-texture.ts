import type { Operation } from "../../../numeric/operation/operation.ts";
import type { Geometry, OpaqueType } from "../image.ts";
import type { Cell } from "../space.ts";

/** Properties that txq and suq can query. */
export type ImageQuery =
  | "width" | "height" | "depth" | "channel_data_type" | "channel_order" | "normalized_coords" | "array_size"
  | "num_mipmap_levels" | "num_samples" | "memory_layout" | "force_unnormalized_coords" | "filter_mode"
  | "addr_mode_0" | "addr_mode_1" | "addr_mode_2"; // biome-ignore format: by kind

/** The effect of an access outside of a surface. */
export type Outside = "trap" | "clamp" | "zero";

/** Surfaces have no cubes and no samples. */
export type SurfaceGeometry = Exclude<Geometry, "cube" | "acube" | "2dms" | "a2dms">;

/**
 * The plans of texture and surface instructions. A handle is a slot, or an `address` in the kernel's parameters that
 * holds it.
 */
export type TexturePlan =
  /**
   * `d, p, a, b, c, e, f`, with lod or dPdx and dPdy before e: texture a by sampler b at coordinates c, offset by e,
   * compared with f. p says whether the data is resident, which it always is.
   */
  | {
      readonly shape: "texture";
      readonly geometry: Geometry;
      /** Coordinates in whole texels, not filtered (`.s32`). */
      readonly whole: boolean;
      readonly lod: "base" | "level" | "grad";
      /** tld4: this channel of the four texels, in place of one result's channels. */
      readonly gather?: 0 | 1 | 2 | 3;
      /** The contents of an element of d: a channel as 32 bits, as an f16, or two as f16x2. */
      readonly gives: "word" | "half" | "pair";
    }
  /** `d, a, c` (load) or `a, c, b`: cells of surface a at coordinates c. */
  | {
      readonly shape: "surface";
      readonly how: "load" | "store" | "reduce";
      readonly geometry: SurfaceGeometry;
      /** The first coordinate counts bytes (`.b`) or texels (`.p`). */
      readonly by: "byte" | "texel";
      readonly cell: Cell;
      readonly outside: Outside;
      /** A reduction of memory with b; the second one for surfaces of signed integers (sured.p). */
      readonly op?: Operation;
      readonly signed?: Operation;
    }
  /**
   * A typed message of vISA, whose geometry and format are those of the texture or surface: `d, a, {b}, c{, lod}` samples
   * or fetches, `a, c, d` stores, `d, a, lod` gives its size; d has four words, and c the coordinates, then the layer.
   */
  | {
      readonly shape: "typed";
      readonly how: "sample" | "fetch" | "store" | "size";
      /** What is read outside of an image, in the fourth channel; 0 in the others. */
      readonly alpha?: 1;
    }
  /** `d, a{, lod}`. */
  | { readonly shape: "image query"; readonly query: ImageQuery }
  /** `p, a`: whether a handle is of this type. */
  | { readonly shape: "image type"; readonly type: OpaqueType };
