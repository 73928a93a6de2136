import { normalize } from "node:path";
import { InvalidArgumentError } from "commander";
import type { Wanted } from "../environment/report.ts";

/**
 * Reads `NAME=FILE`, one after the other: reports in files of their own. `NAME` alone is one for standard output, but where
 * that is something else.
 */
export const readingReports =
  <Name extends string>(names: readonly Name[], where: "anywhere" | "in a file" = "anywhere") =>
  (text: string, before: readonly Wanted<Name>[] = []): readonly Wanted<Name>[] => {
    const [, word = "", file] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
    const name = names.find((each) => each === word);
    if (where === "in a file" && (name === undefined || file === undefined || file === ""))
      throw new InvalidArgumentError(`wanted ${names.map((each) => `${each}=FILE`).join(", ")}`);
    if (name === undefined || file === "")
      throw new InvalidArgumentError(`wanted ${names.join(", ")}, or one of them with a file, such as junit=FILE`);
    const place = (path: string | undefined) => (path === undefined ? undefined : normalize(path));
    if (before.some((each) => place(each.file) === place(file))) {
      const where = file === undefined ? "standard output" : file;
      throw new InvalidArgumentError(`wanted one report on ${where}, and others in files of their own: ${name}=FILE`);
    }
    return [...before, file === undefined ? { name } : { name, file }];
  };
