import { relative, resolve, sep } from "node:path";
import type { Io } from "../environment/io.ts";
import { isSet } from "../environment/is-set.ts";
import { problem } from "../host/problem.ts";
import type { Finding } from "../present/finding.ts";
import { printable } from "../present/text/escape.ts";
import { markdownTable } from "../present/text/markdown.ts";
import type { Diagnostic } from "../source/diagnostic.ts";

const commands = { error: "error", warning: "warning", note: "notice" } as const;

/** GitHub's workflow command that puts a finding at its line of the pull request. */
export function annotation(
  { severity, code, message, place }: Finding,
  inRepository: (path: string) => string,
): string {
  const where =
    place === undefined ? "" : `file=${property(inRepository(place.file))},line=${place.line},col=${place.column},`;
  return `::${commands[severity]} ${where}title=${property(code)}::${data(message)}\n`;
}

/** Annotations as a closed group of the log, which tells the same in full. */
export const grouped = (annotations: readonly string[]): string =>
  annotations.length === 0 ? "" : `::group::annotations\n${annotations.join("")}::endgroup::\n`;

/** Findings that a summary lists at most. */
const MAX_SUMMARISED = 50;

/** Adds to the summary of the step, on GitHub's runners: a heading, and a table of what is wrong. */
export function summarise(heading: string, findings: readonly Finding[], io: Io): readonly Diagnostic[] {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY: file } = io.env;
  if (!isSet(GITHUB_ACTIONS) || file === undefined || file === "") return [];
  const rows = findings.slice(0, MAX_SUMMARISED).map(({ code, place, message }) => {
    const [first = ""] = message.split("\n");
    return [code, place === undefined ? "" : `${inRepository(io)(place.file)}:${place.line}`, first].map(inCell);
  });
  const left = findings.length - rows.length;
  const table = rows.length === 0 ? "" : `\n${markdownTable(["code", "where", "what"], rows)}`;
  const failed = io.files.append(file, `### ${heading}\n${table}${left > 0 ? `\n${left} more\n` : ""}\n`);
  return failed === undefined ? [] : [problem("PTX2013", `cannot write ${file}: ${failed}`)];
}

/** Text that Markdown and HTML leave alone. */
const inCell = (text: string): string =>
  text === "" ? "" : printable(text).replace(/[\\`*_{}[\]<>&#~]/g, (character) => `&#${character.charCodeAt(0)};`);

/** A path relative to the repository that a runner of GitHub or GitLab has checked out; another path as it is. */
export const inRepository =
  ({ cwd, env }: Pick<Io, "cwd" | "env">) =>
  (path: string): string =>
    below(env.GITHUB_WORKSPACE ?? env.CI_PROJECT_DIR, resolve(cwd, path)) ?? path;

/** A path relative to a folder, if it is inside. */
function below(folder: string | undefined, path: string): string | undefined {
  if (folder === undefined || folder === "") return undefined;
  const way = relative(folder, path);
  return way === ".." || way.startsWith(`..${sep}`) || resolve(folder, way) !== path
    ? undefined
    : way.split(sep).join("/");
}

/** Escapes of actions/toolkit, `command.ts`: a line feed would end the command, and another could begin. */
const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(printable(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
