import type { Operand } from "../../interp/contract/operand.ts";
import type { VectorClass } from "../../isa/form/operands.ts";
import type * as ast from "../../parser/ast.ts";
import type { RegisterSymbol, Scope } from "../declaration/scope.ts";
import { reject } from "../report.ts";
import { slotOf, undeclared, widthOf } from "./register.ts";
import { isSpecial, specialVector } from "./special-register.ts";
import { sink, valueOperand } from "./value.ts";

/** `{a, b}`, a vector register of as many elements, or a special register that is a vector. */
export function vectorOperand(operand: ast.Operand, wanted: VectorClass, scope: Scope): Operand | undefined {
  if (operand.kind === "vector") {
    if (operand.items.length !== wanted.count) return wrongCount(operand, operand.items.length, wanted, scope);
    const items = operand.items.map((item) => valueOperand(item, wanted.of, scope));
    if (items.every((item) => item?.kind === "sink"))
      return reject(scope, "PTX1305", operand, "all elements are discarded", { expected: "a register among them" });
    const widths = new Set(items.flatMap((item) => (item?.kind === "slot" ? [item.bits] : [])));
    if (widths.size > 1)
      return reject(scope, "PTX1307", operand, "the elements of a vector have one width", {
        expected: `${wanted.of.bits} bits each`,
      });
    const sound = items.every((item) => item !== undefined) && ofOneKind(operand.items, scope);
    return sound ? { kind: "vector", items } : undefined;
  }
  if (operand.kind === "name" && !operand.component) {
    const symbol = scope.lookup(operand.name.text);
    if (symbol === undefined && isSpecial(operand.name.text)) return specialVector(operand, wanted, scope);
    if (symbol === undefined && operand.name.text === "_") return sink(operand, { access: wanted.of.access }, scope);
    if (symbol === undefined) return undeclared(operand.name, scope);
    if (symbol.kind === "register" && symbol.elements > 1) {
      if (symbol.elements !== wanted.count) return wrongCount(operand, symbol.elements, wanted, scope);
      const first = valueOperand({ ...operand, component: { ...operand.name, text: "x" } }, wanted.of, scope);
      if (first === undefined) return undefined;
      const register = scope.use(symbol);
      return { kind: "vector", items: Array.from({ length: wanted.count }, (_, at) => slotOf(register, at)) };
    }
  }
  return wrongCount(operand, 1, wanted, scope);
}

/** False after a diagnostic: in braces ptxas takes no float register directly beside an integer; `.b32` goes with both. */
function ofOneKind(items: readonly ast.Operand[], scope: Scope): boolean {
  let before: RegisterSymbol | undefined;
  for (const item of items) {
    const symbol = item.kind === "name" ? scope.lookup(item.name.text) : undefined;
    const now = symbol?.kind === "register" ? symbol : undefined;
    const [one, other] = [kindOf(before), kindOf(now)];
    if (before && now && one !== other && one !== "bits" && other !== "bits") {
      reject(scope, "PTX1307", item, `${now.name} is .${now.type}, and ${before.name} beside it is .${before.type}`, {
        expected: `registers of one kind; .b${before.type === "pred" ? 1 : widthOf(before.type)} goes with both`,
        related: [{ span: now.span, message: "declared here" }],
      });
      return false;
    }
    before = now;
  }
  return true;
}

const kindOf = (symbol: RegisterSymbol | undefined): "float" | "integer" | "bits" =>
  symbol === undefined || symbol.type.startsWith("b") || symbol.type === "pred"
    ? "bits"
    : symbol.type.startsWith("f")
      ? "float"
      : "integer";

const wrongCount = (at: ast.Operand, count: number, wanted: VectorClass, scope: Scope): undefined =>
  reject(
    scope,
    "PTX1307",
    at,
    `${count === 1 ? "one element" : `${count} elements`} where ${wanted.count} are needed`,
    {
      expected:
        wanted.count > 8 ? `${wanted.count} in braces` : `{${"abcdefgh".slice(0, wanted.count).split("").join(", ")}}`,
    },
  );
