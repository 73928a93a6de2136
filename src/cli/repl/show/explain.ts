import { workInstruction } from "../../../present/working/instruction.ts";
import { refuse, whole } from "../expression/refusal.ts";
import type { Shell } from "../shell.ts";

/** `explain`: the instruction that comes next, worked through bit by bit with its operands' values. */
export function explainHere(shell: Shell): void {
  const { session, focus } = shell.debugger;
  const pc = shell.debugger.pcOf();
  if (pc === undefined || session.program.code[pc] === undefined)
    throw refuse("PTX2407", "the focused thread does not run", whole("command", "explain"));
  const lines = workInstruction(
    session.program,
    pc,
    (operand) => session.operand(focus, operand),
    session.carry(focus),
  );
  for (const line of lines) shell.out(`${line}\n`);
}
