import type { Command } from "commander";
import { Exit, type ExitCode } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { version } from "../../system/version.ts";
import { type ArgumentShape, type CommandShape, type OptionShape, shapeOf } from "../tree.ts";

/** A manual page in the macros of man(7): sections are those that man-pages(7) names. */
function manual(program: CommandShape, version: string): string {
  const { name, description, commands, options, after } = program;
  const lines = [
    `.TH ${name.toUpperCase()} 1 "" "${name} ${version}" "User Commands"`,
    ".SH NAME",
    `${escaped(name)} \\- ${escaped(description.replace(/\.$/, ""))}`,
    ".SH SYNOPSIS",
    ...commands.flatMap((command) => [".br", synopsis(name, command)]).slice(1),
    ".SH COMMANDS",
    ...commands.flatMap((command) => describe(name, command)),
    ".SH OPTIONS",
    ...options.flatMap(describeOption),
    ...paragraphs(after).flatMap(section),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

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
    ...paragraphs(after).flatMap((text) => [".PP", ".nf", ...text.split("\n").map(line), ".fi"]),
  ];
}

function describeOption({ short, long, placeholder, details }: OptionShape): string[] {
  const names = [short, long].filter((each) => each !== undefined).map((each) => `\\fB${escaped(each)}\\fR`);
  const value = placeholder === undefined ? "" : ` \\fI${escaped(placeholder)}\\fR`;
  return [".TP", `${names.join(", ")}${value}`, line(details)];
}

/** Parts of a text between empty lines. */
const paragraphs = (text: string): string[] => text.split(/\n{2,}/).filter((each) => each !== "");

/** A paragraph that begins with a word and a colon is a section of the page. */
function section(text: string): string[] {
  const [, title = "Notes", rest = ""] = /^(\w[\w ]*):\s*([\s\S]*)$/.exec(text) ?? [undefined, undefined, text];
  const known: ReadonlyMap<string, string> = new Map([["EXIT CODES", "EXIT STATUS"]]);
  const upper = title.toUpperCase();
  return [`.SH ${known.get(upper) ?? upper}`, ".nf", ...rest.split("\n").map((each) => line(each.trim())), ".fi"];
}

/** A line of text: a leading dot or quote would be a command. */
const line = (text: string): string => escaped(text).replace(/^(?=[.'])/, "\\&");

const escaped = (text: string): string => text.replaceAll("\\", "\\e").replaceAll("-", "\\-");

/** `ptxrun man`: the manual page, made from the output of --help. */
export function man(program: Command, io: Io): ExitCode {
  io.out(manual(shapeOf(program), version));
  return Exit.ok;
}
