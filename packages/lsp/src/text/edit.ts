/** One change of a text: `text` replaces the characters from `start` to `end` (UTF-16 offsets, half-open). */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** How much longer the text becomes. */
export const growth = ({ start, end, text }: Edit): number => text.length - (end - start);

/** True where an edit changes the text from `start` to `end`; an insertion beside it does not. */
export const touches = (edit: Edit, { start, end }: { readonly start: number; readonly end: number }): boolean =>
  edit.start === edit.end ? start < edit.start && edit.start < end : edit.start < end && edit.end > start;

/** An offset after an edit; within deleted text, its beginning. */
export function moved(offset: number, edit: Edit): number {
  if (offset >= edit.end) return offset + growth(edit);
  return Math.min(offset, edit.start);
}

/** An edit without the unchanged text at its ends: editors replace complete words, lines and texts. */
export function narrowed({ start, end, text }: Edit, whole: string): Edit {
  const most = Math.min(end - start, text.length);
  let first = 0;
  while (first < most && whole.charCodeAt(start + first) === text.charCodeAt(first)) first++;
  let last = 0;
  while (last < most - first && whole.charCodeAt(end - 1 - last) === text.charCodeAt(text.length - 1 - last)) last++;
  return { start: start + first, end: end - last, text: text.slice(first, text.length - last) };
}

/**
 * True where an edit of a text without C++ names and copy marks cannot have introduced any: `whole` is the text after
 * it. Searching for them takes longer than parsing the module's index, and an unfinished line is a reason to search.
 */
export function isPlain(whole: string, { start, text }: Edit): boolean {
  if (text.includes("\n") || text.length > 200) return false;
  const from = whole.lastIndexOf("\n", start - 1) + 1;
  const line = whole.indexOf("\n", start);
  const written = whole.slice(from, line < 0 ? whole.length : line);
  return from > 0 && written.length < 500 && !/[(<>:`&~|]/.test(written) && !/^\s*\d/.test(written);
}
