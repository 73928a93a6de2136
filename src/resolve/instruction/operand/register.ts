import type { Operand } from "../../../interp/contract/operand.ts";
import type { Register } from "../../../interp/contract/program.ts";
import type { RegisterClass } from "../../../isa/form/operands.ts";
import { component } from "../../../isa/special-registers.ts";
import type * as ast from "../../../parser/ast.ts";
import type { RegisterSymbol, Scope } from "../../declaration/scope.ts";
import { reject } from "../../report.ts";
import { fits, showType } from "./register-type.ts";
import { wrongType } from "./wrong-type.ts";

/** One element of a register as the interpreter addresses it. */
export const slotOf = ({ bank, slot, bits }: Register, element = 0): Operand =>
  bank === "p" || bits === 1
    ? { kind: "predicate", slot: slot + element, negated: false }
    : { kind: "slot", bank, slot: slot + element * (bits === 128 ? 2 : 1), bits };

/** `x` of `v.x` as an index; undefined after a diagnostic. */
export function elementOf(name: ast.OperandName, symbol: RegisterSymbol, scope: Scope): number | undefined {
  if (name.component === undefined) return 0;
  const index = "xyzw".indexOf(component(name.component.text) ?? "none");
  if (symbol.elements > 1 && index >= 0 && index < symbol.elements) return index;
  if (symbol.elements === 2 && index >= 0) {
    reject(scope, "PTX9017", name.component, `${symbol.name} has two components, and this is none of them`, {
      severity: "note",
      help: [
        {
          message: `ptxas takes .${name.component.text} for a register beside the vector, which no vector access sees`,
        },
      ],
    });
    return index;
  }
  const related = [{ span: symbol.span, message: `${symbol.name} is ${showType(symbol)}` }];
  const scalar = symbol.elements === 1 ? "is a scalar and " : "";
  return reject(scope, "PTX1308", name.component, `${symbol.name} ${scalar}has no component .${name.component.text}`, {
    related,
    ...(symbol.elements > 1 ? { expected: symbol.elements === 2 ? ".x or .y" : ".x, .y, .z or .w" } : {}),
  });
}

/** Checks a register's type against its place and gives the slot. */
export function registerOperand(
  name: ast.OperandName,
  symbol: RegisterSymbol,
  wanted: RegisterClass,
  scope: Scope,
): Operand | undefined {
  if (symbol.elements > 1 && name.component === undefined)
    return reject(scope, "PTX1307", name, `${symbol.name} is a vector, used where one register is needed`, {
      expected: `a component such as ${symbol.name}.x`,
    });
  const element = elementOf(name, symbol, scope);
  if (element === undefined) return undefined;
  if (!fits(symbol.type, wanted)) return wrongType(name, symbol, wanted, scope);
  return slotOf(scope.use(symbol), element);
}
