import type { Program } from "../../interp/contract/program.ts";
import type { Location } from "../../source/diagnostic.ts";
import type { Source, Span } from "../../source/source.ts";

/** `FILE:LINE:COLUMN`, or where a text is not what the reader sees, words. */
export interface Place {
  readonly text: string;
  /** Whether it is a line of the file that the reader has before him. */
  readonly isLine: boolean;
}

/**
 * Where something of a PTX text is, for a reader of `original`, from which a compiler made it; or, where that is undefined, of the PTX
 * itself.
 */
export class Places {
  readonly #source: Source;
  readonly #original: string | undefined;
  /** By the offset where an instruction begins. */
  readonly #locations = new Map<number, Location>();

  constructor(source: Source, original: string | undefined, program?: Program) {
    this.#source = source;
    this.#original = original;
    for (const { span, location } of program?.code ?? [])
      if (location !== undefined) this.#locations.set(span.start, location);
  }

  /** Whether no instruction says which line of the original it is from. */
  get lacksLines(): boolean {
    return this.#original !== undefined && [...this.#locations.values()].every((each) => this.#own(each) === undefined);
  }

  isOf(source: Source): boolean {
    return source === this.#source;
  }

  of({ start }: Span): Place {
    const { line, column } = this.#source.position(start);
    if (this.#original === undefined) return { text: `${this.#source.name}:${line}:${column}`, isLine: true };
    const own = this.#own(this.#locations.get(start));
    if (own === undefined) return { text: `output line ${line}`, isLine: false };
    return { text: [this.#original, own.line, ...(own.column > 0 ? [own.column] : [])].join(":"), isLine: true };
  }

  /** A message about PTX, with the lines that its reader knows. */
  inWords(message: string): string {
    if (this.#original === undefined) return message;
    return message.replace(/ on line (\d+)\b/g, (_, number: string) => {
      const known = [...this.#locations].find(([start]) => this.#source.position(start).line === Number(number));
      const own = this.#own(known?.[1]);
      return own === undefined ? ` on output line ${number}` : ` on line ${own.line}`;
    });
  }

  /** The line in the original: where code of a header was inlined, the one that calls it. */
  #own(location: Location | undefined): Location | undefined {
    const isOwn = (each: Location | undefined): boolean =>
      each !== undefined && each.line > 0 && lastPart(each.file) === lastPart(this.#original ?? "");
    return [location, location?.inlinedAt].find(isOwn);
  }
}

/** The compiler may have run elsewhere, and seen the file at another path. */
const lastPart = (path: string): string => path.split(/[/\\]/).at(-1) ?? path;
