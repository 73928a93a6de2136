import type { Section } from "../isa/index.ts";
import { markdownTable } from "./text/markdown.ts";

/**
 * What of the manual runs, as a Markdown table: a section a row, with its instructions, how many forms they have in the
 * table, and how many of those run. docs/coverage.md holds a copy.
 */
export function coverage(sections: readonly Section[]): string {
  const rows = sections.map(({ number, title, forms }) => {
    const running = forms.filter(({ executable }) => executable).length;
    const mnemonics = [...new Set(forms.map(({ mnemonic }) => mnemonic))];
    const runs = running === 0 ? "checked only" : running === forms.length ? "all" : String(running);
    return [number, title, String(forms.length), runs, mnemonics.join(" ")];
  });
  return markdownTable(["section", "title", "forms", "run", "instructions"], rows);
}
