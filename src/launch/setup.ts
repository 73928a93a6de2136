import { quoted } from "../environment/quoted.ts";
import type { Reach } from "../environment/reach.ts";
import {
  type Buffer,
  type Device,
  isElementType,
  type Kernel,
  type Module,
  problem,
  unknownParameter,
  unknownRegister,
} from "../host/index.ts";
import { bytesFrom } from "../host/memory/element.ts";
import type { Program, Register } from "../interp/contract/program.ts";
import { liveInOf } from "../resolve/body/liveness.ts";
import { nearest } from "../resolve/nearest.ts";
import type { Diagnostic, Help } from "../source/diagnostic.ts";
import { findRegister, isOfGap } from "./find-register.ts";
import { ImageInputs } from "./image/image-inputs.ts";
import { BufferInputs } from "./input/buffer-inputs.ts";
import { InputReport } from "./input/input-report.ts";
import type { Inputs, Named, NamedBuffer } from "./input/launch-inputs.ts";
import { ParameterInputs } from "./input/parameter-inputs.ts";
import { type Makers, TensorMapInputs } from "./input/tensor-map-inputs.ts";
import type { Assignment } from "./value/assignment.ts";
import { hexBytes } from "./value/bytes.ts";
import { type ValueForm, valueForm } from "./value/form.ts";
import { registerBits, scalars } from "./value/scalar.ts";

/** Initial values of the module's variables. */
class VariableInputs {
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

  /** `&Y+8,&Z`: the values of vISA addresses. */
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

  /** A tensor map in a variable; `=NAME` is a variable that contains the tensor. */
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
      `.${chosen} is not a type of elements`,
      "f32, u8 or the like",
    );
    return undefined;
  }
}

/** Collects the inputs of one launch, from options or a case's left side. Problems become diagnostics. */
export class Setup {
  readonly #program: Program;
  readonly #report = new InputReport();
  readonly #buffers: BufferInputs;
  readonly #images: ImageInputs;
  /** The module's textures, samplers and surfaces. */
  readonly #opaque: ReadonlySet<string>;
  readonly #parameters: ParameterInputs;
  readonly #variables: VariableInputs;
  /** Variables with an initial value. */
  readonly #set = new Set<string>();
  readonly #registers = new Map<string, readonly bigint[]>();
  readonly #pointers: NamedBuffer[] = [];
  #carry: 0 | 1 | undefined;

