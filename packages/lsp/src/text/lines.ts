/** A position in the protocol's units: lines and UTF-16 units, both from 0. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** A range in the protocol's units, half-open. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** Where the lines of a text begin. A line ends with `\n`, `\r\n` or `\r` alone, as the protocol has it. */
export class Lines {
  readonly #text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#text = text;
    const starts = [0];
    if (text.includes("\r")) {
      const end = /\r\n?|\n/g;
      while (end.test(text)) starts.push(end.lastIndex);
    } else for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    this.#starts = starts;
  }

  get count(): number {
    return this.#starts.length;
  }

  /** The line and the character of an offset; one past the end is the end. */
  position(offset: number): Position {
    const within = Math.max(0, Math.min(offset, this.#text.length));
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= within) low = middle;
      else high = middle;
    }
    return { line: low, character: within - (this.#starts[low] ?? 0) };
  }

  /** The offset of a place; past the end of a line it is the end of that line, past the last line the end of the text. */
  offset({ line, character }: Position): number {
    if (line < 0) return 0;
    const start = this.#starts[line];
    if (start === undefined) return this.#text.length;
    return Math.min(start + Math.max(0, character), this.#end(line));
  }

  /** The offset where a line begins, and where its text ends without the line break. */
  span(line: number): { readonly start: number; readonly end: number } {
    return { start: this.#starts[line] ?? this.#text.length, end: this.#end(line) };
  }

  #end(line: number): number {
    const next = this.#starts[line + 1];
    if (next === undefined) return this.#text.length;
    const back = this.#text.charCodeAt(next - 1) === 10 && this.#text.charCodeAt(next - 2) === 13 ? 2 : 1;
    return next - back;
  }
}
