import type { ThreadId } from "../contract/thread-id.ts";
import type { Site } from "./operation.ts";

/** The registers of one warp that loads in flight fill, by slot of bank r: who asked. */
type Held = Map<number, Site>;

/**
 * Registers between the tcgen05.ld that fills them and the tcgen05.wait::ld of its warp, where nothing may touch them (PTX
 * ISA 9.7.17.8.5).
 */
export class LoadedRegisters {
  #warps: Map<number, Held> = new Map();

  /** A load of the warp fills these slots. */
  hold({ block, warp }: ThreadId, site: Site, slots: readonly number[]): void {
    const key = block * 32 + warp;
    const held: Held = this.#warps.get(key) ?? new Map();
    for (const slot of slots) held.set(slot, site);
    if (held.size > 0) this.#warps.set(key, held);
  }

  /** The first of these slots that a load still fills. */
  find(
    { block, warp }: ThreadId,
    slots: readonly number[],
  ): { readonly slot: number; readonly site: Site } | undefined {
    const held = this.#warps.get(block * 32 + warp);
    if (held === undefined) return undefined;
    for (const slot of slots) {
      const site = held.get(slot);
      if (site !== undefined) return { slot, site };
    }
    return undefined;
  }

  /** All loads of the warp are complete: tcgen05.wait::ld. */
  wait({ block, warp }: ThreadId): void {
    this.#warps.delete(block * 32 + warp);
  }

  end(block: number): void {
    for (const key of this.#warps.keys()) if (Math.floor(key / 32) === block) this.#warps.delete(key);
  }

  save(): LoadedImage {
    return new Map([...this.#warps].map(([key, held]) => [key, new Map(held)]));
  }

  restore(image: LoadedImage): void {
    this.#warps = new Map([...image].map(([key, held]) => [key, new Map(held)]));
  }
}

/** What a snapshot keeps. */
type LoadedImage = ReadonlyMap<number, ReadonlyMap<number, Site>>;
