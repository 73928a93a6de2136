import { type Command, Option } from "commander";

/** `--format`, of every command that prints its result in several ways; the first name is the default. */
export const formatOption = (names: readonly [string, ...string[]]): Option =>
  new Option("--format <name>", "how to print it").choices(names).default(names[0]);

/** A spelling of one format that is shorter, or older. An explicit --format beside it wins. */
export const sameAs = (flag: string, name: string): Option =>
  new Option(flag, `the same as --format ${name}`).implies({ format: name });

/** `--format text|json`, and `--json`; `more` formats besides. */
export const addFormat = (command: Command, ...more: readonly string[]): Command =>
  command.addOption(formatOption(["text", "json", ...more])).addOption(sameAs("--json", "json"));
