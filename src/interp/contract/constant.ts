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

/** True for an operand that has one value in all lanes, for the whole launch. */
export const isConstant = (operand: Operand, { constants }: { readonly constants: readonly Constant[] }): boolean =>
  operand.kind === "slot" && constants.some(({ bank, slot }) => bank === operand.bank && slot === operand.slot);
