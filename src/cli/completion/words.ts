import type { CommandShape, OptionShape } from "../tree.ts";

/** The command that runs when none is named. */
export function commandOf({ commands }: CommandShape): CommandShape {
  const [first] = commands;
  if (first === undefined) throw new Error("a command line without commands");
  return first;
}

/** How an option is written: short, long or both. */
export const namesOf = ({ short, long }: OptionShape): string[] => [short, long].filter((name) => name !== undefined);
