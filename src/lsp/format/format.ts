import { parse, parseSnippet, print, printStatements } from "../../parser/index.ts";
import { hasErrors } from "../../source/diagnostic.ts";
import { Source, type Span } from "../../source/source.ts";
import type { Document } from "../document.ts";
import type { Edit } from "../text/edit.ts";
import { tokensOf } from "../text/tokens.ts";
import { gapText } from "./gap.ts";
import { piecesOf } from "./pieces.ts";

/**
 * Edits that lay a text out as the printer does: a statement a line, bodies indented by a tab. Comments and one blank line
 * stay where they are. No edits for a text with mistakes, of which the printer has only a part.
 */
export function format(document: Document, range?: Span): readonly Edit[] {
  const { text } = document;
  if (
    document.kind === "vISA" ||
    document.diagnostics.some(({ code, severity }) => severity === "error" && /^PTX1[01]/.test(code))
  )
    return [];
  const pieces = piecesOf(document);
  if (pieces === undefined || pieces.length === 0) return [];
  const edits: Edit[] = [];
  let end = 0;
  for (const [at, piece] of [...pieces, undefined].entries()) {
    const gap = text.slice(end, piece?.start ?? text.length);
    const laid = gapText(gap, { first: at === 0, before: pieces[at - 1]?.indent, after: piece?.indent });
    // Something that is neither a comment nor a statement, such as a marker of a preprocessor.
    if (laid === undefined) return [];
    edits.push({ start: end, end: piece?.start ?? text.length, text: laid });
    if (piece !== undefined) edits.push({ start: piece.start, end: piece.end, text: piece.text });
    end = piece?.end ?? text.length;
  }
  const changing = edits.filter((edit) => text.slice(edit.start, edit.end) !== edit.text);
  if (!sameProgram(document, applied(text, changing))) return [];
  return range === undefined ? changing : changing.filter(({ start, end }) => start >= range.start && end <= range.end);
}

/** A text after edits that do not overlap, in their order. */
export function applied(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return `${parts.join("")}${text.slice(at)}`;
}

/** True where two texts print alike and have the same comments: then nothing is lost but how it was laid out. */
function sameProgram(document: Document, text: string): boolean {
  return printed(document, document.text) === printed(document, text) && comments(document.text) === comments(text);
}

function printed({ kind, name }: Document, text: string): string | undefined {
  const source = new Source(name, text);
  const snippet = kind === "snippet";
  const parsed = snippet ? parseSnippet(source) : parse(source);
  if (hasErrors(parsed.diagnostics)) return undefined;
  return parsed.value.kind === "module" ? print(parsed.value) : printStatements(parsed.value.statements);
}

function comments(text: string): string {
  const found: string[] = [];
  for (const { kind, text: comment } of tokensOf(text)) if (kind === "comment") found.push(comment.trimEnd());
  return found.join("\n");
}
