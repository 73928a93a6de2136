import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { confined } from "../../environment/confined.ts";
import { problem } from "../../host/problem.ts";
import { renderDiagnostics } from "../../present/diagnostic.ts";
import { nearest } from "../../resolve/nearest.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import type { CommandIo } from "../../system/command-io.ts";
import type { McpOptions } from "./options.ts";
import { optionsOf, type Property, propertiesOf, type Tool } from "./tools.ts";

/** What a tool has answered: a text; whether what was asked could not be done. */
export interface Answer {
  readonly text: string;
  readonly failed: boolean;
  /** The same as data, where all was asked for. */
  readonly data?: unknown;
}

/** Input of a tool, as it came. */
export type Input = Readonly<Record<string, unknown>>;

export const refusal = (diagnostics: readonly Diagnostic[]): Answer => ({
  text: renderDiagnostics(diagnostics),
  failed: true,
});

/** What is wrong with the names and the types of an input, one problem each. */
export function problemsIn(input: Input, tool: Tool, command: Command): readonly Diagnostic[] {
  const properties = propertiesOf(tool, command);
  return Object.entries(input).flatMap(([name, value]) => {
    const property = properties.get(name);
    if (property !== undefined) return isOf(value, property) ? [] : [mistyped(name, property)];
    const near = nearest(name, properties.keys());
    return problem("PTX2001", `${tool.name} has no property ${name}`, {
      expected: [...properties.keys()].join(", "),
      ...(near !== undefined && { help: [{ message: `did you mean ${near}?` }] }),
    });
  });
}

const isOf = (value: unknown, { type, enum: words }: Property): boolean =>
  type === "array"
    ? Array.isArray(value) && value.every((each) => typeof each === "string")
    : typeof value === type && (words === undefined || words.some((word) => word === value));

function mistyped(name: string, { type, enum: words }: Property): Diagnostic {
  const expected = words?.join(", ") ?? (type === "array" ? "an array of strings" : `a ${type}`);
  return problem("PTX2003", `${name} cannot be that`, { expected });
}

/** The words of the command line for the options in an input. */
export function optionWords(input: Input, command: Command): readonly string[] {
  return [...optionsOf(command)].flatMap(([name, option]) => {
    const value = input[name];
    if (value === undefined || value === false) return [];
    const flag = option.long ?? option.short ?? "";
    if (value === true) return [flag];
    // With `=`: a value may begin with a dash.
    return [value].flat().map((each) => `${flag}=${each}`);
  });
}

/** The server's limits, for a command that has them. */
export const limitWords = (limits: McpOptions, command: Command): readonly string[] =>
  (["timeout", "maxSteps", "maxMem"] as const).flatMap((name) => {
    const option = command.options.find((each) => each.attributeName() === name);
    return option === undefined ? [] : [`${option.long}=${limits[name]}`];
  });

/** A call's surroundings: it prints to a text, reads what may be read, and writes nothing. */
export class Desk {
  readonly io: CommandIo;
  readonly #server: CommandIo;
  readonly #folders: readonly string[];
  readonly #own: string;
  #printed = "";
  #problems = "";