  /** `names`: further meanings of `=NAME` besides a parameter; a parameter of that name uses it by default. */
  constructor(
    device: Device,
    { program }: Kernel,
    module: Module | undefined,
    reach: Reach,
    names: ReadonlyMap<string, Named> = new Map(),
  ) {
    this.#program = program;
    // Data larger than the device's memory is not read.
    const within = { ...reach, maxBytes: Math.min(reach.maxBytes ?? device.maxMemory, device.maxMemory) };
    this.#buffers = new BufferInputs(device, within, this.#report);
    this.#images = new ImageInputs(device, within, this.#report);
    this.#opaque = new Set((module?.opaque ?? []).map(({ name }) => name));
    const makers = {
      buffers: this.#buffers,
      images: this.#images,
      tensorMaps: new TensorMapInputs(device, this.#buffers, this.#report),
    };
    this.#parameters = new ParameterInputs(program, names, makers, this.#report);
    this.#variables = new VariableInputs(program, module, makers, this.#report);
  }

  get diagnostics(): Diagnostic[] {
    return this.#report.diagnostics;
  }

  /** `a=0x3c00`, `%r1=5`, `v=1,2`, `cc.cf=1`. */
  register(assignment: Assignment): void {
    const { name, type, value, source } = assignment;
    if (name.text.toLowerCase() === "cc.cf") {
      if (this.#carry !== undefined) this.#report.twice(assignment);
      if (value.text !== "0" && value.text !== "1") {
        this.#report.wrong("PTX2101", assignment, value, `cc.cf cannot be ${value.text}`, "0 or 1");
      }
      this.#carry = value.text === "1" ? 1 : 0;
      return;
    }
    const register = findRegister(this.#program, name.text);
    if (register === undefined && this.#variables.ofVisa(name.text) !== undefined) {
      this.global(assignment);
      return;
    }
    if (register === undefined) {
      if (isOfGap(this.#program, name.text)) return;
      const diagnostic = unknownRegister(this.#program, name.text);
      const isParameter = this.#parameters.find(name.text)?.name === name.text;
      const help = isParameter ? [this.#instead("-a", assignment)] : (diagnostic.help ?? []);
      this.diagnostics.push({ ...diagnostic, source, span: name.span, help });
      return;
    }
    if (this.#registers.has(register.name)) this.#report.twice(assignment);
    const form = valueForm(value.text);
    if (form.kind === "image") {
      this.#registerImage(register, assignment);
      return;
    }
    if (form.kind === "buffer" || form.kind === "file") {
      this.#registerBuffer(register, assignment, form);
      return;
    }
    if (form.kind !== "scalar") {
      this.#report.wrong(
        "PTX2103",
        assignment,
        value,
        "a register takes a value or a new buffer",
        "f32x4, @FILE or a value",
      );
      return;
    }
    const { value: bits, diagnostics } = registerBits(value, register, type, source, this.#program);
    this.diagnostics.push(...diagnostics);
    if (bits !== undefined) this.#registers.set(register.name, bits);
  }

  /** `n=5`, `0=f32x8:iota`, `y==x`; an empty name is the next parameter without a value. */
  argument(assignment: Assignment): void {
    const { name, source } = assignment;
    const parameter = this.#parameters.find(name.text);
    // Sizes and ids that a launch supplies to vISA can be set like any other input.
    if (parameter === undefined && (this.#opaque.has(name.text) || this.#variables.ofVisa(name.text) !== undefined)) {
      this.global(assignment);
      return;
    }
    if (parameter === undefined) {
      const diagnostic = unknownParameter(this.#program, name.text);
      const isRegister = findRegister(this.#program, name.text) !== undefined;
      const help = isRegister ? [this.#instead("-r", assignment)] : (diagnostic.help ?? []);
      this.diagnostics.push({ ...diagnostic, source, span: name.span, help });
      return;
    }
    this.#parameters.set(parameter, assignment);
  }

  /** `table=f32x4:1,2,3,4`: a module variable's contents, which begin at its first byte. */
  global(assignment: Assignment): void {
    this.#set.add(assignment.name.text);
    this.#variables.set(assignment);
  }

  /** The finished inputs: parameters that share a buffer get it now, and missing ones become 0. */
  finish(): Inputs {
    const { carryIn, dispatchSlot } = this.#program;
    const finished = this.#parameters.finish();
    const { buffers } = finished;
    // A vISA thread may have its inputs in registers instead.
    const none = dispatchSlot !== undefined && finished.missing.length === this.#program.parameters.length;
    const [args, missing] = none ? [[], []] : [finished.args, finished.missing];
    // A vISA thread begins with initialised registers.
    const unset = dispatchSlot === undefined ? liveInOf(this.#program) : [];
    const registers = unset.filter(({ register }) => !this.#registers.has(register.name));
    return {
      registers: this.#registers,
      carry: this.#carry,
      args,
      buffers: [...buffers, ...this.#pointers, ...this.#variables.surfaces],
      missing: [
        ...registers.map(({ register, span }) => ({ name: register.name, kind: "register" as const, span })),
        ...(this.#carry === undefined && carryIn !== undefined
          ? [{ name: "cc.cf", kind: "carry" as const, span: carryIn }]
          : []),
        ...missing,
      ],
      assumed: none ? [] : (this.#program.simd?.assumed ?? []).filter(({ name }) => !this.#set.has(name)),
    };
  }

  /** In a snippet, which has no parameters, a register holds the address of a buffer. */
  #registerBuffer(register: Register, assignment: Assignment, form: ValueForm & { kind: "buffer" | "file" }) {
    const made = this.#buffers.contents(form, assignment);
    if (made === undefined) return;
    if (register.bits !== 64 || register.elements !== 1) {
      const message = `${register.name} has ${register.bits} bits, and an address 64`;
      this.#report.wrong("PTX2206", assignment, assignment.value, message, "a value");
      return;
    }
    const buffer = this.#buffers.allocate(register.name, made, assignment);
    if (buffer === undefined) return;
    this.#registers.set(register.name, [buffer.buffer.address]);
    this.#pointers.push(buffer);
  }

  /** In a snippet, a register holds the handle of a texture or surface. */
  #registerImage(register: Register, assignment: Assignment) {
    const made = this.#images.make(register.name, assignment);
    if (made === undefined) return;
    if (register.bits !== 64 || register.elements !== 1) {
      const message = `${register.name} has ${register.bits} bits, and a handle 64`;
      this.#report.wrong("PTX2206", assignment, assignment.value, message, "a value");
      return;
    }
    this.#registers.set(register.name, [made.handle.handle]);
    if (made.buffer !== undefined) this.#pointers.push(made.buffer);
  }

  /** The option that accepts this assignment, instead of the other one. */
  #instead(option: "-r" | "-a", { source, span, name }: Assignment): Help {
    const what = option === "-r" ? "register" : "parameter";
    return { message: `${name.text} is a ${what}: ${option} ${quoted(source.text.slice(span.start, span.end))}` };
  }
}
