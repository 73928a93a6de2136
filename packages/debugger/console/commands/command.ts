import type { LinePart } from "../expression/refusal.ts";
import type { Shell } from "../shell.ts";

/** What a command's argument is, for completion. */
export type ArgumentKind = "expression" | "place" | "command" | "file" | "topic" | "event" | "none";

export type CommandGroup = "running" | "going back" | "stopping" | "looking" | "changing" | "the REPL itself";

/** A command of the REPL: one entry, from which `help`, completion and docs/repl.md are made. */
export interface Command {
  readonly name: string;
  /** Short forms, which have priority over other commands that begin with them. */
  readonly short?: readonly string[];
  readonly group: CommandGroup;
  /** The name and its arguments, as help shows them. */
  readonly usage: string;
  /** What it does: a summary of at most twelve words, which lists of commands show; `help NAME` shows the lines behind it, too. */
  readonly help: string;
  readonly takes: ArgumentKind;
  /** Other words that the argument may be. */
  readonly words?: readonly string[];
  /** Whether an empty line repeats the command, or the line that it runs instead. */
  readonly repeat?: boolean | string;
  /** `print/x`: accepts a format after a slash. */
  readonly formats?: true;
  /** Runs the command; throws a `Refusal` when it cannot. `format` is the text after the slash. */
  run(shell: Shell, argument: LinePart, format: LinePart): void;
}

/** A command in few words. */
export const summaryOf = ({ help }: Command): string => help.split("\n", 1)[0] ?? "";
