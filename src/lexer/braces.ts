import { commentEnd } from "../source/comment.ts";

const QUOTE = 34;
const DOT = 46;
const SLASH = 47;
const OPEN = 123;
const CLOSE = 125;

/** Where a braced text ends (half-open), and whether its braces balance. */
export interface Braced {
  readonly end: number;
  readonly closed: boolean;
}

/**
 * Finds the end of the braced text whose `{` is at `offset`, skipping comments and strings. No tokens are made: this is
 * what lets a large module reach its index at once.
 *
 * A missing brace would include every function after it; since a body holds no `.entry` and no `.func`, the walk gives
 * up in front of one.
 */
export function bracedEnd(text: string, offset: number): Braced {
  const known = walk?.text === text ? walk.ends.get(offset) : undefined;
  if (known !== undefined) return known;
  const end = closedEnd(text, offset) ?? walkedEnd(text, offset);
  if (walk !== undefined && walk.text === text) walk.ends.set(offset, end);
  return end;
}

/** Cached facts about a text whose bodies are searched more than once. */
interface Walk {
  readonly text: string;
  readonly ends: Map<number, Braced>;
  /** No function starts from `from` to `start`. */
  from: number;
  start: number;
}
let walk: Walk | undefined;

/** Caches the ends of the bodies in a text while `read` runs. */
export function rememberingEnds<T>(text: string, read: () => T): T {
  walk = { text, ends: new Map(), from: 0, start: 0 };
  try {
    return read();
  } finally {
    walk = undefined;
  }
}

/** Characters that end the search or open something to skip. */
const marks = /[{}"/]/g;
const functions = /\.(?:entry|func)(?![\w$])/g;

/** The next offset where a function may start; it may also be in a comment. */
function nextFunction(text: string, offset: number): number {
  if (walk !== undefined && walk.text === text && walk.from <= offset && offset <= walk.start) return walk.start;
  functions.lastIndex = offset;
  const start = functions.exec(text)?.index ?? text.length;
  if (walk !== undefined && walk.text === text) [walk.from, walk.start] = [offset, start];
  return start;
}

/** The end of a text whose braces balance before anything that looks like a function: the usual case. */
function closedEnd(text: string, offset: number): Braced | undefined {
  const last = nextFunction(text, offset);
  let depth = 0;
  marks.lastIndex = offset;
  while (marks.test(text)) {
    const at = marks.lastIndex - 1;
    if (at >= last) return undefined;
    switch (text.charCodeAt(at)) {
      case OPEN:
        depth++;
        break;
      case CLOSE:
        depth--;
        if (depth === 0) return { end: at + 1, closed: true };
        break;
      case SLASH: {
        const end = commentEnd(text, at);
        if (end > 0) marks.lastIndex = end;
        break;
      }
      case QUOTE:
        marks.lastIndex = stringEnd(text, at);
        break;
    }
  }
  return undefined;
}

/** The same, character by character. */
function walkedEnd(text: string, offset: number): Braced {
  let depth = 0;
  for (let at = offset; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case OPEN:
        depth++;
        break;
      case CLOSE:
        depth--;
        if (depth === 0) return { end: at + 1, closed: true };
        break;
      case SLASH: {
        const end = commentEnd(text, at);
        if (end > 0) at = end - 1;
        break;
      }
      case QUOTE:
        at = stringEnd(text, at) - 1;
        break;
      case DOT:
        if (startsFunction(text, at)) return { end: withoutLinkage(text, offset, at), closed: false };
        break;
    }
  }
  return { end: text.length, closed: false };
}

/** Where the string that starts at `offset` ends: a string lies within one line and has no escapes. */
function stringEnd(text: string, offset: number): number {
  for (let at = offset + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === 10) return at;
  }
  return text.length;
}

function startsFunction(text: string, at: number): boolean {
  const first = text.charCodeAt(at + 1);
  if (first !== 101 /* e */ && first !== 102 /* f */) return false;
  const length = text.startsWith("entry", at + 1) ? 6 : text.startsWith("func", at + 1) ? 5 : 0;
  // A suffix (`ld.entry`) is the instruction's mistake, not a function.
  return length > 0 && !/[\w$]/.test(text.charAt(at + length)) && !/[\w$]/.test(text.charAt(at - 1));
}

/** Steps back over the `.visible` of `.visible .entry`. */
function withoutLinkage(text: string, from: number, at: number): number {
  const before = /\.(?:visible|extern|weak)\s+$/.exec(text.slice(Math.max(from + 1, at - 40), at));
  return before === null ? at : at - before[0].length;
}
