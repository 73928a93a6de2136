import type { Constant } from "../../../../src/interp/contract/constant.ts";
import type { Operand } from "../../../../src/interp/contract/operand.ts";
import type { ModuleVariable, Register, SpecialSlot } from "../../../../src/interp/contract/program.ts";
import type { Span } from "../../../../src/source/source.ts";
import type { Type } from "../ast.ts";
import { bytesOfType } from "../type.ts";

type SlotOperand = Operand & { kind: "slot" };

const NOWHERE: Span = { start: 0, end: 0 };

/** PTX's names for the types of elements, which hosts, dumps and the command line use. */
export const elementType: Readonly<Partial<Record<Type, string>>> = {
  ud: "u32",
  d: "s32",
  uw: "u16",
  w: "s16",
  ub: "u8",
  b: "s8",
  uq: "u64",
  q: "s64",
  f: "f32",
  df: "f64",
  hf: "f16",
  bf: "bf16",
};

/**
 * Where a kernel's values are. General variables and addresses are variables in memory, since regions, aliases and
 * addresses reach any byte of them. A predicate is a mask of lanes. Operands of an instruction are in temporary slots.
 */
export class Storage {
  readonly variables: ModuleVariable[] = [];
  readonly registers: Register[] = [];
  readonly constants: Constant[] = [];
  readonly specials: SpecialSlot[] = [];
  #prefix: string;
  readonly #known = new Map<string, SlotOperand>();
  readonly #scratch = { r: [] as number[], q: [] as number[] };
  readonly #count = { p: 0, r: 0, q: 0 };
  /** Names of variables, and of predicates. */
  readonly #taken = new Set<string>();
  readonly #predicates = new Set<string>();
  #packs = 0;

  /** `prefix` distinguishes the variables of several kernels. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Names that `run` makes are those of a function. */
  within(name: string, run: () => void): void {
    const before = this.#prefix;
    this.#prefix = `${before}${name}.`;
    run();
    this.#prefix = before;
  }

  get banks(): { readonly p: number; readonly r: number; readonly q: number } {
    return { ...this.#count };
  }

  /** Makes a variable, or a view of another one; returns its name among the module's. */
  variable(
    name: string,
    type: Type,
    elements: number,
    span: Span,
    part?: { readonly of: string; readonly offset: number },
    initial: ModuleVariable["initial"] = [],
  ): string {
    const whole = this.#unique(`${this.#prefix}${name}`);
    const bytes = elements * bytesOfType(type);
    this.variables.push({
      name: whole,
      space: "global",
      type: elementType[type] ?? "b8",
      bytes,
      align: 64,
      initial,
      relocations: [],
      span,
      ...(part === undefined ? {} : { part }),
    });
    return whole;
  }

  predicate(name: string, span: Span): number {
    const slot = this.#count.p++;
    const unique = this.#predicates.has(name) ? `${name}#${slot}` : name;
    this.#predicates.add(unique);
    this.registers.push({ name: unique, type: "b32", bits: 32, bank: "p", slot, elements: 1, across: true, span });
    return slot;
  }

  /** A slot with the 64-bit address of a byte of a variable. */
  address(variable: string, offset = 0): SlotOperand {
    return this.#constant("q", 64, `${variable}+${offset}`, { variable, offset: BigInt(offset) });
  }

  /** The same as the low word that addresses hold. */
  shortAddress(variable: string, offset: number): SlotOperand {
    return this.#constant("r", 32, `${variable}+${offset}`, { variable, offset: BigInt(offset) });
  }

  value(bits: 8 | 16 | 32 | 64, value: bigint): SlotOperand {
    // The same field of an immediate has another value in another width.
    const cut = BigInt.asUintN(bits, value);
    return this.#constant(bits === 64 ? "q" : "r", bits, cut.toString(), cut);
  }

  /** Elements that an immediate packs. */
  pack(type: Type, values: readonly number[]): string {
    const bytes = new Uint8Array(values.length * bytesOfType(type));
    const view = new DataView(bytes.buffer);
    for (const [at, value] of values.entries())
      if (bytesOfType(type) === 4) view.setUint32(at * 4, value, true);
      else view.setUint16(at * 2, value, true);
    return this.variable(`packed immediate ${++this.#packs}`, type, values.length, NOWHERE, undefined, [
      { offset: 0, bytes },
    ]);
  }

  lane(): SlotOperand {
    const known = this.#known.get("lane");
    if (known !== undefined) return known;
    const made: SlotOperand = { kind: "slot", bank: "r", slot: this.#count.r++, bits: 32 };
    this.specials.push({ bank: "r", slot: made.slot, name: "laneid" });
    this.#known.set("lane", made);
    return made;
  }

  always(): number {
    const known = this.#known.get("always");
    if (known !== undefined) return known.slot;
    const slot = this.#count.p++;
    this.constants.push({ bank: "p", slot, value: 1n });
    this.#known.set("always", { kind: "slot", bank: "r", slot, bits: 8 });
    return slot;
  }

  /** The slot for the nth value of an instruction. */
  scratch(at: number, bits: 8 | 16 | 32 | 64): SlotOperand {
    const bank = bits === 64 ? "q" : "r";
    const slots = this.#scratch[bank];
    slots[at] ??= this.#count[bank]++;
    return { kind: "slot", bank, slot: slots[at], bits };
  }

  #constant(
    bank: "r" | "q",
    bits: 8 | 16 | 32 | 64,
    key: string,
    value: bigint | { readonly variable: string; readonly offset: bigint },
  ): SlotOperand {
    const name = `${bank} ${key}`;
    const known = this.#known.get(name);
    if (known !== undefined) return { ...known, bits };
    const made: SlotOperand = { kind: "slot", bank, slot: this.#count[bank]++, bits };
    this.constants.push({ bank, slot: made.slot, value });
    this.#known.set(name, made);
    return made;
  }

  #unique(name: string): string {
    let unique = name;
    for (let at = 2; this.#taken.has(unique); at++) unique = `${name}#${at}`;
    this.#taken.add(unique);
    return unique;
  }
}
