import { markdownTable } from "../../../../src/present/text/markdown.ts";
import { summaryOf } from "./command.ts";
import { table } from "./every-command.ts";
import { grouped } from "./help.ts";

/** The commands as Markdown: one table for each group. docs/repl.md holds it, and a test compares them. */
export function commandsToMarkdown(): string {
  return [...grouped(table)]
    .map(([group, commands]) => {
      const rows = commands.map((command) => [
        `\`${command.usage}\``,
        (command.short ?? []).map((word) => `\`${word}\``).join(", "),
        summaryOf(command),
      ]);
      return `### ${group}\n\n${markdownTable(["command", "short", "what it does"], rows)}`;
    })
    .join("\n");
}
