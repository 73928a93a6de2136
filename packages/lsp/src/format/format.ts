import { parse, parseSnippet, print, printStatements } from "../../../../src/parser/index.ts";
import { commentEnd } from "../../../../src/source/comment.ts";
import { hasErrors } from "../../../../src/source/diagnostic.ts";
import { Source, type Span } from "../../../../src/source/source.ts";
import type { Document } from "../document.ts";
import type { Edit } from "../text/edit.ts";
import { tokensOf } from "../text/tokens.ts";
import { piecesOf } from "./pieces.ts";

/** The context of a gap. */
interface Around {
  /** The gap is at the start of the text. */
  readonly first: boolean;
  /** Blanks before what it follows; absent at the start of the text. */
  readonly before: string | undefined;
  /** Blanks before what follows; absent at the end of the text. */
  readonly after: string | undefined;
}

/**
 * A gap between two statements, laid out: a comment after a statement stays there, others get a separate line, and of
 * several blank lines one is left. Undefined where there is more than comments and blanks.
 */
export function gapText(gap: string, { first, before = "", after }: Around): string | undefined {
  // A comment above a label or a closing brace is indented like the line above it.
  const own = after === undefined || after === "" ? before : after;
  let laid = "";
  let lines = 0;
  for (let at = 0; at < gap.length; ) {
    const char = gap.charAt(at);
    if (/\s/.test(char)) {
      if (char === "\n") lines++;
      at++;
      continue;
    }
    const end = commentEnd(gap, at);
    if (end < 0) return undefined;
    const comment = gap.slice(at, end).trimEnd();
    const begins = laid === "" && first;
    const beside = laid === "" && lines === 0;
    laid += begins ? comment : beside ? ` ${comment}` : `${breaks(lines)}${own}${comment}`;
    lines = 0;
    at = end;
  }
  if (after === undefined) return `${laid}\n`;
  return laid === "" && first ? after : `${laid}${breaks(lines)}${after}`;
}

const breaks = (lines: number): string => (lines > 1 ? "\n\n" : "\n");

/**
 * Edits that lay a text out as the printer does: a statement a line, bodies indented by a tab. Comments and single
 * blank lines stay where they are. No edits for a text with errors, of which the printer has only a part.
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

/** True where two texts print alike and have the same comments: then only the layout differs. */
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
