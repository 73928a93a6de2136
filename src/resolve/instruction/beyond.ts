import type { Beyond } from "../../interp/contract/launch/beyond.ts";
import type { Operand } from "../../interp/contract/operand.ts";
import { addressOperand, bytesTouched, touchesOf } from "../../interp/contract/plan/effects.ts";
import type { Plan } from "../../interp/contract/plan/plan.ts";
import type * as ast from "../../parser/ast.ts";
import { asSigned, evaluate } from "../constant/constant.ts";
import type { Symbol as Named, Scope } from "../declaration/scope.ts";
import { elementOffset, isIndexed } from "./operand/array-element.ts";

/** The plan, and with it the variable that it names and does not stay within, where the text alone shows that. */
export function withBeyond(
  plan: Plan,
  written: readonly ast.Operand[],
  operands: readonly (Operand | undefined)[],
  scope: Scope,
): Plan {
  if (plan.shape !== "load" && plan.shape !== "store") return plan;
  const operand = written[addressOperand(plan) ?? -1];
  const place = operand && addressedVariable(operand, scope);
  const symbol = place && scope.lookup(place.name);
  const beyond = place && beyondOf(symbol, place.offset, bytesAt(plan, operands));
  return beyond === undefined ? plan : { ...plan, beyond };
}

/** Bytes that a load or a store touches; 0 of all else. */
export function bytesAt(plan: Plan, operands: readonly (Operand | undefined)[]): number {
  const [touch] = plan.shape === "load" || plan.shape === "store" ? touchesOf(plan) : [];
  return touch === undefined ? 0 : bytesTouched(touch, operands);
}

/** The variable, where this many bytes at that offset exceed it. */
export function beyondOf(symbol: Named | undefined, offset: bigint, touched: number): Beyond | undefined {
  // The launch sets the size of dynamic shared memory.
  if (symbol?.kind !== "variable" || symbol.bytes === 0) return undefined;
  const { name, space, bytes, span } = symbol;
  const from = Number(asSigned(offset));
  if (from >= 0 && from + touched <= bytes) return undefined;
  return { name, parameter: space === "param", bytes, from, span };
}

/** The name in `[a]`, `[a+4]` or `a[1]`, and the bytes from there. */
function addressedVariable(
  operand: ast.Operand,
  scope: Scope,
): { readonly name: string; readonly offset: bigint } | undefined {
  if (operand.kind === "element") {
    const offset = isIndexed(operand, scope) ? undefined : elementOffset(operand, scope);
    return offset === undefined ? undefined : { name: operand.array.text, offset };
  }
  if (operand.kind !== "address") return undefined;
  const { base } = operand;
  if (base.kind === "name") return { name: base.name.text, offset: 0n };
  const value = base.kind === "expr" ? evaluate(base.value, scope) : undefined;
  return value?.kind === "address" ? { name: value.name.text, offset: value.offset } : undefined;
}
