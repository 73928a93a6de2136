import type { Operand } from "../../interp/contract/operand.ts";
import type * as ast from "../../parser/ast.ts";
import type { Scope } from "../declaration/scope.ts";
import { namesOfOperand } from "../module/names-in.ts";
import { undeclared } from "./register.ts";
import { isSpecial } from "./special-register.ts";

/**
 * An operand of a form that ptxrun does not run: each name in it must be declared (PTX1320). In a snippet, nothing can
 * be inferred about a name that only such an operand uses, so any name is accepted.
 */
export function openOperand(operand: ast.Operand, scope: Scope): Operand | undefined {
  if (scope.infers) return { kind: "sink" };
  let known = true;
  for (const name of namesOfOperand(operand)) {
    if (name === "_" || name === "WARP_SZ" || isSpecial(name) || scope.lookup(name) !== undefined) continue;
    undeclared({ text: name, start: operand.start, end: operand.end }, scope);
    known = false;
  }
  return known ? { kind: "sink" } : undefined;
}
