import type { Palette } from "./palette.ts";

/** Rows under a head, the first column aligned left and numbers right, something faint after each: a bar, a text. */
export function columns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  after: readonly string[],
  palette: Palette,
): string {
  const widths = head.map((title, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), title.length),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ");
  const lines = rows.map((row, at) => `${line(row)}  ${palette.faint(after[at] ?? "")}`.trimEnd());
  return [palette.strong(line(head)), ...lines].map((each) => `${each}\n`).join("");
}
