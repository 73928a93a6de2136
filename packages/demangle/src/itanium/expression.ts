import { isDigit } from "../reader.ts";
import { literal } from "./literal.ts";
import { expansion, nested, templated } from "./name-node.ts";
import { type Node, putList, sequence, word } from "./node.ts";
import { type Operator, operators } from "./operator.ts";
import { malformed } from "./output.ts";
import type { Parser } from "./parser.ts";
import { templateArguments, templateParameter } from "./template.ts";
import { operatorName, sourceName } from "./unqualified.ts";

/** An expression: of a template's argument, an array's length, a `decltype`. */
export function expression(parser: Parser): Node {
  const next = parser.peek();
  if (next === "L") return literal(parser);
  // A template argument may be any expression: it is written in parentheses.
  if (next === "T") return { ...templateParameter(parser), plain: false };
  if (parser.seesDigit) return called(parser, sourceName(parser));
  const two = next + parser.peek(1);
  const special = specials.get(two);
  if (special !== undefined) {
    parser.at += 2;
    return special(parser);
  }
  if (two === "fp" || (two === "fL" && isDigit(parser.peek(2)))) return functionParameter(parser);
  if (next === "f" && /[lrLR]/.test(parser.peek(1))) return fold(parser);
  const operator = operators.get(two);
  if (operator === undefined) throw malformed;
  parser.at += 2;
  return operation(parser, operator);
}

/** An operand within another expression: in parentheses unless it is a name. */
const inner = (node: Node): Node => (node.plain ? node : sequence("(", node, ")"));

const list = (nodes: readonly Node[]): Node => ({ left: (out) => putList(nodes, out) });

const specials: ReadonlyMap<string, (parser: Parser) => Node> = new Map<string, (parser: Parser) => Node>([
  ["sr", scoped],
  ["sp", (parser) => expansion(parser.expression())],
  ["sZ", (parser) => count([parser.peek() === "T" ? templateParameter(parser) : parser.expression()])],
  ["sP", (parser) => count(parser.until(() => parser.templateArgument()))],
  ["il", (parser) => braces(parser, word(""))],
  ["tl", (parser) => braces(parser, parser.type())],
  ["on", (parser) => called(parser, operatorName(parser))],
  ["dn", (parser) => sequence("~", parser.seesDigit ? sourceName(parser) : parser.type())],
  ["tr", () => word("throw")],
  ["tw", (parser) => sequence("throw ", inner(parser.expression()))],
  ["gs", (parser) => sequence("::", parser.expression())],
  ["cv", conversion],
  ["di", (parser) => sequence(".", sourceName(parser), designated(parser))],
  ["dx", (parser) => sequence("[", parser.expression(), "]", designated(parser))],
]);

const designated = (parser: Parser): Node => {
  const nextToo = /^d[ixX]$/.test(parser.peek() + parser.peek(1));
  return sequence(nextToo ? "" : "=", parser.expression());
};

const braces = (parser: Parser, type: Node): Node => {
  const items = parser.until(() => parser.expression());
  return { ...sequence(type, "{", list(items), "}"), plain: true };
};

/** `sizeof...`: how many items the packs hold. */
const count = (args: readonly Node[]): Node => ({
  left: (out) => out.put(String(args.reduce((sum, each) => sum + (each.items?.(out)?.length ?? 1), 0))),
});

/** `cvi3`, `cvi_12E`. */
function conversion(parser: Parser): Node {
  const type = parser.type();
  const operand = parser.takes("_") ? sequence("(", list(parser.until(() => parser.expression())), ")") : undefined;
  return sequence("(", type, ")", operand ?? inner(parser.expression()));
}

/** A name, with arguments of a template. */
function called(parser: Parser, name: Node): Node {
  return parser.peek() === "I" ? templated(name, templateArguments(parser)) : name;
}

/** `srT_4size`, `srN1A1BE1x`, `sr1A1BE1x`. */
function scoped(parser: Parser): Node {
  if (parser.takes("N")) {
    const type = parser.type();
    const owner = parser.peek() === "I" ? templated(type, templateArguments(parser)) : type;
    return levels(parser, owner);
  }
  if (parser.seesDigit && hasLevels(parser)) return levels(parser, called(parser, sourceName(parser)));
  const owner = parser.type();
  return nested(owner, last(parser));
}

