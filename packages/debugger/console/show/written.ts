import type { Operand } from "../../../../src/interp/contract/operand.ts";
import { writtenBy } from "../../../../src/interp/contract/plan/effects.ts";
import type { Instruction, Program, Register } from "../../../../src/interp/contract/program.ts";

/** The variables of vISA that instructions write, each once: their places are constants of the program. */
export function writtenVariables({ constants }: Pick<Program, "constants">, code: readonly Instruction[]): string[] {
  const bases = code.flatMap(({ plan }) => (plan.shape === "channels" ? plan.stores.map(({ base }) => base) : []));
  const names = bases.flatMap(({ bank, slot }) => {
    const value = constants.find((each) => each.bank === bank && each.slot === slot)?.value;
    return typeof value === "object" ? [value.variable] : [];
  });
  return [...new Set(names)];
}

/** The registers that instructions of a program write by themselves, each once. */
export function writtenRegisters({ registers }: Pick<Program, "registers">, code: readonly Instruction[]): Register[] {
  const found = new Set<Register>();
  const visit = (operand: Operand | undefined): void => {
    if (operand?.kind === "vector") for (const item of operand.items) visit(item);
    if (operand?.kind !== "slot" && operand?.kind !== "predicate") return;
    const bank = operand.kind === "predicate" ? "p" : operand.bank;
    const register = registers.find(
      (each) =>
        each.bank === bank &&
        operand.slot >= each.slot &&
        operand.slot < each.slot + each.elements * (each.bits === 128 ? 2 : 1),
    );
    if (register !== undefined) found.add(register);
  };
  for (const { plan, operands } of code) for (const operand of operands.slice(0, writtenBy(plan))) visit(operand);
  return [...found];
}
