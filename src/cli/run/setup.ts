import { bytesFrom } from "../../host/element.ts";
import type { Buffer, Device, ElementType, Kernel, Module } from "../../host/index.ts";
import { type Argument, isElementType, problem, unknownParameter, unknownRegister } from "../../host/index.ts";
import type { Parameter, Program, Register } from "../../interp/contract/program.ts";
import { nearest } from "../../resolve/nearest.ts";
import type { Code } from "../../source/codes/index.ts";
import type { Diagnostic, Help } from "../../source/diagnostic.ts";
import type { Reach } from "../reach.ts";
import { quoted } from "../usage.ts";
import type { Assignment, SpannedText } from "../value/assignment.ts";
import { type BufferContents, bufferContents, noRoom } from "../value/buffer.ts";
import { hexBytes } from "../value/bytes.ts";
import { type ValueForm, valueForm } from "../value/form.ts";
import { registerBits, scalars } from "../value/scalar.ts";

/**
 * A buffer that was given for a parameter (in a snippet: a register), or a module variable, by the name that the user
 * gave.
 */
export interface NamedBuffer {
  readonly name: string;
  readonly type: ElementType;
  readonly buffer: Buffer;
}

/** A named buffer or value of a pipeline's case, for its launches to use. */
export interface Named {
  readonly assignment: Assignment;
  readonly buffer?: NamedBuffer;
  used: boolean;
}

/** The inputs of a run. */
export interface Inputs {
  readonly registers: ReadonlyMap<string, readonly bigint[]>;
  readonly carry: 0 | 1 | undefined;
  readonly args: readonly Argument[];
  /**
   * By the parameter's name, in the order of the parameters; a parameter that shares another's buffer is not listed.
   */
  readonly buffers: readonly NamedBuffer[];
  /** Inputs that were not given, and are 0. */
  readonly missing: readonly Missing[];
}

export interface Missing {
  readonly name: string;
  readonly kind: "register" | "parameter" | "carry";
  readonly span: { readonly start: number; readonly end: number };
}

/** Collects what options, or a case's left side, say about one launch. Problems become diagnostics. */
export class Setup {
  readonly diagnostics: Diagnostic[] = [];
  readonly #device: Device;
  readonly #kernel: Kernel;
  readonly #module: Module | undefined;
  readonly #reach: Reach;
  readonly #registers = new Map<string, readonly bigint[]>();
  readonly #given = new Map<Parameter, { readonly argument: Argument; readonly buffer?: NamedBuffer }>();
  readonly #shared: { readonly parameter: Parameter; readonly assignment: Assignment; readonly name: string }[] = [];
  readonly #pointers: NamedBuffer[] = [];
  #carry: 0 | 1 | undefined;

  readonly #names: ReadonlyMap<string, Named>;

  /** `names`: what `=NAME` may mean besides a parameter; a parameter of that name uses it by default. */
  constructor(
    device: Device,
    kernel: Kernel,
    module: Module | undefined,
    reach: Reach,
    names: ReadonlyMap<string, Named> = new Map(),
  ) {
    this.#names = names;
    this.#device = device;
    this.#kernel = kernel;
    this.#module = module;
    this.#reach = reach;
  }

