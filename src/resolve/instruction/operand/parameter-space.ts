import { addressOperand, touchesOf } from "../../../interp/contract/plan/effects.ts";
import type { Plan } from "../../../interp/contract/plan/plan.ts";
import type { Space } from "../../../interp/contract/space.ts";
import type { ModifierValues } from "../../../isa/form/define.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Scope, VariableSymbol } from "../../declaration/scope.ts";
import { nameIn } from "../../module/names/names-in.ts";
import { reject } from "../../report.ts";

/**
 * Redirects `.param` accesses to local memory, where the parameters of device functions and the arguments of calls are:
 * only a kernel's own parameters are in the parameter window (PTX ISA 5.1.6.4). Undefined after PTX1325.
 */
export function placedPlan(
  plan: Plan,
  instruction: ast.Instruction,
  { ss }: ModifierValues,
  scope: Scope,
): Plan | undefined {
  const at = addressOperand(plan);
  if (at === undefined || !("space" in plan) || plan.space !== "param") return plan;
  const operand = instruction.operands[at];
  const name = operand && nameIn(operand);
  const symbol = name && scope.lookup(name.text);
  const local: Space = "local";
  // In a device function, an address in a register can only be that of one of its own parameters, unless the instruction says otherwise.
  if (symbol?.kind !== "variable") return scope.device && ss !== "param::entry" ? { ...plan, space: local } : plan;
  const wrong = misuse(plan, symbol);
  if (wrong !== undefined && name) {
    reject(scope, "PTX1325", name, `${symbol.name} ${wrong}`, {
      expected: wrong.endsWith("read") ? "an address in memory, in a register" : "a load of another variable",
      related: [{ span: symbol.span, message: "declared here" }],
      manual: "device-function-parameters",
    });
    return undefined;
  }
  return symbol.passes === undefined ? plan : { ...plan, space: local };
}

function misuse(plan: Plan, { space, passes }: VariableSymbol): string | undefined {
  const [touch] = touchesOf(plan);
  if (touch?.how === "store" && space === "param" && (passes === undefined || passes === "parameter"))
    return "is a parameter and is only read";
  if (touch?.how === "load" && passes === "result") return "is a result and is only written";
  return undefined;
}
