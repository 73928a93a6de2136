import {
  type ArrayOptions,
  type Device,
  HostError,
  type ImageArray,
  type ImageHandle,
  type Module,
  type Resource,
  type TextureOptions,
} from "../../host/index.ts";
import { renderDiagnostics } from "../../present/diagnostic.ts";
import type { Answer } from "./answer.ts";
import type { DriverMemory } from "./memory.ts";
import { Status } from "./status.ts";

/** The memory of a texture or surface, as in CUDA_RESOURCE_DESC; for an array, its address. */
export interface ResourceAsked {
  readonly kind: "array" | "linear" | "pitch2d";
  readonly address: bigint;
  /** The level of a mipmapped array. Undefined for all of an array. */
  readonly level: number | undefined;
  readonly format: ArrayOptions["format"];
  readonly channels: ArrayOptions["channels"];
  /** For linear memory in bytes, else in texels. */
  readonly width: number;
  readonly height: number;
  readonly pitch: number;
}

/** The device's arrays, textures and surfaces. Their memory can be copied like that of allocations. */
export class DriverImages {
  readonly #device: Device;
  readonly #memory: DriverMemory;
  readonly #arrays: Map<bigint, ImageArray> = new Map();
  readonly #handles: Map<bigint, ImageHandle> = new Map();
  /** By address of the array or allocation: the textures and surfaces that use it. */
  readonly #users: Map<bigint, Set<ImageHandle>> = new Map();
  #made = 0;

  constructor(device: Device, memory: DriverMemory) {
    this.#device = device;
    this.#memory = memory;
  }

  /** Bytes of all arrays. */
  get bytes(): number {
    let sum = 0;
    for (const { storage } of this.#arrays.values()) sum += storage.bytes;
    return sum;
  }

  /**
   * An array's address, and for each of its levels the offset and the bytes from row to row and from slice, or layer,
   * to the next.
   */
  array(options: ArrayOptions): Answer {
    return refused(() => {
      this.#made += 1;
      const array = this.#device.array({ ...options, name: `array ${this.#made}` });
      this.#arrays.set(array.address, array);
      this.#memory.add(array.storage);
      const base = array.address - BigInt(array.image.levels[0]?.start ?? 0);
      const levels = array.image.levels.flatMap(({ start, row, slice, layer }) => [
        base + BigInt(start),
        BigInt(row),
        BigInt(options.depth === undefined ? layer : slice),
      ]);
      return { status: Status.success, words: [array.address, ...levels] };
    });
  }

  freeArray(address: bigint): Answer {
    const array = this.#arrays.get(address);
    if (array === undefined) return { status: Status.invalidHandle };
    this.#arrays.delete(address);
    this.#memory.remove(array.storage);
    array.free();
    this.freed(address);
    return { status: Status.success };
  }

  /** Notes that the memory at an address is freed: textures and surfaces of it are left without memory. */
  freed(address: bigint): void {
    for (const each of this.#users.get(address) ?? []) each.orphan();
    this.#users.delete(address);
  }

  /** A texture's handle. */
  texture(asked: ResourceAsked, options: TextureOptions): Answer {
    const { level } = asked;
    const view = level === undefined ? {} : { view: { ...options.view, levels: [level, level] as const } };
    return this.#object(asked, (resource) => this.#device.texture(resource, { ...options, ...view }));
  }

  /** A surface's handle. */
  surface(asked: ResourceAsked): Answer {
    return this.#object(asked, (resource) => this.#device.surface(resource, { level: asked.level ?? 0 }));
  }

  /** Destroys a texture or surface. */
  destroy(handle: bigint): Answer {
    const known = this.#handles.get(handle);
    if (known === undefined) return { status: Status.invalidHandle };
    this.#handles.delete(handle);
    known.destroy();
    for (const users of this.#users.values()) users.delete(known);
    return { status: Status.success };
  }

  /** Binds a variable of a module to the texture or surface of a handle. */
  bind(module: Module | undefined, name: string, handle: bigint): Answer {
    const known = this.#handles.get(handle);
    if (known === undefined || module === undefined) return { status: Status.invalidHandle };
    return { status: module.bind(name, known) ? Status.success : Status.notFound };
  }

  #object(asked: ResourceAsked, make: (resource: Resource) => ImageHandle): Answer {
    return refused(() => {
      const resource = this.#resource(asked);
      if (typeof resource === "string") return { status: Status.invalidValue, text: `ptxrun: ${resource}\n` };
      const made = make(resource);
      this.#handles.set(made.handle, made);
      const whole = asked.kind === "array" ? asked.address : (this.#memory.find(asked.address)?.address ?? 0n);
      this.#users.set(whole, (this.#users.get(whole) ?? new Set()).add(made));
      return { status: Status.success, words: [made.handle] };
    });
  }

  /** The resource, or why there is none. */
  #resource({ kind, address, format, channels, width, height, pitch }: ResourceAsked): Resource | string {
    if (kind === "array") return this.#arrays.get(address) ?? "an array that is not there";
    const around = this.#memory.find(address);
    const where = `0x${address.toString(16)}`;
    if (around === undefined) return `a texture of ${where}, which is in no allocation of the device`;
    const offset = Number(address - around.address);
    const bytes = kind === "linear" ? width : around.bytes - offset;
    if (offset + bytes > around.bytes)
      return `a texture of ${bytes} bytes at ${where}, ${offset + bytes - around.bytes} of them past the end of ${around.name}`;
    const part = around.part(offset, bytes);
    if (kind === "pitch2d") return { pitch2d: part, format, channels, width, height, pitch };
    return { linear: part, format, channels };
  }
}

/** The response of `work`, or the response for a request that the device refuses. */
function refused(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const full = error.diagnostics.some(({ code }) => code === "PTX6003");
    return { status: full ? Status.outOfMemory : Status.invalidValue, text: renderDiagnostics(error.diagnostics) };
  }
}
