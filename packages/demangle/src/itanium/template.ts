import { templateArguments as list, pack } from "./name-node.ts";
import { type Node, type Output, putLeft, putList, putRight, type Reference, sequence } from "./node.ts";
import { malformed, type Scope } from "./output.ts";
import type { Parser } from "./parser.ts";

/**
 * `T_`: an argument of the template whose function is being written. It is resolved only when written: the types of
 * two functions may refer to the same `T_`. For a pack it is the item that is expanded now, or all of them.
 */
function parameter(index: number): Node {
  return {
    left: (out) => {
      if (out.lambda) {
        out.put(`auto:${index + 1}`);
        return;
      }
      const { argument, items } = given(out, index);
      if (argument !== undefined) outside(out, () => putLeft(argument, out));
      else if (items !== undefined && out.expansion === undefined) outside(out, () => putList(items, out));
    },
    right: (out) => {
      const argument = argumentOf(out, index);
      if (argument !== undefined) outside(out, () => putRight(argument, out));
    },
    shape: (out) => {
      const argument = argumentOf(out, index);
      return argument === undefined ? undefined : outside(out, () => argument.shape?.(out));
    },
    reference: (out) => {
      const argument = argumentOf(out, index);
      const found = argument === undefined ? undefined : outside(out, () => argument.reference?.(out));
      return found === undefined ? undefined : inScope(found, out.scope?.outer);
    },
    base: (out) => {
      const argument = argumentOf(out, index);
      if (argument !== undefined) outside(out, () => argument.base?.(out));
    },
    items: (out) => (out.lambda ? undefined : given(out, index).items),
  };
}

const argumentOf = (out: Output, index: number): Node | undefined =>
  out.lambda ? undefined : given(out, index).argument;

/** The argument of the template: a single one, or a pack with perhaps a current item. */
function given(
  out: Output,
  index: number,
): { readonly argument?: Node | undefined; readonly items?: readonly Node[] | undefined } {
  const found = out.scope?.args[index];
  if (found === undefined) throw malformed;
  const items = found.items === undefined ? undefined : outside(out, () => found.items?.(out));
  if (items === undefined) return { argument: found };
  const { expansion } = out;
  if (expansion === undefined) return { items };
  expansion.size ??= items.length;
  return { argument: items[expansion.index], items };
}

/** Writes a template argument in the scope outside of the template. */
function outside<T>(out: Output, write: () => T): T {
  const { scope } = out;
  out.scope = scope?.outer;
  out.enter();
  const result = write();
  out.leave();
  out.scope = scope;
  return result;
}

/** A reference's target that is written later as it would be in this scope. */
function inScope({ sign, target }: Reference, scope: Scope<Node> | undefined): Reference {
  const within = <T>(out: Output, write: () => T): T => {
    const { scope: outer } = out;
    out.scope = scope;
    const result = write();
    out.scope = outer;
    return result;
  };
  return {
    sign,
    target: {
      left: (out) => within(out, () => putLeft(target, out)),
      right: (out) => within(out, () => putRight(target, out)),
      shape: (out) => within(out, () => target.shape?.(out)),
    },
  };
}

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
    // Constraints on the arguments are not written.
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
