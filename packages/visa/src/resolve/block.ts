import type { Channels, ElementAccess } from "../../../../src/interp/contract/launch/channels.ts";
import type { Operand, SlotOperand } from "../../../../src/interp/contract/operand.ts";
import type { Inner, Plan } from "../../../../src/interp/contract/plan/plan.ts";
import {
  and,
  argument,
  operation,
  plus,
  relation,
  select,
  shr,
  times,
  wrap,
} from "../../../../src/numeric/operation/build.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import type * as ast from "../ast.ts";
import type { BlockMove } from "../isa/define.ts";
import type { Platform } from "./platform.ts";
import type { Storage } from "./storage.ts";
import type { Symbols } from "./symbols.ts";

/** The lanes of a warp. */
const LANES = 32;

/** Of an element in registers that no block has: it is 0. */
const PADDING = 0xffff_ffff;

/**
 * Turns moves of blocks into plans. Each element of the registers has a place in the blocks, which a table gives; an
 * element outside of the surface is loaded from, or stored to, a variable of its own.
 */
export class Blocks {
  readonly #platform: Platform;
  readonly #storage: Storage;
  readonly #symbols: Symbols;
  /** The table for a shape of blocks. */
  readonly #places = new Map<string, string>();
  #outside: string | undefined;

  constructor(platform: Platform, storage: Storage, symbols: Symbols) {
    this.#platform = platform;
    this.#storage = storage;
    this.#symbols = symbols;
  }

