import type { Command } from "commander";
import { repeated } from "../reading.ts";
import { addResultOptions, addSourceOption } from "../run/options.ts";

/** The options of `repl`: those of `run`, and the sources of commands. */
export const addReplOptions = (command: Command): Command =>
  addSourceOption(addResultOptions(command))
    .optionsGroup("Commands:")
    .option("-x, --execute <file>", "carry out the commands in a file first", repeated)
    .option("--command <line>", "carry out a command, after those of -x", repeated)
    .option("--no-history", "read and keep no history of what was typed");