  constructor(server: CommandIo, allowRead: readonly string[]) {
    this.#server = server;
    this.#folders = allowRead.map((each) => server.files.resolve(each));
    this.#own = mkdtempSync(join(tmpdir(), "ptxrun-mcp-"));
    const { cwd, files, now, home, build } = server;
    this.io = {
      out: (text) => {
        this.#printed += text;
      },
      err: (text) => {
        this.#problems += text;
      },
      input: () => ({ bytes: new Uint8Array() }),
      env: {},
      cwd,
      files: confined(files, [...this.#folders, this.#own]),
      terminal: { out: false, err: false },
      now,
      ...(home !== undefined && { home }),
      ...(build !== undefined && { build }),
      onSignal: (act) => {
        this.#interrupt = () => act("SIGINT");
        if (this.#isInterrupted) this.#interrupt();
        return () => {
          this.#interrupt = () => {};
        };
      },
    };
  }

  #interrupt: () => void = () => {};
  #isInterrupted = false;

  /** Ends the command that runs, or will: its client does not wait for it any more. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#interrupt();
  }

  /** The path of a program: a file that may be read, or one that is made of a text. */
  place(input: Input, text: string, file: string): Staged<string | undefined> {
    const [given, path] = [input[text], input[file]];
    const wrong = (message: string, expected: string): Staged<undefined> => ({
      value: undefined,
      diagnostics: [problem("PTX2002", message, { expected })],
    });
    if (typeof given === "string" && typeof path === "string")
      return wrong(`both ${text} and ${file} were given`, "one of them");
    if (typeof given === "string") {
      const made = join(this.#own, text === "text" ? "program.ptx" : "other.ptx");
      writeFileSync(made, given);
      return { value: made, diagnostics: [] };
    }
    if (typeof path !== "string") return wrong("there is no program", `${text}, or ${file}`);
    const found = this.#server.files.locate(this.#server.files.resolve(path), this.#folders);
    if ("real" in found) return { value: found.real, diagnostics: [] };
    const why = "outside" in found ? "it is outside of what may be read" : found.wrong;
    const allowed = this.#folders.length === 0 ? "no folder" : this.#folders.join(", ");
    return {
      value: undefined,
      diagnostics: [
        problem("PTX2011", `cannot read ${path}: ${why}`, {
          expected: `a file below ${allowed}, or ${text}`,
          help: [{ message: "ptxrun mcp --allow-read FOLDER names what may be read" }],
        }),
      ],
    };
  }

  /** What was printed since the last time, problems first; the folder of texts is nobody's business. */
  taken(): { readonly printed: string; readonly problems: string } {
    const clean = (text: string): string => text.replaceAll(`${this.#own}/`, "");
    const all = { printed: clean(this.#printed), problems: clean(this.#problems) };
    this.#printed = "";
    this.#problems = "";
    return all;
  }

  close(): void {
    rmSync(this.#own, { recursive: true, force: true });
  }
}

/** Characters of a short answer, and of one with everything. */
const SHORT = 4000;
const LONG = 1_000_000;

/** A text of at most so many characters, cut at a line's end. */
export function fitting(text: string, isLong: boolean): string {
  const most = isLong ? LONG : SHORT;
  if (text.length <= most) return text;
  const kept = text.slice(0, Math.max(text.lastIndexOf("\n", most), most >> 1) + 1);
  const more = text.length - kept.length;
  return `${kept}... ${more} more characters${isLong ? "" : ": detail gives all"}\n`;
}

/** Runs a tool's command. */
export async function call(
  tool: Tool,
  input: Input,
  command: Command,
  limits: McpOptions,
  server: CommandIo,
  main: (argv: readonly string[], io: CommandIo) => Promise<number>,
  signal: AbortSignal,
): Promise<Answer> {
  const desk = new Desk(server, limits.allowRead ?? []);
  try {
    const words: string[] = [];
    const programs = [["text", "file"] as const, ["other_text", "other_file"] as const].slice(0, tool.programs);
    for (const [text, file] of programs) {
      const { value, diagnostics } = desk.place(input, text, file);
      if (value === undefined) return refusal(diagnostics);
      words.push(value);
    }
    const word = tool.word && input[tool.word.name];
    if (tool.word?.needed && word === undefined)
      return refusal([problem("PTX2001", `${tool.name} needs ${tool.word.name}`, { expected: tool.word.about })]);
    if (typeof word === "string") words.push(word);
    const isLong = input["detail"] === true;
    const asData = isLong && command.options.some((each) => each.long === "--format");
    const options = [...optionWords(input, command), ...limitWords(limits, command)];
    signal.addEventListener("abort", () => desk.interrupt());
    const argv = [tool.command, ...options, ...(asData ? ["--format=json"] : []), "--", ...words];
    const exit = await main(argv, desk.io);
    const { printed, problems } = desk.taken();
    const failed = !tool.answers.some((each) => each === exit);
    const data = asData && printed.startsWith("{") ? { data: JSON.parse(printed) as unknown } : {};
    const text = fitting(asData && printed !== "" ? printed : `${problems}${printed}`, isLong);
    return { text: text === "" ? `exit ${exit}\n` : text, failed, ...data };
  } finally {
    desk.close();
  }
}
