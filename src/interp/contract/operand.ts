import type { Operand, Program } from "./program.ts";

export type Slot = Operand & { kind: "slot" };
export type Predicate = Operand & { kind: "predicate" };

/** An operand that the plan says must be there; its absence is a bug of a front end. */
export function slot(operand: Operand | undefined): Slot {
  if (operand?.kind !== "slot") throw new Error(`a slot is expected, not ${operand?.kind ?? "nothing"}`);
  return operand;
}

export function predicate(operand: Operand | undefined): Predicate {
  if (operand?.kind !== "predicate") throw new Error(`a predicate is expected, not ${operand?.kind ?? "nothing"}`);
  return operand;
}

/** The elements of a vector; a scalar is a vector of one. */
export function elements(operand: Operand | undefined): readonly Operand[] {
  if (operand === undefined) throw new Error("an operand is missing");
  return operand.kind === "vector" ? operand.items : [operand];
}

/** True for a slot that holds one value in all lanes, and for the whole launch. */
export const isConstant = (operand: Operand, { constants }: Program): boolean =>
  operand.kind === "slot" && constants.some(({ bank, slot }) => bank === operand.bank && slot === operand.slot);
