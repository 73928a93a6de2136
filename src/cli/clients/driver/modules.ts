import { isFatbinary, ptxFor, readFatbinary } from "../../../host/fatbinary/fatbinary.ts";
import type { Buffer, Device, Kernel, Module } from "../../../host/index.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../../source/diagnostic.ts";

/** A module that is loaded, and those of its kernels that somebody has asked for. */
export interface Loaded {
  readonly module: Module;
  readonly text: string;
  readonly variables: readonly Buffer[];
}

/** Modules and functions of the driver API, by handles that are never used again. */
export class DriverModules {
  readonly #device: Device;
  /** 80 for sm_80. */
  readonly #target: number;
  readonly #modules: Map<number, Loaded> = new Map();
  readonly #kernels: Map<number, { readonly kernel: Kernel; readonly module: number }> = new Map();
  #made = 0;

  constructor(device: Device, target: number) {
    this.#device = device;
    this.#target = target;
  }

  /** Loads PTX text, with or without a zero at its end, or a fat binary with PTX in it. */
  load(image: Uint8Array, name: string): Staged<number | undefined> {
    const text = this.#textOf(image);
    if (text.value === undefined) return { value: undefined, diagnostics: text.diagnostics };
    const { value: module, diagnostics } = this.#device.module({ name, text: text.value });
    if (module === undefined) return { value: undefined, diagnostics: errorsOf(diagnostics) };
    // The driver compiles all kernels when it loads a module, and refuses the module for any of them.
    const wrong = errorsOf(module.lint());
    if (wrong.length > 0) return { value: undefined, diagnostics: wrong };
    const variables = module.variables.flatMap((variable) => module.variable(variable) ?? []);
    this.#made += 1;
    this.#modules.set(this.#made, { module, variables, text: text.value });
    return { value: this.#made, diagnostics: [] };
  }

  /** Forgets a module and its kernels; false for no module. What its variables took stays taken. */
  unload(handle: number): boolean {
    for (const [kernel, { module }] of this.#kernels) if (module === handle) this.#kernels.delete(kernel);
    return this.#modules.delete(handle);
  }

  module(handle: number): Loaded | undefined {
    return this.#modules.get(handle);
  }

  /** A kernel of a module by its whole name; 0 where there is none. */
  kernelOf(handle: number, name: string): Staged<number> {
    const loaded = this.#modules.get(handle);
    if (loaded === undefined || !loaded.module.entries.includes(name)) return { value: 0, diagnostics: [] };
    for (const [known, { kernel, module }] of this.#kernels)
      if (module === handle && kernel.name === name) return { value: known, diagnostics: [] };
    const { value: kernel, diagnostics } = loaded.module.kernel(name);
    if (kernel === undefined) return { value: 0, diagnostics: errorsOf(diagnostics) };
    this.#made += 1;
    this.#kernels.set(this.#made, { kernel, module: handle });
    return { value: this.#made, diagnostics: [] };
  }

  kernel(handle: number): Kernel | undefined {
    return this.#kernels.get(handle)?.kernel;
  }

  /** The text of a kernel's module, and its variables; nothing for no kernel. */
  moduleOf(kernel: number): Pick<Loaded, "text" | "variables"> {
    const known = this.#kernels.get(kernel);
    return (known && this.#modules.get(known.module)) ?? { text: "", variables: [] };
  }

  #textOf(image: Uint8Array): Staged<string | undefined> {
    if (!isFatbinary(image)) return { value: new TextDecoder().decode(untilZero(image)), diagnostics: [] };
    const { value: entries, diagnostics } = readFatbinary(image);
    return hasErrors(diagnostics) ? { value: undefined, diagnostics } : ptxFor(entries, this.#target);
  }
}

function untilZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

const errorsOf = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === "error");
