import { isElementType } from "../../host/memory/element.ts";
import type { Operand } from "../../interp/contract/operand.ts";
import { writtenBy } from "../../interp/contract/plan/effects.ts";
import type { Instruction, Program } from "../../interp/contract/program.ts";
import type { InstructionType } from "../../isa/form/instruction-type.ts";
import { match } from "../../isa/match/match.ts";
import { hex, lanes, number } from "../value.ts";
import { formalsOf } from "../working/form.ts";
import { nameOf } from "../working/instruction.ts";

/** Bits without a type are shown as a number up to here, and as bits beyond. */
const SMALL = 0xffffn;

/** Bits as a number of a type; those of `.b32` and the like as a small number or as bits, because they can be anything. */
export function typedText(bits: bigint, type: string, width: number): string {
  if (type === "pred") return bits === 0n ? "false" : "true";
  const [first] = lanes(bits, type);
  const element = first?.type ?? type;
  if (isElementType(element) && !(element.startsWith("b") && !element.startsWith("bf"))) {
    const bitsOfType = BigInt.asUintN(widthOf(type, width), bits);
    const values = number(bitsOfType, type);
    return values.includes(",") ? `(${values})` : values;
  }
  return bits <= SMALL ? `${bits}` : hex(bits, width);
}

/** Of a type's name, `f16x2`: 32; an instruction may read a part of a wider register. */
function widthOf(type: string, width: number): number {
  const [, bits = "", , count = "1"] = /^(?:bf|tf|[busf])(\d+)(x(\d))?$/.exec(type) ?? [];
  return bits === "" ? width : Math.min(width, Number(bits) * Number(count));
}

/** The type of each operand in an instruction, by position; undefined for an operand without a typed value. */
class OperandTypes {
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
type RegisterItem = Operand & { readonly kind: "slot" | "predicate" };

/** The registers of an operand, those of a vector one by one. */
function itemsOf(operand: Operand | undefined): RegisterItem[] {
  if (operand?.kind === "slot" || operand?.kind === "predicate") return [operand];
  return operand?.kind === "vector" ? operand.items.flatMap(itemsOf) : [];
}

/** Whether a type means more than a width. */
const isDefinite = (type: string | undefined): type is string => type !== undefined && !/^b\d/.test(type);

/**
 * Types of registers for instructions that only move bits: the declared type, and where that is `.b32` or the like, as
 * nvcc declares them, the type that all computing instructions use for them.
 */
class RegisterTypes {
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

const keyOf = (item: RegisterItem): string => `${item.kind === "predicate" ? "p" : item.bank}${item.slot}`;
const isInteger = (type: string | undefined): boolean => type !== undefined && /^[us]\d+$/.test(type);
const signed = (type: string): string => `s${type.slice(1)}`;

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
