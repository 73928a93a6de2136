import type { ChannelType, Image, ImageLevel } from "../../interp/contract/image.ts";
import { addressIn } from "../../interp/contract/window.ts";
import type { Memory } from "../../interp/index.ts";
import { texelBytes } from "../../interp/texture/fetch.ts";
import { type ArrayShape, layOutArray, mostLevels } from "../../interp/texture/layout.ts";
import type { Kind } from "../../source/given.ts";
import { HostError, problem } from "../problem.ts";
import { Buffer, bytesIn, type Contents } from "./buffer.ts";

/** Options of `Device.array`: the fields of CUDA_ARRAY3D_DESCRIPTOR, and the levels of a mipmapped array. */
export interface ArrayOptions {
  readonly name?: string;
  /** Texels; without a height the array is 1D, without a depth 2D. */
  readonly width: number;
  readonly height?: number;
  readonly depth?: number;
  /** Makes it layered (CUDA_ARRAY3D_LAYERED). */
  readonly layers?: number;
  /** Makes it a cubemap, layered or not: six square planes each. */
  readonly cubemap?: boolean;
  /** Makes it a mipmapped array. */
  readonly levels?: number;
  /** Samples of each texel. */
  readonly samples?: number;
  readonly format: ChannelType;
  readonly channels: 1 | 2 | 4;
}

/** Which part of an array is read or written. */
export const arrayOptions: Readonly<Record<keyof ArrayOptions, Kind>> = {
  name: "text",
  width: "number",
  height: "number",
  depth: "number",
  layers: "number",
  cubemap: "truth",
  levels: "number",
  samples: "number",
  format: "text",
  channels: "number",
};

export interface ArrayPart {
  readonly level?: number;
  /** For a cubemap: six to a layer, in the order +x, -x, +y, -y, +z, -z. */
  readonly layer?: number;
}

/** A CUDA array in the device's memory. Its layout there is opaque; `read` and `write` use rows without gaps. */
export class ImageArray {
  readonly image: Image;
  /** The address of its memory. */
  readonly address: bigint;
  /** All of its memory in its internal layout, with rows as in `image`. It is freed with the array. */
  readonly storage: Buffer;
  readonly #memory: Memory;

  /** @internal Made by `Device.array`. Throws a `HostError` for invalid options, and where memory is full. */
  constructor(memory: Memory, options: ArrayOptions) {
    const shape = shapeOf(options);
    const { name = "an array" } = options;
    const { bytes } = layOutArray(shape, 0);
    const address = memory.allocate({ name, bytes, align: 512 });
    if (address === undefined)
      throw new HostError([
        problem("PTX6003", `no room for ${name}, ${bytes} bytes, within ${memory.given} bytes of memory`),
      ]);
    this.#memory = memory;
    this.address = address;
    this.storage = new Buffer(memory, name, address, bytes);
    const { width: _, height: __, depth: ___, levels: ____, ...kept } = shape;
    this.image = {
      ...kept,
      name,
      memory: "array",
      bytes: texelBytes(shape) * shape.samples,
      levels: layOutArray(shape, Number(BigInt.asUintN(32, address))).levels,
    };
  }

  /** Its size at a level, texels. */
  size(level = 0): Pick<ImageLevel, "width" | "height" | "depth"> {
    return this.#level(level);
  }

