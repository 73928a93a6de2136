import type { IToken } from "chevrotain";
import { token } from "../lexer/index.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { error, isAtEnd, onOneLine, show, type View } from "./view.ts";

/** Mistakes inside `[ ]`: forms of address that other assemblers have and PTX does not. */
export function explainAddress(view: View, found: IToken, rules: readonly string[]): Diagnostic | undefined {
  const rule = rules.at(-1);
  if (!rules.includes("operand") || (rule !== "constant" && rule !== "operand")) return undefined;
  const open = openBracket(view);
  if (open === undefined) return undefined;
  const before = view.ahead(0);
  const span = { start: view.spanOf(open).start, end: view.spanOf(found).end };
  const wrong = (message: string, help: string): Diagnostic =>
    error(view, "PTX1110", message, span, "`[name]`, `[name+constant]` or `[constant]`", [{ message: help }]);
  switch (found.tokenType) {
    case token.Word:
      if (before.tokenType === token.Plus)
        return wrong(`an address cannot add \`${found.image}\``, "add the two into a register first");
      return wrong(`${show(found)} does not fit here in an address`, "compute the address into a register first");
    case token.Minus:
      return wrong("an address cannot subtract", "write `+-` and the constant");
    case token.Infix:
      return wrong(`\`${found.image}\` cannot stand in an address`, "scale the index first, with `mul.wide` or `shl`");
    case token.OpenBracket:
      return wrong("addresses do not nest", "load the inner address first");
    case token.Dotted:
    case token.OpenBrace:
    case token.Integer:
      return wrong(`${show(found)} does not fit here in an address`, "compute the address into a register first");
    default:
      return undefined;
  }
}

/** The `[` that is still open in this statement. */
function openBracket(view: View): IToken | undefined {
  for (let back = 0; ; back--) {
    const found = view.ahead(back);
    if (found.tokenType === token.OpenBracket) return found;
    if (found.tokenType === token.CloseBracket || found.tokenType === token.Semicolon || isAtEnd(found))
      return undefined;
  }
}

/** Names and signs where only constants may stand. */
export function explainConstant(view: View, found: IToken, rules: readonly string[]): Diagnostic | undefined {
  const before = view.ahead(0);
  if (
    found.tokenType === token.Word &&
    /^%\d/.test(found.image) &&
    isNumber(before) &&
    onOneLine(view, before, found)
  ) {
    const { start } = view.spanOf(found);
    const help = { message: "write a blank behind the `%`", replace: { span: { start, end: start + 1 }, text: "% " } };
    return error(view, "PTX1120", `\`${found.image}\` is read as a name`, view.spanOf(found), "`%` and a blank", [
      help,
    ]);
  }
  if (rules.at(-1) === "constant" && found.tokenType === token.Word) {
    const message = `\`${found.image}\` cannot stand in a constant expression`;
    const help = { message: "compute it with an instruction into a register first" };
    return error(view, "PTX1111", message, view.spanOf(found), "a constant", [help]);
  }
  if (before.tokenType === token.CloseParen && isNumber(found)) {
    const type = view.ahead(-1);
    if (type.tokenType !== token.Word || view.ahead(-2).tokenType !== token.OpenParen) return undefined;
    const { start } = view.spanOf(type);
    const help = { message: "add the dot", replace: { span: { start, end: start }, text: "." } };
    return error(view, "PTX1121", "a cast's type begins with a dot", view.spanOf(type), `\`(.${type.image})\``, [help]);
  }
  return undefined;
}

const isNumber = ({ tokenType }: IToken): boolean =>
  tokenType === token.Integer || tokenType === token.Float || tokenType === token.Single;
