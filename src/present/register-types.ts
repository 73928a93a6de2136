import type { Operand } from "../interp/contract/operand.ts";
import type { Program, Register } from "../interp/contract/program.ts";
import type { InstructionType } from "../isa/form/instruction-type.ts";
import { match } from "../isa/match/match.ts";
import { widthOf } from "../numeric/format/value-type.ts";
import { formalsOf } from "./working/form.ts";

/** The type of each operand in an instruction, by position; undefined for an operand without a typed value. */
export class OperandTypes {
  readonly #known = new Map<string, readonly (InstructionType | undefined)[]>();

  of(opcode: string): readonly (InstructionType | undefined)[] {
    const known = this.#known.get(opcode);
    if (known !== undefined) return known;
    const [mnemonic = "", ...words] = opcode.split(".");
    const found = match(mnemonic, words);
    const types =
      found.kind !== "forms"
        ? []
        : formalsOf(found.candidates[0]).map(({ takes }) => {
            const register = takes.kind === "vector" ? takes.of : takes;
            return register.kind === "register" ? register.type : undefined;
          });
    this.#known.set(opcode, types);
    return types;
  }
}

/** One register of an operand. */
export type RegisterItem = Operand & { readonly kind: "slot" | "predicate" };

/** The registers of an operand, those of a vector one by one. */
export function itemsOf(operand: Operand | undefined): RegisterItem[] {
  if (operand?.kind === "slot" || operand?.kind === "predicate") return [operand];
  return operand?.kind === "vector" ? operand.items.flatMap(itemsOf) : [];
}

/** Whether a type means more than a width. */
export const isDefinite = (type: string | undefined): type is string => type !== undefined && !/^b\d/.test(type);

/**
 * Types of registers for instructions that only move bits: the declared type, and where that is `.b32` or the like, as
 * nvcc declares them, the type that all computing instructions use for them.
 */
export class RegisterTypes {
  readonly #found = new Map<string, string | undefined>();

  constructor(program: Program, types: OperandTypes) {
    for (const { opcode, operands } of program.code)
      for (const [at, operand] of operands.entries()) {
        const type = types.of(opcode)[at];
        if (isDefinite(type)) for (const item of itemsOf(operand)) this.#use(keyOf(item), type);
      }
    for (const registers of [program.registers, ...program.functions.map((each) => each.registers)])
      for (const { bank, slot, elements, type } of registers)
        if (isDefinite(type)) for (let at = 0; at < elements; at++) this.#found.set(`${bank}${slot + at}`, type);
  }

  of(item: RegisterItem): string | undefined {
    return this.#found.get(keyOf(item));
  }

  #use(key: string, type: string): void {
    const before = this.#found.get(key);
    if (!this.#found.has(key) || before === type) this.#found.set(key, type);
    // Integers are used as signed and as unsigned; with other differences the type is unknown.
    else
      this.#found.set(
        key,
        isInteger(before) && isInteger(type) && before?.slice(1) === type.slice(1) ? signed(type) : undefined,
      );
  }
}

/** What the instructions of a program take a register of bits for: `bf16`; undefined where they do not say, or differ. */
export function meaningOf({ bank, slot, bits, type }: Register, program: Program): string | undefined {
  if (isDefinite(type)) return undefined;
  const item: RegisterItem =
    bank === "p"
      ? { kind: "predicate", slot, negated: false }
      : { kind: "slot", bank, slot, bits: bits === 1 ? 8 : bits };
  const meaning = new RegisterTypes(program, new OperandTypes()).of(item);
  return meaning !== undefined && widthOf(meaning) === bits ? meaning : undefined;
}

/** One key for a register, whatever stands before it. */
export const keyOf = (item: RegisterItem): string => `${item.kind === "predicate" ? "p" : item.bank}${item.slot}`;
const isInteger = (type: string | undefined): boolean => type !== undefined && /^[us]\d+$/.test(type);
const signed = (type: string): string => `s${type.slice(1)}`;
