import type { Section } from "../isa/index.ts";

/**
 * What of the manual runs, as a Markdown table: a section a row, with its instructions, how many forms they have in the
 * table, and how many of those run. README holds a copy.
 */
export function coverage(sections: readonly Section[]): string {
  const rows = sections.map(({ number, title, forms }) => {
    const running = forms.filter(({ executable }) => executable);
    const mnemonics = [...new Set(forms.map(({ mnemonic }) => mnemonic))];
    const runs = running.length === 0 ? "checked only" : running.length === forms.length ? "all" : `${running.length}`;
    return [number, title, String(forms.length), runs, mnemonics.join(" ")];
  });
  const head = ["section", "title", "forms", "run", "instructions"];
  // The last column is as long as it is: padding would make the lines longer still.
  const widths = head.map((title, at) =>
    at === head.length - 1 ? title.length : Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |\n`;
  return line(head) + line(widths.map((width) => "-".repeat(width))) + rows.map(line).join("");
}
