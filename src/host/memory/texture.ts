import type { AddressMode, ChannelType, FilterMode, Image, ImageObject, Sampler } from "../../interp/contract/image.ts";
import type { Memory } from "../../interp/index.ts";
import { texelBytes } from "../../interp/texture/fetch.ts";
import { isFloatChannel } from "../../interp/texture/texel.ts";
import type { Kind } from "../../source/given.ts";
import { HostError, problem } from "../problem.ts";
import type { Buffer } from "./buffer.ts";
import { ImageArray } from "./image-array.ts";

/** The memory of a texture or surface: CUDA_RESOURCE_DESC. */
export type Resource =
  | ImageArray
  /** Linear memory, one row of texels (CU_RESOURCE_TYPE_LINEAR). */
  | { readonly linear: Buffer; readonly format: ChannelType; readonly channels: 1 | 2 | 4; readonly width?: number }
  /** Rows that begin `pitch` bytes apart (CU_RESOURCE_TYPE_PITCH2D). */
  | {
      readonly pitch2d: Buffer;
      readonly format: ChannelType;
      readonly channels: 1 | 2 | 4;
      readonly width: number;
      readonly height: number;
      readonly pitch: number;
    };

/** CUDA's names of address modes. */
export type AddressName = "wrap" | "mirror" | "clamp" | "border";

/** How a texture is looked up: CUDA_TEXTURE_DESC, and the part of CUDA_RESOURCE_VIEW_DESC that narrows it. */
export interface TextureOptions {
  readonly name?: string;
  /** One for all coordinates, or one each; clamp by default. */
  readonly address?: AddressName | readonly AddressName[];
  /** `point` by default. */
  readonly filter?: "point" | "linear";
  /** Integers are read unchanged (`element`, the default), or as fractions of the greatest (`normalized`). */
  readonly read?: "element" | "normalized";
  /** Coordinates run from 0 to 1 over the image. */
  readonly normalized?: boolean;
  /** The first three channels hold sRGB. */
  readonly srgb?: boolean;
  readonly border?: readonly number[];
  /** Between levels: `point` by default; the bias added to a level of detail, and its bounds. */
  readonly levelFilter?: "point" | "linear";
  readonly levelBias?: number;
  readonly leastLevel?: number;
  readonly mostLevel?: number;
  /** More than 1 has no effect here: ptxrun filters without anisotropy. */
  readonly anisotropy?: number;
  /** Faces of a cubemap are filtered across their edges. */
  readonly seamless?: boolean;
  /** Only these levels and layers of an array: a first one and a last one. */
  readonly view?: { readonly levels?: readonly [number, number]; readonly layers?: readonly [number, number] };
}

export const textureOptions: Readonly<Record<keyof TextureOptions, Kind>> = {
  name: "text",
  address: "anything",
  filter: "text",
  read: "text",
  normalized: "truth",
  srgb: "truth",
  border: "list",
  levelFilter: "text",
  levelBias: "number",
  leastLevel: "number",
  mostLevel: "number",
  anisotropy: "number",
  seamless: "truth",
  view: "object",
};

/**
 * A texture, sampler or surface object, as cuTexObjectCreate and related calls create. A kernel receives its
 * handle.
 */
export class ImageHandle {
  readonly handle: bigint;
  readonly object: ImageObject;
  readonly #memory: Memory;
  /** The variables of modules that are bound to it. */
  readonly #variables: Set<bigint> = new Set();

  /** @internal Made by `Device.texture`, `Device.sampler` and `Device.surface`. */
  constructor(memory: Memory, object: ImageObject) {
    this.#memory = memory;
    this.object = object;
    this.handle = memory.images.add(object);
  }

  /** @internal Binds a variable of a module, see `Module.bind`. */
  bindTo(variable: bigint, name: string): void {
    this.#memory.images.bind(variable, { ...this.object, name });
    this.#variables.add(variable);
  }

