import { isWord, skipTrivia } from "./trivia.ts";

/** No demangled name that people read is longer; what is longer is not one. */
const LONGEST = 4096;

/** Where a C++ name ends (half-open, without blanks); undefined where there is none. */
export interface Extent {
  readonly end: number | undefined;
  /** Characters that were looked at. */
  readonly read: number;
}

/** The operators that C++ lets a function be named after, as demanglers write them. */
const OPERATOR =
  /\(\)|\[\]|""[ ]?\w+|->\*|<=>|<<=|>>=|->|<<|>>|[-+*/%^&|=!<>]=|&&|\|\||\+\+|--|[-+*/%^&|~!=<>,]| (?:new|delete)(?:\[\])?/y;
/** What a compiler makes besides functions and variables: `vtable for A`, `guard variable for f()::x`. */
const MADE =
  /(?:vtable|VTT|typeinfo(?: name)?|guard variable|TLS \w+ function|(?:non-)?virtual thunk|covariant return thunk) (?:for|to) (?=[A-Za-z_(])/y;
/** Braces that belong to a name: `{lambda(int)#1}`, `{unnamed type#1}`, `{default arg#1}`. */
const BRACED = /\{(?:lambda\(|unnamed |default )/y;
/** Brackets that do: `[abi:cxx11]`, `[clone .part.0]`. */
const BRACKETED = /\[(?:abi:|clone )/y;

const closers: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["<", ">"],
]);

/** What may stand outside of brackets: `float* f<int>(int)`, `A::~A()`, `'lambda'(int)`. */
const OUTSIDE = "*&~'";

/**
 * Reads the C++ name that begins at `start`, bracket by bracket: `void add<float, 4>(float const*)`,
 * `ns::A<int>::operator()(int) const`. A plain word is none. With `head` it stops in front of the list of parameters of
 * a `.entry` or `.func`.
 */
export function readDemangled(text: string, start: number, head = false): Extent {
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
      // A `>` that closes nothing is an operator in a template's argument, and a `<` that nothing closes was one.
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
export const beginsName = (text: string, at: number): boolean =>
  /[A-Za-z_$~]/.test(text.charAt(at)) || text.startsWith("(anonymous namespace)", at) || matchAt(BRACED, text, at) > 0;
