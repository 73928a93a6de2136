import type { LinePart } from "../expression/refusal.ts";
import type { Shell } from "../shell.ts";
import { type Command, type CommandGroup, summaryOf } from "./command.ts";
import type { CommandTable } from "./command-table.ts";

/** `help`, `help step`. */
export function help(table: CommandTable, shell: Shell, argument: LinePart): void {
  const columns = Math.max(40, shell.columns);
  if (argument.text !== "") {
    const members = grouped(table).get(argument.text as CommandGroup);
    if (members === undefined) shell.out(describe(table.named(argument.text, argument), columns));
    for (const command of members ?? []) for (const each of line(command, columns)) shell.out(`${each}\n`);
    return;
  }
  for (const [group, members] of grouped(table)) {
    shell.out(`${shell.palette.strong(group)}\n`);
    for (const command of members) for (const each of line(command, columns)) shell.out(`${each}\n`);
  }
  for (const each of wrapped(closing, columns)) shell.out(`${each}\n`);
}

const closing =
  "A line that begins with a mnemonic, such as add.u32 %r1, %r1, 1; is executed for the focused thread. An empty line repeats the last command; # begins a comment; help COMMAND says more. @12 b0 t3 LOOP+2: 17 is step 12, block 0, thread 3, two instructions behind LOOP, on line 17; *7 is an instruction by its index.";

/** The usage and the summary, aligned; a long usage has a line of its own. */
function line(command: Command, columns: number): string[] {
  const { usage } = command;
  const width = columns < 60 ? 3 : 30;
  const rest = wrapped(summaryOf(command), Math.max(20, columns - width - 3));
  const [head = "", ...more] = usage.length > width ? ["", ...rest] : rest;
  const indent = " ".repeat(width + 3);
  return [`  ${usage.padEnd(width)} ${head}`.trimEnd(), ...more.map((each) => `${indent}${each}`)];
}

/** Everything about one command. */
function describe({ usage, short = [], help: text }: Command, columns: number): string {
  const also = short.length === 0 ? [] : [`short: ${short.join(", ")}`];
  const lines = [...text.split("\n"), ...also].flatMap((each) => wrapped(each, columns - 2));
  return `${usage}\n${lines.map((each) => `  ${each}\n`).join("")}`;
}

/** Lines of at most so many columns, cut between words. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
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
