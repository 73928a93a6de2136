import { objectVersion, parseVisa, printFile, readObject, writeObject } from "../../../packages/visa/src/index.ts";
import { isObject } from "../../../packages/visa/src/recognise.ts";
import type { ColourChoice } from "../../environment/colour.ts";
import { Exit, type ExitCode, exitOf, worst } from "../../environment/exit.ts";
import { decode, mostText, readInput, readTextBytes, writeFile } from "../../environment/file.ts";
import type { Io } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { problem } from "../../host/problem.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import { Source } from "../../source/source.ts";

/** The default version of an object. */
const VERSION = "4.1";

export interface VisaOptions {
  readonly output?: string;
  /** Version of the object that `asm` writes. */
  readonly version?: string;
  readonly color: ColourChoice;
  readonly quiet?: boolean;
}

/**
 * `ptxrun visa asm|disasm`: converts a text to an object or an object to a text. Without `--output` the text, or the
 * object in hexadecimal, is printed. Names and fields are checked; `lint` checks the rest.
 */
export function visaCommand(action: "asm" | "disasm", file: string, options: VisaOptions, io: Io): ExitCode {
  if (action === "disasm" && options.version !== undefined) {
    const expected = "no --version: the object states its own";
    return end([problem("PTX2003", "--version is for asm, which writes an object", { expected })], options, io);
  }
  const bytes = file === "-" ? readInput(io) : readTextBytes(file, { files: io.files }, mostText(io));
  if (bytes.value === undefined) return end(bytes.diagnostics, options, io);
  const name = file === "-" ? "<stdin>" : file;
  const made =
    action === "asm" ? assembled(name, bytes.value, options.version ?? VERSION) : disassembled(name, bytes.value);
  if (made.value === undefined) return end(made.diagnostics, options, io);
  if (options.output === undefined) {
    io.out(typeof made.value === "string" ? made.value : hexadecimal(made.value));
    return end(made.diagnostics, options, io);
  }
  return end([...made.diagnostics, ...writeFile(options.output, made.value, io.files)], options, io);
}

function assembled(name: string, bytes: Uint8Array, version: string): Staged<Uint8Array | undefined> {
  // An object is read and written again: in another version, without code for a GPU.
  if (isObject(bytes)) {
    const { value, diagnostics } = readObject(name, bytes);
    if (value === undefined) return { value, diagnostics };
    const written = writeObject(value, new Source(name, ""), objectVersion(version));
    return { value: written.value, diagnostics: [...diagnostics, ...written.diagnostics] };
  }
  const source = decode(name, bytes);
  if (source.value === undefined) return { value: undefined, diagnostics: source.diagnostics };
  const parsed = parseVisa(source.value);
  if (parsed.diagnostics.length > 0) {
    const diagnostics = name.endsWith(".ptx") ? [isPtx(name)] : parsed.diagnostics;
    return { value: undefined, diagnostics };
  }
  return writeObject(parsed.value, source.value, objectVersion(version));
}

const isPtx = (name: string): Diagnostic =>
  problem("PTX8002", `${name} is PTX`, {
    expected: "vISA, as a .visaasm file",
    help: [{ message: `ptxrun ${name} runs PTX` }],
  });

function disassembled(name: string, bytes: Uint8Array): Staged<string | undefined> {
  const { value, diagnostics } = readObject(name, bytes);
  return { value: value === undefined ? undefined : printFile(value), diagnostics };
}

/** 16 bytes a line, as `xxd -r -p` reads them. */
function hexadecimal(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16)
    lines.push(Array.from(bytes.subarray(at, at + 16), (byte) => byte.toString(16).padStart(2, "0")).join(" "));
  return `${lines.join("\n")}\n`;
}

function end(diagnostics: readonly Diagnostic[], options: VisaOptions, io: Io): ExitCode {
  report(diagnostics, options, io);
  return diagnostics.length === 0 ? Exit.ok : worst(diagnostics.map(exitOf));
}
