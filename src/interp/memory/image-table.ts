import type { ImageObject, OpaqueType } from "../contract/image.ts";
import { addressIn } from "../contract/window.ts";

/** A handle that a program may use, and its object. */
export interface Handle {
  readonly handle: bigint;
  readonly type: OpaqueType;
  readonly name: string;
  /** Undefined for a module's variable that the host has not bound, and where the memory of the image is gone. */
  readonly object: ImageObject | undefined;
  /** True for a variable, whose address is its handle. */
  readonly variable: boolean;
}

/** The textures, samplers and surfaces of a device by their handles. The host makes them between launches. */
export class ImageTable {
  readonly #handles = new Map<bigint, Handle>();
  #made = 0;

  /** A variable of a module, bound to nothing yet. */
  declare(handle: bigint, type: OpaqueType, name: string, object?: ImageObject): void {
    this.#handles.set(handle, { handle, type, name, object, variable: true });
  }

  /** A new handle for an object, like that of cuTexObjectCreate; never 0. */
  add(object: ImageObject): bigint {
    this.#made += 1;
    const handle = addressIn("handle", 16 * this.#made);
    this.#handles.set(handle, { handle, type: object.kind, name: object.name, object, variable: false });
    return handle;
  }

  /** Restores objects under handles that `add` of another table returned; drops the handles of `add` here. */
  restore(objects: Iterable<readonly [bigint, ImageObject]>): void {
    for (const { handle, variable } of this.all) if (!variable) this.#handles.delete(handle);
    for (const [handle, object] of objects) {
      this.#made = Math.max(this.#made, Number(BigInt.asUintN(32, handle)) / 16);
      this.#handles.set(handle, { handle, type: object.kind, name: object.name, object, variable: false });
    }
  }

  /** Binds a variable to an object. */
  bind(handle: bigint, object: ImageObject): void {
    const known = this.#handles.get(handle);
    if (known === undefined || known.type !== object.kind) throw new RangeError(`no .${object.kind} has this address`);
    this.#handles.set(handle, { ...known, object });
  }

  /** The memory of the handle's image is gone: use of the handle is then reported. */
  orphan(handle: bigint): void {
    const known = this.#handles.get(handle);
    if (known !== undefined) this.#handles.set(handle, { ...known, object: undefined });
  }

  /** Destroys a handle of `add`. */
  remove(handle: bigint): void {
    this.#handles.delete(handle);
  }

  find(handle: bigint): Handle | undefined {
    return this.#handles.get(handle);
  }

  /** All of them, in the order in which they were made. */
  get all(): readonly Handle[] {
    return [...this.#handles.values()];
  }
}
