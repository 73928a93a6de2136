import { commentEnd } from "../source/comment.ts";
import { beginsName, readDemangled } from "./demangled-extent.ts";
import { isBlank, isWord, skipTrivia } from "./trivia.ts";

/** C++ names in a text, by where they begin: how long each is. */
export type DemangledNames = ReadonlyMap<number, number>;

/** What a name may stand behind, and what must be passed over. */
const MARK =
  /\/[/*]|"[^"\n]*"?|\.(?:entry|func|reg|param|global|const|shared|local|alias|calltargets)(?![\w$:.])|call(?![\w$])|[[({,=)]/g;
/** What stands where a name may, and is none: an address in an initialiser, and a call at the start of a block. */
const NO_NAME = /^(?:generic\(|call[\s.])/;
/** The results of a call, in parentheses. */
const RESULTS = 4096;
/** Characters that may be read for each of the text, so that no text takes more than linear time. */
const PATIENCE = 16;

/**
 * Finds the names that a demangler has put into PTX: `.entry square(int*, int)(`, `[square(int*, int)_param_0]`,
 * `call f(float), (a)`, `mov.u64 %rd1, ns::table`. No PTX has them, so this is for texts that do not parse; undefined
 * where there are none.
 */
export function findDemangled(text: string): DemangledNames | undefined {
  const finder = new Finder(text);
  return finder.find();
}

/** A text with each of these C++ names replaced by one word as long, so that offsets stay true. */
export function withoutDemangled(text: string, names: DemangledNames): string {
  const parts: string[] = [];
  let at = 0;
  for (const [start, length] of names) {
    parts.push(text.slice(at, start), "Z".repeat(length));
    at = start + length;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

class Finder {
  readonly #text: string;
  readonly #names = new Map<number, number>();
  #budget: number;
  /** A name was found that is declared or called, or has a `::`: others are believed to be names, too. */
  #sure = false;

  constructor(text: string) {
    this.#text = text;
    this.#budget = text.length * PATIENCE + 65536;
  }

  find(): DemangledNames | undefined {
    const text = this.#text;
    // The results of a `.func` stand before its name.
    let returning = false;
    MARK.lastIndex = 0;
    for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
      const [found] = mark;
      const end = mark.index + found.length;
      let next = end;
      if (this.#budget < 0) return undefined;
      if (found.startsWith("/")) next = commentEnd(text, mark.index);
      else if (found === ".entry") next = this.#name(end, { sure: true, head: true });
      else if (found === ".func") {
        const at = skipTrivia(text, end);
        returning = text.charAt(at) === "(" && text.charAt(skipTrivia(text, at + 1)) === ".";
        next = returning ? at + 1 : this.#name(at, { sure: true, head: true });
      } else if (found === ")") {
        if (returning) next = this.#name(end, { sure: true, head: true });
        returning = false;
      } else if (found === ".reg") next = this.#registers(end);
      else if (found.startsWith(".")) {
        if (isBlank(text.charAt(end)) && !isWord(text.charAt(mark.index - 1)))
          next = this.#name(this.#pastTypes(end), { sure: true });
      } else if (found === "call") {
        if (!isWord(text.charAt(mark.index - 1))) next = this.#callee(end);
      } else if (!found.startsWith('"')) next = this.#name(end, { sure: false });
      this.#budget -= next - mark.index;
      MARK.lastIndex = next;
    }
    return this.#sure ? this.#names : undefined;
  }

  /** Reads a name behind blanks and gives where to go on; what is no C++ name is left alone. */
  #name(from: number, { sure, head = false }: { sure: boolean; head?: boolean }): number {
    const text = this.#text;
    const start = skipTrivia(text, from);
    if (!beginsName(text, start) || NO_NAME.test(text.slice(start, start + 8))) return from;
    const { end, read } = readDemangled(text, start, head);
    this.#budget -= read;
    if (end === undefined) return from;
    // `.entry k(int) {` forgets PTX's own parameters, which compilers write even where there are none.
    if (head && text.charAt(skipTrivia(text, end)) !== "(") return from;
    const name = text.slice(start, end);
    this.#names.set(start, end - start);
    if (sure || name.includes("::") || name.includes(")_param_")) this.#sure = true;
    return end;
  }

  /** The place behind `.align 4 .b8`, `.attribute(.managed)`, `.v4.f32`, `.ptr .global`. */
  #pastTypes(from: number): number {
    const text = this.#text;
    let at = skipTrivia(text, from);
    while (text.charAt(at) === ".") {
      const word = at;
      at++;
      while (at < text.length && (isWord(text.charAt(at)) || text.charAt(at) === ":")) at++;
      const directive = text.slice(word, at);
      if (directive === ".align") {
        at = skipTrivia(text, at);
        while (isWord(text.charAt(at))) at++;
      } else if (directive === ".attribute") {
        let open = 0;
        do {
          if (text.charAt(at) === "(") open++;
          if (text.charAt(at) === ")") open--;
          at++;
        } while (open > 0 && at < text.length);
      }
      at = skipTrivia(text, at);
    }
    return at;
  }

  /** `.reg .b32 a<4>, b<5>`: here a `<` is a count. */
  #registers(from: number): number {
    const text = this.#text;
    let at = this.#pastTypes(from);
    for (;;) {
      while (
        at < text.length &&
        (isWord(text.charAt(at)) || isBlank(text.charAt(at)) || "%<>".includes(text.charAt(at)))
      )
        at++;
      if (text.charAt(at) !== "," || text.charAt(skipTrivia(text, at + 1)) === ".") return at;
      at++;
    }
  }

  /** The function of `call.uni (r), f(float), (a)`. */
  #callee(from: number): number {
    const text = this.#text;
    const at = this.#pastTypes(from);
    if (text.charAt(at) !== "(" || beginsName(text, at)) return this.#name(at, { sure: true });
    const close = at + text.slice(at, at + RESULTS).indexOf(")");
    this.#budget -= RESULTS / 16;
    if (close < at) return at;
    const comma = skipTrivia(text, close + 1);
    return text.charAt(comma) === "," ? this.#name(comma + 1, { sure: true }) : close;
  }
}
