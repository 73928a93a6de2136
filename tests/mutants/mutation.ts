/** A change of one place of a source text. */
export interface Mutation {
  /** What is replaced, as offsets into the text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Whether it stands for a whole statement, and not for an expression. */
  readonly statement: boolean;
}

/** One of the mutations that a run has drawn. */
export interface Mutant extends Mutation {
  /** From 1 on; 0 is what nothing is changed in. */
  readonly id: number;
  readonly file: string;
  readonly place: Place;
}

/** What names a mutation as long as its line stays what it is. */
export interface Place {
  readonly file: string;
  /** The line in which it begins, without the blanks around it. */
  readonly line: string;
  /** Where in that line. */
  readonly at: number;
  readonly old: string;
  readonly new: string;
}

/** Text in one line, shortened where it is long. */
export const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= 80 ? line : `${line.slice(0, 60)} ... ${line.slice(-15)}`;
};

export function placeOf(file: string, text: string, { start, end, text: by }: Mutation): Place {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const to = text.indexOf("\n", start);
  const whole = text.slice(from, to < 0 ? text.length : to);
  const at = start - from - (whole.length - whole.trimStart().length);
  return { file, line: whole.trim(), at, old: oneLine(text.slice(start, end)), new: oneLine(by) };
}

/** Line and column, from 1 on. */
export function positionOf(text: string, at: number): string {
  const before = text.slice(0, at).split("\n");
  return `${before.length}:${(before.at(-1) ?? "").length + 1}`;
}
