import { type LinePart, Refusal, whole } from "../expression/refusal.ts";
import { tell } from "../motion.ts";
import type { Shell } from "../shell.ts";
import { tellForgotten } from "../show/changes.ts";
import { assigned, show } from "../show/format.ts";

/** Carries out a line that is an instruction, and shows what it wrote. */
export function executeInstruction(shell: Shell, line: LinePart): void {
  const before = shell.debugger.edits;
  const { written, writesCarry, notes, fault, stop } = shell.subject.execute(line, () => shell.halts());
  for (const name of written) showRegister(shell, name);
  if (writesCarry) shell.out(`  cc.cf = ${shell.debugger.carry()}\n`);
  // In a scratchpad a new line replaces those that followed it, with the values set there.
  if (!shell.subject.scratch) tellForgotten(shell, before);
  if (fault !== undefined) throw new Refusal([...notes, fault]);
  if (stop?.reason === "interrupt") tell(shell, stop, { thread: shell.debugger.focus, steps: false });
  shell.complain(notes);
  if (stop === undefined) return;
  for (const finding of shell.newFindings()) shell.complain([finding]);
  shell.showDisplays();
}

/** Prints what a register, or a variable of vISA, of the focused thread holds now. */
function showRegister(shell: Shell, name: string): void {
  const register = shell.debugger.registers().find((each) => each.name === name);
  if (register !== undefined) shell.out(`  ${assigned(name, register.type, register.bits, shell.palette)}\n`);
  else shell.out(`  ${name} = ${show(shell.expression(whole("command", name)).at(shell))}\n`);
}
