import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Instruction } from "../../../src/interp/contract/program.ts";
import { lineOf } from "../console/expression/place.ts";
import { nameOf } from "../console/original/originals.ts";
import type { Debuggee } from "./debuggee.ts";
import { DapError } from "./protocol/problem.ts";

/** A program as clients know it: by its path, or by a number where it has no file. */
export const programSource = (name: string, path: string | undefined): DebugProtocol.Source =>
  path === undefined ? { name, sourceReference: 1 } : { name: nameOf(path), path };

/**
 * The texts that a session shows: the program, which has number 1 without a file, and the files that it was compiled
 * from.
 */
export class Sources {
  readonly #debuggee: Debuggee;

  constructor(debuggee: Debuggee) {
    this.#debuggee = debuggee;
  }

  /** The PTX. */
  get program(): DebugProtocol.Source {
    const { path, debugger: debugger_ } = this.#debuggee;
    const { name } = debugger_.session.program.source;
    return programSource(name, path);
  }

  /** A file that it was compiled from; undefined where it is not to be found. */
  original(file: string): DebugProtocol.Source | undefined {
    const path = this.#debuggee.shell.originals.path(file);
    return path === undefined ? undefined : { name: nameOf(file), path };
  }

  /** All of them. */
  all(): DebugProtocol.Source[] {
    const files = new Set(this.#debuggee.debugger.session.program.code.flatMap(({ location }) => location?.file ?? []));
    return [this.program, ...[...files].flatMap((file) => this.original(file) ?? [])];
  }

  /** The text of a source without a file. */
  text(reference: number): string {
    if (reference !== 1) throw new DapError(`there is no source ${reference}`);
    return this.#debuggee.debugger.session.program.source.text;
  }

  /**
   * The name in `.file` of the client's source, where the program was compiled from it; undefined for the program
   * itself.
   */
  fileOf(source: DebugProtocol.Source): string | undefined {
    const { code } = this.#debuggee.debugger.session.program;
    if (source.sourceReference === 1 || this.#isProgram(source)) return undefined;
    const name = nameOf(source.path ?? source.name ?? "");
    const found = code.find(({ location }) => location !== undefined && nameOf(location.file) === name)?.location?.file;
    if (found === undefined) throw new DapError(`${name} is neither the program nor what it was compiled from`);
    return found;
  }

  /** Where an instruction is shown: its line in the PTX, or in the source that it was compiled from. */
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
