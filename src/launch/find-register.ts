import type { Program, Register } from "../interp/contract/program.ts";

/** A register by its name, with or without the percent sign. */
export function findRegister(program: Program, name: string): Register | undefined {
  const { registers } = program;
  return registers.find((each) => each.name === name) ?? registers.find((each) => each.name === `%${name}`);
}

/**
 * True for a name in an instruction that ptxrun does not execute. Such an instruction has no resolved operands;
 * an error about an unknown register would hide that the run ends there.
 */
export const isOfGap = ({ code }: Program, name: string): boolean =>
  code.some(({ plan }) => plan.shape === "gap" && plan.names?.some((each) => each === name || each === `%${name}`));
