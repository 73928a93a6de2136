import { demangle } from "../../../packages/demangle/src/index.ts";
import { type ExitCode, exitOf, worst } from "../../environment/exit.ts";
import { writeFile } from "../../environment/file.ts";
import type { Io } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { Device } from "../../host/index.ts";
import type { RunCommandOptions } from "../../launch/options.ts";
import { type LoadWords, limitTime, openModule } from "../../launch/program.ts";
import { diagnosticToJson } from "../../present/diagnostic.ts";
import { jsonText } from "../../present/json.ts";
import { printable } from "../../present/text/escape.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import { readProgram } from "./text.ts";

/** The value of `--entry` that lists the names. */
export const WHICH = "?";

/** The names to list: kernels, and device functions that can be run like them. */
interface Listed {
  readonly kernels: readonly string[];
  readonly functions: readonly string[];
}

/**
 * `--entry ?`: every name that `--entry` accepts, one a line, as it is declared and as it is mangled; nothing runs.
 * With `--json` as an object.
 */
export function listKernels(
  file: string | undefined,
  options: LoadWords & ListWords & Pick<RunCommandOptions, "eval" | "maxMem" | "timeout">,
  io: Io,
): ExitCode {
  const { value, diagnostics } = namesOf(file, options, io);
  const lists = value === undefined ? {} : { kernels: value.kernels.map(named), functions: value.functions.map(named) };
  const text = value && listed(value);
  if (text === "" && options.quiet !== true && options.format !== "json")
    io.err("there is no kernel to name: the text is a snippet\n");
  return printList({ lists, text, diagnostics }, options, io);
}

export type ListWords = Pick<RunCommandOptions, "format" | "output" | "color" | "quiet">;

/** Prints a list as text or JSON, to a file or as output. Without a text nothing could be listed. */
export function printList(
  { lists, text, diagnostics }: { lists: object; text: string | undefined; diagnostics: readonly Diagnostic[] },
  options: ListWords,
  io: Io,
): ExitCode {
  const exit = worst(diagnostics.map(exitOf));
  const json = options.format === "json";
  if (!json) report(diagnostics, options, io);
  const found = { schema: "ptxrun.run/1", exit, ...lists, diagnostics: diagnostics.map(diagnosticToJson) };
  const shown = json ? `${jsonText(found, 2)}\n` : text;
  if (shown === undefined) return exit;
  if (options.output === undefined) {
    io.out(shown);
    return exit;
  }
  const wrong = writeFile(options.output, shown, io.files);
  report(wrong, options, io);
  return worst([exit, ...wrong.map(exitOf)]);
}

function namesOf(
  file: string | undefined,
  options: LoadWords & Pick<RunCommandOptions, "eval" | "maxMem" | "timeout">,
  io: Io,
): Staged<Listed | undefined> {
  const text = readProgram(file, options, io);
  if (text.value === undefined) return { value: undefined, diagnostics: text.diagnostics };
  limitTime(text.value, options, io.now);
  const device = new Device(options.maxMem === undefined ? {} : { maxMemory: options.maxMem });
  const { value: module, diagnostics: wrong } = openModule(device, text.value, options);
  const diagnostics: readonly Diagnostic[] = [...text.diagnostics, ...wrong];
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  return { value: module?.names ?? { kernels: [], functions: [] }, diagnostics };
}

/** The declaration of a mangled name as a field; nothing for another. */
export function demangledField(name: string): { readonly demangled?: string } {
  const demangled = demangle(name)?.full;
  return demangled === undefined ? {} : { demangled };
}

export const named = (name: string) => ({ name, ...demangledField(name) });

/** Declarations in a column, unless one is too long for that, and the mangled names behind them. */
function listed({ kernels, functions }: Listed): string {
  const rows = [
    ...kernels.map((name) => [".entry", demangle(name)?.signature ?? name, name] as const),
    ...functions.map((name) => [".func ", demangle(name)?.signature ?? name, name] as const),
  ];
  const width = Math.max(0, ...rows.map(([, text]) => text.length).filter((length) => length <= 60));
  return rows
    .map(([kind, text, name]) => `${kind}  ${printable(text === name ? text : `${text.padEnd(width)}  ${name}`)}\n`)
    .join("");
}
