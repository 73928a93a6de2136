import { nested, templated } from "./name-node.ts";
import { type Node, word } from "./node.ts";
import { malformed } from "./output.ts";
import type { Parser } from "./parser.ts";
import { inStandard, substitution } from "./substitution.ts";
import { decltype, templateArguments, templateParameter } from "./template.ts";

/** The name of a function, an object or a class. */
export function name(parser: Parser): Node {
  if (parser.takes("N")) return nestedName(parser);
  if (parser.takes("Z")) return localName(parser);
  let node: Node;
  if (parser.peek() === "S" && parser.peek(1) !== "t") {
    parser.at++;
    node = substitution(parser);
    if (parser.peek() !== "I") throw malformed;
  } else {
    const standard = parser.takes("St");
    const own = parser.unqualified();
    node = standard ? inStandard(own) : own;
    if (parser.peek() !== "I") return node;
    parser.remember(node);
  }
  return templated(node, templateArguments(parser));
}

/** `N...E`: names within names, each of which a later `S_` may refer to. */
function nestedName(parser: Parser): Node {
  const words = parser.takes("H") ? "" : memberWords(parser);
  let node: Node | undefined;
  while (!parser.takes("E")) {
    if (parser.peek() === "S" && node === undefined) {
      parser.at++;
      const standard = parser.peek() === "t";
      node = substitution(parser);
      if (!standard) continue;
      node = nested(node, parser.unqualified());
    } else if (parser.peek() === "M" && node !== undefined) {
      // Between a class's member and the lambda that is its initial value.
      parser.at++;
      continue;
    } else node = longer(parser, node);
    parser.remember(node);
  }
  if (node === undefined) throw malformed;
  // The caller that reads a type adds the complete name.
  parser.substitutions.pop();
  return words === "" ? node : { ...node, after: words };
}

/** One part more of a nested name. */
function longer(parser: Parser, node: Node | undefined): Node {
  const next = parser.peek();
  if (next === "I") {
    if (node === undefined || node.args !== undefined) throw malformed;
    return templated(node, templateArguments(parser));
  }
  if (node === undefined && next === "T") return templateParameter(parser);
  if (node === undefined && next === "D" && /[tT]/.test(parser.peek(1))) return decltype(parser);
  const own = parser.unqualified(node);
  return node === undefined ? own : nested(node, own);
}

/** The qualifiers of a member function for `this`, in the order of the ABI. */
function memberWords(parser: Parser): string {
  const words = [
    parser.takes("r") ? " restrict" : "",
    parser.takes("V") ? " volatile" : "",
    parser.takes("K") ? " const" : "",
  ].reverse();
  const sign = parser.takes("R") ? " &" : parser.takes("O") ? " &&" : "";
  return words.join("") + sign;
}

/** `Z1fvE1x`, `Z1fvEs`, `Z1fvEd0_1x`: what is declared in a function. */
function localName(parser: Parser): Node {
  const outer = parser.encoding();
  parser.expect("E");
  // The return type is not written in front of a name in the function.
  const within = outer.within ?? outer;
  if (parser.takes("s")) {
    discriminator(parser);
    return nested(within, word("string literal"));
  }
  const argument = parser.takes("d") ? word(`{default arg#${parser.ordinal() + 1}}`) : undefined;
  const inner = parser.name();
  discriminator(parser);
  return {
    ...nested(argument === undefined ? within : nested(within, argument), inner),
    ...(inner.args === undefined ? {} : { args: inner.args }),
    ...(inner.after === undefined ? {} : { after: inner.after }),
  };
}

/** `_0`, `__12_`: which of several of one name; it is not written. */
function discriminator(parser: Parser): void {
  const start = parser.at;
  if (parser.takes("__")) {
    if (parser.digits() !== "" && parser.takes("_")) return;
  } else if (parser.takes("_") && parser.seesDigit) {
    parser.at++;
    return;
  }
  parser.at = start;
}