  /** Bytes of all texels of one layer, or of a complete level with `all`. */
  bytes({ level = 0, layer }: ArrayPart = {}): number {
    const { width, height, depth } = this.#level(level);
    return width * height * depth * this.image.bytes * (layer === undefined ? this.#layers : 1);
  }

  /** Writes texels, row by row; all layers one after the other unless one is named. */
  write(contents: Contents, part: ArrayPart = {}): void {
    const bytes = bytesIn(contents);
    if (bytes.length !== this.bytes(part))
      throw new HostError([
        problem("PTX2230", `${bytes.length} bytes for ${this.image.name}, which takes ${this.bytes(part)}`, {
          expected: `${this.bytes(part)} bytes`,
        }),
      ]);
    let from = 0;
    for (const { at, length } of this.#rows(part)) {
      this.#memory.write(addressIn("global", at), bytes.subarray(from, from + length));
      from += length;
    }
  }

  /** Writes rows of the largest level as they arrive. */
  writeRows(rows: Iterable<Uint8Array>): void {
    const places = this.#rows({})[Symbol.iterator]();
    for (const row of rows) {
      const { value } = places.next();
      if (value?.length !== row.length) throw new RangeError(`a row of ${row.length} bytes for ${this.image.name}`);
      this.#memory.write(addressIn("global", value.at), row);
    }
  }

  /** The texels, row by row; all layers one after the other unless one is named. */
  read(part: ArrayPart = {}): Uint8Array {
    const bytes = new Uint8Array(this.bytes(part));
    let to = 0;
    for (const { at, length } of this.#rows(part)) {
      bytes.set(this.#memory.read(addressIn("global", at), length), to);
      to += length;
    }
    return bytes;
  }

  /** Frees its memory; reading it afterwards is a fault. */
  free(): void {
    this.#memory.free(this.address);
  }

  get #layers(): number {
    return (this.image.layers ?? 1) * (this.image.cube ? 6 : 1);
  }

  #level(level: number): ImageLevel {
    const found = this.image.levels[level];
    if (found === undefined) throw new RangeError(`${this.image.name} has no level ${level}`);
    return found;
  }

  *#rows({ level = 0, layer }: ArrayPart): Iterable<{ readonly at: number; readonly length: number }> {
    const { start, row, slice, layer: stride, width, height, depth } = this.#level(level);
    if (layer !== undefined && (layer < 0 || layer >= this.#layers))
      throw new RangeError(`${this.image.name} has no layer ${layer}`);
    const [first, end] = layer === undefined ? [0, this.#layers] : [layer, layer + 1];
    for (let each = first; each < end; each++)
      for (let z = 0; z < depth; z++)
        for (let y = 0; y < height; y++)
          yield { at: start + each * stride + z * slice + y * row, length: width * this.image.bytes };
  }
}

/** CUDA's limits for arrays of compute capability 7.5 and later. */
const ARRAY_LIMITS = { line: 131072, plane: 131072, volume: 16384, layers: 2048 } as const;

function shapeOf(options: ArrayOptions): ArrayShape {
  const { width, height, depth, layers, cubemap = false, levels, samples = 1, format, channels } = options;
  const wrong = (message: string, expected: string): never => {
    throw new HostError([problem("PTX2230", message, { expected })]);
  };
  const dimensions = depth === undefined ? (height === undefined ? 1 : 2) : 3;
  const sizes = [width, height ?? 1, depth ?? 1] as const;
  const most = dimensions === 3 ? ARRAY_LIMITS.volume : ARRAY_LIMITS.plane;
  if (sizes.some((size) => !Number.isInteger(size) || size < 1 || size > most))
    wrong(`an array of ${sizes.slice(0, dimensions).join(" x ")}`, `sizes from 1 to ${most}`);
  if (![1, 2, 4].includes(channels)) wrong(`${channels} channels`, "1, 2 or 4");
  if (layers !== undefined && (!Number.isInteger(layers) || layers < 1 || layers > ARRAY_LIMITS.layers))
    wrong(`${layers} layers`, `1 to ${ARRAY_LIMITS.layers}`);
  if (cubemap && (dimensions !== 2 || width !== height))
    wrong("a cubemap whose faces are not square", "width = height, no depth");
  if (layers !== undefined && dimensions === 3)
    wrong("layers of a volume", "one or two sizes, or a depth without layers");
  if (samples !== 1 && (dimensions !== 2 || cubemap || levels !== undefined || ![2, 4, 8].includes(samples)))
    wrong(`${samples} samples`, "2, 4 or 8 of a plane");
  const greatest = mostLevels(...sizes);
  if (levels !== undefined && (!Number.isInteger(levels) || levels < 1 || levels > greatest))
    wrong(`${levels} levels`, `1 to ${greatest} for this size`);
  return {
    dimensions,
    layers,
    cube: cubemap,
    samples,
    type: format,
    channels,
    mipmapped: levels !== undefined,
    width,
    height: height ?? 1,
    depth: depth ?? 1,
    levels: levels ?? 1,
  };
}
