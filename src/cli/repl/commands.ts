import { CommandTable } from "./command-table.ts";
import { goingBack } from "./commands-back.ts";
import { breaking } from "./commands-breaking.ts";
import { changing } from "./commands-changing.ts";
import { looking } from "./commands-looking.ts";
import { running } from "./commands-running.ts";
import { shellCommands } from "./commands-shell.ts";
import { help } from "./help.ts";
import { executeInstruction } from "./instruction.ts";
import type { LinePart } from "./refusal.ts";
import type { Shell } from "./shell.ts";

/** Every command of the REPL. */
export const table: CommandTable = new CommandTable([
  ...running,
  ...goingBack,
  ...breaking,
  ...looking,
  ...changing,
  ...shellCommands((shell, argument) => help(table, shell, argument)),
]);

/** Carries out one line: a command, or an instruction for the focused thread. */
export function dispatch(shell: Shell, line: LinePart): void {
  if (table.isInstruction(line.text)) {
    shell.repeatWith(undefined);
    executeInstruction(shell, line);
    return;
  }
  const { command, argument, format } = table.find(line);
  if (command.repeat === false) shell.repeatWith(undefined);
  if (typeof command.repeat === "string") shell.repeatWith(command.repeat);
  command.run(shell, argument, format);
}
