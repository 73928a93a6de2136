import type { Constant } from "../../interp/contract/constant.ts";
import type { Bank, Operand } from "../../interp/contract/operand.ts";
import type { Program, Register, SpecialSlot } from "../../interp/contract/program.ts";
import { suffixStart } from "../../source/suffix.ts";
import { bitsOf } from "../declaration/fundamental-types.ts";
import type { RegisterSymbol } from "../declaration/scope.ts";

type SlotOperand = Operand & { kind: "slot" };

/** Allocates the slots of one program's banks: to registers at their first use, and one to each constant value. */
export class Slots {
  readonly #next: { p: number; r: number; q: number } = { p: 0, r: 0, q: 0 };
  /** Those of the current body. */
  #registers: Register[] = [];
  readonly #narrow = new Map<bigint, number>();
  readonly #wide = new Map<bigint, number>();
  readonly #double = new Map<bigint, number>();
  readonly #truths = new Map<boolean, number>();
  readonly #addresses = new Map<string, number>();
  readonly #specials = new Map<string, number>();
  readonly #constants: Constant[] = [];
  readonly #specialSlots: SpecialSlot[] = [];

  /** The register's slots. 8- and 16-bit registers lie in bank r, 128-bit ones in two slots of bank q. */
  register(symbol: RegisterSymbol): Register {
    const { allotted } = symbol;
    if (allotted !== undefined && symbol.allottedIn === this.#registers) return allotted;
    const { name, type, meaning = type, elements, span } = symbol;
    const bits = bitsOf(type) ?? 32;
    const bank: Bank = bits === 1 ? "p" : bits <= 32 ? "r" : "q";
    // A .v2 has room for .z and .w, which ptxas 13.0 keeps as well.
    const slot = this.#take(bank, elements === 2 ? 4 : elements * (bits === 128 ? 2 : 1));
    const register: Register = { name, type: meaning, bits, bank, slot, elements, span };
    this.#registers.push(register);
    symbol.allotted = register;
    symbol.allottedIn = this.#registers;
    return register;
  }

  /** A slot with these bits, cut to `width`. */
  constant(bits: bigint, width: SlotOperand["bits"]): SlotOperand {
    const value = BigInt.asUintN(width, bits);
    if (width === 128) return { kind: "slot", bank: "q", slot: this.#pair(value), bits: width };
    const bank = width === 64 ? "q" : "r";
    const known = width === 64 ? this.#wide : this.#narrow;
    let slot = known.get(value);
    if (slot === undefined) {
      slot = this.#take(bank, 1);
      known.set(value, slot);
      this.#constants.push({ bank, slot, value });
    }
    return { kind: "slot", bank, slot, bits: width };
  }

  /** A predicate slot that is true, or false, in every lane. */
  truth(value: boolean): Operand & { kind: "predicate" } {
    let slot = this.#truths.get(value);
    if (slot === undefined) {
      slot = this.#take("p", 1);
      this.#truths.set(value, slot);
      this.#constants.push({ bank: "p", slot, value: value ? 1n : 0n });
    }
    return { kind: "predicate", slot, negated: false };
  }

  #pair(value: bigint): number {
    const known = this.#double.get(value);
    if (known !== undefined) return known;
    const slot = this.#take("q", 2);
    this.#double.set(value, slot);
    this.#constants.push({ bank: "q", slot, value: BigInt.asUintN(64, value) });
    this.#constants.push({ bank: "q", slot: slot + 1, value: value >> 64n });
    return slot;
  }

  /** A slot with the address of a module variable plus `offset`. */
  address(variable: string, offset: bigint, width: 32 | 64): SlotOperand {
    const bank = width === 64 ? "q" : "r";
    const key = `${bank}${offset} ${variable}`;
    let slot = this.#addresses.get(key);
    if (slot === undefined) {
      slot = this.#take(bank, 1);
      this.#addresses.set(key, slot);
      this.#constants.push({ bank, slot, value: { variable, offset } });
    }
    return { kind: "slot", bank, slot, bits: width };
  }

  /** A slot with a special register that is constant for a thread. */
  special(name: string, width: 16 | 32 | 64): SlotOperand {
    const bank = width === 64 ? "q" : "r";
    const key = `${bank} ${name}`;
    let slot = this.#specials.get(key);
    if (slot === undefined) {
      slot = this.#take(bank, 1);
      this.#specials.set(key, slot);
      this.#specialSlots.push({ bank, slot, name });
    }
    return { kind: "slot", bank, slot, bits: width };
  }

  /** A slot for a value that is neither a register nor a constant. */
  spare(bank: Bank): number {
    return this.#take(bank, 1);
  }

  /**
   * The registers of one body: those allocated since the last call, in the order of their declaration; a reused name
   * carries its line.
   */
  registers(lineOf: (offset: number) => number): readonly Register[] {
    const numbered: Numbered[] = [];
    for (const register of this.#registers) numbered.push({ register, number: numberOf(register) });
    this.#registers = [];
    return withUniqueNames(numbered.sort(byDeclaration), lineOf);
  }

  /** All allocated slots. */
  done(): Pick<Program, "banks" | "constants" | "specials"> {
    return {
      banks: { ...this.#next },
      constants: this.#constants,
      specials: this.#specialSlots,
    };
  }

  #take(bank: Bank, count: number): number {
    const slot = this.#next[bank];
    this.#next[bank] += count;
    return slot;
  }
}

interface Numbered {
  readonly register: Register;
  readonly number: number;
}

/** Registers of one range share their span and differ in their number. */
const byDeclaration = (a: Numbered, b: Numbered): number =>
  a.register.span.start - b.register.span.start || a.number - b.number;
function numberOf({ name }: Register): number {
  let number = 0;
  let unit = 1;
  for (let at = name.length - 1; at >= 0; at--, unit *= 10) {
    const digit = name.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) break;
    number += digit * unit;
  }
  return number;
}

/** Inner blocks may reuse a name; for the host `tmp` is the first one and `tmp@12` the one declared in line 12. */
function withUniqueNames(registers: readonly Numbered[], lineOf: (offset: number) => number): readonly Register[] {
  if (areRanges(registers)) return registers.map(({ register }) => register);
  const seen = new Set<string>();
  return registers.map(({ register }) => {
    let { name } = register;
    if (seen.has(name)) name = `${name}@${lineOf(register.span.start)}`;
    for (let again = 2; seen.has(name); again++) name = `${register.name}@${lineOf(register.span.start)}.${again}`;
    seen.add(name);
    return name === register.name ? register : { ...register, name };
  });
}

/** True where each name before the number is that of one declaration alone, as in `.reg .b32 %r<9>`: no two are the same. */
function areRanges(registers: readonly Numbered[]): boolean {
  const stems = new Set<string>();
  let last = -1;
  for (const { register } of registers) {
    const { name, span } = register;
    if (span.start === last) continue;
    last = span.start;
    const stem = name.slice(0, suffixStart(name, "0123456789"));
    if (stems.has(stem)) return false;
    stems.add(stem);
  }
  return true;
}
