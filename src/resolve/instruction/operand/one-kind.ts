import type * as ast from "../../../parser/ast.ts";
import type { RegisterSymbol, Scope } from "../../declaration/scope.ts";
import { reject } from "../../report.ts";
import { widthOf } from "./register-type.ts";

/**
 * False after a diagnostic: in braces ptxas takes no float register directly beside an integer; `.b32` goes with both.
 * `constants`: a literal counts as what it is.
 */
export function ofOneKind(items: readonly ast.Operand[], scope: Scope, constants = false): boolean {
  let before: Item | undefined;
  for (const item of items) {
    const now = itemOf(item, scope, constants);
    const [one, other] = [before?.kind ?? "bits", now?.kind ?? "bits"];
    if (before && now && one !== other && one !== "bits" && other !== "bits") {
      const { register } = before;
      const declared = now.register ?? register;
      reject(scope, "PTX1307", item, `${now.name} is ${now.what}, and ${before.name} beside it is ${before.what}`, {
        expected: `registers of one kind; .b${register && register.type !== "pred" ? widthOf(register.type) : 32} goes with both`,
        ...(declared && { related: [{ span: declared.span, message: "declared here" }] }),
      });
      return false;
    }
    before = now;
  }
  return true;
}

interface Item {
  readonly kind: "float" | "integer" | "bits";
  readonly name: string;
  readonly what: string;
  readonly register?: RegisterSymbol;
}

function itemOf(item: ast.Operand, scope: Scope, constants: boolean): Item | undefined {
  const symbol = item.kind === "name" ? scope.lookup(item.name.text) : undefined;
  if (symbol?.kind === "register")
    return { kind: kindOf(symbol), name: symbol.name, what: `.${symbol.type}`, register: symbol };
  if (!constants || item.kind !== "expr") return undefined;
  let value = item.value;
  while (value.kind === "unary") value = value.operand;
  const name = scope.source.text.slice(item.start, item.end);
  if (value.kind === "float") return { kind: "float", name, what: "a float" };
  return value.kind === "integer" ? { kind: "integer", name, what: "an integer" } : undefined;
}

const kindOf = ({ type }: RegisterSymbol): Item["kind"] =>
  type.startsWith("b") || type === "pred" ? "bits" : type.startsWith("f") ? "float" : "integer";
