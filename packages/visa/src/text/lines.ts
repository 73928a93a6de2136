import { type IToken, Lexer } from "chevrotain";

import type { Diagnostic } from "../../../../src/source/diagnostic.ts";
import { demandRoom, noteTokens } from "../../../../src/source/loading.ts";
import { shorten } from "../../../../src/source/shorten.ts";
import type { Source } from "../../../../src/source/source.ts";
import { token, vocabulary } from "./tokens.ts";

let lexer: Lexer | undefined;

/** One statement's tokens: a line, or the part between the braces of a scope on one line. */
export type Line = readonly IToken[];

/** The lines of a text that are not empty; a brace outside of `attrs={...}` is a line of its own. */
export function linesOf(source: Source): { lines: readonly Line[]; diagnostics: Diagnostic[] } {
  lexer ??= new Lexer([...vocabulary], { positionTracking: "onlyOffset", skipValidations: true });
  demandRoom(source, source.text, 0);
  const { tokens, groups, errors } = lexer.tokenize(source.text);
  noteTokens(source, tokens.length);
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
  let inAttributes = false;
  const end = (): void => {
    if (line.length > 0) lines.push(line);
    line = [];
    inAttributes = false;
  };
  for (const each of tokens) {
    const { tokenType } = each;
    if (tokenType === token.newline) end();
    else if ((tokenType === token.openBrace || tokenType === token.closeBrace) && !inAttributes) {
      end();
      lines.push([each]);
    } else {
      line.push(each);
      inAttributes ||= tokenType === token.attributes;
    }
  }
  end();
  return { lines, diagnostics };
}
