import { grouped } from "./help.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** The commands as Markdown: a table a group. docs/repl.md holds it, and a test says when it is old. */
export function commandsToMarkdown(): string {
  return [...grouped()]
    .map(([group, commands]) => {
      const rows = commands.map(({ usage, short = [], help }) => {
        const also = short.map((word) => `\`${word}\``).join(", ");
        return `| \`${cell(usage)}\` | ${also} | ${cell(help.replaceAll("\n", "; "))} |\n`;
      });
      return `### ${group}\n\n| command | short | what it does |\n|---|---|---|\n${rows.join("")}`;
    })
    .join("\n");
}