  plan({ operands }: ast.Instruction, move: BlockMove, { dispatch }: Channels): Plan | undefined {
    const data = operands.find((each) => each.kind === "block");
    const surface = operands.find((each) => each.kind === "surface");
    const registers = data && this.#symbols.find(data.variable.text);
    const parts = (surface?.parts ?? []).map(({ text }) => this.#symbols.find(text));
    if (surface?.model.text !== "flat" || registers?.kind !== "variable") return undefined;
    if (parts.length !== (surface.shift === undefined ? 6 : 1)) return undefined;
    if (registers.isNull) return { shape: "nothing", why: "what a prefetch loads is loaded again" };
    const bytes = move.bits / 8;
    // Those of a register at a time, or as many as there are lanes.
    const count = Math.min(LANES, this.#platform.grf / bytes);
    const loads: ElementAccess[] = [];
    const access = (slot: SlotOperand, base: SlotOperand, offset: number, columnStride: number): ElementAccess => ({
      slot,
      cell: { bits: slot.bits, signed: false },
      base,
      offset,
      width: count,
      rowStride: 0,
      columnStride,
    });
    const scratch = (at: number, bits: 32 | 64): SlotOperand => this.#storage.scratch(16 + at, bits);
    const [x, y, inside] = [scratch(0, 32), scratch(1, 32), scratch(2, 32)];
    const [behind, outside, address] = [scratch(3, 64), scratch(4, 64), scratch(5, 64)];
    /** A fact of the surface, the same for all: a variable, or 4 bytes of the one with all of them. */
    const fact = (at: number, bits: 32 | 64 = 32): SlotOperand => {
      const part = parts[surface.shift === undefined ? at : 0];
      const slot = scratch(6 + at, bits);
      const behind = surface.shift === undefined || at === 0 ? 0 : 4 + 4 * at;
      if (part?.kind === "variable") loads.push(access(slot, this.#storage.address(part.root, part.offset), behind, 0));
      return slot;
    };
    const [shiftX, shiftY] = surface.shift ?? [0, 0];
    const [base, width, height, pitch, left, top] = [fact(0, 64), fact(1), fact(2), fact(3), fact(4), fact(5)];
    const stores: ElementAccess[] = [];
    const inner: Inner[] = [];
    const compute = (to: SlotOperand, op: Operation, ...from: Operand[]): void => {
      inner.push({ plan: { shape: "compute", op }, operands: [to, ...from] });
    };
    compute(outside, ofLane, this.#storage.address(this.#beyond()), this.#storage.lane());
    const places = placesOf(move, this.#platform.grf);
    const table = this.#storage.address(this.#table(move, places));
    const first = this.#storage.address(registers.root, registers.offset);
    for (let from = 0; from < places.length; from += count) {
      const place = scratch(16 + from / count, 32);
      const slot = this.#storage.scratch(160 + from / count, move.bits as 8 | 16 | 32 | 64);
      loads.push(access(place, table, 4 * from, 4));
      compute(x, column(bytes, shiftX), left, place);
      compute(y, row(shiftY), top, place);
      compute(inside, within(bytes), x, y, width, height, place);
      compute(behind, distance, x, y, pitch);
      compute(address, chosen, inside, base, behind, outside);
      const at: Operand = { kind: "address", base: address, offset: 0n };
      const cell = { bits: slot.bits, signed: false } as const;
      inner.push({
        plan: { shape: move.does, space: "global", cell, ...(bytes > 1 ? { unaligned: true } : {}) },
        operands: move.does === "load" ? [slot, at] : [at, slot],
      });
      (move.does === "load" ? stores : loads).push(access(slot, first, from * bytes, bytes));
    }
    return { shape: "channels", channels: { first: 0, count, all: true, dispatch }, loads, inner, stores };
  }

  /** A place for each lane, of zeros; what is stored there nobody reads. */
  #beyond(): string {
    this.#outside ??= this.#storage.variable("%outside", "uq", LANES, { start: 0, end: 0 });
    return this.#outside;
  }

  #table(move: BlockMove, places: readonly number[]): string {
    const key = JSON.stringify(move);
    const known = this.#places.get(key) ?? this.#storage.pack("ud", places);
    this.#places.set(key, known);
    return known;
  }
}

/**
 * For each element of the registers its column, and above 16 bits its row, in the blocks (manual, LOAD_BLOCK2D): blocks
 * begin at a register, and their rows at a power of two.
 */
function placesOf({ bits, blocks, width, height, transposed, transformed }: BlockMove, grf: number): readonly number[] {
  const [across, down] = transposed ? [height, width] : [width, height];
  const perDword = transformed ? 32 / bits : 1;
  const pitch = 2 ** Math.ceil(Math.log2(across));
  const perRegister = (8 * grf) / bits;
  const blockPitch = Math.ceil((pitch * down) / perRegister) * perRegister;
  const places = Array<number>(blocks * blockPitch).fill(PADDING);
  for (let block = 0; block < blocks; block++)
    for (let v = 0; v < down; v++)
      for (let u = 0; u < across; u++) {
        const group = v - (v % perDword);
        const [x, y] = transposed ? [v, u] : [u, v];
        places[block * blockPitch + group * pitch + u * perDword + (v % perDword)] = (y << 16) | (block * width + x);
      }
  return places;
}

const column = (bytes: number, shift: number): Operation =>
  operation(
    { left: "s32", place: "u32" },
    "s32",
    wrap("s32", times(plus(argument("left"), and(argument("place"), 0xffff), shift), bytes)),
  );

const row = (shift: number): Operation =>
  operation({ top: "s32", place: "u32" }, "s32", wrap("s32", plus(argument("top"), shr(argument("place"), 16), shift)));

/** The width is that in bytes, less 1, and the height likewise. */
const within = (bytes: number): Operation => {
  const [x, y, place] = [argument("x"), argument("y"), argument("place")];
  const inWidth = and(relation("ge", x, 0), relation("le", plus(x, bytes - 1), argument("width")));
  const inHeight = and(relation("ge", y, 0), relation("le", y, argument("height")));
  const all = and(relation("ne", place, PADDING), and(inWidth, inHeight));
  return operation({ x: "s32", y: "s32", width: "u32", height: "u32", place: "u32" }, "u32", wrap("u32", all));
};

/** The manual has the pitch as it is; compilers give it less 1, as the other sizes. */
const distance = operation(
  { x: "s32", y: "s32", pitch: "u32" },
  "s64",
  wrap("s64", plus(argument("x"), times(argument("y"), plus(argument("pitch"), 1)))),
);

const chosen = operation(
  { inside: "u32", base: "u64", behind: "s64", outside: "u64" },
  "u64",
  wrap("u64", select(argument("inside"), plus(argument("base"), argument("behind")), argument("outside"))),
);

const ofLane = operation(
  { start: "u64", lane: "u32" },
  "u64",
  wrap("u64", plus(argument("start"), times(argument("lane"), 8))),
);
