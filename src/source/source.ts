/** A half-open range of UTF-16 offsets in one source's text. Lines and columns are derived, never stored. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A position for people: both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One text that diagnostics can point into: a file, standard input, or an option's value. */
export class Source {
  readonly name: string;
  readonly text: string;
  #lineStarts: readonly number[] | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  /** For `JSON.stringify`: its name, so that a `Stop` or a `Diagnostic` does not print a complete program. */
  toJSON(): { readonly name: string } {
    return { name: this.name };
  }

  /** Line and column of an offset; an offset past the end is the end. */
  position(offset: number): Position {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: Math.min(offset, this.text.length) - (starts[low] ?? 0) + 1 };
  }

  /** The text of a line, counted from 1, without its line end; empty when there is no such line. */
  line(number: number): string {
    const starts = this.#starts();
    const start = starts[number - 1];
    if (start === undefined) return "";
    return this.text.slice(start, starts[number] ?? this.text.length).replace(/\r?\n$/, "");
  }

  /** The offset where a line begins, counted from 1; the end of the text when there is no such line. */
  lineStart(number: number): number {
    return this.#starts()[number - 1] ?? this.text.length;
  }

  #starts(): readonly number[] {
    if (this.#lineStarts === undefined) {
      const starts = [0];
      for (let at = this.text.indexOf("\n"); at >= 0; at = this.text.indexOf("\n", at + 1)) starts.push(at + 1);
      this.#lineStarts = starts;
    }
    return this.#lineStarts;
  }
}
