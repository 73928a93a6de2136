import { type Node, sequence, word } from "./node.ts";
import { malformed } from "./output.ts";
import type { Parser } from "./parser.ts";

/** The suffix after the digits of a type's numbers. */
const suffixes: ReadonlyMap<string, string> = new Map([
  ["i", ""],
  ["j", "u"],
  ["l", "l"],
  ["m", "ul"],
  ["x", "ll"],
  ["y", "ull"],
]);

/** `Li5E`, `Lb1E`, `L_Z1fvE`: a value of a type, or something with a name. */
export function literal(parser: Parser): Node {
  parser.expect("L");
  if (parser.takes("_Z") || parser.takes("Z")) {
    const node = parser.encoding();
    parser.expect("E");
    return node;
  }
  const letter = parser.peek();
  const type = parser.type();
  // A value that its type determines.
  if (parser.takes("E")) return letter === "D" || letter === "A" ? { ...type, plain: false } : sequence(type);
  const sign = parser.takes("n") ? "-" : "";
  const start = parser.at;
  while (parser.peek() !== "E") parser.take();
  const digits = parser.text.slice(start, parser.at);
  parser.expect("E");
  if (digits === "" || !/^[\w.]+$/.test(digits)) throw malformed;
  if (letter === "b" && sign === "" && (digits === "0" || digits === "1")) {
    return { ...word(digits === "1" ? "true" : "false"), plain: false };
  }
  const suffix = suffixes.get(letter);
  if (suffix !== undefined) return { ...word(`${sign}${digits}${suffix}`), plain: false };
  // Floats are written by their bits.
  const float = /^[fdeg]$/.test(letter);
  return sequence("(", type, ")", sign, float ? `[${digits}]` : digits);
}
