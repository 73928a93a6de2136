import { readBytes } from "../../environment/file.ts";
import type { Zlib } from "../../environment/files.ts";
import type { Reach } from "../../environment/reach.ts";
import {
  type ArrayOptions,
  type Device,
  type ElementType,
  HostError,
  type ImageArray,
  type ImageHandle,
  type Module,
  problem,
} from "../../host/index.ts";
import { bytesOf, fromValue, readBits, toValue, writeBits } from "../../host/memory/element.ts";
import type { ChannelType, Sampler } from "../../interp/contract/image.ts";
import { hasErrors } from "../../source/diagnostic.ts";
import { checkTime, LoadingStopped } from "../../source/loading.ts";
import type { InputReport } from "../input/input-report.ts";
import type { NamedBuffer } from "../input/launch-inputs.ts";
import { readNpy } from "../input/npy.ts";
import type { Assignment } from "../value/assignment.ts";
import { bufferContents } from "../value/buffer.ts";
import { valueForm } from "../value/form.ts";
import { fills } from "../value/recipe.ts";
import { type ImageNotation, type NotationProblem, readNotation, readSampler } from "./notation.ts";
import { isPicture, openPicture } from "./picture.ts";
import { BrokenPicture } from "./samples.ts";
import { shapeOf } from "./write-texels.ts";

/** The size and format of an array, and the texels of its largest level; none where they are undefined. */
export interface Texels {
  readonly array: Omit<ArrayOptions, "name" | "levels">;
  readonly contents?: Uint8Array;
  /** Instead of `contents`: row by row, once there is room for them. Throws `BrokenPicture`. */
  readonly rows?: () => Iterable<Uint8Array>;
}

type Words = Pick<ImageNotation, "geometry">;

/** The texels of a file; a sentence describes an error. */
export function texelsOfFile(
  path: string,
  file: Uint8Array,
  notation: Words,
  most: number,
  zlib?: Zlib,
): Texels | string {
  return isPicture(path) ? ofPicture(path, file, most, zlib) : ofNpy(file, notation);
}

/** Three channels become four: there is no format of three, and the fourth is opaque. */
function ofPicture(path: string, file: Uint8Array, most: number, zlib: Zlib | undefined): Texels | string {
  const picture = openPicture(path, file, most, zlib);
  if (typeof picture === "string") return picture;
  const { width, height, channels, bits, rows } = picture;
  const format = bits === 8 ? "u8" : "u16";
  if (channels !== 3) return { array: { width, height, format, channels }, rows };
  return { array: { width, height, format, channels: 4 }, rows: () => withAlpha(rows(), width, bits / 8) };
}

function* withAlpha(rows: Iterable<Uint8Array>, width: number, size: number): Iterable<Uint8Array> {
  const texels = new Uint8Array(width * 4 * size).fill(255);
  for (const row of rows) {
    for (let pixel = 0; pixel < width; pixel++)
      for (let byte = 0; byte < 3 * size; byte++) texels[pixel * 4 * size + byte] = row[pixel * 3 * size + byte] ?? 0;
    yield texels;
  }
}

const formats: ReadonlySet<string> = new Set<ChannelType>(["u8", "u16", "u32", "s8", "s16", "s32", "f16", "f32"]);
const isChannelType = (type: string): type is ChannelType => formats.has(type);

function ofNpy(file: Uint8Array, { geometry }: Words): Texels | string {
  const npy = readNpy(file);
  if (typeof npy === "string") return npy;
  const { type, bytes, shape } = npy;
  if (!isChannelType(type)) return `its elements are .${type}, which no texture has`;
  const axes = geometry === undefined ? undefined : axesOf[geometry];
  const last = shape.at(-1) ?? 1;
  const withChannels =
    axes === undefined ? shape.length > 2 && (last === 1 || last === 2 || last === 4) : shape.length === axes + 1;
  const sizes = withChannels ? shape.slice(0, -1) : shape;
  const channels = withChannels ? last : 1;
  if (channels !== 1 && channels !== 2 && channels !== 4)
    return `its last axis is ${channels}: a texel has 1, 2 or 4 channels`;
  const made = arrayOf(sizes.toReversed(), geometry);
  return typeof made === "string" ? made : { array: { ...made, format: type, channels }, contents: bytes };
}

