import { encoding } from "./encoding.ts";
import { expression } from "./expression.ts";
import { literal } from "./literal.ts";
import { name } from "./name.ts";
import { written } from "./node.ts";
import { malformed } from "./output.ts";
import { type Grammar, Parser } from "./parser.ts";
import { templateArgument } from "./template.ts";
import { type } from "./type.ts";
import { unqualified } from "./unqualified.ts";

const grammar: Grammar = { encoding, expression, literal, name, templateArgument, type, unqualified };

/** A name without its mangling. */
export interface Demangled {
  /** As C++ or Rust would declare it, `void axpy<float>(int, float*)`. */
  readonly full: string;
  /** Without parameters and return type, `axpy<float>`. */
  readonly name: string;
  /** Without the return type, `axpy<float>(int, float*)`. */
  readonly signature: string;
}

/**
 * A name of the Itanium C++ ABI, `_Z...`, written as GNU's c++filt writes it. Throws `malformed` where the text is none,
 * or stands for a name longer than 16,384 characters.
 */
export function demangleItanium(text: string): Demangled {
  if (!text.startsWith("_Z")) throw malformed;
  const parser = new Parser(text, grammar);
  parser.at = 2;
  const node = parser.encoding();
  const clones = cloneNames(parser);
  const full = written(node) + clones;
  if (node.name === undefined || node.within === undefined) return { full, name: full, signature: full };
  return { full, name: written(node.name), signature: written(node.within) };
}

/** `.constprop.0`: what a compiler adds to its copies of a function. */
function cloneNames(parser: Parser): string {
  let text = "";
  while (!parser.done) {
    const start = parser.at;
    parser.expect(".");
    const word = parser.at;
    while (/^[a-z_]$/.test(parser.peek())) parser.at++;
    if (parser.at === word && parser.digits() === "") throw malformed;
    while (parser.peek() === "." && /^\d$/.test(parser.peek(1))) {
      parser.at++;
      parser.digits();
    }
    text += ` [clone ${parser.text.slice(start, parser.at)}]`;
  }
  return text;
}
