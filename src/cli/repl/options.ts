import type { Command } from "commander";
import { addResultOptions, addSourceOption } from "../run/options.ts";

const each = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** The options of `repl`: those of `run`, and the sources of commands. */
export const addReplOptions = (command: Command): Command =>
  addSourceOption(addResultOptions(command))
    .optionsGroup("Commands:")
    .option("-x, --execute <file>", "carry out the commands in a file first", each)
    .option("--command <line>", "carry out a command, after those of -x", each)
    .option("--no-history", "read and keep no history of what was typed");
