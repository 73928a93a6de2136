import type { DebugProtocol } from "@vscode/debugprotocol";
import { parseExpression } from "../console/expression/expression.ts";
import { Refusal, whole } from "../console/expression/refusal.ts";
import type { Debuggee } from "./debuggee.ts";
import { Points } from "./points.ts";
import { Sources } from "./sources.ts";
import { References } from "./variables.ts";
import type { World } from "./world.ts";

/** A session from launch to end: the program, and what the client has been sent about it. */
export class DebugRun {
  readonly debuggee: Debuggee;
  readonly sources: Sources;
  readonly references: References = new References();
  readonly points: Points;
  readonly #event: (event: string, body?: object) => void;
  readonly #console: boolean;
  readonly #complete: World["complete"];
  readonly #collected: (act: () => void) => string;

  constructor(
    debuggee: Debuggee,
    world: World,
    event: (event: string, body?: object) => void,
    collected: (act: () => void) => string,
  ) {
    this.debuggee = debuggee;
    this.sources = new Sources(debuggee);
    this.#event = event;
    this.#console = world.dispatch !== undefined;
    this.#complete = world.complete;
    this.#collected = collected;
    this.points = new Points(debuggee, this.sources, (text, pc) => this.log(text, pc));
  }

  /** The message of a logpoint, with its line. */
  log(text: string, pc: number): void {
    const { source, line } = this.sources.place(pc, this.debuggee.debugger.session.program.code[pc]);
    const body: DebugProtocol.OutputEvent["body"] = { category: "console", output: `${text}\n`, source, line };
    this.#event("output", body);
  }

  /**
   * Completions of the word at the end of a line, and that word: names of the program and, in the console, of its
   * commands.
   */
  completions(text: string): readonly [found: readonly string[], word: string] {
    let start = text.length;
    while (start > 0 && /[%$\w.]/.test(text.charAt(start - 1))) start--;
    const word = text.slice(start);
    const own = [...this.debuggee.names.all()].filter((each) => each.startsWith(word));
    const [more, wider] = this.#complete?.(this.debuggee.shell, text) ?? [[], word];
    return [[...new Set([...own, ...(wider === word ? more : [])])], word];
  }

  /** Tells the client that the values it has shown are out of date. */
  invalidated(): void {
    this.#event("invalidated", { areas: ["variables"] });
  }

  /** Whether a line of the console is a command of the REPL, and not an expression with a value. */
  carriesOut(text: string): boolean {
    if (!this.#console) return false;
    try {
      const { kind, ...rest } = parseExpression(whole("expression", text));
      // A name alone may be a command, such as where: names of the program have priority.
      return kind === "name" && "text" in rest && this.#means(rest.text) === undefined;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return true;
    }
  }

  /** The meaning of a name of the program or of the console; undefined for an unknown one. */
  #means(name: string) {
    return name.startsWith("$") ? name : this.debuggee.names.find(name);
  }

  /** Runs a command of the REPL and returns what it prints; notifies the client if the command moves the program. */
  carryOut(text: string): string {
    const { debuggee } = this;
    const before = debuggee.debugger.position;
    const { focus } = debuggee.debugger;
    const said = this.#collected(() => debuggee.shell.execute(text));
    if (debuggee.debugger.position !== before || debuggee.debugger.focus !== focus) {
      this.references.clear();
      const threadId = debuggee.numberOf(debuggee.debugger.focus);
      this.#event("stopped", { reason: "step", description: text, threadId, allThreadsStopped: true });
    } else this.invalidated();
    return said.replace(/\n$/, "");
  }
}
