import type { IntegerWidth } from "../../numeric/operation/type.ts";
export type SlotOperand = Operand & { kind: "slot" };
export type PredicateOperand = Operand & { kind: "predicate" };

/** An operand that the plan requires; its absence is a bug of a front end. */
export function slot(operand: Operand | undefined): SlotOperand {
  if (operand?.kind !== "slot") throw new Error(`a slot is expected, not ${operand?.kind ?? "nothing"}`);
  return operand;
}

/** The same for a predicate register. */
export function predicate(operand: Operand | undefined): PredicateOperand {
  if (operand?.kind !== "predicate") throw new Error(`a predicate is expected, not ${operand?.kind ?? "nothing"}`);
  return operand;
}

/** The elements of a vector; a scalar is a vector of one. */
export function elements(operand: Operand | undefined): readonly Operand[] {
  if (operand === undefined) throw new Error("an operand is missing");
  return operand.kind === "vector" ? operand.items : [operand];
}

/** The scalars of an operand, vectors within vectors taken apart: registers, constants, addresses and sinks. */
export function scalars(operand: Operand | undefined): readonly Operand[] {
  if (operand === undefined || operand.kind === "target") return [];
  return operand.kind === "vector" ? operand.items.flatMap(scalars) : [operand];
}

/** An operand, with all names resolved by the front end. */
export type Operand =
  /** A register, a constant or a fixed special register. `bits` is the register's width. */
  | { readonly kind: "slot"; readonly bank: "r" | "q"; readonly slot: number; readonly bits: IntegerWidth | 128 }
  | { readonly kind: "predicate"; readonly slot: number; readonly negated: boolean }
  | { readonly kind: "vector"; readonly items: readonly Operand[] }
  /** `base + offset`; without a base the offset is the address. A base may be 16, 32 or 64 bits wide. */
  | {
      readonly kind: "address";
      readonly base?: Operand & { kind: "slot" };
      readonly offset: bigint;
      /** In a call: the argument is a parameter of the kernel itself, not a variable in local memory. */
      readonly of?: "kernel";
      /** An element of an array: adds `(of + plus) * scale`, modulo 2^32. */
      readonly index?: { readonly of: Operand & { kind: "slot" }; readonly plus: number; readonly scale: number };
    }
  /** An index into `code`, or for a call into `functions`. */
  | { readonly kind: "target"; readonly pc: number }
  /** `_`. */
  | { readonly kind: "sink" };

/** Predicates (a bit a lane), registers of up to 32 bits, registers of 64 bits. */
export type Bank = "p" | "r" | "q";
