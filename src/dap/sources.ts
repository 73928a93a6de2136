import type { DebugProtocol } from "@vscode/debugprotocol";
import { lineOf } from "../console/expression/place.ts";
import { nameOf } from "../console/original/originals.ts";
import type { Instruction } from "../interp/contract/program.ts";
import type { Debuggee } from "./debuggee.ts";
import { DapError } from "./problem.ts";

/** The texts that a session shows: the program, and what it was compiled from. Those that are no files have numbers. */
export class Sources {
  readonly #debuggee: Debuggee;
  /** Names in `.file` by their number, from 2 on; 1 is the program itself. */
  readonly #names: string[] = [];

  constructor(debuggee: Debuggee) {
    this.#debuggee = debuggee;
  }

  /** The PTX. */
  get program(): DebugProtocol.Source {
    const { path, debugger: debugger_ } = this.#debuggee;
    const { name } = debugger_.session.program.source;
    return path === undefined ? { name, sourceReference: 1 } : { name: nameOf(path), path };
  }

  /** A file that it was compiled from; undefined where it is not to be found. */
  original(file: string): DebugProtocol.Source | undefined {
    const { originals } = this.#debuggee.shell;
    if (originals.find(file) === undefined) return undefined;
    const path = originals.path(file);
    if (path !== undefined) return { name: nameOf(file), path };
    if (!this.#names.includes(file)) this.#names.push(file);
    return { name: nameOf(file), sourceReference: 2 + this.#names.indexOf(file), origin: "compiled from" };
  }

  /** All of them. */
  all(): DebugProtocol.Source[] {
    const files = new Set(this.#debuggee.debugger.session.program.code.flatMap(({ location }) => location?.file ?? []));
    return [this.program, ...[...files].flatMap((file) => this.original(file) ?? [])];
  }

  /** The text of a source that is no file. */
  text(reference: number): string {
    const { shell, debugger: debugger_ } = this.#debuggee;
    if (reference === 1) return debugger_.session.program.source.text;
    const found = shell.originals.find(this.#names[reference - 2] ?? "");
    if (found === undefined) throw new DapError(`there is no source ${reference}`);
    return found.text;
  }

  /** The name in `.file` of a source that the client names, where it is what the program was compiled from; else it is the program. */
  fileOf(source: DebugProtocol.Source): string | undefined {
    const { code } = this.#debuggee.debugger.session.program;
    if (source.sourceReference !== undefined && source.sourceReference > 1)
      return this.#names[source.sourceReference - 2];
    if (source.sourceReference === 1 || this.#isProgram(source)) return undefined;
    const name = nameOf(source.path ?? source.name ?? "");
    const found = code.find(({ location }) => location !== undefined && nameOf(location.file) === name)?.location?.file;
    if (found === undefined) throw new DapError(`${name} is neither the program nor what it was compiled from`);
    return found;
  }

  /** Where an instruction is shown: its line in the PTX, or in what it was compiled from. */
  place(
    pc: number,
    instruction: Instruction | undefined,
  ): { source: DebugProtocol.Source; line: number; column: number } {
    const { showing, debugger: debugger_ } = this.#debuggee;
    const { program } = debugger_.session;
    if (showing.level === "original" && instruction?.location !== undefined) {
      const { file, line, column } = instruction.location;
      const source = this.original(file);
      if (source !== undefined) return { source, line, column: Math.max(column, 1) };
    }
    const start = instruction?.span.start;
    const column = start === undefined ? 1 : program.source.position(start).column;
    return { source: this.program, line: lineOf(program, pc), column };
  }

  #isProgram({ path, name }: DebugProtocol.Source): boolean {
    const own = this.program;
    if (path !== undefined && own.path !== undefined)
      return path === own.path || this.#debuggee.shell.io.files.resolve(path) === own.path;
    return nameOf(path ?? name ?? "") === nameOf(own.path ?? own.name ?? "");
  }
}
