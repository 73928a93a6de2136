/** Characters that are shown of a piece of text. */
const MOST = 160;

/** A piece of text on one line, cut where it is long. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * MOST)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > MOST ? `${line.slice(0, MOST)}...` : line;
}

export const firstLine = (text: string): string => oneLine(text.split("\n", 1)[0] ?? "");
