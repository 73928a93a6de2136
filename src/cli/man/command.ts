import type { Command } from "commander";
import { palette } from "../../environment/colour.ts";
import { Exit, type ExitCode } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { version } from "../../system/version.ts";
import { pages } from "../help/pages.ts";
import { type ArgumentShape, type CommandShape, type OptionShape, shapeOf } from "../tree.ts";
import { paged } from "./pager.ts";
import { typeset } from "./typeset.ts";

/** A manual page in the macros of man(7): sections are those that man-pages(7) names. */
function manual(program: CommandShape): string[] {
  const { name, description, commands, options, after } = program;
  return [
    ...heading(name, description.replace(/\.$/, "")),
    ...commands.flatMap((command) => [".br", synopsis(name, command)]).slice(1),
    ".SH COMMANDS",
    ...commands.flatMap((command) => describe(name, command)),
    ".SH OPTIONS",
    ...options.flatMap(describeOption),
    ".SH TOPICS",
    ...Object.entries(pages).flatMap(([topic, text]) => [`.SS ${topic}`, ...verbatim(text)]),
    ".SH EXIT STATUS",
    ...verbatim(pages["exit-codes"]),
    ...paragraphs(after).flatMap(section),
  ];
}

/** The page of one command, with its options in the groups of --help. */
function manualOf(program: string, command: CommandShape): string[] {
  const { name, description, options, after } = command;
  const groups = new Map<string, OptionShape[]>();
  for (const option of options) groups.set(option.group, [...(groups.get(option.group) ?? []), option]);
  return [
    ...heading(`${program}-${name}`, description),
    synopsis(program, command),
    ".SH OPTIONS",
    ...[...groups].flatMap(([group, own]) => [
      ...(groups.size > 1 ? [`.SS ${line(group.replace(/:$/, ""))}`] : []),
      ...own.flatMap(describeOption),
    ]),
    ...(after === "" ? [] : [".SH NOTES", ...verbatim(after)]),
    ".SH SEE ALSO",
    `.BR ${program} (1)`,
  ];
}

const heading = (name: string, about: string): string[] => [
  `.TH ${name.toUpperCase()} 1 "" "ptxrun ${version}" "User Commands"`,
  ".SH NAME",
  `${escaped(name)} \\- ${escaped(about)}`,
  ".SH SYNOPSIS",
];

const verbatim = (text: string): string[] => [".nf", ...text.trimEnd().split("\n").map(line), ".fi"];

const synopsis = (program: string, { name, arguments: positions }: CommandShape): string =>
  [`.B ${program} ${name}`, ...positions.map(placeholder), "[\\fIoptions\\fR]"]
    .join(" ")
    .replace(/^(\.B \S+ \S+) /, "$1\n");

function placeholder({ name, required, variadic }: ArgumentShape): string {
  const text = `\\fI${escaped(name)}\\fR${variadic ? " ..." : ""}`;
  return required ? text : `[${text}]`;
}

function describe(program: string, command: CommandShape): string[] {
  const { name, description, arguments: positions, options, after } = command;
  return [
    `.SS ${[program, name, ...positions.map(placeholder)].join(" ")}`,
    line(description),
    ...options.flatMap(describeOption),
    ...paragraphs(after).flatMap((text) => [".PP", ...verbatim(text)]),
  ];
}

function describeOption({ short, long, placeholder, details }: OptionShape): string[] {
  const names = [short, long].filter((each) => each !== undefined).map((each) => `\\fB${escaped(each)}\\fR`);
  const value = placeholder === undefined ? "" : ` \\fI${escaped(placeholder)}\\fR`;
  return [".TP", `${names.join(", ")}${value}`, line(details)];
}

/** Parts of a text between empty lines. */
const paragraphs = (text: string): string[] => text.split(/\n{2,}/).filter((each) => each !== "");

/** A paragraph that begins with a word and a colon is a section of the page; topics have a section with their texts. */
function section(text: string): string[] {
  const [, title = "Notes", rest = ""] = /^(\w[\w ]*):\s*([\s\S]*)$/.exec(text) ?? [undefined, undefined, text];
  if (title === "Topics") return [];
  return [`.SH ${title.toUpperCase()}`, ...verbatim(rest.replaceAll("\n  ", "\n"))];
}

/** A line of text: a leading dot or quote would be a command. */
const line = (text: string): string => escaped(text).replace(/^(?=[.'])/, "\\&");

const escaped = (text: string): string => text.replaceAll("\\", "\\e").replaceAll("-", "\\-");

/**
 * `ptxrun man [COMMAND]`: the manual page of all, or of one command, made from what --help says: as it is written, or at a
 * terminal as it is read.
 */
export async function man(name: string | undefined, program: Command, io: Io): Promise<ExitCode> {
  const all = shapeOf(program);
  const command = all.commands.find((each) => each.name === name);
  const lines = command === undefined ? manual(all) : manualOf(all.name, command);
  if (!io.terminal.out) {
    io.out(lines.map((each) => `${each}\n`).join(""));
    return Exit.ok;
  }
  const text = typeset(lines, Math.min(io.terminal.columns?.() ?? WIDEST, WIDEST), palette("auto", "out", io));
  if (!(await paged(text, io))) io.out(text);
  return Exit.ok;
}

/** Columns of a text that is read with ease. */
const WIDEST = 80;
