import { noteDeclarations, shellWord } from "../../../packages/demangle/src/index.ts";
import type { AddressMode, OpaqueType, Sampler } from "../../interp/contract/image.ts";
import type { ModuleVariable, Program, Relocation } from "../../interp/contract/program.ts";
import type { Memory } from "../../interp/index.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import { checkGiven } from "../../source/given.ts";
import { Kernel } from "../launch/kernel.ts";
import { Buffer } from "../memory/buffer.ts";
import { readBits, writeBits } from "../memory/element.ts";
import { type ImageHandle, plainSampler } from "../memory/texture.ts";
import { problem } from "../problem.ts";
import { memoryProgram } from "./device-copies.ts";
import { FunctionNames, type Meaning } from "./function-names.ts";
import type { Image } from "./store.ts";

/** A .texref, .samplerref or .surfref of a module, or an element of an array of them. */
interface OpaqueVariable {
  /** `tex`, `tex[2]`. */
  readonly name: string;
  readonly type: OpaqueType;
  /** Its address, which instructions use as its handle. */
  readonly handle: bigint;
  /** The sampling options in its initial value. */
  readonly sampler: Sampler;
}

const isOpaque = (type: string): type is OpaqueType => type === "texref" || type === "samplerref" || type === "surfref";

/** The opaque variables of a module; registers them with the device, samplers with their options. */
function declareOpaque(
  variables: readonly ModuleVariable[],
  addressOf: (name: string) => bigint,
  memory: Memory,
): readonly OpaqueVariable[] {
  return variables.flatMap(({ name, type, bytes, fields }) => {
    if (!isOpaque(type)) return [];
    const sampler = samplerOfFields(fields ?? new Map());
    const address = addressOf(name);
    const names = bytes === 8 ? [name] : Array.from({ length: bytes / 8 }, (_, at) => `${name}[${at}]`);
    return names.map((each, at) => {
      const handle = address + BigInt(8 * at);
      const forced = fields?.get("force_unnormalized_coords") === 1;
      const own = type === "samplerref" ? { kind: type, name: each, sampler, forced } : undefined;
      memory.images.declare(handle, type, each, own);
      return { name: each, type, handle, sampler };
    });
  });
}

const modes: readonly AddressMode[] = ["wrap", "mirror", "clamp_ogl", "clamp_to_edge", "clamp_to_border"];

function samplerOfFields(fields: ReadonlyMap<string, number>): Sampler {
  const mode = (axis: 0 | 1 | 2): AddressMode =>
    modes[fields.get(`addr_mode_${axis}`) ?? 3] ?? plainSampler.address[axis];
  return {
    ...plainSampler,
    address: [mode(0), mode(1), mode(2)],
    filter: fields.get("filter_mode") === 1 ? "linear" : "nearest",
    normalized: fields.get("normalized_coords") === 1,
  };
}

/** A loaded module: its variables are in the device's memory, shared by all kernels and launches. */
export class Module {
  /** The names of its `.entry` functions, in their order. */
  readonly entries: readonly string[];
  /** The names of its device functions that have a body, in their order. */
  readonly functions: readonly string[];
  /** The names of its `.global` and `.const` variables. */
  readonly variables: readonly string[];
  /** The names of its kernels in their usual forms. */
  readonly names: FunctionNames;
  /** Its textures, samplers and surfaces, each element of an array separately. */
  readonly opaque: readonly OpaqueVariable[];
  readonly #image: Image;
  readonly #memory: Memory;
  #buffers: ReadonlyMap<string, Buffer>;

