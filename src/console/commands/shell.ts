import { refuse } from "../expression/refusal.ts";
import { loadProgram, saveLines, sourceFile } from "../program/files.ts";
import { dumpState } from "../show/dump.ts";
import { panels } from "../show/panels.ts";
import { nothing, something, words } from "./arguments.ts";
import type { Command } from "./command.ts";

/** Commands of the REPL itself; `help` is given, because it lists the table that these belong to. */
export const shellCommands = (help: Command["run"]): readonly Command[] => [
  {
    name: "load",
    short: ["file"],
    group: "the REPL itself",
    usage: "load FILE",
    help: "debug another program, with the options of the command line",
    takes: "file",
    repeat: false,
    run: (shell, argument) => {
      something(argument, "load FILE");
      loadProgram(shell, argument);
    },
  },
  {
    name: "source",
    short: ["so"],
    group: "the REPL itself",
    usage: "source FILE",
    help: "carry out the commands in a file, up to the first that is refused",
    takes: "file",
    repeat: false,
    run: (shell, argument) => {
      something(argument, "source FILE");
      sourceFile(shell, argument);
    },
  },
  {
    name: "save",
    group: "the REPL itself",
    usage: "save FILE",
    help: "write the commands of this session to a file, for source and -x",
    takes: "file",
    repeat: false,
    run: (shell, argument) => {
      something(argument, "save FILE");
      saveLines(shell, argument);
    },
  },
  {
    name: "dump",
    group: "the REPL itself",
    usage: "dump [WHAT[=@FILE]...]",
    help: "what --dump shows at the end of a run, as it is now: regs, changed, a register, a buffer, a variable or tensor",
    takes: "expression",
    repeat: false,
    run: (shell, argument) => dumpState(shell, words(argument)),
  },
  {
    name: "layout",
    short: ["tui"],
    group: "the REPL itself",
    usage: "layout [on|off]",
    help: "a full-screen view: the program and its registers, lanes and memory above, what commands say below; off shows the terminal as it was\nwithout a terminal, the upper part once",
    takes: "none",
    words: ["on", "off"],
    repeat: false,
    run: (shell, argument) => {
      if (!["", "on", "off"].includes(argument.text))
        throw refuse("PTX2402", `${argument.text} is no layout`, argument, { expected: "layout [on|off]" });
      const { screen } = shell;
      if (screen === undefined) {
        if (argument.text !== "off")
          for (const line of panels(shell, { columns: shell.columns, rows: 24 })) shell.out(`${line.trimEnd()}\n`);
      } else if (argument.text === "off" || (argument.text === "" && screen.on)) screen.leave();
      else screen.enter();
    },
  },
  {
    name: "help",
    short: ["h", "?"],
    group: "the REPL itself",
    usage: "help [COMMAND]",
    help: "all commands, or one of them",
    takes: "command",
    repeat: false,
    run: help,
  },
  {
    name: "quit",
    short: ["q", "exit"],
    group: "the REPL itself",
    usage: "quit",
    help: "end; so does the end of the input",
    takes: "none",
    repeat: false,
    run: (shell, argument) => {
      nothing(argument, "quit");
      shell.done = true;
    },
  },
];
