import type { Command } from "commander";
import { Exit, type ExitCode } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { pages } from "./pages.ts";
import type { Topic } from "./topics.ts";

/** `ptxrun help [TOPIC]`: all commands and topics, the options of a command, the page of a topic; both where it is both. */
export function help(asked: string | undefined, program: Command, io: Io): ExitCode {
  const command = asked === undefined ? program : program.commands.find((each) => each.name() === asked);
  command?.outputHelp();
  if (asked === undefined || !Object.hasOwn(pages, asked)) return Exit.ok;
  io.out(`${command === undefined ? "" : "\n"}${pages[asked as Topic]}`);
  return Exit.ok;
}
