import { expansion, templated } from "./name-node.ts";
import { type Node, sequence, word } from "./node.ts";
import { malformed } from "./output.ts";
import type { Parser } from "./parser.ts";
import { inStandard, substitution } from "./substitution.ts";
import { decltype, templateArguments, templateParameter } from "./template.ts";
import { array, functionType, memberPointer, pointer, qualified, reference } from "./type-node.ts";
import { sourceName } from "./unqualified.ts";

const letters: ReadonlyMap<string, Node> = new Map(
  [
    "v:void w:wchar_t b:bool a:signed_char c:char h:unsigned_char s:short t:unsigned_short i:int j:unsigned_int l:long",
    "m:unsigned_long x:long_long y:unsigned_long_long n:__int128 o:unsigned___int128 f:float d:double e:long_double",
    "g:__float128 z:...",
  ]
    .join(" ")
    .split(" ")
    .map((each) => [each.slice(0, 1), word(spaced(each.slice(2)))]),
);

const pairs: ReadonlyMap<string, Node> = new Map(
  (
    "Dd:decimal64 De:decimal128 Df:decimal32 Dh:half Di:char32_t Ds:char16_t Du:char8_t Da:auto Dc:decltype(auto) " +
    "Dn:decltype(nullptr)"
  )
    .split(" ")
    .map((each) => [each.slice(0, 2), word(each.slice(3))]),
);

/** `unsigned_int` is written with a space; names with underscores of their own begin with them. */
function spaced(text: string): string {
  return text.replace(/^(unsigned|signed|long)_(?:(long)_)?/, (_, first: string, second?: string) =>
    second === undefined ? `${first} ` : `${first} ${second} `,
  );
}

/** The parameter type of a function without parameters. */
const voidType: Node | undefined = letters.get("v");

/** A built-in type; undefined, with nothing consumed, if another follows. */
function builtinType(parser: Parser): Node | undefined {
  const letter = letters.get(parser.peek());
  if (letter !== undefined) {
    parser.at++;
    return letter;
  }
  if (parser.peek() === "D") {
    const pair = pairs.get(parser.peek() + parser.peek(1));
    if (pair !== undefined) {
      parser.at += 2;
      return pair;
    }
    return parser.takes("DF") ? floatOf(parser) : undefined;
  }
  if (!parser.takes("u")) return undefined;
  // A vendor's own type.
  return parser.remember(word(parser.counted()));
}

/** `DF16_`, `DF16b`, `DF32x`: floats by their width. */
function floatOf(parser: Parser): Node {
  const width = String(parser.number());
  if (parser.takes("b")) return word("std::bfloat16_t");
  if (parser.takes("x")) return word(`_Float${width}x`);
  parser.expect("_");
  return word(`_Float${width}`);
}

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

/** `FivE`: the return type, then the parameters; `Do` before it is noexcept. */
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

/** `v` alone means no parameters. */
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

/** `T_`; with arguments, a template template parameter; `Ts3foo` is struct foo. */
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
