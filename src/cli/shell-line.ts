/** A word of a command line as it was typed. */
export interface ShellWord {
  /** The word after removing quotes and backslashes. */
  readonly text: string;
  /** Its offset in the line. */
  readonly start: number;
  /** The quote that is unclosed at the end of the line. */
  readonly open?: "'" | '"';
}

/**
 * A line's words as a shell splits them: quotes and backslashes, no expansions. A line that ends with a space has an
 * empty word there.
 */
export function shellLine(line: string, { escapes } = { escapes: true }): ShellWord[] {
  const words: ShellWord[] = [];
  let at = 0;
  for (;;) {
    while (/\s/.test(line[at] ?? "")) at++;
    const { word, end } = readWord(line, at, escapes);
    words.push(word);
    if (end >= line.length) return words;
    at = end;
  }
}

function readWord(line: string, start: number, escapes: boolean): { readonly word: ShellWord; readonly end: number } {
  let text = "";
  let open: ShellWord["open"];
  let at = start;
  for (; at < line.length; at++) {
    const character = line[at] ?? "";
    if (open !== undefined) {
      if (character === open) open = undefined;
      else if (escapes && open === '"' && character === "\\" && /["\\$`]/.test(line[at + 1] ?? "")) text += line[++at];
      else text += character;
    } else if (/\s/.test(character)) break;
    else if (character === "'" || character === '"') open = character;
    else if (escapes && character === "\\") text += line[++at] ?? "";
    else text += character;
  }
  return { word: { text, start, ...(open === undefined ? {} : { open }) }, end: at };
}

/** The words of a line in a file, where only quotes are special, and none unless all are closed. */
export function quotedWords(line: string): string[] {
  const words = shellLine(line, { escapes: false });
  const texts = words.some(({ open }) => open !== undefined) ? line.split(/\s+/) : words.map(({ text }) => text);
  return texts.filter(Boolean);
}
