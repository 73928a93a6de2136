import { bytesOf, isElementType } from "../../../src/host/memory/element.ts";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import type { Operand } from "../../../src/interp/contract/operand.ts";
import type { Program } from "../../../src/interp/contract/program.ts";
import { type HostSpace, isOwn } from "../../../src/interp/contract/space.ts";
import { spaceOf } from "../../../src/interp/contract/window.ts";
import { whoIs } from "../../../src/interp/state/fault.ts";
import { instructionText, nameOf } from "../../../src/present/working/instruction.ts";
import type { Executed } from "./cause.ts";
import type { Past } from "./past.ts";

/** Memory of the device that has a name: a buffer of the launch, or a variable of the module. */
export interface NamedPlace {
  readonly name: string;
  readonly address: bigint;
  readonly bytes: number;
  /** Of its elements. */
  readonly type: string;
}

/** A register, by the slot that it has. */
export interface NamedRegister {
  readonly name: string;
  readonly type: string;
}

/** Bytes behind a buffer that still look like an address in it. */
const BEHIND = 4096;

/** Bytes of an element, 1 for a type that has none. */
const sizeOf = (type: string): number => (isElementType(type) ? bytesOf(type) : 1);

/** What registers, places and instructions of a program are called. */
export class Names {
  readonly #program: Program;
  readonly #places: readonly NamedPlace[];
  readonly #types: Map<string, string> = new Map();

  readonly #who: (thread: ThreadId) => string;

  constructor({ program, session }: Past, places: readonly NamedPlace[]) {
    this.#program = program;
    const { grid = [1, 1, 1], block = [1, 1, 1] } = session.state?.context ?? {};
    this.#who = (thread) => whoIs(thread, grid, block);
    this.#places = places;
    for (const { bank, slot, elements, bits, type } of [
      ...program.registers,
      ...program.functions.flatMap(({ registers }) => registers),
    ])
      for (let at = 0; at < elements * (bits === 128 ? 2 : 1); at++) this.#types.set(`${bank}${slot + at}`, type);
  }

  /** Undefined for a constant. */
  operand(operand: Operand & { kind: "slot" | "predicate" }): string | undefined {
    return nameOf(this.#program, operand);
  }

  /** The declared type of the register in a slot. */
  typeOf(bank: string, slot: number): string | undefined {
    return this.#types.get(`${bank}${slot}`);
  }

  /** `out[5]`, `tile+6`, a parameter, or the address where nothing has a name. */
  place(space: HostSpace, address: bigint): string {
    const window = space === "generic" ? (spaceOf(address) ?? "global") : space;
    const at = window !== "tensor" && isOwn(window) ? BigInt.asUintN(32, address) : address;
    for (const { name, type, start, bytes } of this.#within(window)) {
      const offset = Number(at - start);
      if (offset < 0 || offset >= bytes) continue;
      if (window === "param") return offset === 0 ? name : `${name}+${offset}`;
      return this.#element({ name, type }, offset);
    }
    return `[${window}:0x${at.toString(16)}]`;
  }

  /** The place that a value is the address of, or behind which it leads, where it can be an address. */
  pointee(type: string, bits: bigint | undefined): string | undefined {
    if (bits === undefined || !/^[bus]64$/.test(type)) return undefined;
    const space = spaceOf(bits);
    if (space === undefined || space === "param") return undefined;
    const name = this.place("generic", bits);
    if (!name.startsWith("[")) return name;
    const before = this.#places.filter(
      ({ address, bytes }) => bits >= address && bits < address + BigInt(bytes + BEHIND),
    );
    const [nearest] = before.toSorted((a, b) => Number(b.address - a.address));
    return nearest && `${this.#element(nearest, Number(bits - nearest.address))}, past its end`;
  }

  #element({ name, type }: Pick<NamedPlace, "name" | "type">, offset: number): string {
    const size = sizeOf(type);
    return offset % size === 0 ? `${name}[${offset / size}]` : `${name}+${offset}`;
  }

  /** The buffer or the variable that an address lies in. */
  around(space: HostSpace, address: bigint): { readonly address: bigint; readonly bytes: number } | undefined {
    const window = space === "generic" ? (spaceOf(address) ?? "global") : space;
    const at = window !== "tensor" && isOwn(window) ? BigInt.asUintN(32, address) : address;
    const found = this.#within(window).find(({ start, bytes }) => at >= start && at < start + BigInt(bytes));
    return found && { address: address - (at - found.start), bytes: found.bytes };
  }

  /** An instruction that a thread executed. */
  executed(step: number, thread: ThreadId, pc: number): Executed {
    const { block, warp, lane } = thread;
    const { source, code } = this.#program;
    const { span, location } = code[pc] ?? {};
    return {
      step,
      block,
      thread: warp * 32 + lane,
      who: this.#who(thread),
      pc,
      line: source.position(span?.start ?? 0).line,
      text: instructionText(this.#program, pc),
      ...(location === undefined ? {} : { location }),
    };
  }

  #within(
    window: HostSpace,
  ): readonly { readonly name: string; readonly type: string; readonly start: bigint; readonly bytes: number }[] {
    const { variables, parameters } = this.#program;
    if (window === "param")
      return parameters.map(({ name, type, offset, bytes }) => ({ name, type, start: BigInt(offset), bytes }));
    if (window === "shared" || window === "local")
      return variables
        .filter(({ space }) => space === window)
        .map(({ name, type, offset, bytes }) => ({ name, type, start: BigInt(offset), bytes }));
    return this.#places.map(({ name, type, address, bytes }) => ({ name, type, start: address, bytes }));
  }
}