  private constructor(image: Image, memory: Memory, buffers: ReadonlyMap<string, Buffer>) {
    this.#image = image;
    this.#memory = memory;
    this.#buffers = buffers;
    this.entries = image.entries;
    this.functions = image.functions;
    this.names = new FunctionNames(image.entries, image.functions);
    this.opaque = declareOpaque(image.variables, (name) => this.#addressOf(name), memory);
    noteDeclarations(image.source, [...image.entries, ...image.functions]);
    this.variables = image.variables.map(({ name }) => name);
  }

  /** @internal Use `Device.module`. */
  static place(image: Image, memory: Memory): Staged<Module | undefined> {
    const buffers = new Map<string, Buffer>();
    for (const { name, bytes, align, space, span, part } of image.variables) {
      const whole = part === undefined ? undefined : buffers.get(part.of);
      if (part !== undefined && whole !== undefined) {
        buffers.set(name, new Buffer(memory, name, whole.address + BigInt(part.offset), bytes));
        continue;
      }
      const address = memory.allocate({ name, bytes, align, space, initialised: true });
      if (address === undefined) {
        const { given, shortage } = memory;
        const message = `no room for ${name}, ${bytes} bytes, within ${given} bytes of memory`;
        const help = shortage === undefined ? [] : [{ message: shortage }];
        return { value: undefined, diagnostics: [problem("PTX6003", message, { source: image.source, span, help })] };
      }
      buffers.set(name, new Buffer(memory, name, address, bytes));
    }
    for (const variable of image.variables) initialise(variable, buffers);
    return { value: new Module(image, memory, buffers), diagnostics: [] };
  }

  /**
   * A kernel by its name, mangled or as declared (`matmul<float>`, `ns::k(int*)`), or by a unique part of it; or a
   * device function to be called by itself, whose parameters are the kernel's, and whose results registers of the
   * kernel hold (`Program.calls`). Its body is parsed and checked now.
   */
  kernel(written: string): Staged<Kernel | undefined> {
    checkGiven("kernel", "its name", written, "text");
    const meaning = this.names.meaning(written);
    if (meaning.kind !== "one") {
      const bodiless = this.#image.kernel(written).diagnostics;
      return { value: undefined, diagnostics: bodiless.length > 0 ? bodiless : [this.#noKernel(written, meaning)] };
    }
    const { name } = meaning;
    const { value: program, diagnostics } = this.#image.kernel(name);
    if (program === undefined || hasErrors(diagnostics)) return { value: undefined, diagnostics };
    const addressOf = (variable: string): bigint => this.#addressOf(variable);
    const programOf = (other: string): Program | undefined => memoryProgram(other) ?? this.#image.kernel(other).value;
    return { value: new Kernel(program, this.#memory, addressOf, this.#image.variables, programOf), diagnostics };
  }

  /** @internal Sets the new addresses of its variables; those that are not named have not moved. */
  move(addresses: ReadonlyMap<string, bigint>): void {
    const moved = [...this.#buffers].map(([name, { address, bytes }]): [string, Buffer] => [
      name,
      new Buffer(this.#memory, name, addresses.get(name) ?? address, bytes),
    ]);
    this.#buffers = new Map(moved);
  }

  /** A variable of module scope, to read and write between launches. */
  variable(name: string): Buffer | undefined {
    checkGiven("variable", "its name", name, "text");
    return this.#buffers.get(name);
  }

  /**
   * Binds a `.texref`, `.samplerref` or `.surfref` of the module to a texture, sampler or surface, as cuTexRefSetArray
   * and related calls do; `tex[2]` is an element of an array of them. False where the module has none of this name and
   * type.
   */
  bind(name: string, image: ImageHandle): boolean {
    const variable = this.opaque.find((each) => each.name === name);
    if (variable?.type !== image.object.kind) return false;
    image.bindTo(variable.handle, name);
    return true;
  }

  /** The type of a variable's elements as declared, without its dot. */
  typeOf(name: string): string | undefined {
    return this.#image.variables.find((variable) => variable.name === name)?.type;
  }

  /** All errors and warnings of all bodies, launched or not. */
  lint(): readonly Diagnostic[] {
    return this.#image.lint();
  }

  /** Why a text names no kernel. */
  #noKernel(written: string, meaning: Exclude<Meaning, { readonly kind: "one" }>): Diagnostic {
    const { kernels } = this.names;
    if (meaning.kind === "several") {
      const message = `${written} may be ${meaning.names.length} kernels`;
      return problem("PTX2204", message, { expected: few(this.names, meaning.names) });
    }
    const { meant } = meaning;
    const parts = written.split(",").map((each) => each.trim());
    if (parts.length > 1 && parts.every((each) => kernels.includes(each)))
      return problem("PTX2203", `${written} are ${parts.length} kernels, and one is launched`, {
        expected: `one of them: ${few(this.names, parts)}`,
      });
    return problem("PTX2203", `the module has no kernel ${written}`, {
      ...(kernels.length === 0 ? {} : { expected: few(this.names, kernels) }),
      help: meant === undefined ? [] : [{ message: `did you mean ${shellWord(meant)}?` }],
    });
  }

  #addressOf(variable: string): bigint {
    const buffer = this.#buffers.get(variable);
    if (buffer === undefined) throw new Error(`${variable}: a program refers to a variable that its module has not`);
    return buffer.address;
  }
}

/** Names of kernels in a form that is accepted, a dozen of them. */
function few(names: FunctionNames, of: readonly string[]): string {
  const { shown, more } = names.listed(of, 12);
  return [...shown.map(shellWord), ...(more === 0 ? [] : [`or one of ${more} more`])].join(", ");
}

function initialise({ name, initial, relocations }: ModuleVariable, buffers: ReadonlyMap<string, Buffer>): void {
  const buffer = buffers.get(name);
  for (const { offset, bytes } of initial) buffer?.write(bytes, offset);
  for (const relocation of relocations) {
    const target = buffers.get(relocation.variable);
    if (buffer === undefined || target === undefined) {
      throw new Error(`${relocation.variable}: an initialiser refers to a variable that its module has not`);
    }
    buffer.write(relocated(relocation, target.address), relocation.offset);
  }
}

/** The bytes of an address in an initialiser: all of it, or the part that `mask` selects, shifted down. */
function relocated({ width, addend, mask }: Relocation, address: bigint): Uint8Array {
  let value = BigInt.asUintN(64, address + addend);
  if (mask !== undefined && mask !== 0n) {
    value &= mask;
    for (let low = mask; (low & 1n) === 0n; low >>= 1n) value >>= 1n;
  }
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  writeBits(view, 0, 8, value);
  writeBits(view, 0, width, readBits(view, 0, width));
  return bytes.subarray(0, width);
}
