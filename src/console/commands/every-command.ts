import type { LinePart } from "../expression/refusal.ts";
import { executeInstruction } from "../program/instruction.ts";
import type { Shell } from "../shell.ts";
import { goingBack } from "./back.ts";
import { breaking } from "./breaking.ts";
import { changing } from "./changing.ts";
import { CommandTable } from "./command-table.ts";
import { help } from "./help.ts";
import { looking } from "./looking.ts";
import { running } from "./running.ts";
import { shellCommands } from "./shell.ts";

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
