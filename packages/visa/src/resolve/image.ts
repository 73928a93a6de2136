import type { Channels, ElementAccess } from "../../../../src/interp/contract/launch/channels.ts";
import type { Operand, SlotOperand } from "../../../../src/interp/contract/operand.ts";
import type { Inner, Plan } from "../../../../src/interp/contract/plan/plan.ts";
import type * as ast from "../ast.ts";
import type { ImageMessage } from "../isa/define.ts";
import { bytesOfType } from "../type.ts";
import type { Platform } from "./platform.ts";
import type { Storage } from "./storage.ts";
import type { Surfaces } from "./surface.ts";
import type { Symbols } from "./symbols.ts";

/** Turns typed messages into plans: a surface's number leads to the handle of an image, and a sampler's to its own. */
export class Images {
  readonly #platform: Platform;
  readonly #storage: Storage;
  readonly #symbols: Symbols;
  readonly #surfaces: Surfaces;

  constructor(platform: Platform, storage: Storage, symbols: Symbols, surfaces: Surfaces) {
    this.#platform = platform;
    this.#storage = storage;
    this.#symbols = symbols;
    this.#surfaces = surfaces;
  }

  /** Undefined for coordinates or data of 16 bits. */
  plan(
    { how, channels: chosen, surface, sampler, data, coordinates, level, alpha }: ImageMessage,
    channels: Channels,
  ): Plan | undefined {
    const loads: ElementAccess[] = [];
    const inner: Inner[] = [];
    const stores: ElementAccess[] = [];
    const scratch = (at: number, bits: 32 | 64 = 32): SlotOperand => this.#storage.scratch(16 + at, bits);
    const handle = (operand: ast.Operand, table: () => string, at: number): SlotOperand | undefined => {
      const number = this.#surfaces.number(operand, channels, loads, inner, scratch(at));
      return number && this.#surfaces.entry(table(), number, inner, scratch(at, 64), scratch(at + 1, 64));
    };
    const image = surface && handle(surface, () => this.#symbols.surfaces(), 0);
    const lookup = sampler && handle(sampler, () => this.#symbols.samplers(), 2);
    const parts = coordinates.map((each, at) => this.#words(each, 0, scratch(4 + at), channels));
    const lod = level && this.#words(level, 0, scratch(8), channels);
    const words = Array.from({ length: 4 }, (_, at) => scratch(9 + at));
    const moved = chosen.map((channel, k) => this.#words(data, k, words[channel] ?? scratch(9), channels));
    const all = [...parts, ...(level === undefined ? [] : [lod]), ...moved];
    if (image === undefined || (sampler !== undefined && lookup === undefined)) return undefined;
    if (all.some((each) => each === undefined)) return undefined;
    loads.push(...parts.flatMap((each) => each ?? []), ...(lod === undefined ? [] : [lod]));
    (how === "store" ? loads : stores).push(...moved.flatMap((each) => each ?? []));
    // A channel that is not stored is 0.
    if (how === "store")
      for (const [channel, word] of words.entries())
        if (!chosen.includes(channel))
          inner.push({ plan: { shape: "move" }, operands: [word, this.#storage.value(32, 0n)] });
    const vector = (items: readonly (SlotOperand | undefined)[]): Operand => ({
      kind: "vector",
      items: items.flatMap((each) => each ?? []),
    });
    const c = vector(parts.map((each) => each?.slot));
    const d = vector(words);
    inner.push({
      plan: { shape: "typed", how, ...(alpha === undefined ? {} : { alpha }) },
      operands:
        how === "store" ? [image, c, d] : how === "size" ? [d, image, lod?.slot] : [d, image, lookup, c, lod?.slot],
    });
    return { shape: "channels", channels, loads, inner, stores };
  }

  /** The k-th word of each channel: every one begins at a register. */
  #words(
    operand: ast.Operand | undefined,
    k: number,
    slot: SlotOperand,
    { count }: Channels,
  ): ElementAccess | undefined {
    if (operand?.kind !== "raw" && operand?.kind !== "data") return undefined;
    const found = this.#symbols.find(operand.variable.text);
    if (found?.kind !== "variable" || found.isNull || bytesOfType(found.type) !== 4) return undefined;
    const registers = Math.ceil((4 * count) / this.#platform.grf) * this.#platform.grf;
    const start = operand.kind === "raw" ? operand.offset : operand.start;
    return {
      slot,
      cell: { bits: 32, signed: false },
      base: this.#storage.address(found.root, found.offset),
      offset: start + k * registers,
      width: count,
      rowStride: 0,
      columnStride: 4,
    };
  }
}
