import { type Document, type MeaningfulToken, tokenTypes } from "../../lsp/index.ts";

/** Tokens as the protocol packs them: five numbers each, lines and characters counted from the one before. */
export function encoded({ lines }: Document, tokens: readonly MeaningfulToken[]): readonly number[] {
  const data: number[] = [];
  let line = 0;
  let character = 0;
  const put = (start: number, end: number, type: number): void => {
    const at = lines.position(start);
    data.push(at.line - line, at.line === line ? at.character - character : at.character, end - start, type, 0);
    ({ line, character } = at);
  };
  for (const { start, end, type } of tokens) {
    const number = tokenTypes.indexOf(type);
    const [first, last] = [lines.position(start).line, lines.position(end).line];
    // A token stays within a line there.
    for (let each = first; each <= last; each++) {
      const span = lines.span(each);
      const [from, to] = [Math.max(start, span.start), Math.min(end, span.end)];
      if (from < to) put(from, to, number);
    }
  }
  return data;
}
