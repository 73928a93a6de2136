import { commentEnd } from "../../../../src/source/comment.ts";
import type { Document } from "../document.ts";

/** Lines that may be folded into their first; counted from 0, both included. */
export interface Fold {
  readonly start: number;
  readonly end: number;
  readonly comment?: true;
}

const MARKS = /[{}"/\n]/g;

/** Bodies, blocks, long initial values and comments of several lines. */
export function folds({ text, lines, kind }: Document): readonly Fold[] {
  if (kind === "vISA") return [];
  const found: Fold[] = [];
  const open: number[] = [];
  let run: { first: number; last: number } | undefined;
  const endRun = (): void => {
    if (run && run.last > run.first) found.push({ start: run.first, end: run.last, comment: true });
    run = undefined;
  };
  MARKS.lastIndex = 0;
  for (let mark = MARKS.exec(text); mark !== null; mark = MARKS.exec(text)) {
    const [char] = mark;
    if (char === "{") open.push(mark.index);
    else if (char === "}") {
      const start = open.pop();
      if (start !== undefined) fold(start, mark.index);
    } else if (char === '"') {
      const end = text.slice(mark.index + 1, mark.index + 4096).search(/["\n]/);
      if (end >= 0) MARKS.lastIndex = mark.index + 2 + end;
    } else if (char === "/") {
      const end = commentEnd(text, mark.index);
      if (end < 0) continue;
      comment(mark.index, end);
      MARKS.lastIndex = end;
    }
  }
  endRun();
  return found.sort((a, b) => a.start - b.start || b.end - a.end);

  function fold(start: number, end: number): void {
    const [first, last] = [lines.position(start).line, lines.position(end).line];
    // The line of the closing brace stays visible.
    if (last - 1 > first) found.push({ start: first, end: last - 1 });
  }

  /** Consecutive lines of `//` are one comment; a comment after code is not part of them. */
  function comment(start: number, end: number): void {
    const first = lines.position(start).line;
    const alone = text.slice(lines.span(first).start, start).trim() === "";
    if (text.startsWith("/*", start)) {
      const last = lines.position(end - 1).line;
      if (alone && last > first) found.push({ start: first, end: last, comment: true });
    } else if (alone && run && run.last === first - 1) run.last = first;
    else {
      endRun();
      if (alone) run = { first, last: first };
    }
  }
}
