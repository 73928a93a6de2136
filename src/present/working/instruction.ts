import type { Operand } from "../../interp/contract/operand.ts";
import { touchesOf } from "../../interp/contract/plan/effects.ts";
import type { Instruction, Program } from "../../interp/contract/program.ts";
import { match } from "../../isa/match/match.ts";
import { isValueType, widthOf } from "../../numeric/format/value-type.ts";
import { printable } from "../text/escape.ts";
import { formalsOf } from "./form.ts";
import { type Held, type Place, workingOf } from "./plan.ts";
import { linesOf, type Row, row } from "./row.ts";

/**
 * Bits of an operand before the instruction: an element each for a vector, the sum for an address (`Session.operand`).
 */
export type ReadOperand = (operand: Operand) => readonly bigint[];

/**
 * The derivation of the instruction at `pc` for one thread, before it is executed: its text, then the steps from
 * the operands' values. `carry` is the thread's CC.CF.
 */
export function workInstruction(program: Program, pc: number, read: ReadOperand, carry: 0 | 1): string[] {
  if (program.code[pc] === undefined) return [];
  return [instructionText(program, pc), ...linesOf(rowsAt(program, pc, read, carry))];
}

/** The same without its text, as rows. */
export function rowsAt(program: Program, pc: number, read: ReadOperand, carry: 0 | 1): readonly Row[] {
  const instruction = program.code[pc];
  if (instruction === undefined) return [];
  const { plan, operands, guard, opcode } = instruction;
  if (guard !== undefined) {
    const operand: Operand = { kind: "predicate", slot: guard.slot, negated: guard.negated };
    if (read(operand)[0] === 0n)
      return [row(`${nameOf(program, operand) ?? "the guard"} keeps this thread from it: nothing happens`, "")];
  }
  const letters = lettersOf(opcode);
  const places = operands.map((operand, at) => {
    const place = operandPlace(program, operand, letters[at] ?? `operand ${at}`, read);
    const type = typeOf(instruction, at);
    const typed = (held: Held): Held => (type !== undefined && held.width === widthOf(type) ? { ...held, type } : held);
    return place === undefined ? undefined : "name" in place ? typed(place) : place.map(typed);
  });
  return workingOf(plan, places, carry);
}

/** What the registers of an operand hold, of instructions that compute nothing themselves: data in memory, and matrices. */
function typeOf({ plan, opcode }: Instruction, at: number): string | undefined {
  if (plan.shape === "multiply") {
    const { d, a, b, c } = plan.op;
    const type = [d, a, b, c][at];
    const packed = type === "f16" || type === "bf16" ? `${type}x2` : type;
    return packed !== undefined && isValueType(packed) ? packed : undefined;
  }
  if (!touchesOf(plan).some(({ data }) => data === at)) return undefined;
  return opcode.split(".").findLast((word) => isValueType(word) && !word.startsWith("b"));
}

/** An instruction as the program writes it, on one line. */
export function instructionText(program: Program, pc: number): string {
  const { start, end } = program.code[pc]?.span ?? { start: 0, end: 0 };
  return printable(program.source.text.slice(start, end).replace(/\s+/g, " "));
}

/** The form's names of operands; a front end that is not PTX has none. */
function lettersOf(opcode: string): string[] {
  const [mnemonic = "", ...words] = opcode.split(".");
  const found = match(mnemonic, words);
  return found.kind === "forms" ? formalsOf(found.candidates[0]).map(({ name }) => name) : [];
}

function operandPlace(program: Program, operand: Operand | undefined, letter: string, read: ReadOperand): Place {
  switch (operand?.kind) {
    case undefined:
    case "target":
      return undefined;
    case "sink":
      return { name: "_", bits: 0n, width: 32 };
    case "vector":
      return operand.items.flatMap((item, at): readonly Held[] => {
        const held = operandPlace(program, item, `${letter}[${at}]`, read);
        return held === undefined ? [] : "name" in held ? [held] : held;
      });
    case "address":
      return { name: `[${letter}]`, bits: read(operand)[0] ?? 0n, width: 64 };
    case "predicate":
      return { name: nameOf(program, operand) ?? letter, bits: read(operand)[0] ?? 0n, width: 1 };
    case "slot":
      return { name: nameOf(program, operand) ?? letter, bits: read(operand)[0] ?? 0n, width: operand.bits };
  }
}

/** The register in a slot; a special register by its own name, nothing for a constant. */
export function nameOf(program: Program, operand: Operand & { kind: "slot" | "predicate" }): string | undefined {
  const bank = operand.kind === "predicate" ? "p" : operand.bank;
  const here = (each: { readonly bank: string; readonly slot: number; readonly elements?: number }): boolean =>
    each.bank === bank && operand.slot >= each.slot && operand.slot < each.slot + (each.elements ?? 1);
  const negated = operand.kind === "predicate" && operand.negated ? "!" : "";
  for (const registers of [program.registers, ...program.functions.map((each) => each.registers)]) {
    const register = registers.find(here);
    if (register !== undefined)
      return `${negated}${register.name}${register.elements > 1 ? `[${operand.slot - register.slot}]` : ""}`;
  }
  const special = program.specials.find(here);
  return special === undefined ? undefined : `%${special.name}`;
}
