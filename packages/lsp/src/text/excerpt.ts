/** Characters shown of an excerpt. */
const MAX_EXCERPT = 160;

/** An excerpt on one line, cut where it is long. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * MAX_EXCERPT)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > MAX_EXCERPT ? `${line.slice(0, MAX_EXCERPT)}...` : line;
}

export const firstLine = (text: string): string => oneLine(text.split("\n", 1)[0] ?? "");
