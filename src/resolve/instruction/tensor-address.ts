import type { Operand } from "../../interp/contract/operand.ts";
import type { TensorAddressClass } from "../../isa/form/operands.ts";
import type * as ast from "../../parser/ast.ts";
import { evaluate } from "../constant/constant.ts";
import type { Scope } from "../declaration/scope.ts";
import { reject } from "../report.ts";
import { elementOf, showType, slotOf, undeclared } from "./register.ts";
import { isSpecial } from "./special-register.ts";
import { valueOperand } from "./value.ts";

/**
 * `[reg+imm]` in tensor memory: lane in the upper and column in the lower half of 32 bits (PTX ISA 9.7.17.1.1). No variable
 * lies there. Where a descriptor may stand in its place, what has no brackets is one.
 */
export function tensorAddress(operand: ast.Operand, wanted: TensorAddressClass, scope: Scope): Operand | undefined {
  if (operand.kind !== "address") {
    if (wanted.or !== undefined) return valueOperand(operand, wanted.or, scope);
    const name = operand.kind === "name" && !operand.component ? `[${operand.name.text}]` : undefined;
    const span = { start: operand.start, end: operand.end };
    return reject(scope, "PTX1315", operand, "an address of tensor memory in brackets is needed", {
      expected: name ?? "[reg] or [reg+constant]",
      ...(name && { help: [{ message: `write ${name}`, replace: { span, text: name } }] }),
    });
  }
  const { base, more } = operand;
  if (more.length > 0)
    return reject(scope, "PTX1315", more[0] ?? operand, "this instruction takes one address and nothing behind it", {});
  if (base.kind === "name") return based(base, 0n, wanted, scope);
  if (base.kind !== "expr") return noPlace(base, "this is no address", scope);
  const value = evaluate(base.value, scope);
  if (value === undefined) return undefined;
  if (value.kind === "address" && value.mask === undefined)
    return based({ kind: "name", name: value.name, start: base.start, end: base.end }, value.offset, wanted, scope);
  if (value.kind === "integer" && wanted.immediate) return { kind: "address", offset: value.value };
  return noPlace(base, value.kind === "integer" ? "a constant address cannot stand here" : "this is no address", scope);
}

function based(
  base: ast.OperandName,
  offset: bigint,
  { types }: TensorAddressClass,
  scope: Scope,
): Operand | undefined {
  const { text } = base.name;
  const symbol = scope.lookup(text);
  if (symbol === undefined)
    return isSpecial(text) ? noPlace(base, `${text} can only be read by mov`, scope) : undeclared(base.name, scope);
  if (symbol.kind !== "register") return noPlace(base, `${text} is a ${symbol.kind}`, scope);
  if (!types.some((type) => type === symbol.type) || (symbol.elements > 1 && base.component === undefined))
    return reject(scope, "PTX1315", base, `${symbol.name} is ${showType(symbol)}`, {
      expected: `an address of tensor memory, in a register of ${types.map((type) => `.${type}`).join(", ")}`,
      related: [{ span: symbol.span, message: "declared here" }],
    });
  const element = elementOf(base, symbol, scope);
  if (element === undefined) return undefined;
  const slot = slotOf(scope.use(symbol), element);
  if (slot.kind !== "slot") throw new Error(`${symbol.name} is in no bank for addresses`);
  return { kind: "address", base: slot, offset };
}

const noPlace = (at: ast.OperandName | ast.Operand, message: string, scope: Scope): undefined =>
  reject(scope, "PTX1315", at, message, { expected: "a register that holds an address of tensor memory" });
