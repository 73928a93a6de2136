import { readBytes } from "../../environment/file.ts";
import type { Reach } from "../../environment/reach.ts";
import { type Device, HostError, type ImageArray, type ImageHandle, type Module, problem } from "../../host/index.ts";
import { bytesOf } from "../../host/memory/element.ts";
import type { Sampler } from "../../interp/contract/image.ts";
import { hasErrors } from "../../source/diagnostic.ts";
import { checkTime, LoadingStopped } from "../../source/loading.ts";
import type { InputReport } from "../input-report.ts";
import type { NamedBuffer } from "../launch-inputs.ts";
import type { Assignment } from "../value/assignment.ts";
import { bufferContents } from "../value/buffer.ts";
import { valueForm } from "../value/form.ts";
import { type ImageNotation, readNotation } from "./notation.ts";
import { BrokenPicture } from "./samples.ts";
import { shrinkLevels } from "./shrink.ts";
import { arrayOf, type Texels, texelsOfFile } from "./texels.ts";

/** A texture or surface that an input asks for; a surface's texels can be shown. */
export interface MadeImage {
  readonly handle: ImageHandle;
  readonly buffer?: NamedBuffer;
}

/** Things as they come, with something done before each. */
function* each<T>(things: Iterable<T>, act: () => void): Iterable<T> {
  for (const thing of things) {
    act();
    yield thing;
  }
}

/** More bytes than any array has. */
const MOST = 2 ** 31;

/** Makes the textures and surfaces that inputs ask for. */
export class ImageInputs {
  readonly #device: Device;
  readonly #reach: Reach;
  readonly #report: InputReport;

  constructor(device: Device, reach: Reach, report: InputReport) {
    this.#device = device;
    this.#reach = reach;
    this.#report = report;
  }

  /** What `image:...` or `surface:...` asks for; undefined after a diagnostic. `base`: how it is sampled unless told. */
  make(name: string, assignment: Assignment, base?: Sampler): MadeImage | undefined {
    const { value, source } = assignment;
    const notation = readNotation(value.text);
    if ("message" in notation) {
      const start = value.span.start + notation.at;
      const span = { start, end: start + Math.max(notation.length, 1) };
      const { message, expected } = notation;
      this.#report.diagnostics.push(problem("PTX2103", message, { source, span, expected }));
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
        this.#reach.maxBytes ?? MOST,
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
      this.#report.wrong("PTX2103", assignment, value, `${fill} fills no texels`, "iota, fill=1 or 1,2,3");
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

  /** The array comes first: what it has no room for is not unpacked. */
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
      const { type } = made.image;
      return { handle: this.#device.surface(made), buffer: { name, type, buffer: this.#device.texels(made) } };
    }
    const filtered =
      (options.filter ?? (base?.filter === "linear" ? "linear" : "point")) === "linear" ||
      options.levelFilter === "linear";
    const integer = !made.image.type.startsWith("f");
    // Integers are filtered as fractions only, so that is what someone wants who filters them, or calls them sRGB.
    const read = options.read ?? (integer && (filtered || options.srgb === true) ? "normalized" : "element");
    // A driver would take the nearest texel; who says both does not mean that.
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
