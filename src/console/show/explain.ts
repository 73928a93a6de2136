import { instructionText, workInstruction } from "../../present/working/instruction.ts";
import { type InD, sizeOfD, workMultiply } from "../../present/working/tensor/instruction.ts";
import { whole as wholeNumber, words } from "../commands/arguments.ts";
import { type LinePart, refuse, whole } from "../expression/refusal.ts";
import type { Shell } from "../shell.ts";

/**
 * `explain`: the instruction that comes next, worked through bit by bit with its operands' values; of a matrix multiplication one
 * element, which a row and a column of D may choose.
 */
export function explainHere(shell: Shell, argument: LinePart, at = shell.debugger.pcOf()): void {
  const { session, focus } = shell.debugger;
  const pc = at;
  const instruction = pc === undefined ? undefined : session.program.code[pc];
  if (pc === undefined || instruction === undefined)
    throw refuse("PTX2407", "the focused thread does not run", whole("command", "explain"));
  const { plan, operands } = instruction;
  const place = placeIn(shell, argument);
  if (plan.shape === "multiply") {
    const read = (at: number, lane: number): readonly bigint[] => {
      const operand = operands[at];
      return operand === undefined ? [] : session.operand({ ...focus, lane }, operand);
    };
    const target = session.state?.context.target ?? session.program.target;
    const lines = workMultiply(plan.op, target, focus.lane, place, read);
    const { rows, columns } = sizeOfD(plan.op);
    if (lines === undefined)
      throw refuse("PTX2402", `D has no row and column ${argument.text}`, argument, {
        expected: `a row below ${rows} and a column below ${columns}`,
      });
    for (const line of [instructionText(session.program, pc), ...lines]) shell.out(`${line}\n`);
    return;
  }
  if (place !== undefined && (plan.shape === "wgmma" || plan.shape === "tcgen05 multiply"))
    throw refuse(
      "PTX2402",
      `the operands of ${plan.shape === "wgmma" ? "wgmma" : "tcgen05.mma"} lie in memory, and its elements are not worked through at a stop`,
      argument,
      {
        expected: `explain alone, or on the command line: ptxrun explain ${instruction.opcode} a=1,2 b=3,4 c=5`,
      },
    );
  if (place !== undefined)
    throw refuse("PTX2402", `${argument.text} does not belong here`, argument, {
      expected: "explain alone: the next instruction is no mma or wmma.mma",
    });
  const lines = workInstruction(
    session.program,
    pc,
    (operand) => session.operand(focus, operand),
    session.carry(focus),
  );
  for (const line of lines) shell.out(`${line}\n`);
}

/** `ROW COLUMN`. */
function placeIn(shell: Shell, argument: LinePart): InD | undefined {
  const parts = words(argument);
  if (parts.length === 0) return undefined;
  const [row, column] = parts;
  if (row === undefined || column === undefined || parts.length > 2)
    throw refuse("PTX2402", `${argument.text} is no element`, argument, { expected: "explain [ROW COLUMN]" });
  return { row: wholeNumber(shell, row), column: wholeNumber(shell, column) };
}
