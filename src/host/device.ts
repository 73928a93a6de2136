import type { LoadOptions as VisaOptions } from "../../packages/visa/src/index.ts";
import type { Sampler } from "../interp/contract/image.ts";
import { Memory } from "../interp/index.ts";
import type { Handle } from "../interp/memory/image-table.ts";
import type { Mapped, Supplier } from "../interp/memory/supply.ts";
import { hasErrors, type Staged } from "../source/diagnostic.ts";
import { checkGiven, checkOptions } from "../source/given.ts";
import { limitLoading, loadingBytes } from "../source/loading.ts";
import { Source } from "../source/source.ts";
import { dismiss, Kernel } from "./launch/kernel.ts";
import { Buffer, bytesIn, type Contents } from "./memory/buffer.ts";
import { type DeviceState, putState, stateOf } from "./memory/device-state.ts";
import { type ArrayOptions, arrayOptions, ImageArray } from "./memory/image-array.ts";
import { ImageTexels } from "./memory/image-texels.ts";
import { Multicast } from "./memory/multicast.ts";
import { encodeTensorMap, type TensorMapOptions } from "./memory/tensor-map.ts";
import {
  ImageHandle,
  type Resource,
  samplerOf,
  surfaceOf,
  type TextureOptions,
  textureOf,
  textureOptions,
} from "./memory/texture.ts";
import { imageOf, programOf, wordsOf } from "./module/image.ts";
import { knownSource } from "./module/known-texts.ts";
import { Module } from "./module/module.ts";
import type { Store } from "./module/store.ts";
import {
  type ModuleFile,
  moduleOptions,
  type SnippetOptions,
  snippetOptions,
  sourceOf,
  type Text,
  textOf,
} from "./module/text.ts";
import { HostError, must, problem } from "./problem.ts";

export interface DeviceOptions {
  /**
   * The most bytes of all buffers and variables together, and separately of the memory for loading a text; 1 GiB by
   * default.
   */
  readonly maxMemory?: number;
  /**
   * Supplies memory that kernels find at its own addresses, besides the device's: pages are read when a launch first
   * touches them, and stored data is written back when it ends. A launch touches as much of the supplier's as the device's
   * allocations leave of 2 GiB.
   */
  readonly supplier?: Supplier;
  /** Where programs are cached beyond the end of the process. Within the process they are cached anyway. */
  readonly store?: Store;
}

/** Default bytes of a device's memory. */
export const DEVICE_MEMORY: number = 2 ** 30;

/**
 * A device without a GPU: one memory, into which modules are loaded and in which kernels run one after another. Shaped
 * like CUDA's driver API:
 *
 *     const device = new Device();
 *     const kernel = must(must(device.module(text)).kernel("axpy"));
 *     const x = device.buffer(new Float32Array([1, 2, 3]));
 *     const { stop } = must(kernel.launch({ grid: 1, block: 32, args: [x, 2.5, 3] }));
 *     x.toArray("f32");
 */
export class Device {
  /** The most bytes of all buffers and variables together. */
  readonly maxMemory: number;
  readonly #memory: Memory;
  readonly #store: Store | undefined;
  #made = 0;

  constructor(options: DeviceOptions = {}) {
    checkOptions("Device", options, { maxMemory: "number", store: "object", supplier: "object" });
    const { maxMemory = DEVICE_MEMORY, store, supplier } = options;
    this.maxMemory = maxMemory;
    this.#store = store;
    this.#memory = new Memory({ limit: maxMemory, ...(supplier && { supplier }) });
  }

  /** Where the system provided less memory than `maxMemory`: how much, and the remedy. */
  get shortage(): string | undefined {
    return this.#memory.shortage;
  }

