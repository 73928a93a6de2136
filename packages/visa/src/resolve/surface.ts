import type { Channels, ElementAccess } from "../../../../src/interp/contract/launch/channels.ts";
import type { SlotOperand } from "../../../../src/interp/contract/operand.ts";
import type { Inner } from "../../../../src/interp/contract/plan/plan.ts";
import { argument, operation, plus, shl, shr, wrap } from "../../../../src/numeric/operation/build.ts";
import type * as ast from "../ast.ts";
import type { Storage } from "./storage.ts";
import { BINDLESS, type Symbols } from "./symbols.ts";

/** Surfaces and samplers by their numbers in a table, which a variable or a handle gives. */
export class Surfaces {
  readonly #storage: Storage;
  readonly #symbols: Symbols;
  /** Variables with the handle of a surface. */
  readonly handles = new Set<string>();

  constructor(storage: Storage, symbols: Symbols) {
    this.#storage = storage;
    this.#symbols = symbols;
  }

  /** The slot with the number of `T6(0)`, `%bss`, `S0`, `bti(2)` or `bss(V)`; undefined for what is no such surface. */
  number(
    operand: ast.Operand | undefined,
    channels: Channels,
    loads: ElementAccess[],
    before: Inner[],
    to: SlotOperand,
  ): SlotOperand | undefined {
    if (operand?.kind === "state") {
      const found = this.#symbols.find(operand.name.text);
      if (found?.kind !== "surface" && found?.kind !== "sampler") return undefined;
      loads.push(first(to, this.#storage.address(found.place, 4 * operand.element), channels));
      if (BINDLESS.has(operand.name.text)) before.push(ofHandle(to));
      return to;
    }
    if (operand?.kind !== "memory") return undefined;
    const { model, surface } = operand;
    if (model.text === "bti" && typeof surface === "number") return this.#storage.value(32, BigInt(surface));
    const found = model.text === "bss" && typeof surface === "object" ? this.#symbols.find(surface.text) : undefined;
    if (found?.kind !== "variable") return undefined;
    this.handles.add(found.root);
    loads.push(first(to, this.#storage.address(found.root, found.offset), channels));
    before.push(ofHandle(to));
    return to;
  }

  /** The slot with what a table has at a number; `place` is for its address. */
  entry(table: string, number: SlotOperand, before: Inner[], place: SlotOperand, to: SlotOperand): SlotOperand {
    before.push(
      { plan: { shape: "compute", op: entryAt }, operands: [place, this.#storage.address(table, 0), number] },
      {
        plan: { shape: "load", space: "global", cell: { bits: 64, signed: false } },
        operands: [to, { kind: "address", base: place, offset: 0n }],
      },
    );
    return to;
  }
}

/** One element for all channels. */
export const first = (slot: SlotOperand, base: SlotOperand, { count }: Channels): ElementAccess => ({
  slot,
  cell: { bits: slot.bits as 32 | 64, signed: false },
  base,
  offset: 0,
  width: count,
  rowStride: 0,
  columnStride: 0,
});

/** Surface states are 64 bytes apart. */
const ofHandle = (slot: SlotOperand): Inner => ({
  plan: { shape: "compute", op: operation({ a: "u32" }, "u32", wrap("u32", shr(argument("a"), 6))) },
  operands: [slot, slot],
});

const entryAt = operation(
  { table: "u64", number: "u32" },
  "u64",
  wrap("u64", plus(argument("table"), shl(argument("number"), 3))),
);