  /** Its memory was freed: using the handle, or a variable bound to it, from now on is a fault that reports this. */
  orphan(): void {
    for (const each of [this.handle, ...this.#variables]) this.#memory.images.orphan(each);
  }

  /** Destroys the handle, and leaves variables bound to nothing; using it afterwards is a fault. Its memory is not freed. */
  destroy(): void {
    this.orphan();
    this.#memory.images.remove(this.handle);
  }
}

const wrong = (message: string, expected: string): never => {
  throw new HostError([problem("PTX2230", message, { expected })]);
};

/** The image of a resource. Throws a `HostError` where the memory does not fit. */
export function imageOfResource(resource: Resource): Image {
  if (resource instanceof ImageArray) return resource.image;
  const { format, channels } = resource;
  const bytes = texelBytes({ type: format, channels });
  const common = {
    layers: undefined,
    cube: false,
    samples: 1,
    type: format,
    channels,
    bytes,
    mipmapped: false,
  } as const;
  const startOf = (buffer: Buffer): number => Number(BigInt.asUintN(32, buffer.address));
  if ("linear" in resource) {
    const { linear, width = Math.floor(linear.bytes / bytes) } = resource;
    if (width < 1 || width * bytes > linear.bytes)
      wrong(`${width} texels of ${bytes} bytes in ${linear.name}`, `at most ${linear.bytes} bytes`);
    const level = {
      width,
      height: 1,
      depth: 1,
      start: startOf(linear),
      row: width * bytes,
      slice: width * bytes,
      layer: width * bytes,
    };
    return { ...common, name: linear.name, memory: "linear", dimensions: 1, levels: [level] };
  }
  const { pitch2d, width, height, pitch } = resource;
  if (pitch % 32 !== 0 || pitch < width * bytes || (height - 1) * pitch + width * bytes > pitch2d.bytes)
    wrong(
      `rows of ${width} texels every ${pitch} bytes, ${height} of them in ${pitch2d.name}`,
      "a pitch that is a multiple of 32, and room for all rows",
    );
  const level = {
    width,
    height,
    depth: 1,
    start: startOf(pitch2d),
    row: pitch,
    slice: pitch * height,
    layer: pitch * height,
  };
  return { ...common, name: pitch2d.name, memory: "pitch", dimensions: 2, levels: [level] };
}

const modes: Readonly<Record<AddressName, AddressMode>> = {
  wrap: "wrap",
  mirror: "mirror",
  clamp: "clamp_to_edge",
  border: "clamp_to_border",
};
const filters = { point: "nearest", linear: "linear" } as const satisfies Record<string, FilterMode>;

/** A sampler with these options; missing ones come from `base`. */
export function samplerOf(options: TextureOptions, base: Sampler = plainSampler): Sampler {
  const { address, filter, normalized, border, levelFilter, levelBias, leastLevel, mostLevel, seamless } = options;
  const given = address === undefined ? undefined : typeof address === "string" ? [address] : address;
  const mode = (axis: 0 | 1 | 2): AddressMode =>
    given === undefined ? base.address[axis] : modes[given[Math.min(axis, given.length - 1)] ?? "clamp"];
  return {
    address: [mode(0), mode(1), mode(2)],
    filter: filter === undefined ? base.filter : filters[filter],
    normalized: normalized ?? base.normalized,
    levels: {
      filter: levelFilter === undefined ? base.levels.filter : filters[levelFilter],
      bias: levelBias ?? base.levels.bias,
      least: leastLevel ?? base.levels.least,
      most: mostLevel ?? base.levels.most,
    },
    border: border === undefined ? base.border : [border[0] ?? 0, border[1] ?? 0, border[2] ?? 0, border[3] ?? 0],
    seamless: seamless ?? base.seamless,
  };
}

/** Point sampling of texels, clamped to the edge. */
export const plainSampler: Sampler = {
  address: ["clamp_to_edge", "clamp_to_edge", "clamp_to_edge"],
  filter: "nearest",
  normalized: false,
  border: [0, 0, 0, 0],
  seamless: false,
  levels: { filter: "nearest", bias: 0, least: 0, most: Number.POSITIVE_INFINITY },
};

/**
 * A texture of a resource. Throws a `HostError` for options that CUDA's driver rejects. It accepts a texture that
 * filters integers linearly and reads them as integers, which the guide calls "only valid" for floats (grade
 * unspecified, see `TextureReader`).
 */
export function textureOf(
  resource: Resource,
  options: TextureOptions,
  base?: Sampler,
): ImageObject & { kind: "texref" } {
  const image = viewed(imageOfResource(resource), options);
  const sampler = samplerOf(options, base);
  const { read = "element", srgb = false } = options;
  const fraction = read === "normalized" && !isFloatChannel(image.type);
  if (fraction && (image.type === "u32" || image.type === "s32"))
    wrong("integers of 32 bits as fractions", "integers of 8 or 16 bits, or read as elements");
  if (srgb && (image.type !== "u8" || !fraction))
    wrong(`sRGB in channels of ${image.type}`, 'format "u8", read: "normalized"');
  return { kind: "texref", name: options.name ?? image.name, image, sampler, fraction, srgb };
}

/** The levels and layers of a view. */
function viewed(image: Image, { view }: TextureOptions): Image {
  if (view === undefined) return image;
  const [firstLevel, lastLevel] = view.levels ?? [0, image.levels.length - 1];
  const [firstLayer, lastLayer] = view.layers ?? [0, (image.layers ?? 1) - 1];
  const fits = (first: number, last: number, count: number): boolean => first >= 0 && first <= last && last < count;
  if (!fits(firstLevel, lastLevel, image.levels.length) || !fits(firstLayer, lastLayer, image.layers ?? 1))
    wrong(
      `levels ${firstLevel} to ${lastLevel}, layers ${firstLayer} to ${lastLayer}`,
      "levels and layers that the array has",
    );
  const skipped = firstLayer * (image.cube ? 6 : 1);
  return {
    ...image,
    layers: image.layers === undefined ? undefined : lastLayer - firstLayer + 1,
    levels: image.levels
      .slice(firstLevel, lastLevel + 1)
      .map((level) => ({ ...level, start: level.start + skipped * level.layer })),
  };
}

/** A surface of a resource: one level of an array. */
export function surfaceOf(
  resource: Resource,
  { name, level = 0, read }: Pick<TextureOptions, "name" | "read"> & { readonly level?: number },
): ImageObject & { kind: "surfref" } {
  const image = imageOfResource(resource);
  const only = image.levels[level];
  if (only === undefined) return wrong(`level ${level} of ${image.name}`, `a level below ${image.levels.length}`);
  if (image.samples > 1) wrong("a surface of what has samples", "an array without samples");
  const fraction = read === "normalized" && !isFloatChannel(image.type);
  return {
    kind: "surfref",
    name: name ?? image.name,
    image: { ...image, levels: [only] },
    ...(fraction ? { fraction } : {}),
  };
}
