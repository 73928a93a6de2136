import { type IToken, Lexer } from "chevrotain";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { shorten } from "../../source/shorten.ts";
import type { Source } from "../../source/source.ts";
import { token, vocabulary } from "./tokens.ts";

let lexer: Lexer | undefined;

/** One statement's tokens: a line, or the part between the braces of a scope on one line. */
export type Line = readonly IToken[];

/** The lines of a text that are not empty; a brace outside of `attrs={...}` is a line of its own. */
export function linesOf(source: Source): { lines: readonly Line[]; diagnostics: Diagnostic[] } {
  lexer ??= new Lexer([...vocabulary], { positionTracking: "onlyOffset", skipValidations: true });
  const { tokens, groups, errors } = lexer.tokenize(source.text);
  const diagnostics: Diagnostic[] = errors.slice(0, 100).map(({ offset, length }) => ({
    code: "PTX8001",
    severity: "error",
    message: `${shorten(JSON.stringify(source.text.slice(offset, offset + length)))} has no meaning in vISA`,
    source,
    span: { start: offset, end: offset + length },
  }));
  const open = groups["comments"]?.at(-1);
  if (open?.image.startsWith("/*") && (open.image.length < 4 || !open.image.endsWith("*/")))
    diagnostics.push({
      code: "PTX8005",
      severity: "error",
      message: "this comment is never closed",
      source,
      span: { start: open.startOffset, end: open.startOffset + 2 },
      expected: "*/ further on",
    });
  const lines: IToken[][] = [];
  let line: IToken[] = [];
  const end = (): void => {
    if (line.length > 0) lines.push(line);
    line = [];
  };
  for (const each of tokens) {
    const { tokenType } = each;
    const inAttributes = line.some((before) => before.tokenType === token.attributes);
    if (tokenType === token.newline) end();
    else if ((tokenType === token.openBrace || tokenType === token.closeBrace) && !inAttributes) {
      end();
      lines.push([each]);
    } else line.push(each);
  }
  end();
  return { lines, diagnostics };
}
