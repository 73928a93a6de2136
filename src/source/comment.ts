/**
 * Where the comment that starts at `offset` ends (half-open), or -1 when none starts there. A block comment that is
 * never closed ends with the text.
 *
 * Written by hand with `indexOf`: the textbook regular expression takes quadratic time on a text full of unclosed
 * comments.
 */
export function commentEnd(text: string, offset: number): number {
  if (text.charCodeAt(offset) !== 47 /* slash */) return -1;
  const second = text.charCodeAt(offset + 1);
  if (second === 47) {
    const end = text.indexOf("\n", offset + 2);
    return end < 0 ? text.length : end;
  }
  if (second !== 42 /* star */) return -1;
  const end = text.indexOf("*/", offset + 2);
  return end < 0 ? text.length : end + 2;
}

/** True when the comment `image` starts as a block and is never closed. */
export const isUnclosedComment = (image: string): boolean =>
  image.startsWith("/*") && (image.length < 4 || !image.endsWith("*/"));