/** How many sizes each geometry has: width, height, and depth or layers. */
const axesOf = { "1d": 1, "2d": 2, "3d": 3, a1d: 2, a2d: 3, cube: 3, acube: 3 } as const;

/** Reads sizes, the width first; a sentence describes an error. */
export function arrayOf(
  sizes: readonly number[],
  word: ImageNotation["geometry"],
): Omit<Texels["array"], "format" | "channels"> | string {
  const geometry = word ?? (["1d", "2d", "3d"] as const)[sizes.length - 1];
  const shown = sizes.join(" x ");
  if (geometry === undefined || (sizes.length !== axesOf[geometry] && !(geometry === "cube" && sizes.length === 2)))
    return `${shown || "no size"} is not a size of a ${geometry ?? "texture"}, which has ${geometry === undefined ? "1 to 3 sizes" : `${axesOf[geometry]}`}`;
  // As many as the geometry has.
  const [width, height, more] = sizes as readonly [number, number, number];
  switch (geometry) {
    case "1d":
      return { width };
    case "2d":
      return { width, height };
    case "3d":
      return { width, height, depth: more };
    case "a1d":
      return { width, layers: height };
    case "a2d":
      return { width, height, layers: more };
    case "cube":
      if (sizes.length === 3 && more !== 6) return `${shown} is not a cubemap, which has six faces`;
      return { width, height, cubemap: true };
    case "acube":
      if (more % 6 !== 0) return `${shown} is not an array of cubemaps, which have six faces each`;
      return { width, height, layers: more / 6, cubemap: true };
  }
}

/**
 * Fills the smaller levels of an array: each texel is the mean of those of the level above that it covers. `goOn` is called
 * for each row, and may throw.
 */
