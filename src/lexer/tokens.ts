import { createToken, Lexer, type TokenType } from "chevrotain";
import { commentEnd } from "../source/comment.ts";
import { bracedEnd } from "./braces.ts";

/**
 * The tokens of PTX. None names an instruction, a modifier or a type: those are words and dotted words, and the table
 * knows what they mean. Tokens are few and long, because lexing time depends on their number: an opcode with its
 * suffixes is one token, and separators include the blanks after them.
 */

/** The characters of a range, for the hints below: with them, Chevrotain need not analyse the patterns at start-up. */
const range = (first: string, last: string): string[] =>
  Array.from({ length: last.charCodeAt(0) - first.charCodeAt(0) + 1 }, (_, index) =>
    String.fromCharCode(first.charCodeAt(0) + index),
  );
const digits = range("0", "9");
const letters = [...range("A", "Z"), "_", ...range("a", "z")];
const nameStarts = ["$", "%", ...letters];

/** A token with a fixed text; its label is its name in messages. */
const mark = (name: string, text: string): TokenType => createToken({ name, pattern: text, label: `\`${text}\`` });
/** A directive's name: lexed as `Dotted`, distinguished afterwards by `keywords.ts`. */
const directive = (name: string, label: string): TokenType => createToken({ name, pattern: Lexer.NA, label });

export const Blank = createToken({
  name: "Blank",
  pattern: /[ \t\r\n]+/,
  start_chars_hint: [" ", "\t", "\r", "\n"],
  group: Lexer.SKIPPED,
});
export const Comment = createToken({
  name: "Comment",
  pattern: {
    exec: (text: string, offset: number) => {
      const end = commentEnd(text, offset);
      return end < 0 ? null : [text.slice(offset, end)];
    },
  } as RegExp,
  start_chars_hint: ["/"],
  line_breaks: true,
  group: "comments",
});
/** `# 1 "x.cu"`, written by preprocessors; nothing may follow on the line but numbers. */
export const LineMarker = createToken({
  name: "LineMarker",
  pattern: /#[ \t]*(?:line[ \t]+)?\d+[ \t]+"[^"\n]*"[ \t\d]*(?![^\r\n])/,
  start_chars_hint: ["#"],
  group: Lexer.SKIPPED,
});

export const WarpSize = createToken({
  name: "WarpSize",
  pattern: /WARP_SZ(?![\w$])/,
  start_chars_hint: ["W"],
  label: "`WARP_SZ`",
});
/** A name with the suffixes written against it: `add.rn.f16x2`, `%tid.x`, `spcompress.b8.b2.sp::2:4`. */
export const Word = createToken({
  name: "Word",
  pattern: /(?:[A-Za-z_][\w$]*|[$%][\w$]+)(?:\.[\w$]+(?:::[\w$]+(?::\d+)?)*)*/,
  start_chars_hint: nameStarts,
  label: "a name",
});
/** `.b32`, `.reg`, `.shared::cta`, standing alone. `.1` is a number, `.1d` is a suffix. */
export const Dotted = createToken({
  name: "Dotted",
  pattern: /\.(?!\d+(?:[eE][+-]?\d+)?(?![\w$]))[\w$]+(?:::[\w$]+(?::\d+)?)*/,
  start_chars_hint: ["."],
  label: "a dotted word",
});

export const Integer = createToken({
  name: "Integer",
  pattern: /(?:0[xX][\da-fA-F]+|0[bB][01]+|0[0-7]*|[1-9]\d*)U?(?![\w$.])/,
  start_chars_hint: digits,
  label: "an integer",
});
/** `0f3F800000`, apart from other floats because no operator applies to it. */
export const Single = createToken({
  name: "Single",
  pattern: /0[fF][\da-fA-F]{8}(?![\w$.])/,
  start_chars_hint: ["0"],
  label: "a number",
});
export const Float = createToken({
  name: "Float",
  pattern: /(?:0[dD][\da-fA-F]{16}|\d+\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)(?![\w$.])/,
  start_chars_hint: [".", ...digits],
  label: "a number",
});
/** Starts as a number and goes wrong: one token, so that it draws one message. */
export const BadNumber = createToken({ name: "BadNumber", pattern: /\d[\w$.]*/, start_chars_hint: digits });
export const Text = createToken({
  name: "Text",
  pattern: /"[^"\n]*"/,
  start_chars_hint: ['"'],
  label: "a quoted text",
});

