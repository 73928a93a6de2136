import { type Node, word } from "./node.ts";
import type { Parser } from "./parser.ts";

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

/** What a function that takes nothing is said to take. */
export const voidType: Node | undefined = letters.get("v");

/** A type that C++ has by itself; undefined, and nothing taken, if another follows. */
export function builtinType(parser: Parser): Node | undefined {
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