  /** `a=0x3c00`, `%r1=5`, `v=1,2`, `cc.cf=1`. */
  register(assignment: Assignment): void {
    const { name, type, value, source } = assignment;
    if (name.text.toLowerCase() === "cc.cf") {
      if (this.#carry !== undefined) this.#twice(assignment);
      if (value.text !== "0" && value.text !== "1") {
        this.#wrong("PTX2101", assignment, value, `cc.cf cannot be ${value.text}`, "0 or 1");
      }
      this.#carry = value.text === "1" ? 1 : 0;
      return;
    }
    const register = findRegister(this.#kernel.program, name.text);
    if (register === undefined && this.#ofVisa(name.text) !== undefined) {
      this.global(assignment);
      return;
    }
    if (register === undefined) {
      if (isOfGap(this.#kernel.program, name.text)) return;
      const diagnostic = unknownRegister(this.#kernel.program, name.text);
      const isParameter = this.#parameter(name.text)?.name === name.text;
      const help = isParameter ? [this.#instead("-a", assignment)] : (diagnostic.help ?? []);
      this.diagnostics.push({ ...diagnostic, source, span: name.span, help });
      return;
    }
    if (this.#registers.has(register.name)) this.#twice(assignment);
    const form = valueForm(value.text);
    if (form.kind === "buffer" || form.kind === "file") {
      this.#registerBuffer(register, assignment, form);
      return;
    }
    if (form.kind !== "scalar") {
      this.#wrong("PTX2103", assignment, value, "a register takes a value or a new buffer", "f32x4, @FILE or a value");
      return;
    }
    const { value: bits, diagnostics } = registerBits(value, register, type, source);
    this.diagnostics.push(...diagnostics);
    if (bits !== undefined) this.#registers.set(register.name, bits);
  }

  /** `n=5`, `0=f32x8:iota`, `y==x`; an empty name is the next parameter that has nothing yet. */
  argument(assignment: Assignment): void {
    const { name, value, source } = assignment;
    const parameter = this.#parameter(name.text);
    if (parameter === undefined) {
      const diagnostic = unknownParameter(this.#kernel.program, name.text);
      const isRegister = findRegister(this.#kernel.program, name.text) !== undefined;
      const help = isRegister ? [this.#instead("-r", assignment)] : (diagnostic.help ?? []);
      this.diagnostics.push({ ...diagnostic, source, span: name.span, help });
      return;
    }
    if (!this.#isOpen(parameter)) {
      this.#twice(assignment);
      return;
    }
    const form = valueForm(value.text);
    if (form.kind === "wrong") this.#wrong("PTX2103", assignment, value, form.message, form.expected);
    else if (form.kind === "same") this.#shared.push({ parameter, assignment, name: form.name });
    else if (form.kind === "bytes") this.#bytes(parameter, assignment, form.digits);
    else if (form.kind === "scalar") this.#scalar(parameter, assignment);
    else this.#buffer(parameter, assignment, form);
  }

  /** `table=f32x4:1,2,3,4`: a module variable's contents, which begin at its first byte. */
  global(assignment: Assignment): void {
    const { name, value, source } = assignment;
    const variable = this.#ofVisa(name.text) ?? this.#module?.variable(name.text);
    if (variable === undefined) {
      const meant = nearest(name.text, this.#module?.variables ?? []);
      const help = meant === undefined ? [] : [{ message: `did you mean ${meant}?` }];
      const message = `the module has no variable ${name.text}`;
      this.diagnostics.push(problem("PTX2209", message, { source, span: name.span, help }));
      return;
    }
    const contents = this.#contents(assignment);
    if (contents === undefined) return;
    if (contents.length > variable.bytes) {
      const message = `${contents.length} bytes for a variable of ${variable.bytes}`;
      this.#wrong("PTX2206", assignment, value, message, `${variable.bytes} bytes at most`);
      return;
    }
    variable.write(contents);
  }

  /** General variables and addresses of vISA are its registers; the percent sign may be left out. */
  #ofVisa(name: string): Buffer | undefined {
    if (this.#kernel.program.dispatchSlot === undefined) return undefined;
    return this.#module?.variable(name) ?? this.#module?.variable(`%${name}`);
  }

  /** `&Y+8,&Z`: what addresses of vISA hold. */
  #addresses({ value, source }: Assignment): Uint8Array | undefined {
    const words: bigint[] = [];
    for (const each of value.text.split(",")) {
      const [, name = "", offset = "0"] = /^&([%\w]+)(?:\+(\d+))?$/.exec(each.trim()) ?? [];
      const variable = this.#ofVisa(name);
      if (variable === undefined) {
        this.diagnostics.push(
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

  /** The bytes for a variable: a buffer's, `hex:..`, or values in the type of its elements. */
  #contents(assignment: Assignment): Uint8Array | undefined {
    const { name, type, value, source } = assignment;
    if (value.text.startsWith("&") && this.#kernel.program.dispatchSlot !== undefined)
      return this.#addresses(assignment);
    const form = valueForm(value.text);
    if (form.kind === "buffer" || form.kind === "file") {
      const { value: made, diagnostics } = bufferContents(form, assignment, this.#reach);
      this.diagnostics.push(...diagnostics);
      return typeof made?.contents === "number" ? undefined : made?.contents;
    }
    if (form.kind === "bytes") {
      const bytes = hexBytes(form.digits);
      if (bytes === undefined) this.#wrong("PTX2101", assignment, value, "not pairs of hexadecimal digits", "hex:00ff");
      return bytes;
    }
    if (form.kind !== "scalar") {
      const message = "contents of a variable come as values, a buffer or bytes";
      this.#wrong("PTX2103", assignment, value, message, "1.5, f32x4:1,2,3,4, @FILE or hex:00ff");
      return undefined;
    }
    const chosen = type?.text ?? this.#module?.typeOf(name.text) ?? this.#module?.typeOf(`%${name.text}`) ?? "b8";
    const { value: bits, diagnostics } = scalars(value, chosen, source, undefined, type);
    this.diagnostics.push(...diagnostics);
    return bits && isElementType(chosen) ? bytesFrom([...bits], chosen) : undefined;
  }

  /** The finished inputs: parameters that share a buffer get it now, and missing ones become 0. */
  finish(): Inputs {
    const { program } = this.#kernel;
    for (const parameter of program.parameters)
      if (this.#isOpen(parameter)) this.#take(parameter, this.#names.get(parameter.name));
    for (const { parameter, assignment, name } of this.#shared) {
      if (this.#take(parameter, this.#names.get(name))) continue;
      const other = this.#parameter(name);
      const buffer = other && this.#given.get(other)?.buffer;
      if (buffer === undefined) {
        this.#wrong(
          "PTX2103",
          assignment,
          assignment.value,
          `${name} names no parameter with a buffer`,
          "=NAME of one",
        );
      } else this.#given.set(parameter, { argument: buffer.buffer });
    }
    const missing: Missing[] = [
      ...program.liveIn
        .filter(({ register }) => !this.#registers.has(register.name))
        .map(({ register, span }) => ({ name: register.name, kind: "register" as const, span })),
      ...(this.#carry === undefined && program.carryIn !== undefined
        ? [{ name: "cc.cf", kind: "carry" as const, span: program.carryIn }]
        : []),
      ...program.parameters
        .filter((parameter) => !this.#given.has(parameter))
        .map(({ name, span }) => ({ name, kind: "parameter" as const, span })),
    ];
    const args = program.parameters.map((parameter) => this.#given.get(parameter)?.argument ?? zero(parameter));
    const passed = program.parameters.flatMap((parameter) => this.#given.get(parameter)?.buffer ?? []);
    const buffers = [...passed, ...this.#pointers];
    return { registers: this.#registers, carry: this.#carry, args, buffers, missing };
  }

  /** Sets a parameter from a name of a pipeline's case; false when there is no such name. */
  #take(parameter: Parameter, named: Named | undefined): boolean {
    if (named === undefined) return false;
    named.used = true;
    const { buffer, assignment } = named;
    if (buffer !== undefined) this.#given.set(parameter, { argument: buffer.buffer, buffer });
    else if (valueForm(assignment.value.text).kind === "scalar") this.#scalar(parameter, assignment);
    else this.#wrong("PTX2103", assignment, assignment.value, "no value and no buffer", "1.5 or f32x4");
    return true;
  }

  #isOpen(parameter: Parameter): boolean {
    return !this.#given.has(parameter) && !this.#shared.some((each) => each.parameter === parameter);
  }

  #scalar(parameter: Parameter, assignment: Assignment): void {
    const { value, type, source } = assignment;
    const declared = parameter.type;
    if (parameter.aggregate) {
      this.#wrong("PTX2206", assignment, value, `${parameter.name} is an aggregate`, "hex:... or @FILE.bin");
      return;
    }
    const chosen = type?.text ?? declared;
    const { value: bits, diagnostics } = scalars(value, chosen, source, 1, type);
    this.diagnostics.push(...diagnostics);
    const [one] = bits ?? [];
    if (one !== undefined) this.#given.set(parameter, { argument: { bits: one } });
  }

  #bytes(parameter: Parameter, assignment: Assignment, digits: string): void {
    const bytes = hexBytes(digits);
    const { value } = assignment;
    if (bytes === undefined) this.#wrong("PTX2101", assignment, value, "not pairs of hexadecimal digits", "hex:00ff");
    else if (bytes.length !== parameter.bytes) {
      const message = `${bytes.length} bytes for ${parameter.name}, which has ${parameter.bytes}`;
      this.#wrong("PTX2206", assignment, value, message, `${parameter.bytes} bytes`);
    } else this.#given.set(parameter, { argument: bytes });
  }

  #buffer(parameter: Parameter, assignment: Assignment, form: ValueForm & { kind: "buffer" | "file" }) {
    const { value: made, diagnostics } = bufferContents(form, assignment, this.#reach);
    this.diagnostics.push(...diagnostics);
    if (made === undefined) return;
    const { value } = assignment;
    if (parameter.aggregate && made.contents instanceof Uint8Array) {
      if (made.contents.length === parameter.bytes) this.#given.set(parameter, { argument: made.contents });
      else {
        const message = `${made.contents.length} bytes for ${parameter.name}, which has ${parameter.bytes}`;
        this.#wrong("PTX2206", assignment, value, message, `${parameter.bytes} bytes`);
      }
      return;
    }
    if (parameter.bytes !== 8 || !/^[bsu]64$/.test(parameter.type)) {
      const message = `${parameter.name} is a .${parameter.type}, which holds no address`;
      this.#wrong("PTX2206", assignment, value, message, "a value");
      return;
    }
    const buffer = this.#allocate(parameter.name, made, assignment);
    if (buffer !== undefined) this.#given.set(parameter, { argument: buffer.buffer, buffer });
  }

  /** In a snippet, which has no parameters, a register holds the address of a buffer. */
  #registerBuffer(register: Register, assignment: Assignment, form: ValueForm & { kind: "buffer" | "file" }) {
    const { value: made, diagnostics } = bufferContents(form, assignment, this.#reach);
    this.diagnostics.push(...diagnostics);
    if (made === undefined) return;
    if (register.bits !== 64 || register.elements !== 1) {
      const message = `${register.name} has ${register.bits} bits, and an address 64`;
      this.#wrong("PTX2206", assignment, assignment.value, message, "a value");
      return;
    }
    const buffer = this.#allocate(register.name, made, assignment);
    if (buffer === undefined) return;
    this.#registers.set(register.name, [buffer.buffer.address]);
    this.#pointers.push(buffer);
  }

  #allocate(name: string, { type, contents }: BufferContents, assignment: Assignment): NamedBuffer | undefined {
    const buffer = this.#device.allocate(contents, { name });
    if (buffer === undefined) {
      this.diagnostics.push(noRoom(name, { type, contents }, assignment, this.#device));
      return undefined;
    }
    return { name, type, buffer };
  }

  #parameter(name: string): Parameter | undefined {
    const { parameters } = this.#kernel.program;
    const named = parameters.find((parameter) => parameter.name === name);
    if (named !== undefined) return named;
    if (/^\d+$/.test(name)) return parameters[Number(name)];
    return name === "" ? parameters.find((each) => this.#isOpen(each)) : undefined;
  }

  /** The option that takes this assignment, after the other one. */
  #instead(option: "-r" | "-a", { source, span, name }: Assignment): Help {
    const what = option === "-r" ? "register" : "parameter";
    return { message: `${name.text} is a ${what}: ${option} ${quoted(source.text.slice(span.start, span.end))}` };
  }

  #twice(assignment: Assignment): void {
    this.#wrong("PTX2004", assignment, assignment.name, `${assignment.name.text} is given twice`, "one value");
  }

  #wrong(code: Code, { source }: Assignment, part: SpannedText, message: string, expected: string): void {
    this.diagnostics.push(problem(code, message, { source, span: part.span, expected }));
  }
}

/** A register by its name, with or without the percent sign. */
export function findRegister(program: Program, name: string): Register | undefined {
  const { registers } = program;
  return registers.find((each) => each.name === name) ?? registers.find((each) => each.name === `%${name}`);
}

const zero = ({ aggregate, bytes }: Parameter): Argument => (aggregate ? new Uint8Array(bytes) : { bits: 0n });

/**
 * True for a name in an instruction that the table does not have. Such an instruction has no registers; an unknown
 * register would hide what matters, that the run ends there.
 */
const isOfGap = ({ code }: Program, name: string): boolean =>
  code.some(({ plan }) => plan.shape === "gap" && plan.names?.some((each) => each === name || each === `%${name}`));
