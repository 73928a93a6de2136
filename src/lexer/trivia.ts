import { commentEnd } from "../source/comment.ts";

export const isBlank = (char: string): boolean => char === " " || char === "\t" || char === "\n" || char === "\r";

/** Letters, digits, `_` and `$`: what names consist of, apart from a leading `%`. */
export const isWord = (char: string): boolean => /[\w$]/.test(char);

/** The first place from `at` on that is neither blank nor in a comment, at most `most` characters further. */
export function skipTrivia(text: string, at: number, most: number = Number.POSITIVE_INFINITY): number {
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
