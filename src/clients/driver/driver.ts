import { isContainer, ptxIn } from "../../host/container/device-code.ts";
import { type Buffer, Device, type Kernel, type LaunchOptions, type Module } from "../../host/index.ts";
import { linked } from "../../host/module/linked.ts";
import { spaceOf } from "../../interp/contract/window.ts";
import type { Mapped } from "../../interp/memory/supply.ts";
import { targetNumber } from "../../numeric/tensor/rules.ts";
import { renderDiagnostics } from "../../present/diagnostic.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import { Source } from "../../source/source.ts";
import { announcedOnly, launchWhole, type Surroundings } from "../launcher.ts";
import type { Answer } from "./answer.ts";
import { DriverImages } from "./images.ts";
import { DriverMemory, type Place } from "./memory.ts";
import { refusalOf, Status, statusOf } from "./status.ts";

/** A loaded module, and those of its kernels that were requested. */
interface Loaded {
  readonly module: Module;
  readonly text: string;
  readonly variables: readonly Buffer[];
  /**
   * For variables in constant memory that a client has asked the address of, by name: plain device memory that has their contents.
   * Kernels may write it, and launches find in the variable what is there.
   */
  readonly writable: Map<string, { readonly variable: Buffer; readonly memory: Buffer }>;
}

/** Modules and functions of the driver API, by handles that are never reused. */
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

  /** Loads PTX text, with or without a zero at its end, or the PTX in a file of another kind. */
  load(image: Uint8Array, name: string): Staged<number | undefined> {
    const text = this.textOf(name, image);
    if (text.value === undefined) return { value: undefined, diagnostics: text.diagnostics };
    const { value: module, diagnostics } = this.#device.module({ name, text: text.value });
    if (module === undefined) return { value: undefined, diagnostics: errorsOf(diagnostics) };
    // The driver compiles all kernels when it loads a module, and refuses the module for any of them.
    const wrong = errorsOf(module.lint());
    if (wrong.length > 0) return { value: undefined, diagnostics: wrong };
    const variables = module.variables.flatMap((variable) => module.variable(variable) ?? []);
    this.#made += 1;
    this.#modules.set(this.#made, { module, variables, text: text.value, writable: new Map() });
    return { value: this.#made, diagnostics: [] };
  }

  /** Unloads a module and its kernels; false for no module. The memory of its variables is not freed. */
  unload(handle: number): boolean {
    for (const [kernel, { module }] of this.#kernels) if (module === handle) this.#kernels.delete(kernel);
    return this.#modules.delete(handle);
  }

  module(handle: number): Loaded | undefined {
    return this.#modules.get(handle);
  }

  /** A kernel of a module by its complete name; 0 where there is none. */
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
  moduleOf(kernel: number): Pick<Loaded, "text" | "variables" | "writable"> {
    const known = this.#kernels.get(kernel);
    return (known && this.#modules.get(known.module)) ?? { text: "", variables: [], writable: new Map() };
  }

  /** The PTX in an image for this device. */
  textOf(name: string, image: Uint8Array): Staged<string | undefined> {
    if (isContainer(image)) return ptxIn(name, image, this.#target);
    return { value: new TextDecoder().decode(untilZero(image)), diagnostics: [] };
  }
}

function untilZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

const errorsOf = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === "error");

/** `supplier` is the memory of the caller: kernels may touch only the ranges that it has announced. */
export interface DriverOptions extends Surroundings {
  /** 80 for sm_80. */
  readonly target: number;
  /** Bytes of the device's memory. */
  readonly memory: number;
  readonly found: (findings: readonly Diagnostic[]) => void;
}

/**
 * A launch with the parameters of `cuLaunchKernelEx`; extents in x, y and z, and the bytes of the parameters as the
 * kernel lays them out.
 */
export interface DriverLaunch {
  readonly kernel: number;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  /** Zeros: the kernel's own cluster size. */
  readonly cluster: readonly [number, number, number];
  readonly dynamicShared: number;
  readonly cooperative: boolean;
  readonly stack: number;
  readonly heap: number;
  readonly parameters: Uint8Array;
}

/** A device behind the driver API: all state that outlasts a call and does not live in the client. */
export class Driver {
  readonly memory: DriverMemory;
  readonly images: DriverImages;
  readonly modules: DriverModules;
  readonly #options: DriverOptions;
  readonly #device: Device;

  constructor(options: DriverOptions) {
    this.#options = options;
    const { memory, supplier } = options;
    this.#device = new Device({ maxMemory: memory, supplier: announcedOnly(supplier) });
    this.memory = new DriverMemory(this.#device, supplier);
    this.images = new DriverImages(this.#device, this.memory);
    this.modules = new DriverModules(this.#device, options.target);
  }

  load(image: Uint8Array, name: string): Answer {
    const { value, diagnostics } = this.modules.load(image, name);
    if (value === undefined) {
      const missing = diagnostics.some(({ code }) => code === "PTX2241");
      return { status: missing ? Status.noBinaryForGpu : Status.invalidPtx, text: renderDiagnostics(diagnostics) };
    }
    for (const variable of this.modules.module(value)?.variables ?? []) this.memory.add(variable);
    return { status: Status.success, words: [BigInt(value)] };
  }

  /** The text of one module of all that are in these images, which may be texts or files of other kinds. */
  link(images: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Answer {
    const texts = images.map(({ name, bytes }) => ({ name, ...this.modules.textOf(name, bytes) }));
    const unread = texts.flatMap(({ diagnostics }) => diagnostics);
    const sources = texts.flatMap(({ name, value }) => (value === undefined ? [] : [new Source(name, value)]));
    // A library of NVIDIA's may have machine code alone: what it defines is missed only where it is asked for.
    const { value, diagnostics } = linked(sources, "<linked>");
    return value === undefined
      ? { status: Status.invalidPtx, text: renderDiagnostics([...unread, ...errorsOf(diagnostics)]) }
      : { status: Status.success, text: value.text };
  }

  unload(handle: number): Answer {
    const loaded = this.modules.module(handle);
    if (loaded === undefined) return { status: Status.invalidHandle };
    for (const variable of loaded.variables) this.memory.remove(variable);
    for (const { memory } of loaded.writable.values()) {
      this.memory.remove(memory);
      memory.free();
    }
    this.modules.unload(handle);
    return { status: Status.success };
  }

  /** `[address, bytes]` of a variable: plain device memory, for one in constant memory, too. */
  variable(handle: number, name: string): Answer {
    const loaded = this.modules.module(handle);
    if (loaded === undefined) return { status: Status.invalidHandle };
    const found = loaded.module.variable(name);
    if (found === undefined) return { status: Status.notFound };
    let { memory } = loaded.writable.get(name) ?? { memory: found };
    if (memory === found && spaceOf(found.address) === "const") {
      const made = this.#device.allocate(found.read(), { name });
      if (made === undefined) return { status: Status.outOfMemory };
      memory = made;
      loaded.writable.set(name, { variable: found, memory });
      this.memory.add(memory);
    }
    return { status: Status.success, words: [memory.address, BigInt(memory.bytes)] };
  }

  /** Announces memory of the caller: kernels may touch announced ranges only. */
  announce(address: bigint, bytes: number, name: string): void {
    this.#device.announce(address, bytes, name);
  }

  renounce(address: bigint): void {
    this.#device.renounce(address);
  }

  /** Parts of announced ranges that have the same bytes as others, and those that may only be read. */
  map(mapped: readonly Mapped[]): Answer {
    this.#device.mapAnnounced(mapped);
    return { status: Status.success };
  }

  /** Free bytes, and total bytes. */
  get room(): readonly [number, number] {
    const { memory } = this.#options;
    return [Math.max(0, memory - this.memory.allocatedBytes - this.images.bytes), memory];
  }

  allocate(bytes: number): Answer {
    const buffer = this.memory.allocate(bytes);
    return buffer === undefined ? { status: Status.outOfMemory } : { status: Status.success, words: [buffer.address] };
  }

  free(address: bigint): Answer {
    if (!this.memory.free(address)) return { status: Status.invalidValue };
    this.images.freed(address);
    return { status: Status.success };
  }

  copy(to: Place, from: Place, bytes: number, rows: number, slices: number): Answer {
    return answered(this.memory.copy(to, from, { bytes, rows, slices }));
  }

  set(...asked: Parameters<DriverMemory["set"]>): Answer {
    return answered(this.memory.set(...asked));
  }

  /** A function's handle and properties: see `describe`. */
  functionOf(module: number, name: string): Answer {
    const { value, diagnostics } = this.modules.kernelOf(module, name);
    if (diagnostics.length > 0) return { status: Status.invalidPtx, text: renderDiagnostics(diagnostics) };
    const kernel = this.modules.kernel(value);
    return kernel === undefined
      ? { status: Status.notFound }
      : { status: Status.success, words: [BigInt(value), ...describe(kernel)] };
  }

  launch(asked: DriverLaunch): Answer {
    const kernel = this.modules.kernel(asked.kernel);
    if (kernel === undefined) return { status: Status.invalidHandle };
    const { text, variables, writable } = this.modules.moduleOf(asked.kernel);
    for (const { variable, memory } of writable.values()) variable.write(memory.read());
    const options = this.#launchOptions(kernel, asked);
    const place = { device: this.#device, variables, onlyAnnounced: true };
    const { session, failure, findings } = launchWhole(kernel, text, options, place, this.#options);
    if (session === undefined) return { status: refusalOf(failure), text: this.#told(kernel, asked, failure) };
    this.#options.found(findings);
    const [worst] = failure;
    // After a fault no device state is valid: the single word reports it.
    return worst === undefined
      ? { status: Status.success }
      : { status: statusOf(worst), words: [1n], text: this.#told(kernel, asked, failure) };
  }

  #launchOptions({ program }: Kernel, asked: DriverLaunch): LaunchOptions {
    const { grid, block, cluster, dynamicShared, cooperative, stack, heap, parameters } = asked;
    const { target, print, settings } = this.#options;
    const args = program.parameters.map(({ offset, bytes }) => parameters.subarray(offset, offset + bytes));
    return {
      grid,
      block,
      dynamicShared,
      cooperative,
      args,
      ...(cluster[0] > 0 && { cluster }),
      ...(stack > 0 && { stack }),
      ...(heap > 0 && { heap }),
      ...(settings?.sanitize && { sanitize: settings.sanitize }),
      ...(settings?.executor && { executor: settings.executor }),
      arch: `sm_${target}`,
      readableRegisters: false,
      print,
    };
  }

  #told(kernel: Kernel, { grid, block }: DriverLaunch, diagnostics: readonly Diagnostic[]): string {
    const size = `a grid of ${grid.join(",")}, blocks of ${block.join(",")}`;
    return `ptxrun: the launch of ${kernel.name} failed (${size})\n${renderDiagnostics(diagnostics)}`;
  }
}

const answered = ([status, text]: readonly [number, string?]): Answer =>
  text === undefined ? { status } : { status, text: `ptxrun: ${text}\n` };

/**
 * Bytes of static shared memory, of constants (0) and of local memory a thread, most threads of a block, 1 where a cluster is
 * required and its extents, the target of its PTX, bytes of the parameters, how many they are, and of each its offset and bytes.
 */
function describe({ program }: Kernel): readonly bigint[] {
  const { limits, parameters, parameterBytes, sharedBytes, localBytes, stackBytes, target } = program;
  const threads = limits.requiredThreads ?? limits.maxThreads;
  const most = threads === undefined ? 1024 : threads[0] * threads[1] * threads[2];
  const cluster = limits.requiredCluster ?? [0, 0, 0];
  const own = [sharedBytes, localBytes + stackBytes, most, ...cluster, targetNumber(target)];
  const numbers = [...own, parameterBytes, parameters.length];
  for (const { offset, bytes } of parameters) numbers.push(offset, bytes);
  return numbers.map(BigInt);
}
