import { createToken, Lexer, type TokenType } from "chevrotain";

/** The tokens of a line of vISA. No mnemonic and no modifier is named here. */

/** With these hints, Chevrotain need not analyse the patterns. */
const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"];
const digits = [..."0123456789"];

/** A pattern, and the characters that it can begin with. */
const starting = (name: string, pattern: RegExp, start_chars_hint: readonly string[], label?: string): TokenType =>
  createToken({ name, pattern, start_chars_hint: [...start_chars_hint], ...(label !== undefined && { label }) });

const blank = createToken({
  name: "Blank",
  pattern: /(?:[ \t]|\\\r?\n)+/,
  start_chars_hint: [" ", "\t", "\\"],
  group: Lexer.SKIPPED,
  line_breaks: true,
});

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

const word = starting("Word", /[A-Za-z_]\w*/, letters, "a name");
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
  newline: starting("Newline", /\r?\n/, ["\r", "\n"]),
  label: createToken({
    name: "Label",
    pattern: label,
    line_breaks: false,
    start_chars_hint: [...letters, ..."$@?"],
    label: "a label",
  }),
  /** A label's name with a character that no other name has. */
  oddName: starting("OddName", /[A-Za-z_]*[$@?][A-Za-z0-9_\-$@?]*/, [...letters, ..."$@?"], "a label's name"),
  modifier: starting("Modifier", /\((?:-abs|abs|-|~)\)/, ["("], "a source modifier"),
  registerFile: createToken({ name: "RegisterFile", pattern: "r[", label: "r[" }),
  string: starting("String", /"[^"\n]*"/, ['"'], "a string"),
  type: starting("TypeSuffix", /:[A-Za-z]\w*/, [":"], "a type such as :d"),
  float: starting("Float", /\d+(?:\.\d+(?:[eE][+-]\d+)?|[eE][+-]\d+)/, digits, "a number"),
  hex: starting("Hex", /0[xX][0-9a-fA-F]{1,16}/, ["0"], "a number"),
  integer: starting("Integer", /\d+/, digits, "a number"),
  /** What a render target's message has behind its name: `.<A><O>`. */
  mode: starting("Mode", /\.(?:<[A-Za-z]+>)+/, ["."], "a mode"),
  /** With a hyphen in a sampler's format: `.RGBA.16-full`. */
  dotted: starting("Dotted", /\.[A-Za-z_][\w.]*(?:-[a-z]+)?/, ["."], "a directive"),
  dotNumber: starting("DotNumber", /\.\d+/, ["."], "an offset"),
  /** Names that an expression may query; other predefined names are variables. */
  property: starting("Property", /%(?:sizeof|DispatchSimd)\b/, ["%"], "a property"),
  predefined: starting("Predefined", /%[A-Za-z_]\w*/, ["%"], "a predefined name"),
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
