import { commentEnd } from "../source/comment.ts";

const isBlank = (char: string): boolean => char === " " || char === "\t" || char === "\n" || char === "\r";

/** Letters, digits, `_` and `$`: what names consist of, apart from a leading `%`. */
const isWord = (char: string): boolean => /[\w$]/.test(char);

/** The first place from `at` on that is neither blank nor in a comment, at most `most` characters further. */
function skipTrivia(text: string, at: number, most: number = Number.POSITIVE_INFINITY): number {
  const limit = Math.min(text.length, at + most);
  let to = at;
  while (to < limit) {
    if (isBlank(text.charAt(to))) to++;
    else {
      const end = commentEnd(text, to);
      if (end < 0) return to;
      to = end;
    }
  }
  return to;
}

/** Real demangled names are shorter. */
const LONGEST = 4096;

/** The end of a C++ name (half-open, without blanks); undefined where there is none. */
interface Extent {
  readonly end: number | undefined;
  /** Number of characters examined. */
  readonly read: number;
}

/** The operators that C++ lets a function be named after, as demanglers write them. */
const OPERATOR =
  /\(\)|\[\]|""[ ]?\w+|->\*|<=>|<<=|>>=|->|<<|>>|[-+*/%^&|=!<>]=|&&|\|\||\+\+|--|[-+*/%^&|~!=<>,]| (?:new|delete)(?:\[\])?/y;
/** Symbols that a compiler makes besides functions and variables: `vtable for A`, `guard variable for f()::x`. */
const MADE =
  /(?:vtable|VTT|typeinfo(?: name)?|guard variable|TLS \w+ function|(?:non-)?virtual thunk|covariant return thunk) (?:for|to) (?=[A-Za-z_(])/y;
/** Braces that belong to a name: `{lambda(int)#1}`, `{unnamed type#1}`, `{default arg#1}`. */
const BRACED = /\{(?:lambda\(|unnamed |default )/y;
/** Brackets that belong to a name: `[abi:cxx11]`, `[clone .part.0]`. */
const BRACKETED = /\[(?:abi:|clone )/y;

const closers: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["<", ">"],
]);

/** Characters allowed outside of brackets: `float* f<int>(int)`, `A::~A()`, `'lambda'(int)`. */
const OUTSIDE = "*&~'";

/**
 * Reads the C++ name that begins at `start`, bracket by bracket: `void add<float, 4>(float const*)`,
 * `ns::A<int>::operator()(int) const`. A plain word is none. With `head` it stops in front of the list of parameters of
 * a `.entry` or `.func`.
 */
function readDemangled(text: string, start: number, head = false): Extent {
  const open: string[] = [];
  const made = matchAt(MADE, text, start);
  let end = start;
  let at = start + made;
  let special = made > 0;
  const limit = Math.min(text.length, start + LONGEST);
  while (at < limit) {
    const char = text.charAt(at);
    if (isWord(char)) {
      const from = at;
      while (at < limit && isWord(text.charAt(at))) at++;
      if (text.slice(from, at) === "operator") {
        const length = matchAt(OPERATOR, text, at);
        special ||= length > 0;
        at += length;
      }
    } else if (char === " " || char === "\t") {
      at++;
      continue;
    } else if (char === ":" && text.charAt(at + 1) === ":") {
      special = true;
      at += 2;
    } else if (char === "-" && text.charAt(at + 1) === ">" && open.length > 0) at += 2;
    else if (closers.has(char)) {
      if (open.length === 0 && !opensName(text, at, head)) break;
      special = true;
      open.push(closers.get(char) ?? "");
      at++;
    } else if (")]}>".includes(char)) {
      // A `>` without an open bracket is an operator in a template's argument, and an unclosed `<` was one.
      if (char !== ">") while (open.at(-1) === ">") open.pop();
      if (open.at(-1) === char) open.pop();
      else if (char !== ">" || open.length === 0) break;
      at++;
    } else if (open.length === 0 ? OUTSIDE.includes(char) : !'"%;@\\`\r\n'.includes(char)) at++;
    else break;
    end = at;
  }
  return { end: special && open.length === 0 ? end : undefined, read: at - start };
}

/** True where the bracket belongs to a name rather than to the PTX around it. */
function opensName(text: string, at: number, head: boolean): boolean {
  switch (text.charAt(at)) {
    case "{":
      return matchAt(BRACED, text, at) > 0;
    case "[":
      return matchAt(BRACKETED, text, at) > 0;
    case "(":
      return !head || !opensParameters(text, at);
    default:
      return true;
  }
}

/** True for the `(` in front of `.param`, and for an empty list with a body, a directive or a `;` behind it. */
function opensParameters(text: string, at: number): boolean {
  const inside = skipTrivia(text, at + 1, LONGEST);
  const first = text.charAt(inside);
  if (first !== ")") return first === ".";
  const behind = text.charAt(skipTrivia(text, inside + 1, LONGEST));
  return behind === "" || "{;.}".includes(behind);
}

function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

/** True where a C++ name may begin. */
const beginsName = (text: string, at: number): boolean =>
  /[A-Za-z_$~]/.test(text.charAt(at)) || text.startsWith("(anonymous namespace)", at) || matchAt(BRACED, text, at) > 0;

/** C++ names in a text, by offset, with their lengths. */
export type DemangledNames = ReadonlyMap<number, number>;

/** What a name may follow, and what must be skipped. */
const MARK =
  /\/[/*]|"[^"\n]*"?|\.(?:entry|func|reg|param|global|const|shared|local|alias|calltargets)(?![\w$:.])|call(?![\w$])|[[({,=)]/g;
/** Text in a name's position that is none: an address in an initialiser, and a call at the start of a block. */
const NO_NAME = /^(?:generic\(|call[\s.])/;
/** The results of a call, in parentheses. */
const RESULTS = 4096;
/** Characters that may be examined per character of the text, so that the time is linear. */
const READS_PER_CHARACTER = 16;

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
  /** A name was found that is declared or called, or has a `::`: then others are accepted as names, too. */
  #sure = false;

  constructor(text: string) {
    this.#text = text;
    this.#budget = text.length * READS_PER_CHARACTER + 65536;
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

  /** Reads a name after blanks and returns where to continue; other text is left alone. */
  #name(from: number, { sure, head = false }: { sure: boolean; head?: boolean }): number {
    const text = this.#text;
    const start = skipTrivia(text, from);
    if (!beginsName(text, start) || NO_NAME.test(text.slice(start, start + 8))) return from;
    const { end, read } = readDemangled(text, start, head);
    this.#budget -= read;
    if (end === undefined) return from;
    // `.entry k(int) {` lacks PTX's own parameter list, which compilers write even when it is empty.
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
