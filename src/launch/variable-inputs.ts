import { type Buffer, isElementType, type Module, problem } from "../host/index.ts";
import { bytesFrom } from "../host/memory/element.ts";
import type { Program } from "../interp/contract/program.ts";
import { nearest } from "../resolve/nearest.ts";
import type { BufferInputs } from "./buffer-inputs.ts";
import type { ImageInputs } from "./image/image-inputs.ts";
import type { InputReport } from "./input-report.ts";
import type { NamedBuffer } from "./launch-inputs.ts";
import type { Makers, TensorMapInputs } from "./tensor-map-inputs.ts";
import type { Assignment } from "./value/assignment.ts";
import { hexBytes } from "./value/bytes.ts";
import { valueForm } from "./value/form.ts";
import { scalars } from "./value/scalar.ts";

/** What a launch begins with in the variables of its module. */
export class VariableInputs {
  readonly #program: Program;
  readonly #module: Module | undefined;
  readonly #buffers: BufferInputs;
  readonly #images: ImageInputs;
  readonly #tensorMaps: TensorMapInputs;
  readonly #report: InputReport;
  /** Surfaces that variables lead to, for dumps. */
  readonly surfaces: NamedBuffer[] = [];

  constructor(
    program: Program,
    module: Module | undefined,
    { buffers, images, tensorMaps }: Makers,
    report: InputReport,
  ) {
    this.#images = images;
    this.#tensorMaps = tensorMaps;
    this.#program = program;
    this.#module = module;
    this.#buffers = buffers;
    this.#report = report;
  }

  /** `table=f32x4:1,2,3,4`: a module variable's contents, which begin at its first byte. */
  set(assignment: Assignment): void {
    const { name, value, source } = assignment;
    if (valueForm(value.text).kind === "image") {
      const bound = this.#images.bind(name.text, this.#module, assignment);
      if (typeof bound === "object") this.surfaces.push(bound);
      if (bound !== false) return;
    }
    const variable = this.ofVisa(name.text) ?? this.#module?.variable(name.text);
    if (variable === undefined) {
      const opaque = (this.#module?.opaque ?? []).map((each) => each.name);
      const meant = nearest(name.text, [...(this.#module?.variables ?? []), ...opaque]);
      const help = meant === undefined ? [] : [{ message: `did you mean ${meant}?` }];
      const message = `the module has no variable ${name.text}`;
      this.#report.diagnostics.push(problem("PTX2209", message, { source, span: name.span, help }));
      return;
    }
    const contents = this.#contents(assignment);
    if (contents === undefined) return;
    if (contents.length > variable.bytes) {
      const message = `${contents.length} bytes for a variable of ${variable.bytes}`;
      this.#report.wrong("PTX2206", assignment, value, message, `${variable.bytes} bytes at most`);
      return;
    }
    variable.write(contents);
  }

  /** General variables and addresses of vISA are its registers; the percent sign may be left out. */
  ofVisa(name: string): Buffer | undefined {
    if (this.#program.dispatchSlot === undefined) return undefined;
    return this.#module?.variable(name) ?? this.#module?.variable(`%${name}`);
  }

  /** `&Y+8,&Z`: what addresses of vISA hold. */
  #addresses({ value, source }: Assignment): Uint8Array | undefined {
    const words: bigint[] = [];
    for (const each of value.text.split(",")) {
      const [, name = "", offset = "0"] = /^&([%\w]+)(?:\+(\d+))?$/.exec(each.trim()) ?? [];
      const variable = this.ofVisa(name);
      if (variable === undefined) {
        this.#report.diagnostics.push(
          problem("PTX2209", `${each} is the address of no variable`, {
            source,
            span: value.span,
            expected: "&X or &X+8",
          }),
        );
        return undefined;
      }
      words.push(BigInt.asUintN(32, variable.address + BigInt(offset)));
    }
    return bytesFrom(words, "u32");
  }

  /** A tensor map in a variable; `=NAME` is a variable that holds the tensor. */
  #map(assignment: Assignment): Uint8Array | undefined {
    const { name, value } = assignment;
    const other = this.#tensorMaps.shares(assignment);
    const buffer = other === undefined ? undefined : this.#module?.variable(other);
    const type = other === undefined ? undefined : this.#module?.typeOf(other);
    if (other !== undefined && (buffer === undefined || type === undefined || !isElementType(type))) {
      this.#report.wrong("PTX2103", assignment, value, `${other} names no variable of the module`, "=NAME of one");
      return undefined;
    }
    const shared = buffer && type !== undefined && isElementType(type) ? { buffer, type } : undefined;
    return this.#tensorMaps.make(name.text, assignment, shared)?.bytes;
  }

  /** The bytes for a variable: a buffer's, `hex:..`, or values in the type of its elements. */
  #contents(assignment: Assignment): Uint8Array | undefined {
    const { name, type, value, source } = assignment;
    if (value.text.startsWith("&") && this.#program.dispatchSlot !== undefined) return this.#addresses(assignment);
    const form = valueForm(value.text);
    if (form.kind === "buffer" || form.kind === "file") {
      const made = this.#buffers.contents(form, assignment);
      return typeof made?.contents === "number" ? undefined : made?.contents;
    }
    if (form.kind === "tensormap") return this.#map(assignment);
    if (form.kind === "bytes") {
      const bytes = hexBytes(form.digits);
      if (bytes === undefined)
        this.#report.wrong("PTX2101", assignment, value, "not pairs of hexadecimal digits", "hex:00ff");
      return bytes;
    }
    if (form.kind !== "scalar") {
      const message = "contents of a variable come as values, a buffer or bytes";
      this.#report.wrong("PTX2103", assignment, value, message, "1.5, f32x4:1,2,3,4, @FILE or hex:00ff");
      return undefined;
    }
    const chosen = type?.text ?? this.#module?.typeOf(name.text) ?? this.#module?.typeOf(`%${name.text}`) ?? "b8";
    const { value: bits, diagnostics } = scalars(value, chosen, source, undefined, type);
    this.#report.diagnostics.push(...diagnostics);
    if (bits === undefined) return undefined;
    if (isElementType(chosen)) return bytesFrom([...bits], chosen);
    this.#report.wrong(
      "PTX2101",
      assignment,
      type ?? value,
      `.${chosen} is no type of elements`,
      "f32, u8 or the like",
    );
    return undefined;
  }
}
