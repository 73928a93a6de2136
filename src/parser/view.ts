import type { IToken } from "chevrotain";
import { token } from "../lexer/index.ts";
import type { Code } from "../source/codes/index.ts";
import type { Diagnostic, Help } from "../source/diagnostic.ts";
import { shorten } from "../source/shorten.ts";
import type { Source, Span } from "../source/source.ts";

/** The parser's interface for the code that explains a syntax error. */
export interface View {
  readonly source: Source;
  spanOf(found: IToken): Span;
  /** The token that many positions ahead; 0 is the last one consumed, -1 the one before. */
  ahead(distance: number): IToken;
}

export function error(
  { source }: View,
  code: Code,
  message: string,
  span: Span,
  expected?: string,
  help?: readonly Help[],
): Diagnostic {
  return {
    code,
    severity: "error",
    message: shorten(message),
    source,
    span,
    ...(expected === undefined || expected === "" ? {} : { expected }),
    ...(help === undefined ? {} : { help }),
  };
}

/** A token as a message quotes it. */
export function show(found: IToken): string {
  if (isAtEnd(found)) return "the end of the text";
  const text = found.image.trimEnd();
  return text.length > 40 ? `\`${text.slice(0, 40)}...\`` : `\`${text}\``;
}

export const isAtEnd = (found: IToken): boolean => Number.isNaN(found.startOffset);

export const onOneLine = ({ source, spanOf }: View, a: IToken, b: IToken): boolean =>
  !source.text.slice(spanOf(a).start, spanOf(b).start).includes("\n");

const VALUES = [token.Word, token.Integer, token.Float, token.Single, token.WarpSize, token.Text];
const STARTS = new Set([...VALUES, token.OpenBracket, token.OpenBrace, token.OpenParen, token.Not, token.Tilde]);
const ENDS = new Set([...VALUES, token.CloseBracket, token.CloseBrace, token.CloseParen, token.Dotted, token.Greater]);

/** True for tokens that can begin an operand and are no operator. */
export const isOperandStart = ({ tokenType }: IToken): boolean => STARTS.has(tokenType);
/** True for tokens that can end an operand, a variable or a head. */
export const isOperandEnd = ({ tokenType }: IToken): boolean => ENDS.has(tokenType);