/** Old compilers write one class as a type; new ones all of them, up to an `E` and a name. */
function hasLevels(parser: Parser): boolean {
  const { at, substitutions } = parser;
  const kept = [...substitutions];
  try {
    while (!parser.takes("E")) called(parser, sourceName(parser));
    return parser.seesDigit || /^(on|dn)$/.test(parser.peek() + parser.peek(1));
  } catch (error) {
    if (error !== malformed) throw error;
    return false;
  } finally {
    parser.at = at;
    parser.substitutions = kept;
  }
}

function levels(parser: Parser, owner: Node): Node {
  let node = owner;
  while (!parser.takes("E")) node = nested(node, called(parser, sourceName(parser)));
  return nested(node, last(parser));
}

function last(parser: Parser): Node {
  if (parser.takes("dn")) return sequence("~", parser.seesDigit ? sourceName(parser) : parser.type());
  parser.takes("on");
  return called(parser, parser.seesDigit ? sourceName(parser) : operatorName(parser));
}

/** `fp_`, `fp0_`, `fpT`, `fL0p_`: a parameter of the function whose type this is. */
function functionParameter(parser: Parser): Node {
  parser.at++;
  if (parser.takes("L")) {
    parser.number();
    parser.expect("p");
  } else parser.expect("p");
  if (parser.takes("T")) return word("this");
  while (/^[rVK]$/.test(parser.peek())) parser.at++;
  return word(`{parm#${parser.ordinal() + 1}}`);
}

/** `flplT_`, `fLplT_Li0E`: an operator between all items of a pack. */
function fold(parser: Parser): Node {
  parser.at++;
  const kind = parser.take();
  const operator = operators.get(parser.take() + parser.take());
  if (operator === undefined) throw malformed;
  const { text } = operator;
  const first = inner(parser.expression());
  if (kind === "l") return sequence("(...", text, first, ")");
  if (kind === "r") return sequence("(", first, text, "...)");
  return sequence("(", first, text, "...", text, inner(parser.expression()), ")");
}

function operation(parser: Parser, { text, shape }: Operator): Node {
  switch (shape) {
    case "prefix": {
      const operand = parser.expression();
      // The address of a function of a class or namespace is written by its name alone.
      return sequence(
        text,
        text === "&" && operand.name?.scoped && operand.name.after === undefined ? operand.name : inner(operand),
      );
    }
    case "postfix":
      return parser.takes("_")
        ? sequence(text, inner(parser.expression()))
        : sequence(inner(parser.expression()), text);
    case "binary":
    case "member": {
      const left = parser.expression();
      const right = shape === "member" ? member(parser) : parser.expression();
      const all = sequence(inner(left), text, inner(right));
      // A `>` would end the template's arguments.
      return text === ">" ? sequence("(", all, ")") : all;
    }
    case "index":
      return sequence(inner(parser.expression()), "[", parser.expression(), "]");
    case "call": {
      const callee = parser.expression();
      return sequence(callee.name ?? inner(callee), "(", list(parser.until(() => parser.expression())), ")");
    }
    case "conditional":
      return sequence(inner(parser.expression()), "?", inner(parser.expression()), " : ", inner(parser.expression()));
    case "new":
      return allocation(parser, text);
    case "delete":
      return sequence(text, " ", inner(parser.expression()));
    case "named cast":
      return sequence(text, "<", parser.type(), ">(", parser.expression(), ")");
    case "of type":
      return sequence(text, " (", parser.type(), ")");
    case "of expression":
      return text === "noexcept"
        ? sequence("noexcept(", parser.expression(), ")")
        : sequence(text, " ", inner(parser.expression()));
  }
}

function member(parser: Parser): Node {
  return parser.sees("sr") || parser.peek() === "L" || parser.peek() === "T" ? parser.expression() : last(parser);
}

/** `nw_iE`, `nw_ipi3E`. */
function allocation(parser: Parser, text: string): Node {
  const placement: Node[] = [];
  while (!parser.takes("_")) placement.push(parser.expression());
  const type = parser.type();
  const start = sequence(text, " ", ...(placement.length === 0 ? [] : ["(", list(placement), ") "]), type);
  if (parser.takes("E")) return start;
  if (parser.peek() === "i") return sequence(start, parser.expression());
  parser.expect("pi");
  return sequence(start, "(", list(parser.until(() => parser.expression())), ")");
}
