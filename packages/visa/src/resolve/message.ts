import type { Channels, ElementAccess } from "../../../../src/interp/contract/launch/channels.ts";
import type { Operand } from "../../../../src/interp/contract/operand.ts";
import type { Inner, Plan } from "../../../../src/interp/contract/plan/plan.ts";
import { and, argument, operation, plus, shl, times, wrap } from "../../../../src/numeric/operation/build.ts";
import type * as ast from "../ast.ts";
import type { Form, Message } from "../isa/define.ts";
import type { Platform } from "./platform.ts";
import type { Storage } from "./storage.ts";
import { first, type Surfaces } from "./surface.ts";
import type { Symbols } from "./symbols.ts";

type Slot = Operand & { kind: "slot" };

/** The slot with each channel's address, the offset to add, and the address space. */
interface Located {
  readonly space: "global" | "shared";
  readonly slot: Slot;
  readonly offset: bigint;
}

/**
 * Turns messages into plans: addresses and data come from registers, and each channel loads from or stores to memory.
 */
export class Messages {
  readonly #platform: Platform;
  readonly #storage: Storage;
  readonly #symbols: Symbols;
  /** Some message goes to local memory. */
  local = false;
  readonly #surfaces: Surfaces;

  constructor(platform: Platform, storage: Storage, symbols: Symbols, surfaces: Surfaces) {
    this.#platform = platform;
    this.#storage = storage;
    this.#symbols = symbols;
    this.#surfaces = surfaces;
  }