export const Comma = createToken({ name: "Comma", pattern: /,[ \t]*/, start_chars_hint: [","], label: "`,`" });
export const Semicolon = createToken({
  name: "Semicolon",
  pattern: /;[ \t\r\n]*/,
  start_chars_hint: [";"],
  label: "`;`",
});
export const Colon = mark("Colon", ":");
export const At = mark("At", "@");
export const OpenBrace = mark("OpenBrace", "{");
export const CloseBrace = mark("CloseBrace", "}");
export const OpenBracket = mark("OpenBracket", "[");
export const CloseBracket = mark("CloseBracket", "]");
export const OpenParen = mark("OpenParen", "(");
export const CloseParen = mark("CloseParen", ")");
export const Equal = mark("Equal", "=");
export const Plus = mark("Plus", "+");
export const Minus = mark("Minus", "-");
export const Not = mark("Not", "!");
export const Tilde = mark("Tilde", "~");
export const Question = mark("Question", "?");
export const Less = mark("Less", "<");
export const Greater = mark("Greater", ">");
export const Pipe = mark("Pipe", "|");
/** Operators that have no other use (`+ - < > |` do). */
export const Infix = createToken({
  name: "Infix",
  pattern: /<<|>>|<=|>=|==|!=|&&|\|\||[*/%&^]/,
  start_chars_hint: ["<", ">", "=", "!", "&", "|", "*", "/", "%", "^"],
  label: "an operator",
});
/** A character that starts no token. */
export const Stray = createToken({
  name: "Stray",
  pattern: /[\\'`"#.$]/,
  start_chars_hint: ["\\", "'", "`", '"', "#", ".", "$"],
});

export const Version = directive("Version", "`.version`");
export const Target = directive("Target", "`.target`");
export const AddressSize = directive("AddressSize", "`.address_size`");
export const File = directive("File", "`.file`");
export const Section = directive("Section", "`.section`");
export const Pragma = directive("Pragma", "`.pragma`");
export const Loc = directive("Loc", "`.loc`");
export const LocIntermediate = directive("LocIntermediate", "`.loc_intermediate`");
export const Alias = directive("Alias", "`.alias`");
export const Sources = directive("Sources", "`.nv_intermediate_source_section`");
export const Entry = directive("Entry", "`.entry`");
export const Func = directive("Func", "`.func`");
/** `.visible`, `.extern`, `.weak`, `.common`. */
export const Linkage = directive("Linkage", "a linkage");
/** `.reg`, `.global`, `.shared` and the other state spaces. */
export const Space = directive("Space", "a state space");
export const Align = directive("Align", "`.align`");
export const Attribute = directive("Attribute", "`.attribute`");
export const Pointer = directive("Pointer", "`.ptr`");
/** `.maxntid`, `.noreturn` and the other directives between a function's head and its body. */
export const Tuning = directive("Tuning", "a performance directive");
export const BranchTargets = directive("BranchTargets", "`.branchtargets`");
export const CallTargets = directive("CallTargets", "`.calltargets`");
export const CallPrototype = directive("CallPrototype", "`.callprototype`");

/** The body of a function or a section, taken whole by the module's lexer and read by itself, if at all. */
export const Body = createToken({
  name: "Body",
  pattern: {
    exec: (text: string, offset: number, before: readonly { tokenType: TokenType; image: string }[]) => {
      const last = before.at(-1);
      // Chevrotain's check of the tokens tries a lone brace, which belongs to another one.
      if (text[offset] !== "{" || text.length === 1) return null;
      // An initialiser's list.
      if (last?.tokenType === Equal || last?.tokenType === OpenBrace || last?.tokenType === Comma) return null;
      return [text.slice(offset, bracedEnd(text, offset).end)];
    },
  } as unknown as RegExp,
  start_chars_hint: ["{"],
  line_breaks: true,
  label: "a body in braces",
});

/** In the order in which they are tried on one character. */
export const bodyTokens: readonly TokenType[] = [
  Blank,
  WarpSize,
  Word,
  Dotted,
  Integer,
  Single,
  Float,
  BadNumber,
  Comma,
  Semicolon,
  OpenBracket,
  CloseBracket,
  OpenBrace,
  CloseBrace,
  OpenParen,
  CloseParen,
  Comment,
  Infix,
  Colon,
  At,
  Equal,
  Plus,
  Minus,
  Not,
  Tilde,
  Question,
  Less,
  Greater,
  Pipe,
  Text,
  LineMarker,
  Stray,
];
/** The same, with bodies taken whole. */
export const moduleTokens: readonly TokenType[] = [Body, ...bodyTokens];

const directives: readonly TokenType[] = [
  Version,
  Target,
  AddressSize,
  File,
  Section,
  Pragma,
  Loc,
  LocIntermediate,
  Alias,
  Sources,
  Entry,
  Func,
  Linkage,
  Space,
  Align,
  Attribute,
  Pointer,
  Tuning,
  BranchTargets,
  CallTargets,
  CallPrototype,
];
/** Every token type: what the parser must know. */
export const vocabulary: TokenType[] = [...moduleTokens, ...directives];
