import { mostText, readInput, readTextBytes } from "../../environment/file.ts";
import type { Io } from "../../environment/io.ts";
import { decodeProgram } from "../../environment/program-file.ts";
import { kindOfText } from "../../host/index.ts";
import { linked } from "../../host/module/linked.ts";
import { problem } from "../../host/problem.ts";
import type { RunCommandOptions } from "../../launch/options.ts";
import { nearest } from "../../resolve/nearest.ts";
import { hasErrors, type Staged } from "../../source/diagnostic.ts";
import type { Deadline } from "../../source/loading.ts";
import { Source } from "../../source/source.ts";

/** A word that is not a file may be one of these, misspelled. */
export const commandNames: readonly string[] = [
  "check",
  "exec",
  "sweep",
  "lsp",
  "mcp",
  "campaign",
  "hunt",
  "diff",
  "doctor",
  "lint",
  "link",
  "lit",
  "ce",
  "litmus",
  "explain",
  "isa",
  "run",
  "dap",
  "repl",
  "trace",
  "visa",
  "completion",
  "man",
  "help",
];

/** The program's text: a file, standard input, or `-e`; of several files what they are when they are linked. */
export function readProgram(
  file: string | undefined,
  options: Pick<RunCommandOptions, "eval" | "target" | "linkedWith" | "zeinfo">,
  io: Io,
  time?: Deadline,
): Staged<Source | undefined> {
  const { linkedWith = [] } = options;
  if (linkedWith.length > 0 && file !== undefined) return readLinked([file, ...linkedWith], options, io, time);
  const { value, diagnostics } = readProgramFile(file, options, io, time);
  if (value === undefined || value instanceof Source) return { value, diagnostics };
  return decodeProgram(value.name, value.bytes, { files: io.files, ...(time && { time }) }, options);
}

/** One module of all that are in these files. */
export function readLinked(
  files: readonly string[],
  { target }: Pick<RunCommandOptions, "target">,
  io: Io,
  time?: Deadline,
): Staged<Source | undefined> {
  const read = files.map((file) => readProgram(file, target === undefined ? {} : { target }, io, time));
  const diagnostics = read.flatMap((each) => each.diagnostics);
  const sources = read.flatMap(({ value }) => value ?? []);
  if (hasErrors(diagnostics) || sources.length < files.length) return { value: undefined, diagnostics };
  const [text] = sources.filter((source) => kindOfText(source) !== "module");
  if (text !== undefined) {
    const message = `${text.name} is not a PTX module, which others can be linked with`;
    return { value: undefined, diagnostics: [problem("PTX2002", message, { expected: "PTX modules" })] };
  }
  return linked(sources, files.join("+"));
}

/** A file's bytes, or a text from the command line. */
export function readProgramFile(
  file: string | undefined,
  options: Pick<RunCommandOptions, "eval">,
  io: Io,
  time?: Deadline,
): Staged<Source | { readonly name: string; readonly bytes: Uint8Array } | undefined> {
  const wrong = (message: string, help: string): Staged<undefined> => ({
    value: undefined,
    diagnostics: [problem("PTX2002", message, { expected: "one of FILE, - and -e", help: [{ message: help }] })],
  });
  const { eval: text } = options;
  if (text !== undefined && file !== undefined) return wrong(`both ${file} and -e were given`, "leave one out");
  if (text !== undefined) return { value: new Source("-e", text), diagnostics: [] };
  if (file === undefined) return wrong("there is nothing to run", "ptxrun FILE, or ptxrun -e 'add.f16 d, a, b;'");
  if (file === "-") {
    const { value: bytes, diagnostics } = readInput(io);
    return { value: bytes && { name: "<stdin>", bytes }, diagnostics };
  }
  const { value: bytes, diagnostics } = readTextBytes(file, { files: io.files, ...(time && { time }) }, mostText(io));
  if (bytes !== undefined) return { value: { name: file, bytes }, diagnostics };
  const meant = nearest(file, commandNames);
  const word = /^[\w-]+$/.test(file);
  const help =
    meant !== undefined
      ? [{ message: `did you mean ptxrun ${meant}?` }]
      : word
        ? [{ message: `${file} is no command either; ptxrun help lists them` }]
        : [];
  return { value: undefined, diagnostics: diagnostics.map((each) => ({ ...each, help })) };
}
