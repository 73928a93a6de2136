import { meetingOf, touchesOf } from "../../interp/contract/plan/effects.ts";
import type { Instruction, Program } from "../../interp/contract/program.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { warningsAbout } from "./rules.ts";

/**
 * What ptxas takes and is still wrong in a function or a snippet. A page loads the rules for modules, and for a snippet that
 * has an instruction which one of them begins with.
 */
export const doubtsAbout = (program: Program): readonly Diagnostic[] =>
  program.name !== "" || program.code.some(isLookedAt) ? warningsAbout(program) : [];

const isLookedAt = ({ plan, operands }: Instruction): boolean =>
  meetingOf(plan) !== undefined ||
  "beyond" in plan ||
  operands.some((operand) => operand?.kind === "vector") ||
  touchesOf(plan).some(({ sem, space }) => sem !== "weak" || space === "param");
