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
 * Finds the end of the braced text whose `{` stands at `offset`, passing over comments and strings. One linear walk
 * without tokens: this is what lets a large module reach its index at once.
 *
 * A missing brace would include every function after it; since a body holds no `.entry` and no `.func`, the walk gives
 * up in front of one.
 */
export function bracedEnd(text: string, offset: number): Braced {
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
