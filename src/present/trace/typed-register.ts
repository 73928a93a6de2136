import { writtenBy } from "../../interp/contract/plan/effects.ts";
import type { Instruction, Program } from "../../interp/contract/program.ts";
import { widthOf } from "../../numeric/format/value-type.ts";
import { isDefinite, itemsOf, keyOf, OperandTypes, type RegisterItem, RegisterTypes } from "../register-types.ts";
import { hex, number } from "../value.ts";
import { nameOf } from "../working/instruction.ts";

/** Bits without a type are shown as a number up to here, and as bits beyond. */
const SMALL = 0xffffn;

/** Bits as a number of a type; those of `.b32` and the like as a small number or as bits, because they can be anything. */
export function typedText(bits: bigint, type: string, width: number): string {
  if (type === "pred") return bits === 0n ? "false" : "true";
  if (isDefinite(type)) {
    // An instruction may read a part of a wider register.
    const values = number(BigInt.asUintN(Math.min(width, widthOf(type)), bits), type);
    return values.includes(",") ? `(${values})` : values;
  }
  return bits <= SMALL ? `${bits}` : hex(bits, width);
}

/** A register among an instruction's operands, and the type in which the instruction, or the rest of the program, uses it. */
export interface TypedRegister {
  readonly name: string;
  /** Which operand, and which element of it. */
  readonly operand: number;
  readonly element: number;
  readonly type: string;
  readonly width: number;
}

/** The registers of instructions by their names, each once; what is read comes before what is written. */
export class TypedRegisters {
  readonly #program: Program;
  readonly #types = new OperandTypes();
  readonly #registers: RegisterTypes;
  /** A program may have many registers, and a trace names the same ones repeatedly. */
  readonly #names = new Map<string, string | undefined>();

  constructor(program: Program) {
    this.#program = program;
    this.#registers = new RegisterTypes(program, this.#types);
  }

  of({ opcode, operands, plan }: Instruction): readonly [reads: TypedRegister[], results: TypedRegister[]] {
    const written = writtenBy(plan);
    const types = this.#types.of(opcode);
    const [reads, results] = [new Map<string, TypedRegister>(), new Map<string, TypedRegister>()];
    for (const [operand, each] of operands.entries())
      for (const [element, item] of itemsOf(each).entries()) {
        const name = this.#nameOf(item);
        const among = operand < written ? results : reads;
        if (name === undefined || among.has(name)) continue;
        const own = types[operand];
        const type =
          item.kind === "predicate" ? "pred" : isDefinite(own) ? own : (this.#registers.of(item) ?? `b${item.bits}`);
        among.set(name, { name, operand, element, type, width: item.kind === "predicate" ? 1 : item.bits });
      }
    return [[...reads.values()], [...results.values()]];
  }

  #nameOf(item: RegisterItem): string | undefined {
    const key = `${item.kind === "predicate" && item.negated ? "!" : ""}${keyOf(item)}`;
    if (!this.#names.has(key)) this.#names.set(key, nameOf(this.#program, item));
    return this.#names.get(key);
  }
}
