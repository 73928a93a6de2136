/** A Markdown table, its columns aligned as formatters want them. A bar within a cell is escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, at) => Math.max(3, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |\n`;
  const [first = [], ...others] = cells;
  return line(first) + line(widths.map((width) => "-".repeat(width))) + others.map(line).join("");
}
