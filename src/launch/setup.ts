import { quoted } from "../environment/quoted.ts";
import type { Reach } from "../environment/reach.ts";
import { type Device, type Kernel, type Module, unknownParameter, unknownRegister } from "../host/index.ts";
import type { Program, Register } from "../interp/contract/program.ts";
import { liveInOf } from "../resolve/body/liveness.ts";
import type { Diagnostic, Help } from "../source/diagnostic.ts";
import { BufferInputs } from "./buffer-inputs.ts";
import { findRegister, isOfGap } from "./find-register.ts";
import { ImageInputs } from "./image/image-inputs.ts";
import { InputReport } from "./input-report.ts";
import type { Inputs, Named, NamedBuffer } from "./launch-inputs.ts";
import { ParameterInputs } from "./parameter-inputs.ts";
import { TensorMapInputs } from "./tensor-map-inputs.ts";
import type { Assignment } from "./value/assignment.ts";
import { type ValueForm, valueForm } from "./value/form.ts";
import { registerBits } from "./value/scalar.ts";
import { VariableInputs } from "./variable-inputs.ts";

/** Collects what options, or a case's left side, say about one launch. Problems become diagnostics. */
export class Setup {
  readonly #program: Program;
  readonly #report = new InputReport();
  readonly #buffers: BufferInputs;
  readonly #images: ImageInputs;
  /** The module's textures, samplers and surfaces. */
  readonly #opaque: ReadonlySet<string>;
  readonly #parameters: ParameterInputs;
  readonly #variables: VariableInputs;
  /** Variables that were given something. */
  readonly #set = new Set<string>();
  readonly #registers = new Map<string, readonly bigint[]>();
  readonly #pointers: NamedBuffer[] = [];
  #carry: 0 | 1 | undefined;

  /** `names`: what `=NAME` may mean besides a parameter; a parameter of that name uses it by default. */
  constructor(
    device: Device,
    { program }: Kernel,
    module: Module | undefined,
    reach: Reach,
    names: ReadonlyMap<string, Named> = new Map(),
  ) {
    this.#program = program;
    // What the device has no room for is not read.
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
    const { value: bits, diagnostics } = registerBits(value, register, type, source);
    this.diagnostics.push(...diagnostics);
    if (bits !== undefined) this.#registers.set(register.name, bits);
  }

  /** `n=5`, `0=f32x8:iota`, `y==x`; an empty name is the next parameter that has nothing yet. */
  argument(assignment: Assignment): void {
    const { name, source } = assignment;
    const parameter = this.#parameters.find(name.text);
    // What a launch supplies to vISA, sizes and ids, can be given like any other input.
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
    // A vISA thread may as well have its inputs as registers.
    const none = dispatchSlot !== undefined && finished.missing.length === this.#program.parameters.length;
    const [args, missing] = none ? [[], []] : [finished.args, finished.missing];
    // A vISA thread begins with registers of its own.
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

  /** The option that takes this assignment, after the other one. */
  #instead(option: "-r" | "-a", { source, span, name }: Assignment): Help {
    const what = option === "-r" ? "register" : "parameter";
    return { message: `${name.text} is a ${what}: ${option} ${quoted(source.text.slice(span.start, span.end))}` };
  }
}