  /**
   * Memory with these contents; for a number, that many uninitialised bytes, as after `cuMemAlloc`. Throws a
   * `HostError` when the device's memory is full; `allocate` returns `undefined` instead.
   */
  buffer(contents: number | Contents, options: { readonly name?: string } = {}): Buffer {
    checkGiven("buffer", "contents", contents, "contents");
    checkOptions("buffer", options, { name: "text" });
    const buffer = this.allocate(contents, options);
    if (buffer === undefined) {
      const bytes = typeof contents === "number" ? contents : contents.byteLength;
      const { given, shortage } = this.#memory;
      const why = shortage === undefined ? "" : `: ${shortage}`;
      throw new HostError([problem("PTX6003", `no room for ${bytes} bytes within ${given} bytes of memory${why}`)]);
    }
    return buffer;
  }

  /** Like `buffer`, at a multiple of 256 by default; `undefined` when the device's memory is full. */
  allocate(
    contents: number | Contents,
    options: { readonly name?: string; readonly align?: number } = {},
  ): Buffer | undefined {
    checkGiven("allocate", "contents", contents, "contents");
    checkOptions("allocate", options, { name: "text", align: "number" });
    const { name, align = 256 } = options;
    this.#made += 1;
    const label = name ?? `buffer ${this.#made}`;
    const bytes = typeof contents === "number" ? contents : contents.byteLength;
    const request = { name: label, bytes, align };
    const address =
      this.#memory.allocate(request) ?? (dismiss(this.#memory) ? this.#memory.allocate(request) : undefined);
    if (address === undefined) return undefined;
    const buffer = new Buffer(this.#memory, label, address, bytes);
    if (typeof contents !== "number") buffer.write(bytesIn(contents));
    return buffer;
  }

  /**
   * Names a range of the supplier's memory. Once there is one, only named ranges may be touched. Throws a
   * `RangeError` for a device without a supplier, and for less than one byte.
   */
  announce(address: bigint, bytes: number, name: string): void {
    checkGiven("announce", "address", address, "bigint");
    checkGiven("announce", "name", name, "text");
    const { supply } = this.#memory;
    if (supply === undefined) throw new RangeError("the device has no supplier whose memory could be announced");
    if (!Number.isSafeInteger(bytes) || bytes < 1) throw new RangeError(`${name}: ${bytes} bytes`);
    supply.announce({ name, address: BigInt.asUintN(64, address), bytes });
  }

  /** @internal Replaces what is known of parts of announced ranges: which have the same bytes, and which may only be read. */
  mapAnnounced(mapped: readonly Mapped[]): void {
    this.#memory.supply?.map(mapped);
  }

  /** Removes the range that `announce` named at an address; false where there is none. */
  renounce(address: bigint): boolean {
    return this.#memory.supply?.renounce(BigInt.asUintN(64, address)) ?? false;
  }

  /**
   * All global and constant memory with its allocations, as it is between two launches, and the texture and surface
   * objects.
   */
  state(): DeviceState {
    return stateOf(this.#memory);
  }

  /**
   * Restores memory from `state`. All earlier allocations are gone; `variables` gives the new addresses of those of
   * `module`. Throws a RangeError for an invalid state.
   */
  restore(state: DeviceState, module?: Module, variables: ReadonlyMap<string, bigint> = new Map()): void {
    dismiss(this.#memory);
    this.#memory.restore({ pages: new Map(), allocations: [[], []] });
    putState(this.#memory, state);
    module?.move(variables);
  }

  /** A CUDA array: an image whose layout in memory is opaque. Throws a `HostError` where memory is full. */
  array(options: ArrayOptions): ImageArray {
    checkOptions("array", options, arrayOptions, ["width", "format", "channels"]);
    return new ImageArray(this.#memory, options);
  }

  /**
   * A texture object, sampled according to `base` by default. Throws a `HostError` for combinations that CUDA rejects,
   * such as linear filtering of integers.
   */
  texture(resource: Resource, options: TextureOptions = {}, base?: Sampler): ImageHandle {
    checkGiven("texture", "resource", resource, "object");
    checkOptions("texture", options, textureOptions);
    return new ImageHandle(this.#memory, textureOf(resource, options, base));
  }

  /** The texels of an array as if they were a buffer. */
  texels(array: ImageArray): ImageTexels {
    return new ImageTexels(this.#memory, array, array.address);
  }

  /** An independent sampler, for modules with `.target texmode_independent`. */
  sampler(options: TextureOptions & { readonly forceUnnormalized?: boolean } = {}): ImageHandle {
    checkOptions("sampler", options, { ...textureOptions, forceUnnormalized: "truth" });
    const { name = "a sampler", forceUnnormalized: forced = false } = options;
    return new ImageHandle(this.#memory, { kind: "samplerref", name, sampler: samplerOf(options), forced });
  }

  /** A surface object: a level of an array that kernels write. */
  surface(
    resource: Resource,
    options: { readonly name?: string; readonly level?: number; readonly read?: "element" | "normalized" } = {},
  ): ImageHandle {
    checkGiven("surface", "resource", resource, "object");
    checkOptions("surface", options, { name: "text", level: "number", read: "text" });
    return new ImageHandle(this.#memory, surfaceOf(resource, options));
  }

  /** All handles that kernels may use, of objects and of modules' variables. */
  get images(): readonly Handle[] {
    return this.#memory.images.all;
  }

  /**
   * The 128 bytes of a tensor map, as `cuTensorMapEncodeTiled`, `...Im2col` and `...Im2colWide` encode them: the
   * argument for a `const __grid_constant__ CUtensorMap`, or the contents of a buffer. Throws a `HostError` for
   * parameters that those reject.
   */
  tensorMap(options: TensorMapOptions): Uint8Array {
    return must(encodeTensorMap(options));
  }

  /**
   * A multimem address for `devices` replicas of memory with these contents, as `cuMulticastCreate` and related calls
   * bind on as many devices. Throws a `HostError` when the device's memory is full.
   */
  multicast(contents: number | Contents, options: { readonly devices: number; readonly name?: string }): Multicast {
    checkGiven("multicast", "contents", contents, "contents");
    checkOptions("multicast", options, { devices: "number", name: "text" }, ["devices"]);
    const { devices, name = "multimem" } = options;
    if (!Number.isInteger(devices) || devices < 1)
      throw new HostError([problem("PTX2220", `${devices} replicas of multimem memory`, { expected: "1 or more" })]);
    const replicas = Array.from({ length: devices }, (_, at) => this.buffer(contents, { name: `${name}.${at}` }));
    return new Multicast(this.#memory, name, replicas);
  }

  /**
   * Reads a module, of PTX or vISA, or the PTX in a cubin, a fat binary, an object or a program; and places its
   * variables. Bodies are read when a kernel is requested.
   */
  module(given: Text | ModuleFile, options: VisaOptions & SnippetOptions = {}): Staged<Module | undefined> {
    checkGiven("module", "the program", given, "program");
    checkOptions("module", options, moduleOptions);
    const { value: text, diagnostics: unread } = textOf(given, options.target);
    if (text === undefined) return { value: undefined, diagnostics: unread };
    const { value: image, diagnostics } = imageOf(
      this.#limited(text, ["module", wordsOf(options)]),
      options,
      this.#store,
    );
    if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
    const placed = Module.place(image, this.#memory);
    return { value: placed.value, diagnostics: [...diagnostics, ...placed.diagnostics] };
  }

  /** Reads text that is the body of a kernel: undeclared registers are inferred from their uses. */
  snippet(text: Text, options: SnippetOptions = {}): Staged<Kernel | undefined> {
    checkGiven("snippet", "the program", text, "program");
    checkOptions("snippet", options, snippetOptions);
    const { value: program, diagnostics } = programOf(
      this.#limited(text, ["snippet", wordsOf(options)]),
      options,
      this.#store,
    );
    if (program === undefined) return { value: undefined, diagnostics };
    const kernel = new Kernel(program, this.#memory, (variable) => {
      throw new Error(`${variable}: a snippet has no module variables`);
    });
    return { value: kernel, diagnostics };
  }

  /** Loading may use as much memory as the device has, in addition to it. */
  #limited(text: Text, use: readonly string[]): Source {
    const bytes = loadingBytes(this.maxMemory);
    const { name, text: all } = sourceOf(text);
    if (!(text instanceof Source)) return knownSource(name, all, bytes, use.join(" "));
    limitLoading(text, { bytes });
    return text;
  }
}
