import { createToken, Lexer, type TokenType } from "chevrotain";

/** The tokens of a line of vISA. No mnemonic and no modifier is named here. */

const blank = createToken({ name: "Blank", pattern: /(?:[ \t]|\\\r?\n)+/, group: Lexer.SKIPPED, line_breaks: true });

/** Written by hand, since the textbook regular expression takes quadratic time on a text full of unclosed comments. */
function comment(text: string, offset: number): [string] | null {
  if (text.charCodeAt(offset) !== 47 /* slash */) return null;
  const second = text.charCodeAt(offset + 1);
  if (second !== 47 && second !== 42 /* star */) return null;
  const close = second === 47 ? "\n" : "*/";
  const end = text.indexOf(close, offset + 2);
  if (end < 0) return [text.slice(offset)];
  const carriage = second === 47 && text[end - 1] === "\r" ? 1 : 0;
  return [text.slice(offset, second === 47 ? end - carriage : end + 2)];
}

/** A label counts only at the start of a line (CISA.l). */
function label(text: string, offset: number): [string] | null {
  if (offset > 0 && text[offset - 1] !== "\n") return null;
  labelPattern.lastIndex = offset;
  const found = labelPattern.exec(text);
  return found === null ? null : [found[0]];
}
const labelPattern = /[A-Za-z_$@?][A-Za-z0-9_\-$@?]*:/y;

const word = createToken({ name: "Word", pattern: /[A-Za-z_]\w*/, label: "a name" });
const keyword = (name: string, text: string): TokenType =>
  createToken({ name, pattern: text, longer_alt: word, label: text });

export const token = {
  comment: createToken({
    name: "Comment",
    pattern: comment,
    start_chars_hint: ["/"],
    line_breaks: true,
    group: "comments",
  }),
  newline: createToken({ name: "Newline", pattern: /\r?\n/, line_breaks: true }),
  label: createToken({
    name: "Label",
    pattern: label,
    line_breaks: false,
    start_chars_hint: [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$@?"],
    label: "a label",
  }),
  /** A label's name with a character that no other name has. */
  oddName: createToken({ name: "OddName", pattern: /[A-Za-z_]*[$@?][A-Za-z0-9_\-$@?]*/, label: "a label's name" }),
  modifier: createToken({ name: "Modifier", pattern: /\((?:-abs|abs|-|~)\)/, label: "a source modifier" }),
  registerFile: createToken({ name: "RegisterFile", pattern: "r[", label: "r[" }),
  string: createToken({ name: "String", pattern: /"[^"\n]*"/, label: "a string" }),
  type: createToken({ name: "TypeSuffix", pattern: /:[A-Za-z]\w*/, label: "a type such as :d" }),
  float: createToken({ name: "Float", pattern: /\d+(?:\.\d+(?:[eE][+-]\d+)?|[eE][+-]\d+)/, label: "a number" }),
  hex: createToken({ name: "Hex", pattern: /0[xX][0-9a-fA-F]{1,16}/, label: "a number" }),
  integer: createToken({ name: "Integer", pattern: /\d+/, label: "a number" }),
  dotted: createToken({ name: "Dotted", pattern: /\.[A-Za-z_][\w.]*/, label: "a directive" }),
  dotNumber: createToken({ name: "DotNumber", pattern: /\.\d+/, label: "an offset" }),
  predefined: createToken({ name: "Predefined", pattern: /%[A-Za-z_]\w*/, label: "a predefined name" }),
  valueType: keyword("ValueType", "v_type"),
  valueName: keyword("ValueName", "v_name"),
  elementType: keyword("ElementType", "type"),
  elements: keyword("Elements", "num_elts"),
  align: keyword("Align", "align"),
  alias: keyword("Alias", "alias"),
  attributes: keyword("Attributes", "attrs"),
  offset: keyword("Offset", "offset"),
  size: keyword("Size", "size"),
  word,
  openParenthesis: createToken({ name: "OpenParenthesis", pattern: "(", label: "(" }),
  closeParenthesis: createToken({ name: "CloseParenthesis", pattern: ")", label: ")" }),
  openBracket: createToken({ name: "OpenBracket", pattern: "[", label: "[" }),
  closeBracket: createToken({ name: "CloseBracket", pattern: "]", label: "]" }),
  openBrace: createToken({ name: "OpenBrace", pattern: "{", label: "{" }),
  closeBrace: createToken({ name: "CloseBrace", pattern: "}", label: "}" }),
  less: createToken({ name: "Less", pattern: "<", label: "<" }),
  greater: createToken({ name: "Greater", pattern: ">", label: ">" }),
  comma: createToken({ name: "Comma", pattern: ",", label: "," }),
  semicolon: createToken({ name: "Semicolon", pattern: ";", label: ";" }),
  equals: createToken({ name: "Equals", pattern: "=", label: "=" }),
  and: createToken({ name: "And", pattern: "&", label: "&" }),
  not: createToken({ name: "Not", pattern: "!", label: "!" }),
  tilde: createToken({ name: "Tilde", pattern: "~", label: "~" }),
  plus: createToken({ name: "Plus", pattern: "+", label: "+" }),
  minus: createToken({ name: "Minus", pattern: "-", label: "-" }),
  star: createToken({ name: "Star", pattern: "*", label: "*" }),
  slash: createToken({ name: "Slash", pattern: "/", label: "/" }),
  percent: createToken({ name: "Percent", pattern: "%", label: "%" }),
} as const;

/** In the order in which they are tried. */
export const vocabulary: readonly TokenType[] = [blank, ...Object.values(token)];
