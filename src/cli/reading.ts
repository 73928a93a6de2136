import { InvalidArgumentError } from "commander";
import type { Checks } from "../interp/create-session.ts";
import { CHECKS, readCheckList } from "../launch/value/checks.ts";

/** An argument parser whose error states what it expects; commander puts the option's name before that. */
export const reading =
  <T>(read: (text: string) => T | undefined, wanted: string) =>
  (text: string): T => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(`wanted ${wanted}`);
    return value;
  };

/** The parser of an option that may be given again: all its values. */
export const repeated = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Checks of `--sanitize`; the error names the word that is none. */
export function readingChecks(text: string): Checks {
  const checks = readCheckList(text);
  if (typeof checks !== "string") return checks;
  throw new InvalidArgumentError(`${checks === "" ? "" : `unknown check ${checks}; `}wanted ${CHECKS}`);
}
