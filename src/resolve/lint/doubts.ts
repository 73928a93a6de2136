import { fenceOf, meetingOf, touchesOf } from "../../interp/contract/plan/effects.ts";
import type { Instruction, Program } from "../../interp/contract/program.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { warningsAbout } from "./rules.ts";

/**
 * What ptxas takes and is still wrong in a function or a snippet. A page loads the rules only for a program that has an
 * instruction which one of them looks at.
 */
export const doubtsAbout = (program: Program): readonly Diagnostic[] =>
  program.code.some(isLookedAt) ? warningsAbout(program) : [];

/** What is among threads or has an order, parameters, and vectors. */
function isLookedAt({ plan, operands }: Instruction): boolean {
  const [touch] = touchesOf(plan);
  if (touch === undefined) return meetingOf(plan) !== undefined || fenceOf(plan) !== undefined;
  const { sem, space, data = -1 } = touch;
  return sem !== "weak" || space === "param" || "beyond" in plan || operands[data]?.kind === "vector";
}
