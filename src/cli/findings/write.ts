import { writeFile } from "../../environment/file.ts";
import type { Io } from "../../environment/io.ts";
import { isSet } from "../../environment/is-set.ts";
import type { Finding } from "../../present/finding.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { annotation, grouped, inRepository, summarise } from "../annotation.ts";
import { codeQuality } from "./code-quality.ts";
import type { FindingFormat, WantedFindings } from "./formats.ts";
import { sarif } from "./sarif.ts";

/** What a command has found, in a format for other programs. */
export const findingsText = (
  format: FindingFormat,
  command: string,
  findings: readonly Finding[],
  nameOf: (path: string) => string,
): string => (format === "sarif" ? sarif(command, findings, nameOf) : codeQuality(findings, nameOf));

/** Writes the files of findings that were asked for; returns why one could not be. */
export const writeFindings = (
  wanted: readonly WantedFindings[],
  command: string,
  findings: readonly Finding[],
  io: Io,
): readonly Diagnostic[] =>
  wanted.flatMap(({ name, file }) =>
    writeFile(file, findingsText(name, command, findings, inRepository(io)), io.files),
  );

/** What a command has found, and how it says so in a line. */
export interface Published {
  readonly command: string;
  readonly heading: string;
  readonly findings: readonly Finding[];
  readonly reporter?: readonly WantedFindings[] | undefined;
  /** Standard output has nothing that annotations may not stand behind. */
  readonly annotates: boolean;
}

/** Tells all but the user: files that were asked for; on GitHub's runners, annotations and the summary of the step. */
export function publish({ command, heading, findings, reporter = [], annotates }: Published, io: Io) {
  const unwritten = writeFindings(reporter, command, findings, io);
  if (annotates && isSet(io.env.GITHUB_ACTIONS))
    io.out(grouped(findings.map((each) => annotation(each, inRepository(io)))));
  return [...unwritten, ...summarise(`ptxrun ${command}: ${heading}`, findings, io)];
}