export function shrinkLevels(array: ImageArray, goOn: () => void): void {
  const { type, channels, layers = 1, cube } = array.image;
  const element: ElementType = type;
  const bytes = bytesOf(element);
  for (let level = 1; level < array.image.levels.length; level++) {
    const [above, size] = [array.size(level - 1), array.size(level)];
    for (let layer = 0; layer < layers * (cube ? 6 : 1); layer++) {
      const from = viewOf(array.read({ level: level - 1, layer }));
      const made = new Uint8Array(array.bytes({ level, layer }));
      const to = viewOf(made);
      const at = (x: number, y: number, z: number, channel: number): number => {
        const index = ((z * above.height + y) * above.width + x) * channels + channel;
        return Number(toValue(readBits(from, index * bytes, bytes), element));
      };
      let next = 0;
      for (let z = 0; z < size.depth; z++)
        for (let y = 0; y < size.height; y++) {
          goOn();
          for (let x = 0; x < size.width; x++)
            for (let channel = 0; channel < channels; channel++) {
              const mean = meanOf(
                covered(x, above.width),
                covered(y, above.height),
                covered(z, above.depth),
                (i, j, k) => at(i, j, k, channel),
              );
              writeBits(to, next, bytes, fromValue(element.startsWith("f") ? mean : Math.round(mean), element) ?? 0n);
              next += bytes;
            }
        }
      array.write(made, { level, layer });
    }
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** The indices that an index of the next level stands for; an image of one texel keeps it. */
const covered = (index: number, size: number): readonly number[] => (size === 1 ? [0] : [2 * index, 2 * index + 1]);

function meanOf(
  xs: readonly number[],
  ys: readonly number[],
  zs: readonly number[],
  at: (x: number, y: number, z: number) => number,
): number {
  let sum = 0;
  for (const z of zs) for (const y of ys) for (const x of xs) sum += at(x, y, z);
  return sum / (xs.length * ys.length * zs.length);
}

/** A texture or surface made for an input; a surface's texels can be shown. */
export interface MadeImage {
  readonly handle: ImageHandle;
  readonly buffer?: NamedBuffer;
}

/** Items as they arrive, with an action before each. */
function* each<T>(things: Iterable<T>, act: () => void): Iterable<T> {
  for (const thing of things) {
    act();
    yield thing;
  }
}

/** More bytes than any array has. */
const MAX_IMAGE_BYTES = 2 ** 31;

/** Makes the textures and surfaces of inputs. */
export class ImageInputs {
  readonly #device: Device;
  readonly #reach: Reach;
  readonly #report: InputReport;

  constructor(device: Device, reach: Reach, report: InputReport) {
    this.#device = device;
    this.#reach = reach;
    this.#report = report;
  }

  /** Makes the object of `image:...`, `surface:...` or `sampler:...`; undefined after a diagnostic. `base`: the default sampling. */
  make(name: string, assignment: Assignment, base?: Sampler): MadeImage | undefined {
    const { value, source } = assignment;
    if (value.text.startsWith("sampler:")) {
      const options = readSampler(value.text);
      if (!("message" in options)) return { handle: this.#device.sampler({ ...options, name }) };
      this.#wrong(options, assignment);
      return undefined;
    }
    const notation = readNotation(value.text);
    if ("message" in notation) {
      this.#wrong(notation, assignment);
      return undefined;
    }
    const texels = this.#texels(notation, assignment);
    if (texels === undefined) return undefined;
    try {
      return this.#placed(name, notation, texels, assignment, base);
    } catch (error) {
      if (error instanceof BrokenPicture && notation.from.kind === "file")
        return this.#noTexels(notation.from.path, error.message, assignment);
      if (error instanceof LoadingStopped) this.#report.diagnostics.push(error.diagnostic);
      else if (error instanceof HostError)
        this.#report.diagnostics.push(...error.diagnostics.map((each) => ({ ...each, source, span: value.span })));
      else throw error;
      return undefined;
    }
  }

  #wrong({ at, length, message, expected }: NotationProblem, { value, source }: Assignment): void {
    const start = value.span.start + at;
    const span = { start, end: start + Math.max(length, 1) };
    this.#report.diagnostics.push(problem("PTX2103", message, { source, span, expected }));
  }

  /** Binds a texture, sampler or surface of a module by its name; false where the module has none. */
  bind(name: string, module: Module | undefined, assignment: Assignment): NamedBuffer | boolean {
    const variable = module?.opaque.find((each) => each.name === name);
    if (module === undefined || variable === undefined) return false;
    const made = this.make(name, assignment, variable.sampler);
    if (made === undefined) return true;
    if (!module.bind(name, made.handle)) {
      const { kind } = made.handle.object;
      const message = `${name} is a .${variable.type}, and this makes a .${kind}`;
      this.#report.wrong(
        "PTX2206",
        assignment,
        assignment.value,
        message,
        variable.type === "surfref" ? "surface:..." : "image:...",
      );
      return true;
    }
    return made.buffer ?? true;
  }

  #texels({ from, geometry }: ImageNotation, assignment: Assignment): Texels | undefined {
    const { value, source } = assignment;
    if (from.kind === "file") {
      const place = { source, span: value.span };
      const { value: bytes, diagnostics } = readBytes(from.path, this.#reach, place);
      this.#report.diagnostics.push(...diagnostics);
      if (bytes === undefined) return undefined;
      const made = texelsOfFile(
        from.path,
        bytes,
        geometry === undefined ? {} : { geometry },
        this.#reach.maxBytes ?? MAX_IMAGE_BYTES,
        this.#reach.files.zlib,
      );
      return typeof made === "string" ? this.#noTexels(from.path, made, assignment) : made;
    }
    const { type, channels, size, fill } = from;
    const array = arrayOf(size, geometry);
    if (typeof array === "string") {
      this.#report.wrong("PTX2103", assignment, value, array, "as many sizes as the geometry has");
      return undefined;
    }
    const made = { ...array, format: type, channels };
    if (fill === undefined) return { array: made };
    const count =
      size.reduce((all, each) => all * each, array.cubemap === true && size.length === 2 ? 6 : 1) * channels;
    const text = `${type}x${count}:${fill}`;
    const form = valueForm(text);
    if (form.kind !== "buffer" || !Number.isSafeInteger(count * bytesOf(type))) {
      this.#report.wrong("PTX2103", assignment, value, `${fill} fills no texels`, fills);
      return undefined;
    }
    // The spelling of a buffer fills an image, too; messages about it point at the whole value.
    const { value: contents, diagnostics } = bufferContents(
      form,
      { ...assignment, value: { text, span: value.span } },
      this.#reach,
    );
    this.#report.diagnostics.push(...diagnostics.map((each) => ({ ...each, span: value.span })));
    if (hasErrors(diagnostics) || !(contents?.contents instanceof Uint8Array)) return undefined;
    return { array: made, contents: contents.contents };
  }

  #noTexels(path: string, why: string, assignment: Assignment): undefined {
    const expected = "a picture, or an array with the axes of a texture";
    this.#report.wrong("PTX2014", assignment, assignment.value, `${path}: ${why}`, expected);
  }

  /** The array comes first: a picture without room for it is not unpacked. */
  #placed(
    name: string,
    notation: ImageNotation,
    { array, contents, rows }: Texels,
    { source, value: { span } }: Assignment,
    base: Sampler | undefined,
  ): MadeImage {
    const { as, levels, linear, options } = notation;
    const made = this.#device.array({ ...array, name, ...(levels !== undefined && { levels }) });
    const goOn = (): void => checkTime(this.#reach.time, { source, span });
    if (rows !== undefined) made.writeRows(each(rows(), goOn));
    if (contents !== undefined) made.write(contents);
    if (levels !== undefined && (rows ?? contents) !== undefined) shrinkLevels(made, goOn);
    if (as === "surfref") {
      const { type, channels } = made.image;
      const buffer = { name, type, buffer: this.#device.texels(made), shape: shapeOf(made.image), channels };
      return { handle: this.#device.surface(made, { ...(options.read && { read: options.read }) }), buffer };
    }
    const filtered =
      (options.filter ?? (base?.filter === "linear" ? "linear" : "point")) === "linear" ||
      options.levelFilter === "linear";
    const integer = !made.image.type.startsWith("f");
    // Integers are filtered as fractions only, so `filter=linear` or sRGB implies fractions.
    const read = options.read ?? (integer && (filtered || options.srgb === true) ? "normalized" : "element");
    // A driver would filter and round; a user who writes both does not mean that.
    if (integer && read === "element" && (options.filter === "linear" || options.levelFilter === "linear"))
      throw new HostError([
        problem("PTX2230", "linear filtering of integers", { expected: "read=normalized, or a format of floats" }),
      ]);
    const full = { ...options, name, read } as const;
    return { handle: this.#texture(made, linear, full, base, contents) };
  }

  #texture(
    array: ImageArray,
    linear: boolean,
    options: Parameters<Device["texture"]>[1] & object,
    base: Sampler | undefined,
    contents: Uint8Array | undefined,
  ): ImageHandle {
    if (!linear) return this.#device.texture(array, options, base);
    const { type: format, channels, dimensions, layers } = array.image;
    if (dimensions !== 1 || layers !== undefined)
      throw new HostError([problem("PTX2230", "linear memory holds a line", { expected: "one size" })]);
    const buffer = this.#device.buffer(contents ?? array.bytes(), { name: array.image.name });
    return this.#device.texture({ linear: buffer, format, channels }, options, base);
  }
}
