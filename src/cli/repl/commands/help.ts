import type { LinePart } from "../expression/refusal.ts";
import type { Shell } from "../shell.ts";
import type { Command, CommandGroup } from "./command.ts";
import type { CommandTable } from "./command-table.ts";

/** `help`, `help step`. */
export function help(table: CommandTable, shell: Shell, argument: LinePart): void {
  if (argument.text !== "") {
    shell.out(describe(table.named(argument.text, argument)));
    return;
  }
  for (const [group, members] of grouped(table)) {
    shell.out(`${shell.palette.strong(group)}\n`);
    for (const command of members) shell.out(`  ${line(command)}\n`);
  }
  shell.out(`${closing}\n`);
}

const closing = `A line that begins with a mnemonic, such as add.u32 %r1, %r1, 1; is executed for the focused thread.
An empty line does the last command again; # begins a comment; help COMMAND says more.`;

const width = 34;

/** The usage and the first line of the help, aligned; the short forms come after the name. */
function line({ usage, help: text }: Command): string {
  const [first = ""] = text.split("\n");
  return `${usage.padEnd(width)} ${first}`.trimEnd();
}

/** Everything about one command. */
export function describe({ usage, short = [], help: text }: Command): string {
  const also = short.length === 0 ? "" : `  short: ${short.join(", ")}\n`;
  return `${usage}\n${text
    .split("\n")
    .map((each) => `  ${each}\n`)
    .join("")}${also}`;
}

/** The commands by their groups, in the table's order. */
export function grouped({ commands }: CommandTable): ReadonlyMap<CommandGroup, readonly Command[]> {
  const groups = new Map<CommandGroup, Command[]>();
  for (const command of commands) {
    const known = groups.get(command.group);
    if (known === undefined) groups.set(command.group, [command]);
    else known.push(command);
  }
  return groups;
}
