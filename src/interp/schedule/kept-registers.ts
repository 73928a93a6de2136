import type { Memory } from "../memory/memory.ts";
import type { Warp, WarpShape } from "../state/warp.ts";
import { type CtaRegisters, type CtaSlot, copyCtaRegisters, warpFromCopy } from "./cta-slot.ts";

/** Bytes of registers kept of ended blocks; closing the launch keeps as many again of resident blocks. */
const KEPT_BYTES = 64 << 20;

/** Registers of ended blocks, kept from the first block on while there is room. */
export class KeptRegisters {
  #kept: Map<number, CtaRegisters> = new Map();
  #bytes = 0;

  /** How many blocks of a launch are kept if they end in order, with `bytes` bytes of registers each. */
  static most(bytes: number): number {
    return Math.max(1, Math.floor(KEPT_BYTES / bytes));
  }

  has(block: number): boolean {
    return this.#kept.has(block);
  }

  /** Copies a block's registers out of the memory; with `always` even without room. */
  copy(slot: CtaSlot, data: Memory["data"], always: boolean): void {
    const bytes = slot.state.end - slot.state.start;
    if (always || this.#bytes + bytes <= KEPT_BYTES) this.keep(slot.block, copyCtaRegisters(slot, data));
  }

  keep(block: number, registers: CtaRegisters): void {
    this.#bytes += registers.state.byteLength;
    this.#kept.set(block, registers);
  }

  /** A warp for inspection; undefined when its block is not kept. */
  find(block: number, warp: number, shape: WarpShape): Warp | undefined {
    const copy = this.#kept.get(block);
    return copy && warpFromCopy(copy, warp, shape);
  }

  /** Makes room for as many bytes again. */
  begin(): void {
    this.#bytes = 0;
  }

  save(): KeptImage {
    return { kept: new Map(this.#kept), bytes: this.#bytes };
  }

  restore({ kept, bytes }: KeptImage): void {
    this.#kept = new Map(kept);
    this.#bytes = bytes;
  }
}

/** What a snapshot keeps. */
export interface KeptImage {
  readonly kept: ReadonlyMap<number, CtaRegisters>;
  readonly bytes: number;
}
