/**
 * The parts of textures and surfaces (PTX ISA 5.3, CUDA's driver API): an image in the device's memory, and the
 * objects through which instructions access it. All of it is fixed before a launch; only the bytes of images change.
 */

/** The contents of one channel of a texel: an integer, or a float of 16 or 32 bits. */
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

/** A CUDA array, mipmapped or not, or linear memory used as an image. The first texel of a row lies lowest. */
export interface Image {
  readonly name: string;
  /** `linear` is one row without a layout, `pitch` rows in a layout of the program's choice. */
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
  /** It was made with mipmap levels, even if only with one. */
  readonly mipmapped: boolean;
}

/** How coordinates outside the image are treated; `clamp_ogl` blends with the border at the edge, like GL_CLAMP. */
export type AddressMode = "wrap" | "mirror" | "clamp_ogl" | "clamp_to_edge" | "clamp_to_border";
export type FilterMode = "nearest" | "linear";

/** The lookup parameters of a texture: CUDA's texture descriptor. */
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
  /** The border colour outside the image, four floats. */
  readonly border: readonly [number, number, number, number];
  /** Faces of a cubemap are filtered across their edges. */
  readonly seamless: boolean;
}

/** The object behind a handle. */
export type ImageObject =
  | {
      readonly kind: "texref";
      readonly name: string;
      readonly image: Image;
      readonly sampler: Sampler;
      /** Integers are read as floats from 0, or -1, to 1. */
      readonly fraction: boolean;
      /** The first three channels hold sRGB, and are converted to linear values. */
      readonly srgb: boolean;
    }
  | {
      readonly kind: "samplerref";
      readonly name: string;
      readonly sampler: Sampler;
      /** The texture's `normalized_coords` is ignored: coordinates are texels. */
      readonly forced: boolean;
    }
  | {
      readonly kind: "surfref";
      readonly name: string;
      readonly image: Image;
      /** Integers stand for floats from 0, or -1, to 1, where an instruction converts them (vISA's typed messages). */
      readonly fraction?: boolean;
    };

export type TextureObject = ImageObject & { readonly kind: "texref" };

/** Opaque types of PTX ISA 5.3. */
export type OpaqueType = ImageObject["kind"];

/** Geometries of texture and surface instructions, in the manual's words. */
export type Geometry = "1d" | "2d" | "3d" | "a1d" | "a2d" | "cube" | "acube" | "2dms" | "a2dms";
