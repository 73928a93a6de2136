import { type IToken, Lexer, type TokenType } from "chevrotain";
import { isUnclosedComment } from "../source/comment.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import type { Source } from "../source/source.ts";
import type { DemangledNames } from "./demangled.ts";
import { keywords } from "./keywords.ts";
import { BadNumber, bodyTokens, Dotted, Integer, moduleTokens, Word } from "./tokens.ts";

/** A lexer for one set of tokens. A test checks the tokens themselves, since that costs as much as the lexing. */
export const lexerOf = (tokens: readonly TokenType[], validate = false): Lexer =>
  new Lexer([...tokens], { positionTracking: "onlyOffset", ensureOptimizations: true, skipValidations: !validate });

let bodyLexer: Lexer | undefined;
let moduleLexer: Lexer | undefined;
function lexerFor(as: LexerInput["as"]): Lexer {
  bodyLexer ??= lexerOf(bodyTokens);
  moduleLexer ??= lexerOf(moduleTokens);
  return as === "body" ? bodyLexer : moduleLexer;
}

/** Part of a source to lex: `text` begins at `base` of the source and holds only characters that PTX knows. */
export interface LexerInput {
  readonly source: Source;
  readonly text: string;
  readonly base: number;
  /** `module` makes one token of a function body. */
  readonly as: "module" | "body";
  /** C++ names of the source, which `text` has replaced by words of the same length. */
  readonly names?: DemangledNames | undefined;
}

/** The tokens of a text, their offsets counted from its start, and errors within single tokens. */
export function tokenize({ source, text, base, as, names }: LexerInput): {
  tokens: IToken[];
  diagnostics: Diagnostic[];
} {
  const { tokens, groups, errors } = lexerFor(as).tokenize(text);
  // Stray matches every character that starts nothing else.
  if (errors.length > 0) throw new Error(`the lexer has no token for ${JSON.stringify(errors[0])}`);
  const diagnostics: Diagnostic[] = [];
  for (const token of tokens) {
    if (token.tokenType === Dotted) {
      const keyword = keywords.get(token.image);
      if (keyword !== undefined) retype(token, keyword);
    } else if (token.tokenType === BadNumber) {
      diagnostics.push(badNumber(source, token, base));
      retype(token, Integer);
    }
  }
  if (names !== undefined) nameDemangled(tokens, source, base, names);
  const { comments } = groups;
  const last = comments?.at(-1);
  if (last !== undefined && isUnclosedComment(last.image)) {
    const start = base + last.startOffset;
    diagnostics.push({
      code: "PTX1006",
      severity: "error",
      message: "this comment is never closed",
      source,
      span: { start, end: start + 2 },
      expected: "`*/` further on",
    });
  }
  return { tokens, diagnostics };
}

/** Assigns the C++ names to the words that replace them. */
function nameDemangled(tokens: readonly IToken[], source: Source, base: number, names: DemangledNames): void {
  for (const token of tokens) {
    const start = base + token.startOffset;
    const length = token.tokenType === Word ? names.get(start) : undefined;
    if (length !== undefined) token.image = source.text.slice(start, start + length);
  }
}

function retype(token: IToken, type: TokenType): void {
  token.tokenType = type;
  token.tokenTypeIdx = type.tokenTypeIdx ?? 0;
}

function badNumber(source: Source, { image, startOffset }: IToken, base: number): Diagnostic {
  const start = base + startOffset;
  const span = { start, end: start + image.length };
  const plain = withoutLetter(image);
  return {
    code: "PTX1008",
    severity: "error",
    message: `\`${image.slice(0, 40)}\` is not a number`,
    source,
    span,
    expected: wellFormed(image),
    ...(plain !== undefined && { help: [{ message: `write ${plain}`, replace: { span, text: plain } }] }),
    manual: "constants",
  };
}

/** A number of C as PTX has it: `1.5` for `1.5f`, `100` for `100ul`, `1000` for `1_000`. */
function withoutLetter(image: string): string | undefined {
  if (image.length > 40) return undefined;
  const float = /^(\d+(?:\.\d*)?)((?:[eE][-+]?\d+)?)[fFdDlL]$/.exec(image);
  const [, digits = "", exponent = ""] = float ?? [];
  if (float !== null) return `${digits.includes(".") ? digits : `${digits}.0`}${exponent}`;
  const whole = /^([1-9]\d*|0|0[xX][\da-fA-F]+)[uUlL]+$/.exec(image)?.[1];
  if (whole !== undefined) return /[uU]/.test(image) ? `${whole}U` : whole;
  if (/^[1-9]\d*(?:_\d+)+$/.test(image)) return image.replaceAll("_", "");
  return /^0\d+$/.test(image) ? image.replace(/^0+/, "") : undefined;
}

/** What the author of a malformed number probably meant. */
function wellFormed(image: string): string {
  if (/^0[fF]/.test(image)) return "`0f` and exactly 8 hexadecimal digits";
  if (/^0[dD]/.test(image)) return "`0d` and exactly 16 hexadecimal digits";
  if (/^0[xX]/.test(image)) return "`0x` and hexadecimal digits, then at most `U`";
  if (/^0[bB]/.test(image)) return "`0b` and binary digits, then at most `U`";
  if (/^0\d+$/.test(image)) return "octal digits after a leading 0";
  if (/^[\d.]+(?:[eE][-+]?\d+)?[fFdDlL]$/.test(image)) return "a number without a letter after it";
  if (/^\d+[uUlL]+$/.test(image)) return "`U` as the only letter after an integer";
  if (/^[\d.]+[eE]/.test(image)) return "digits after the exponent's letter";
  return "an integer, a decimal float, or a name that starts with a letter";
}
