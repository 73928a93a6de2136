import type { Bank, Operand } from "../contract/operand.ts";
import { endsRun, meetingOf, writtenBy } from "../contract/plan/effects.ts";
import type { Program, Register } from "../contract/program.ts";
import type { RegisterView } from "../contract/views.ts";
import { slotsOf } from "./template.ts";
import type { Warp } from "./warp.ts";

/** By bank and slot: the instructions that write it. */
export type Writers = Readonly<Record<Bank, ReadonlyMap<number, readonly number[]>>>;

/** A lane's registers for the user: the kernel's or a function's. `given` names those that the host has set. */
export function viewRegisters(
  program: Program,
  registers: readonly Register[],
  writers: Writers,
  warp: Warp,
  lane: number,
  given: (name: string) => boolean,
): RegisterView[] {
  const executed = executedBy(program, warp, lane);
  const written = ({ bank, slot, bits, elements }: Register): boolean => {
    const end = slot + (bits === 128 ? 2 * elements : elements);
    for (let at = slot; at < end; at++) if (writers[bank].get(at)?.some(executed)) return true;
    return false;
  };
  return registers.map((register) => ({
    name: register.name,
    type: register.type,
    width: register.bits,
    bits: bitsOf(register, warp, lane),
    written: given(register.name) || written(register),
  }));
}

/** A register's bits in one lane, an element each. */
export function bitsOf(
  { bank, slot, bits, elements, across }: Register,
  { p, r, q, lanes }: Warp,
  lane: number,
): readonly bigint[] {
  if (across) return [BigInt(p[slot]!)];
  return Array.from({ length: elements }, (_, element) => {
    if (bank === "p") return BigInt((p[slot + element]! >>> lane) & 1);
    if (bank === "r") return BigInt(r[(slot + element) * lanes + lane]!);
    if (bits !== 128) return q[(slot + element) * lanes + lane]!;
    const low = (slot + 2 * element) * lanes + lane;
    return (q[low + lanes]! << 64n) | q[low]!;
  });
}

/** Sets a register of one lane: one of the kernel's or of a function's. */
export function setRegister(
  scope: Pick<Program, "registers">,
  warp: Warp,
  lane: number,
  name: string,
  values: readonly bigint[],
): void {
  for (const [slot, bits, bank, across] of slotsOf(scope, name, values)) {
    if (across) warp.p[slot] = Number(bits);
    else if (bank === "p") warp.p[slot] = bits === 0n ? warp.p[slot]! & ~(1 << lane) : warp.p[slot]! | (1 << lane);
    else if (bank === "r") warp.r[slot * warp.lanes + lane] = Number(bits);
    else warp.q[slot * warp.lanes + lane] = bits;
  }
}

/** Collects the writers of all slots: only for tools that show registers, once a launch. */
export function writersOf({ code }: Program): Writers {
  const writers = { p: new Map<number, number[]>(), r: new Map<number, number[]>(), q: new Map<number, number[]>() };
  const add = (bank: Bank, slot: number, pc: number): void => {
    const list = writers[bank].get(slot);
    if (list === undefined) writers[bank].set(slot, [pc]);
    else list.push(pc);
  };
  const visit = (operand: Operand | undefined, pc: number): void => {
    switch (operand?.kind) {
      case "slot":
        add(operand.bank, operand.slot, pc);
        if (operand.bits === 128) add(operand.bank, operand.slot + 1, pc);
        break;
      case "predicate":
        add("p", operand.slot, pc);
        break;
      case "vector":
        for (const item of operand.items) visit(item, pc);
    }
  };
  for (const [pc, { plan, operands }] of code.entries())
    for (let at = writtenBy(plan) - 1; at >= 0; at--) visit(operands[at], pc);
  return writers;
}

/**
 * Which instructions a lane has executed: those recorded one by one, and those without a guard in a straight-line
 * region that began at or before them, with no control instruction between.
 */
function executedBy({ code }: Program, warp: Warp, lane: number): (pc: number) => boolean {
  const bit = 1 << lane;
  const inRun = new Uint8Array(code.length);
  let running = false;
  for (let pc = 0; pc < code.length; pc++) {
    running ||= (warp.executedToEnd[pc]! & bit) !== 0;
    // An instruction that waits for other lanes is reached before it has a result.
    if (running && meetingOf(code[pc]!.plan) === undefined) inRun[pc] = 1;
    if (endsRun(code[pc]!.plan)) running = false;
  }
  return (pc) => (warp.executed[pc]! & bit) !== 0 || (inRun[pc] === 1 && code[pc]!.guard === undefined);
}