  plan(line: ast.Instruction, form: Form, given: Channels): Plan | undefined {
    const asked = form.message?.(line);
    if (asked === undefined || typeof asked === "string") return undefined;
    const operand = (...names: string[]): ast.Operand | undefined =>
      line.operands[form.operands.findIndex(({ name }) => names.includes(name))];
    // The dwords of a block are moved in parallel.
    const channels = asked.owords
      ? { first: 0, count: this.#dwords(operand("dst", "src"), 4 * given.count), all: true, dispatch: given.dispatch }
      : given;
    const before: Inner[] = [];
    const loads: ElementAccess[] = [];
    const at = asked.owords
      ? this.#blockAddress(operand, asked.owords.unit, channels, loads, before)
      : this.#address(operand, line, channels, loads, before);
    if (asked.update !== undefined) return at && this.#atomic(operand, asked, channels, loads, before, at);
    const data = operand("dst", "src", "data");
    const moved = at && asked.elements.map((element, k) => this.#element(data, asked, element, k, channels, at));
    if (moved === undefined) return undefined;
    const registers = moved.flatMap(({ access }) => access ?? []);
    const inner = [...before, ...moved.map(({ step }) => step)];
    return asked.does === "load"
      ? { shape: "channels", channels, loads, inner, stores: registers }
      : { shape: "channels", channels, loads: [...loads, ...registers], inner, stores: [] };
  }

  /** The dwords of a block that a variable has: compilers store one of 8 bytes as an oword, whose rest is anything. */
  #dwords(data: ast.Operand | undefined, most: number): number {
    const found = data?.kind === "raw" ? this.#symbols.find(data.variable.text) : undefined;
    if (data?.kind !== "raw" || found?.kind !== "variable" || found.isNull) return most;
    return Math.min(most, Math.max(1, Math.floor((found.rootBytes - found.offset - data.offset) / 4)));
  }

  /** The operation combines the old value in memory with the sources; the old value goes to a register. */
  #atomic(
    operand: (...names: string[]) => ast.Operand | undefined,
    { update, bits, held }: Message,
    channels: Channels,
    loads: ElementAccess[],
    before: readonly Inner[],
    { space, slot: base, offset }: Located,
  ): Plan | undefined {
    if (update === undefined || bits === 8) return undefined;
    const inputs: Operand[] = update.constant === undefined ? [] : [this.#storage.value(held, update.constant)];
    for (const [k, name] of update.sources.entries()) {
      const from = operand(name);
      const slot = this.#scratch(4 + k, held);
      const access =
        from?.kind === "raw" ? this.#raw(from.variable.text, from.offset, held / 8, slot, channels) : undefined;
      if (access === undefined) return undefined;
      loads.push(access);
      inputs.push(slot);
    }
    const to = operand("dst", "data");
    const result = this.#scratch(3, held);
    const at = to?.kind === "raw" ? to.offset : to?.kind === "data" ? to.start : 0;
    const access =
      to?.kind === "raw" || to?.kind === "data"
        ? this.#raw(to.variable.text, at, held / 8, result, channels)
        : undefined;
    const gives = access !== undefined;
    const place: Operand = { kind: "address", base, offset };
    const order = { sem: "relaxed", scope: "gpu" } as const;
    const plan: Plan =
      update.replaces && !gives
        ? { shape: "store", space, cell: { bits, signed: false }, ...order }
        : { shape: "atomic", space, op: update.op, bits, gives, ...order };
    const step: Inner = { plan, operands: [...(gives ? [result] : []), place, ...inputs] };
    return { shape: "channels", channels, loads, inner: [...before, step], stores: access ? [access] : [] };
  }

  /** The slot with the address of each dword of a block, which has one start address. */
  #blockAddress(
    operand: (...names: string[]) => ast.Operand | undefined,
    unit: 1 | 16,
    channels: Channels,
    loads: ElementAccess[],
    before: Inner[],
  ): Located | undefined {
    const surface = operand("surface");
    const bits = surface === undefined ? 64 : 32;
    const type = `u${bits}` as const;
    const place = this.#scalar(operand("offset", "address"), bits, channels, loads);
    if (place === undefined) return undefined;
    const start = shl(argument("place"), unit === 16 ? 4 : 0);
    const each = wrap(type, plus(start, shl(argument("lane"), 2)));
    const offsets = this.#scratch(0, bits);
    before.push({
      plan: { shape: "compute", op: operation({ place: type, lane: "u32" }, type, each) },
      operands: [offsets, place, this.#storage.lane()],
    });
    return surface === undefined
      ? { space: "global", slot: offsets, offset: 0n }
      : this.#onSurface(surface, offsets, 0n, channels, loads, before);
  }

  /** One element for all channels. */
  #scalar(
    from: ast.Operand | undefined,
    bits: 32 | 64,
    { count }: Channels,
    loads: ElementAccess[],
  ): Operand | undefined {
    if (from?.kind === "immediate") return this.#storage.value(bits, from.bits);
    const found = from?.kind === "general" ? this.#symbols.find(from.variable.text) : undefined;
    if (from?.kind !== "general" || found?.kind !== "variable" || found.isNull) return undefined;
    const slot = this.#scratch(2, bits);
    const offset = from.row * this.#platform.grf + (from.column * bits) / 8;
    const base = this.#storage.address(found.root, found.offset);
    loads.push({
      slot,
      cell: { bits, signed: false },
      base,
      offset,
      width: count,
      rowStride: 0,
      columnStride: 0,
    });
    return slot;
  }

