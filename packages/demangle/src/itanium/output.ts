/** Thrown inside this folder where a text is not a mangled name, or needs too much work; `demangle` catches it. */
export const malformed: Error = new Error("not a mangled name");

/** The current item of a parameter pack that is being expanded, and the number of items. */
export interface Expansion {
  index: number;
  size: number | undefined;
}

/** The arguments of the innermost template whose function is being written, which `T_` stands for. */
export interface Scope<Argument> {
  readonly args: readonly Argument[];
  readonly outer: Scope<Argument> | undefined;
}

/** Substitutions let a name of a hundred characters stand for a terabyte: no name that people wrote is longer. */
const LONGEST = 16_384;
/** Empty packs within packs write nothing and can still be visited without end. */
const MOST_VISITS = 50_000;
const DEEPEST = 500;

/** What is written so far, with limits on its length and on the work that went into it. */
export class Output<Argument> {
  text = "";
  expansion: Expansion | undefined;
  scope: Scope<Argument> | undefined;
  /** True within the parameters of a lambda, where `T_` is an `auto`. */
  lambda = false;
  #visits = 0;
  #depth = 0;

  /** Throws `malformed` when the text becomes too long. */
  put(text: string): void {
    this.text += text;
    if (this.text.length > LONGEST) throw malformed;
  }

  /** The last character, or nothing. */
  get last(): string {
    return this.text.at(-1) ?? "";
  }

  /** Counts a node that is entered. Throws `malformed` when there are too many, or one too deep within others. */
  enter(): void {
    if (++this.#visits > MOST_VISITS || ++this.#depth > DEEPEST) throw malformed;
  }

  leave(): void {
    this.#depth--;
  }

  /** Drops the text written after this length. */
  cut(length: number): void {
    this.text = this.text.slice(0, length);
  }
}
