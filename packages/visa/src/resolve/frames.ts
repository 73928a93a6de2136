import type { Channels, ElementAccess } from "../../../../src/interp/contract/launch/channels.ts";
import type { Inner } from "../../../../src/interp/contract/plan/plan.ts";
import type { Instruction } from "../../../../src/interp/contract/program.ts";
import { argument, operation, plus, slice, wrap } from "../../../../src/numeric/operation/build.ts";
import type { Span } from "../../../../src/source/source.ts";
import type { Storage } from "./storage.ts";
import { first } from "./surface.ts";
import type { Symbols } from "./symbols.ts";

const LANES = 32;

/** A part of a variable, as large as one access can move, and its place in the frame. */
interface Piece {
  readonly variable: string;
  readonly offset: number;
  readonly at: number;
  readonly bits: 8 | 32;
  readonly count: number;
}

/**
 * Keeps what a function has in its variables while it calls one that may enter it again: each function has its variables
 * once a thread, and so they are copied to a frame before the call, and back behind it.
 */
export class Frames {
  readonly #storage: Storage;
  readonly #symbols: Symbols;
  readonly #dispatch: number;

  constructor(storage: Storage, symbols: Symbols, dispatch: number) {
    this.#storage = storage;
    this.#symbols = symbols;
    this.#dispatch = dispatch;
  }

  /** What is executed before the call, and what behind it. */
  around(
    span: Span,
    opcode: string,
  ): { readonly before: readonly Instruction[]; readonly after: readonly Instruction[] } {
    const { variables, predicates } = this.#symbols.ofFunction();
    const { pieces, bytes } = piecesOf(variables);
    const flags = predicates.map((predicate, k) => ({ predicate, at: bytes + 4 * k }));
    const size = Math.ceil((bytes + 4 * flags.length) / 64) * 64;
    const all = (plan: Instruction["plan"]): Instruction => ({ plan, operands: [], span, opcode });
    const keyOf = ({ bits, count }: Piece): string => `${bits} ${count}`;
    const groups = [...new Set(pieces.map(keyOf))].map((key) => pieces.filter((each) => keyOf(each) === key));
    const copies = (toFrame: boolean): Instruction[] =>
      groups.map((group) => {
        const [{ count } = { count: 1 }] = group;
        const [own, kept] = [
          group.map((piece, k) => this.#own(piece, k)),
          group.map((piece, k) => this.#kept(piece, k)),
        ];
        const [loads, stores] = toFrame ? [own, kept] : [kept, own];
        return all({ shape: "channels", channels: this.#channels(count), loads, inner: [], stores });
      });
    return {
      before: [...copies(true), ...this.#keepFlags(flags).map(all), all(this.#moveFrame(size))],
      after: [all(this.#moveFrame(-size)), ...copies(false), ...this.#restoreFlags(flags).map(all)],
    };
  }

  #own({ variable, offset, bits, count }: Piece, k: number): ElementAccess {
    const slot = this.#storage.scratch(200 + k, bits);
    const base = this.#storage.address(variable);
    return { slot, cell: { bits, signed: false }, base, offset, width: count, rowStride: 0, columnStride: bits / 8 };
  }

  #kept({ at, bits, count }: Pick<Piece, "at" | "bits" | "count">, k: number, columnStride = bits / 8): ElementAccess {
    const slot = this.#storage.scratch(200 + k, bits);
    const base = this.#storage.address(this.#symbols.frame());
    return {
      slot,
      cell: { bits, signed: false },
      base,
      pointers: "one",
      offset: at,
      width: count,
      rowStride: 0,
      columnStride,
    };
  }

  #keepFlags(flags: readonly { readonly predicate: number; readonly at: number }[]): Instruction["plan"][] {
    if (flags.length === 0) return [];
    const stores = flags.map(({ at }, k) => this.#kept({ at, bits: 32, count: 1 }, k));
    const masks = flags.map(({ predicate }, k) => ({ predicate, slot: this.#storage.scratch(200 + k, 32) }));
    return [{ shape: "channels", channels: this.#channels(1), loads: [], masks, inner: [], stores }];
  }

  #restoreFlags(flags: readonly { readonly predicate: number; readonly at: number }[]): Instruction["plan"][] {
    if (flags.length === 0) return [];
    const loads = flags.map(({ at }, k) => this.#kept({ at, bits: 32, count: LANES }, k, 0));
    const inner = flags.map(
      ({ predicate }, k): Inner => ({
        plan: { shape: "compute", op: bitOfLane },
        operands: [
          { kind: "predicate", slot: predicate, negated: false },
          this.#storage.scratch(200 + k, 32),
          this.#storage.lane(),
        ],
      }),
    );
    return [{ shape: "channels", channels: this.#channels(LANES), loads, inner, stores: [] }];
  }

  #moveFrame(by: number): Instruction["plan"] {
    const slot = this.#storage.scratch(200, 32);
    const access = first(slot, this.#storage.address(this.#symbols.frame()), this.#channels(1));
    const op = operation({ a: "u32" }, "u32", wrap("u32", plus(argument("a"), by)));
    const inner: Inner = { plan: { shape: "compute", op }, operands: [slot, slot] };
    return { shape: "channels", channels: this.#channels(1), loads: [access], inner: [inner], stores: [access] };
  }

  #channels(count: number): Channels {
    return { first: 0, count, all: true, dispatch: this.#dispatch };
  }
}

function piecesOf(variables: readonly { readonly place: string; readonly bytes: number }[]) {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { place: variable, bytes } of variables) {
    const bits = bytes % 4 === 0 ? 32 : 8;
    const size = bits / 8;
    for (let offset = 0; offset < bytes; offset += LANES * size) {
      const count = Math.min(LANES, (bytes - offset) / size);
      pieces.push({ variable, offset, at: at + offset, bits, count });
    }
    at += Math.ceil(bytes / 8) * 8;
  }
  return { pieces, bytes: at };
}

const bitOfLane = operation({ mask: "u32", lane: "u32" }, "pred", {
  into: "predicate",
  of: slice(argument("mask"), argument("lane"), 1),
});
