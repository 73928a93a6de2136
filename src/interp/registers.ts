import { writtenBy } from "./effects.ts";
import type { Instruction, Operand, Program, Register } from "./program.ts";
import type { RegisterView } from "./session.ts";
import { slotsOf } from "./template.ts";
import type { Warp } from "./warp.ts";

/** Where the registers of a program are written: by bank and slot, the instructions that do it. */
export type Writers = ReadonlyMap<string, readonly number[]>;

/** A lane's registers, as a person knows them. `given` names those that the host has set. */
export function viewRegisters(
  program: Program,
  writers: Writers,
  warp: Warp,
  lane: number,
  given: (name: string) => boolean,
): RegisterView[] {
  return program.registers.map((register) => ({
    name: register.name,
    type: register.type,
    width: register.bits,
    bits: bitsOf(register, warp, lane),
    written: given(register.name) || slots(register).some((slot) => wasWritten(program, writers, warp, lane, slot)),
  }));
}

function bitsOf({ bank, slot, bits, elements }: Register, { p, r, q, lanes }: Warp, lane: number): readonly bigint[] {
  return Array.from({ length: elements }, (_, element) => {
    if (bank === "p") return BigInt((p[slot + element]! >>> lane) & 1);
    if (bank === "r") return BigInt(r[(slot + element) * lanes + lane]!);
    if (bits !== 128) return q[(slot + element) * lanes + lane]!;
    const low = (slot + 2 * element) * lanes + lane;
    return (q[low + lanes]! << 64n) | q[low]!;
  });
}

const slots = ({ bank, slot, bits, elements }: Register): string[] =>
  Array.from({ length: bits === 128 ? 2 * elements : elements }, (_, at) => `${bank}${slot + at}`);

/** Sets a register of one lane. */
export function setRegister(program: Program, warp: Warp, lane: number, name: string, values: readonly bigint[]): void {
  for (const [slot, bits, bank] of slotsOf(program, name, values)) {
    if (bank === "p") warp.p[slot] = bits === 0n ? warp.p[slot]! & ~(1 << lane) : warp.p[slot]! | (1 << lane);
    else if (bank === "r") warp.r[slot * warp.lanes + lane] = Number(bits);
    else warp.q[slot * warp.lanes + lane] = bits;
  }
}

/** Collects the writers once a launch; only dumps ask. */
export function writersOf({ code }: Program): Writers {
  const writers = new Map<string, number[]>();
  for (const [pc, { plan, operands }] of code.entries())
    for (const operand of operands.slice(0, writtenBy(plan.shape)))
      for (const key of keys(operand)) {
        const list = writers.get(key);
        if (list === undefined) writers.set(key, [pc]);
        else list.push(pc);
      }
  return writers;
}

function keys(operand: Operand | undefined): readonly string[] {
  switch (operand?.kind) {
    case "slot":
      return operand.bits === 128
        ? [`${operand.bank}${operand.slot}`, `${operand.bank}${operand.slot + 1}`]
        : [`${operand.bank}${operand.slot}`];
    case "predicate":
      return [`p${operand.slot}`];
    case "vector":
      return operand.items.flatMap(keys);
    default:
      return [];
  }
}

function wasWritten({ code }: Program, writers: Writers, warp: Warp, lane: number, slot: string): boolean {
  const bit = 1 << lane;
  return (writers.get(slot) ?? []).some((pc) => {
    if (warp.done[pc]! & bit) return true;
    if (code[pc]!.guard !== undefined) return false;
    // A sweep that began at or before it, with no control instruction between.
    for (let at = pc; at >= 0; at--) {
      if (at < pc && endsRun(code[at]!)) return false;
      if (warp.swept[at]! & bit) return true;
    }
    return false;
  });
}

const endsRun = ({ plan: { shape } }: Instruction): boolean =>
  shape === "branch" || shape === "exit" || shape === "return";
