import { type Command, Option } from "commander";
import type { Wanted } from "../../environment/report.ts";
import { readingReports } from "../wanted-report.ts";

/** The formats in which other programs take findings; their code is loaded when one is written. */
export const findingFormats = ["sarif", "codequality"] as const;
export type FindingFormat = (typeof findingFormats)[number];

export const isFindingFormat = (name: string): name is FindingFormat => findingFormats.some((each) => each === name);

/** A file of findings that the command line requests. */
export type WantedFindings = Wanted<FindingFormat> & { readonly file: string };

/** `--reporter NAME=FILE`, of the commands whose standard output is something else. */
export const addFindings = (command: Command): Command =>
  command.addOption(
    new Option("--reporter <name=file>", "write what is found to a file too; repeatable")
      .choices(findingFormats)
      .argParser(readingReports(findingFormats, "in a file")),
  );
