import { templateArguments as list, pack } from "./name-node.ts";
import { type Node, sequence } from "./node.ts";
import { malformed } from "./output.ts";
import { parameter } from "./parameter-node.ts";
import type { Parser } from "./parser.ts";

/** `T_`, `T0_`, and of a template in a template `TL0__`. */
export function templateParameter(parser: Parser): Node {
  parser.expect("T");
  if (parser.takes("L")) parser.ordinal();
  return parameter(parser.ordinal());
}

/** `DtfpE`, `DTplfp_fp0_E`: the type of an expression. */
export function decltype(parser: Parser): Node {
  if (!parser.takes("Dt")) parser.expect("DT");
  const node = sequence("decltype (", parser.expression(), ")");
  parser.expect("E");
  return node;
}

/** `I...E`. */
export function templateArguments(parser: Parser): Node {
  parser.expect("I");
  const { conversion } = parser;
  parser.conversion = false;
  const args: Node[] = [];
  while (!parser.takes("E")) {
    // What is required of the arguments is not written.
    if (parser.takes("Q")) parser.expression();
    else args.push(parser.templateArgument());
  }
  parser.conversion = conversion;
  return list(args);
}

/** A type, an expression, a literal or a pack of these. */
export function templateArgument(parser: Parser): Node {
  if (parser.takes("X")) {
    const node = parser.expression();
    parser.expect("E");
    return node;
  }
  // Older compilers write I for J.
  if (parser.takes("J") || parser.takes("I")) return pack(parser.until(() => parser.templateArgument()));
  if (parser.peek() === "L") return parser.grammar.literal(parser);
  if (parser.peek() === "T" && /[ynpt]/.test(parser.peek(1))) {
    templateParameterDeclaration(parser);
    return parser.templateArgument();
  }
  return parser.type();
}

/** `Ty`, `Tni`, `TpTy`: what kind of parameter it is; it is not written. */
export function templateParameterDeclaration(parser: Parser): void {
  parser.expect("T");
  const kind = parser.take();
  if (kind === "y") return;
  if (kind === "n") parser.type();
  else if (kind === "p") templateParameterDeclaration(parser);
  else if (kind === "t") {
    while (!parser.takes("E")) templateParameterDeclaration(parser);
  } else throw malformed;
}
