import type { ElementAccess } from "../../../../src/interp/contract/launch/channels.ts";
import type { Operand } from "../../../../src/interp/contract/operand.ts";
import type { Plan } from "../../../../src/interp/contract/plan/plan.ts";
import type { Instruction } from "../../../../src/interp/contract/program.ts";
import type * as ast from "../ast.ts";
import { factsOf } from "../type.ts";
import type { Platform } from "./platform.ts";
import type { Storage } from "./storage.ts";
import type { Symbols } from "./symbols.ts";

/** Lines that signal a barrier, or wait at it. */
export class Barriers {
  readonly #platform: Platform;
  readonly #storage: Storage;
  readonly #symbols: Symbols;
  readonly #dispatch: number;

  constructor(platform: Platform, storage: Storage, symbols: Symbols, dispatch: number) {
    this.#platform = platform;
    this.#storage = storage;
    this.#symbols = symbols;
    this.#dispatch = dispatch;
  }

  /** One instruction, behind a step that fetches its numbers if they are in registers. */
  lines({ operands, span }: ast.Instruction, act: "signal" | "wait", opcode: string): readonly Instruction[] {
    const loads: ElementAccess[] = [];
    const [id, ...others] = operands.map((operand, at) => this.#scalar(operand, at, loads));
    const [threads] = others;
    // A single number of threads means producers that are also consumers.
    const counts = others.length === 1 && threads ? [this.#storage.value(32, 0n), threads, threads] : others;
    const plan: Plan = { shape: "split barrier", act };
    // The barrier of all threads of the group has no number: it is the first.
    const made = { plan, operands: [id ?? this.#storage.value(32, 0n), ...counts], span, opcode };
    if (loads.length === 0) return [made];
    const channels = { first: 0, count: 32, all: true, dispatch: this.#dispatch };
    return [{ plan: { shape: "channels", channels, loads, inner: [], stores: [] }, operands: [], span, opcode }, made];
  }

  /** One number for all channels. */
  #scalar(operand: ast.Operand, at: number, loads: ElementAccess[]): Operand {
    if (operand.kind === "immediate") return this.#storage.value(32, operand.bits);
    const slot = this.#storage.scratch(at, 32);
    const found = operand.kind === "general" ? this.#symbols.find(operand.variable.text) : undefined;
    if (operand.kind !== "general" || found?.kind !== "variable" || found.isNull) return this.#storage.value(32, 0n);
    const { bits } = factsOf(found.type);
    const base = this.#storage.address(found.root, found.offset);
    const offset = operand.row * this.#platform.grf + (operand.column * bits) / 8;
    const cell = { bits: bits === 64 ? 32 : bits, signed: false } as const;
    loads.push({ slot, cell, base, offset, width: 32, rowStride: 0, columnStride: 0 });
    return slot;
  }
}
