import { nested, tagged } from "./name-node.ts";
import { type Node, word } from "./node.ts";
import { malformed } from "./output.ts";
import type { Parser } from "./parser.ts";

/**
 * Classes of the standard library that have names of one letter: as people write them, in full, and the class name
 * alone.
 */
const standard: ReadonlyMap<string, readonly [short: string, base: string]> = new Map([
  ["a", ["std::allocator", "allocator"]],
  ["b", ["std::basic_string", "basic_string"]],
  ["s", ["std::string", "basic_string"]],
  ["i", ["std::istream", "basic_istream"]],
  ["o", ["std::ostream", "basic_ostream"]],
  ["d", ["std::iostream", "basic_iostream"]],
]);

/** The class of a constructor or destructor of `std::string` and the like. */
const full: ReadonlyMap<string, string> = new Map([
  ["s", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >"],
  ["i", "std::basic_istream<char, std::char_traits<char> >"],
  ["o", "std::basic_ostream<char, std::char_traits<char> >"],
  ["d", "std::basic_iostream<char, std::char_traits<char> >"],
]);

/** `S_`, `S1_`, `St`, `Ss`: something that was named before, or a name of the standard library. Begins after `S`. */
export function substitution(parser: Parser): Node {
  const letter = parser.peek();
  if (letter === "t") {
    parser.at++;
    return word("std");
  }
  const named = standard.get(letter);
  if (named !== undefined) {
    parser.at++;
    const [short, base] = named;
    // The owner of a constructor is written in full.
    const spelled = /[CD]/.test(parser.peek()) && full.has(letter) ? (full.get(letter) ?? short) : short;
    const plain: Node = { ...word(spelled), base: (out) => out.put(base) };
    return parser.peek() === "B" ? parser.remember(tags(parser, plain)) : plain;
  }
  const found = parser.substitutions[parser.sequence()];
  if (found === undefined) throw malformed;
  return found;
}

/** `B5cxx11`: tags that libraries give to names of another binary interface. */
export function tags(parser: Parser, name: Node): Node {
  let node = name;
  while (parser.takes("B")) node = tagged(node, parser.counted());
  return node;
}

/** `St3foo`. */
export const inStandard = (name: Node): Node => nested(word("std"), name);
