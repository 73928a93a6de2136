/**
 * A line folded to `width` characters at blanks, or within a word after one of `.,]_` or where nothing else is left;
 * lines after the first begin with `indent` blanks. Blanks at the start stay.
 */
export function wrapped(line: string, width: number, indent: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const cut = cutOf(rest, width, lines.length === 0 ? line.length - line.trimStart().length : indent);
    lines.push(rest.slice(0, cut).trimEnd());
    rest = " ".repeat(indent) + rest.slice(cut).trimStart();
  }
  return [...lines, rest];
}

function cutOf(line: string, width: number, start: number): number {
  const blank = line.lastIndexOf(" ", width);
  if (blank > start) return blank;
  // A modifier begins with its dot, so the fold is before it.
  const dot = line.lastIndexOf(".", width - 1);
  if (dot > start) return dot;
  const half = width - (/[\ud800-\udbff]/.test(line[width - 1]!) ? 1 : 0);
  return Math.max(half, start + 2);
}
