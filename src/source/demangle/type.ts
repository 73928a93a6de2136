import { builtinType, voidType } from "./builtin.ts";
import { expansion, templated } from "./name-node.ts";
import { type Node, sequence, word } from "./node.ts";
import { malformed } from "./output.ts";
import type { Parser } from "./parser.ts";
import { inStandard, substitution } from "./substitution.ts";
import { decltype, templateArguments, templateParameter } from "./template.ts";
import { array, functionType, memberPointer, pointer, qualified, reference } from "./type-node.ts";
import { sourceName } from "./unqualified.ts";

/** A type. All but the built-in ones may be referred to later by `S_`. */
export function type(parser: Parser): Node {
  const builtin = builtinType(parser);
  if (builtin !== undefined) return builtin;
  switch (parser.peek()) {
    case "r":
    case "V":
    case "K":
      return parser.remember(qualifiedType(parser));
    case "S":
      return substituted(parser);
    case "T":
      return parameterType(parser);
    case "D":
      return extendedType(parser);
    default:
      return parser.remember(compoundType(parser));
  }
}

function compoundType(parser: Parser): Node {
  switch (parser.peek()) {
    case "P":
      parser.at++;
      return pointer(parser.type(), (out) => out.put("*"));
    case "R":
      parser.at++;
      return reference(parser.type(), "&");
    case "O":
      parser.at++;
      return reference(parser.type(), "&&");
    case "C":
      parser.at++;
      return sequence(parser.type(), " _Complex");
    case "G":
      parser.at++;
      return sequence(parser.type(), " _Imaginary");
    case "M": {
      parser.at++;
      const owner = parser.type();
      return memberPointer(owner, parser.type());
    }
    case "A":
      return arrayType(parser);
    case "F":
      return functionOf(parser, "");
    case "U": {
      parser.at++;
      const words = sourceName(parser);
      const args = parser.peek() === "I" ? templateArguments(parser) : word("");
      return sequence(parser.type(), " ", words, args);
    }
    default:
      return parser.name();
  }
}

/** `VKi`: `int const volatile`; the words of a function stand after its parameters. */
function qualifiedType(parser: Parser): Node {
  let words = "";
  if (parser.takes("r")) words = " restrict";
  if (parser.takes("V")) words = ` volatile${words}`;
  if (parser.takes("K")) words = ` const${words}`;
  if (parser.peek() === "F" || (parser.peek() === "D" && /[oOwx]/.test(parser.peek(1)))) {
    return functionOf(parser, words);
  }
  return qualified(parser.type(), words);
}

/** `FivE`: what it returns, then what it takes; `Do` before it is noexcept. */
export function functionOf(parser: Parser, words: string): Node {
  let after = words;
  const exceptions: (Node | string)[] = [];
  if (parser.takes("Do")) exceptions.push(" noexcept");
  else if (parser.takes("DO")) {
    exceptions.push(" noexcept(", parser.expression(), ")");
    parser.expect("E");
  } else if (parser.takes("Dw")) {
    const types = parser.until(() => parser.type());
    exceptions.push(" throw(", ...types.flatMap((each, at) => (at === 0 ? [each] : [", ", each])), ")");
  }
  if (parser.takes("Dx")) after = ` transaction_safe${after}`;
  parser.expect("F");
  parser.takes("Y");
  const result = parser.type();
  const parameters: Node[] = [];
  while (parser.peek() !== "E" && !/^[RO]E/.test(parser.peek() + parser.peek(1))) parameters.push(parser.type());
  if (parameters.length === 0) throw malformed;
  if (parser.takes("R")) after += " &";
  else if (parser.takes("O")) after += " &&";
  parser.expect("E");
  return functionType(result, parametersOf(parameters), sequence(after, ...exceptions));
}

/** `v` alone is that there are none. */
export const parametersOf = (types: readonly Node[]): readonly Node[] =>
  types.length === 1 && types[0] === voidType ? [] : types;

/** `A3_i`, `A_i`, `AT__i`. */
function arrayType(parser: Parser): Node {
  parser.expect("A");
  const length = parser.seesDigit ? word(parser.digits()) : parser.peek() === "_" ? undefined : parser.expression();
  parser.expect("_");
  return array(parser.type(), length);
}

/** `S1_`, `Ss`, `St6vector...`, with the arguments of a template. */
function substituted(parser: Parser): Node {
  if (parser.peek(1) === "t") {
    parser.at += 2;
    const named = parser.remember(inStandard(parser.unqualified()));
    return parser.peek() === "I" ? parser.remember(templated(named, templateArguments(parser))) : named;
  }
  parser.at++;
  const node = substitution(parser);
  if (parser.peek() !== "I" || parser.conversion) return node;
  return parser.remember(templated(node, templateArguments(parser)));
}

/** `T_`; with arguments a template that a template was given; `Ts3foo` is struct foo. */
function parameterType(parser: Parser): Node {
  if (/[sue]/.test(parser.peek(1))) {
    const kinds = new Map([
      ["s", "struct "],
      ["u", "union "],
      ["e", "enum "],
    ]);
    const kind = kinds.get(parser.peek(1)) ?? "";
    parser.at += 2;
    return parser.remember(sequence(kind, parser.name()));
  }
  const node = parser.remember(templateParameter(parser));
  if (parser.peek() !== "I" || parser.conversion) return node;
  return parser.remember(templated(node, templateArguments(parser)));
}

/** Types that begin with `D` and are not built in. */
function extendedType(parser: Parser): Node {
  const letter = parser.peek(1);
  if (/[oOwx]/.test(letter)) return parser.remember(functionOf(parser, ""));
  parser.at += 2;
  switch (letter) {
    case "p":
      return parser.remember(expansion(parser.type()));
    case "t":
    case "T":
      parser.at -= 2;
      return parser.remember(decltype(parser));
    case "v": {
      const length = parser.seesDigit ? word(parser.digits()) : parser.takes("_") ? parser.expression() : undefined;
      if (length === undefined) throw malformed;
      parser.expect("_");
      return parser.remember(sequence(parser.type(), " __vector(", length, ")"));
    }
    case "B":
    case "U": {
      const length = parser.seesDigit ? word(parser.digits()) : parser.expression();
      parser.expect("_");
      return parser.remember(sequence(letter === "U" ? "unsigned " : "", "_BitInt(", length, ")"));
    }
    default:
      throw malformed;
  }
}
