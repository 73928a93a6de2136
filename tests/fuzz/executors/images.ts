import { ImageArray } from "../../../src/host/memory/image-array.ts";
import { samplerOf, surfaceOf, type TextureOptions, textureOf } from "../../../src/host/memory/texture.ts";
import type { Geometry } from "../../../src/interp/contract/image.ts";
import { addressIn } from "../../../src/interp/contract/window.ts";
import type { Memory } from "../../../src/interp/index.ts";
import { Random } from "./random.ts";
import { fillWith } from "./values.ts";

/** A texture, a sampler or a surface of every launch. */
export interface Kept {
  readonly as: "texref" | "samplerref" | "surfref";
  readonly geometry?: Geometry;
  readonly format?: Format;
  readonly options?: TextureOptions;
}

const sizes = {
  "1d": { width: 5 },
  "2d": { width: 5, height: 4 },
  "3d": { width: 4, height: 3, depth: 2 },
  a1d: { width: 5, layers: 3 },
  a2d: { width: 4, height: 3, layers: 2 },
  cube: { width: 4, height: 4, cubemap: true },
  acube: { width: 4, height: 4, cubemap: true, layers: 2 },
  "2dms": { width: 4, height: 3, samples: 2 },
  a2dms: { width: 4, height: 3, samples: 2, layers: 2 },
} as const satisfies Readonly<Record<Geometry, object>>;

/** Texels: what tells apart how they are read, filtered and stored. */
const formats = {
  f32: { format: "f32", channels: 1 },
  u8: { format: "u8", channels: 4 },
  s16: { format: "s16", channels: 2 },
  f16: { format: "f16", channels: 4 },
} as const;
type Format = keyof typeof formats;

const looks: readonly (readonly [Format, TextureOptions])[] = [
  ["f32", { filter: "linear" }],
  ["f32", { filter: "point", normalized: true, address: "wrap" }],
  ["f16", { filter: "linear", normalized: true, address: "mirror" }],
  ["u8", { filter: "linear", read: "normalized", normalized: true, address: "clamp" }],
  ["s16", { filter: "point", address: "border", border: [1, -2, 0.5, 3] }],
];

/** In the order in which they are made: a handle is its number. Those of one geometry and format have one memory. */
export const images: readonly Kept[] = [
  ...(Object.keys(sizes) as Geometry[]).flatMap((geometry) =>
    looks.map(([format, options]): Kept => ({ as: "texref", geometry, format, options })),
  ),
  { as: "samplerref", options: { filter: "linear", address: "wrap" } },
  { as: "samplerref", options: { filter: "point", address: "border" } },
  ...(["1d", "2d", "3d", "a1d", "a2d"] as const).flatMap((geometry) =>
    (Object.keys(formats) as Format[]).map((format): Kept => ({ as: "surfref", geometry, format })),
  ),
];

export const handleOf = (image: Kept): bigint => addressIn("handle", 16 * (images.indexOf(image) + 1));

/** What the memory of an image holds before each launch: the beginning of this. */
const texels = new Uint8Array(65536);
fillWith(new Random(0x1a9e5), texels);

/** The images of one memory. */
export class Images {
  readonly #arrays = new Map<string, ImageArray>();

  constructor(memory: Memory) {
    for (const { as, geometry, format, options = {} } of images) {
      if (as === "samplerref") {
        memory.images.add({ kind: as, name: "sampler", sampler: samplerOf(options), forced: false });
        continue;
      }
      const name = `${geometry} ${format}`;
      const array =
        this.#arrays.get(name) ?? new ImageArray(memory, { name, ...sizes[geometry!], ...formats[format!] });
      this.#arrays.set(name, array);
      memory.images.add(as === "texref" ? textureOf(array, options) : surfaceOf(array, {}));
    }
    this.reset();
  }

  /** What programs have stored is gone. */
  reset(): void {
    for (const { storage } of this.#arrays.values()) storage.write(texels.subarray(0, storage.bytes));
  }
}
