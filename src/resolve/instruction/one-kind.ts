import type * as ast from "../../parser/ast.ts";
import type { RegisterSymbol, Scope } from "../declaration/scope.ts";
import { reject } from "../report.ts";
import { widthOf } from "./register.ts";

/** False after a diagnostic: in braces ptxas takes no float register directly beside an integer; `.b32` goes with both. */
export function ofOneKind(items: readonly ast.Operand[], scope: Scope): boolean {
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
