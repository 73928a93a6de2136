import type * as ast from "../../../../src/parser/ast.ts";
import { print, printStatement } from "../../../../src/parser/index.ts";
import type { Span } from "../../../../src/source/source.ts";
import type { Document } from "../document.ts";

/** A stretch of a text that the printer writes, without the comments and blanks around it. */
export interface Piece extends Span {
  /** The printed text, without the blanks before its first line. */
  readonly text: string;
  readonly indent: string;
}

/** The pieces of a text in their order; undefined where printing one would change it. */
export function piecesOf(document: Document): readonly Piece[] | undefined {
  if (document.kind === "snippet") return inBlock(document.block().statements, "");
  const pieces: Piece[] = [];
  for (const item of document.module.value.items) {
    if (item.kind !== "function" || item.body === undefined) {
      pieces.push(asItIs(document, item) ?? printed(item));
      continue;
    }
    const { body } = item;
    const head = { start: item.start, end: endOfHead(document.text, body.start) };
    const lines = print({ kind: "module", items: [item], start: 0, end: 0 });
    const text = lines.slice(0, lines.indexOf("\n{"));
    pieces.push(hasComment(document.text, head) ? verbatim(document.text, head, "") : { ...head, text, indent: "" });
    pieces.push({ start: body.start, end: body.start + 1, text: "{", indent: "" });
    pieces.push(...inBlock(document.block(item).statements, "\t"));
    pieces.push({ start: body.end - 1, end: body.end, text: "}", indent: "" });
  }
  return pieces;

  function inBlock(statements: readonly ast.Statement[], indent: string): readonly Piece[] {
    return statements.flatMap((statement): readonly Piece[] => {
      const { start, end } = statement;
      if (statement.kind === "block")
        return [
          { start, end: start + 1, text: "{", indent },
          ...inBlock(statement.statements, `${indent}\t`),
          { start: end - 1, end, text: "}", indent },
        ];
      const own = statement.kind === "label" ? "" : indent;
      if (statement.kind === "section" || hasComment(document.text, statement))
        return [verbatim(document.text, statement, own)];
      return [{ start, end, text: printStatement(statement, own).slice(own.length), indent: own }];
    });
  }
}

/** Debug data, and items with comments inside, keep their original text. */
function asItIs({ text }: Document, item: ast.Item): Piece | undefined {
  return item.kind === "section" || hasComment(text, item) ? verbatim(text, item, "") : undefined;
}

function printed(item: ast.Item): Piece {
  const text = print({ kind: "module", items: [item], start: 0, end: 0 }).trimEnd();
  return { start: item.start, end: item.end, text, indent: "" };
}

const verbatim = (text: string, { start, end }: Span, indent: string): Piece => ({
  start,
  end,
  indent,
  text: text.slice(start, end),
});

function hasComment(text: string, { start, end }: Span): boolean {
  const piece = text.slice(start, end);
  return piece.includes("//") || piece.includes("/*");
}

/** The head of a function without the blanks and comments before its brace. */
function endOfHead(text: string, brace: number): number {
  let end = brace;
  while (end > 0 && /\s/.test(text.charAt(end - 1))) end--;
  return end;
}
