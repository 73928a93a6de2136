import type { Operand } from "./operand.ts";

/** `value` goes to every lane of a slot. An address of a module variable is known only when the module is loaded. */
export type Constant =
  | {
      readonly bank: "r" | "q";
      readonly slot: number;
      readonly value: bigint | { readonly variable: string; readonly offset: bigint };
    }
  /** A predicate that is always true (1) or always false (0). */
  | { readonly bank: "p"; readonly slot: number; readonly value: 0n | 1n };

/** The value of an operand that is a number in the program's text; undefined for any other. */
export function constantValue(
  operand: Operand | undefined,
  { constants }: { readonly constants: readonly Constant[] },
): bigint | undefined {
  if (operand?.kind !== "slot") return undefined;
  const found = constants.find(({ bank, slot }) => bank === operand.bank && slot === operand.slot);
  return typeof found?.value === "bigint" ? found.value : undefined;
}

/** True for an operand that has one value in all lanes, for the whole launch. */
export const isConstant = (operand: Operand, { constants }: { readonly constants: readonly Constant[] }): boolean =>
  operand.kind === "slot" && constants.some(({ bank, slot }) => bank === operand.bank && slot === operand.slot);
