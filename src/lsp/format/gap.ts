import { commentEnd } from "../../source/comment.ts";

/** What a gap stands between. */
interface Around {
  /** Nothing stands before it. */
  readonly first: boolean;
  /** Blanks before what it follows; absent at the start of the text. */
  readonly before: string | undefined;
  /** Blanks before what follows; absent at the end of the text. */
  readonly after: string | undefined;
}

/**
 * What stands between two pieces, laid out: a comment behind a statement stays there, others have lines of their own,
 * and of several blank lines one is left. Undefined where there is more than comments and blanks.
 */
export function gapText(gap: string, { first, before = "", after }: Around): string | undefined {
  // A comment above a label or a closing brace stands as what is above it does.
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
