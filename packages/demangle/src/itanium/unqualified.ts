import { isLower } from "../reader.ts";
import { conversion, lambda, structor } from "./name-node.ts";
import { type Node, sequence, word } from "./node.ts";
import { operators } from "./operator.ts";
import { malformed } from "./output.ts";
import type { Parser } from "./parser.ts";
import { tags } from "./substitution.ts";
import { templateParameterDeclaration } from "./template.ts";

/** One name without what encloses it; `owner` is the class, for constructors. */
export function unqualified(parser: Parser, owner: Node | undefined): Node {
  // Internal linkage, a module, a friend: none of these is written.
  parser.takes("L");
  while (parser.takes("W")) {
    parser.takes("P");
    parser.counted();
  }
  if (owner !== undefined) parser.takes("F");
  return tags(parser, untagged(parser, owner));
}

function untagged(parser: Parser, owner: Node | undefined): Node {
  const next = parser.peek();
  if (parser.seesDigit) return sourceName(parser);
  if (parser.takes("Ut")) return word(`{unnamed type#${parser.ordinal() + 1}}`);
  if (parser.takes("Ul")) return closure(parser);
  if (parser.takes("DC")) {
    const names = parser.until(() => sourceName(parser));
    return sequence("[", ...names.flatMap((each, at) => (at === 0 ? [each] : [", ", each])), "]");
  }
  if ((next === "C" || next === "D") && owner !== undefined) return constructorName(parser, owner);
  if (isLower(next)) return operatorName(parser);
  throw malformed;
}

/** `C1`, `D0`, and `CI1` with the class that a constructor is inherited from. */
function constructorName(parser: Parser, owner: Node): Node {
  const sign = parser.take() === "C" ? "" : "~";
  const inherits = sign === "" && parser.takes("I");
  if (!parser.seesDigit) throw malformed;
  parser.at++;
  if (inherits) parser.type();
  return structor(owner, sign);
}

/** `3foo`. */
export function sourceName(parser: Parser): Node {
  const text = parser.counted();
  // GCC's and Clang's name of a namespace that has none.
  return word(/^_GLOBAL_[._$]N/.test(text) ? "(anonymous namespace)" : text);
}

/** `UliE_`: a lambda, by its parameters and its number among several. */
function closure(parser: Parser): Node {
  while (parser.peek() === "T" && /[ynpt]/.test(parser.peek(1))) templateParameterDeclaration(parser);
  const parameters = parser.takes("vE") ? [] : parser.until(() => parser.type());
  return lambda(parameters, parser.ordinal() + 1);
}

/** `pl`, `cvi`, `li3_km`: an operator's name. */
export function operatorName(parser: Parser): Node {
  if (parser.takes("cv")) {
    const { conversion: outer } = parser;
    parser.conversion = true;
    const type = parser.type();
    parser.conversion = outer;
    return conversion(type);
  }
  if (parser.takes("li")) return sequence('operator"" ', sourceName(parser));
  if (parser.peek() === "v" && /^\d$/.test(parser.peek(1))) {
    parser.at += 2;
    return sequence("operator ", sourceName(parser));
  }
  const operator = operators.get(parser.peek() + parser.peek(1));
  if (operator === undefined) throw malformed;
  parser.at += 2;
  return word(`operator${isLower(operator.text[0] ?? "") ? " " : ""}${operator.text}`);
}
