/**
 * What textures and surfaces are made of (PTX ISA 5.3, CUDA's driver API): an image in the device's memory, and the
 * objects through which instructions reach it. All of it is fixed before a launch; only the bytes of images change.
 */

/** What one channel of a texel holds: an integer, or a float of 16 or 32 bits. */
export type ChannelType = "u8" | "u16" | "u32" | "s8" | "s16" | "s32" | "f16" | "f32";

/** One level of an image: its size in texels, and where it lies. */
export interface ImageLevel {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** Where it begins in memory's buffer, bytes. */
  readonly start: number;
  /** Bytes from one row, one slice and one layer to the next. */
  readonly row: number;
  readonly slice: number;
  readonly layer: number;
}

/** A CUDA array, mipmapped or not, or linear memory that is looked at as an image. The first texel of a row lies lowest. */
export interface Image {
  readonly name: string;
  /** `linear` is one row without a layout of its own, `pitch` rows that the program has laid out itself. */
  readonly memory: "array" | "linear" | "pitch";
  /** How many coordinates a texel has, layers and faces aside. */
  readonly dimensions: 1 | 2 | 3;
  /** Undefined without layers; of a layered cubemap its cubemaps. */
  readonly layers: number | undefined;
  /** Six faces to each layer. */
  readonly cube: boolean;
  /** Samples of a texel; more than one lie side by side. */
  readonly samples: number;
  readonly type: ChannelType;
  readonly channels: 1 | 2 | 4;
  /** Bytes of a texel, all samples together. */
  readonly bytes: number;
  /** Level 0 is the largest. */
  readonly levels: readonly ImageLevel[];
  /** It was made with levels, though there may be one only. */
  readonly mipmapped: boolean;
}

/** What becomes of a coordinate outside of the image; `clamp_ogl` mixes in the border at the edge, as OpenGL's GL_CLAMP. */
export type AddressMode = "wrap" | "mirror" | "clamp_ogl" | "clamp_to_edge" | "clamp_to_border";
export type FilterMode = "nearest" | "linear";

/** How a texture is looked up: CUDA's texture descriptor. */
export interface Sampler {
  /** By coordinate. */
  readonly address: readonly [AddressMode, AddressMode, AddressMode];
  readonly filter: FilterMode;
  /** Coordinates run from 0 to 1 over the image. */
  readonly normalized: boolean;
  readonly levels: {
    readonly filter: FilterMode;
    readonly bias: number;
    readonly least: number;
    readonly most: number;
  };
  /** What lies outside of the image, four floats. */
  readonly border: readonly [number, number, number, number];
  /** Faces of a cubemap are filtered across their edges. */
  readonly seamless: boolean;
}

/** What a handle leads to. */
export type ImageObject =
  | {
      readonly kind: "texref";
      readonly name: string;
      readonly image: Image;
      readonly sampler: Sampler;
      /** Integers come as floats from 0, or -1, to 1. */
      readonly fraction: boolean;
      /** The first three channels hold sRGB, which is made linear. */
      readonly srgb: boolean;
    }
  | {
      readonly kind: "samplerref";
      readonly name: string;
      readonly sampler: Sampler;
      /** The texture's `normalized_coords` does not count: coordinates are texels. */
      readonly forced: boolean;
    }
  | { readonly kind: "surfref"; readonly name: string; readonly image: Image };

export type TextureObject = ImageObject & { readonly kind: "texref" };

/** Opaque types of PTX ISA 5.3. */
export type OpaqueType = ImageObject["kind"];

/** Geometries of texture and surface instructions, in the manual's words. */
export type Geometry = "1d" | "2d" | "3d" | "a1d" | "a2d" | "cube" | "acube" | "2dms" | "a2dms";
