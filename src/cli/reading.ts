import { InvalidArgumentError } from "commander";

/** An argument parser whose error states what it expects; commander puts the option's name before that. */
export const reading =
  <T>(read: (text: string) => T | undefined, wanted: string) =>
  (text: string): T => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(`wanted ${wanted}`);
    return value;
  };