  /** The slot with each channel's address, and its address space. */
  #address(
    operand: (...names: string[]) => ast.Operand | undefined,
    { modifiers: [where] }: ast.Instruction,
    channels: Channels,
    loads: ElementAccess[],
    before: Inner[],
  ): Located | undefined {
    const memory = operand("address");
    if (memory?.kind === "memory") {
      const bits = memory.bits === 64 ? 64 : 32;
      const slot = this.#scratch(0, bits);
      const access = this.#raw(memory.variable.text, memory.start, bits / 8, slot, channels);
      if (access === undefined) return undefined;
      loads.push(access);
      if (memory.model.text === "surf" || (memory.model.text === "flat" && memory.surface !== undefined))
        return this.#fromBase(memory, slot, channels, loads, before);
      if (memory.scale !== 1) before.push(scaled(slot, slot, memory.scale, memory.bits === 64 ? "u64" : "u32"));
      if (memory.model.text !== "flat") return this.#inModel(memory, slot, channels, loads, before);
      const shared = where?.text === "slm";
      if (shared) before.push(this.#inLocalMemory(slot));
      return { space: shared ? "shared" : "global", slot, offset: BigInt(memory.offset) };
    }
    const addresses = operand("addresses");
    if (addresses?.kind === "raw") {
      const slot = this.#scratch(0, 64);
      const access = this.#raw(addresses.variable.text, addresses.offset, 8, slot, channels);
      if (access === undefined) return undefined;
      loads.push(access);
      return { space: "global", slot, offset: 0n };
    }
    const element = operand("element_offset");
    const start = operand("offset");
    if (element?.kind !== "raw") return undefined;
    if (start !== undefined && start.kind !== "immediate") return undefined;
    const offsets = this.#scratch(0, 32);
    const first = operand("address");
    if (first !== undefined) {
      const wide = this.#scratch(0, 64);
      const access = this.#raw(element.variable.text, element.offset, 8, wide, channels);
      const base = this.#scalar(first, 64, channels, loads);
      if (access === undefined || base === undefined) return undefined;
      loads.push(access);
      const address = this.#scratch(1, 64);
      before.push(scaled(address, wide, 1, "u64", base));
      return { space: "global", slot: address, offset: 0n };
    }
    const access = this.#raw(element.variable.text, element.offset, 4, offsets, channels);
    if (access === undefined) return undefined;
    loads.push(access);
    return this.#onSurface(operand("surface"), offsets, start?.bits ?? 0n, channels, loads, before);
  }

  /** Addresses that all begin at one: of 64 bits, plus scaled offsets of 32 or 64. */
  #fromBase(
    { surface, scale, offset, extended }: ast.Operand & { kind: "memory" },
    offsets: Slot,
    channels: Channels,
    loads: ElementAccess[],
    before: Inner[],
  ): Located | undefined {
    const found = typeof surface === "object" ? this.#symbols.find(surface.text) : undefined;
    if (found?.kind !== "variable") return undefined;
    const start = this.#scratch(1, 64);
    loads.push(first(start, this.#storage.address(found.root, found.offset), channels));
    const address = this.#scratch(2, 64);
    const type = offsets.bits === 64 ? "u64" : extended === "s" ? "s32" : "u32";
    before.push(scaled(address, offsets, scale, type, start));
    return { space: "global", slot: address, offset: BigInt(offset) };
  }

  /** Addresses relative to a surface: the thread's scratch space, or a buffer by its number or its handle. */
  #inModel(
    memory: ast.Operand & { kind: "memory" },
    offsets: Slot,
    channels: Channels,
    loads: ElementAccess[],
    before: Inner[],
  ): Located | undefined {
    if (offsets.bits !== 32) return undefined;
    const offset = BigInt(memory.offset);
    if (memory.model.text !== "ss") return this.#inSurface(memory, offsets, offset, channels, loads, before);
    const address = this.#scratch(2, 64);
    before.push(sum(address, this.#storage.address(this.#symbols.scratch(), 0), "u64", offsets, 0));
    return { space: "global", slot: address, offset };
  }

  /** The target of offsets into a surface: local memory, or the address that its number selects. */
  #onSurface(
    surface: ast.Operand | undefined,
    offsets: Slot,
    offset: bigint,
    channels: Channels,
    loads: ElementAccess[],
    before: Inner[],
  ): Located | undefined {
    if (surface?.kind === "state" && (surface.name.text === "%slm" || surface.name.text === "T0")) {
      before.push(this.#inLocalMemory(offsets));
      return { space: "shared", slot: offsets, offset };
    }
    return this.#inSurface(surface, offsets, offset, channels, loads, before);
  }

  /** The address of an offset into a buffer that is a surface. */
  #inSurface(
    surface: ast.Operand | undefined,
    offsets: Slot,
    offset: bigint,
    channels: Channels,
    loads: ElementAccess[],
    before: Inner[],
  ): Located | undefined {
    const number = this.#surfaces.number(surface, channels, loads, before, this.#scratch(1, 32));
    if (number === undefined) return undefined;
    const start = this.#scratch(1, 64);
    this.#surfaces.entry(this.#symbols.surfaces(), number, before, this.#scratch(0, 64), start);
    const address = this.#scratch(2, 64);
    before.push(sum(address, start, "u64", offsets, 0));
    return { space: "global", slot: address, offset };
  }

  /** One element of each channel: the step that moves it, and its position in registers. */
  #element(
    data: ast.Operand | undefined,
    { does, bits, held, block, aligned }: Message,
    element: number,
    k: number,
    channels: Channels,
    { space, slot: base, offset }: Located,
  ): { readonly step: Inner; readonly access?: ElementAccess } {
    const slot = this.#scratch(3 + k, held);
    const bytes = held / 8;
    const registers = Math.ceil((channels.count * bytes) / this.#platform.grf) * this.#platform.grf;
    const behind = k * (block ? bytes : registers);
    const access =
      data?.kind === "raw"
        ? this.#raw(data.variable.text, data.offset + behind, bytes, slot, channels)
        : data?.kind === "data"
          ? this.#raw(data.variable.text, data.start + behind, bytes, slot, channels)
          : undefined;
    const place: Operand = { kind: "address", base, offset: offset + BigInt((element * bits) / 8) };
    const cell = { bits, signed: false };
    const anywhere = aligned || bits === 8 ? {} : { unaligned: true as const };
    const step: Inner =
      does === "load"
        ? { plan: { shape: "load", space, cell, ...anywhere }, operands: [slot, place] }
        : { plan: { shape: "store", space, cell, ...anywhere }, operands: [place, slot] };
    return { step, ...(access && { access }) };
  }

  /** Elements of `bytes` bytes, one a channel, from a byte of a variable on; nothing for %null. */
  #raw(name: string, offset: number, bytes: number, slot: Slot, { count }: Channels): ElementAccess | undefined {
    const found = this.#symbols.find(name);
    if (found?.kind !== "variable" || found.isNull) return undefined;
    return {
      slot,
      cell: { bits: (8 * bytes) as 32 | 64, signed: false },
      base: this.#storage.address(found.root, found.offset),
      offset,
      width: count,
      rowStride: 0,
      columnStride: bytes,
    };
  }

  #inLocalMemory(slot: Slot): Inner {
    this.local = true;
    return { plan: { shape: "compute", op: withoutMark }, operands: [slot, slot] };
  }

  /** Slots of messages are numbered separately: one message may need 8 bits of a slot, another 64. */
  #scratch(at: number, bits: 32 | 64): Slot {
    return this.#storage.scratch(16 + at, bits);
  }
}

/** Intel's compiler sets this bit in addresses of shared local memory, so that none is null; memory ignores it. */
const notNull = 0x1000_0000n;

const withoutMark = operation({ a: "u32" }, "u32", wrap("u32", and(argument("a"), 0xffff_ffffn ^ notNull)));

/** `to = start + by * scale`; without a start in the type of `by`. */
const scaled = (to: Slot, by: Slot, scale: number, type: "u32" | "s32" | "u64", start?: Operand): Inner => {
  const product = times(argument("by"), scale);
  const op =
    start === undefined
      ? operation({ by: type }, type, wrap(type, product))
      : operation({ by: type, start: "u64" }, "u64", wrap("u64", plus(argument("start"), product)));
  return { plan: { shape: "compute", op }, operands: [to, by, ...(start === undefined ? [] : [start])] };
};

/** `to = base + (by << shift)`, in 64 bits. */
const sum = (to: Slot, base: Slot, type: "u64", by: Slot, shift: number): Inner => ({
  plan: {
    shape: "compute",
    op: operation({ base: type, by: "u32" }, type, wrap(type, plus(argument("base"), shl(argument("by"), shift)))),
  },
  operands: [to, base, by],
});
