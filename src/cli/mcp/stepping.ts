import { Command, CommanderError } from "commander";
import { dispatch } from "../../../packages/debugger/console/commands/every-command.ts";
import { position } from "../../../packages/debugger/console/motion.ts";
import { LoadedProgram } from "../../../packages/debugger/console/program/loaded-program.ts";
import { Shell } from "../../../packages/debugger/console/shell.ts";
import { ProgressLine } from "../../environment/progress-line.ts";
import { problem } from "../../host/problem.ts";
import { hasErrors } from "../../source/diagnostic.ts";
import type { CommandIo } from "../../system/command-io.ts";
import { addReplOptions } from "../repl/options.ts";
import type { ReplOptions } from "../repl/repl.ts";
import { readProgram } from "../run/text.ts";
import { type Answer, Desk, fitting, type Input, limitWords, optionWords, refusal } from "./call.ts";
import type { McpOptions } from "./options.ts";

/** Sessions that are kept; the one that was asked longest ago goes first. */
const MOST_SESSIONS = 8;

interface DebugSession {
  readonly shell: Shell;
  readonly desk: Desk;
  /** The end of what it was asked last: it does one thing after the other. */
  turn: Promise<unknown>;
  /** Nobody asks it any more. */
  isOver: boolean;
}

/** The debugger's sessions of one client. */
export class Stepping {
  readonly #sessions: Map<string, DebugSession> = new Map();
  readonly #limits: McpOptions;
  readonly #server: CommandIo;
  #begun = 0;

  constructor(limits: McpOptions, server: CommandIo) {
    this.#limits = limits;
    this.#server = server;
  }

  /** Begins a session, or goes on in one; carries out the commands up to the first that is refused, or until `signal`. */
  async step(input: Input, signal: AbortSignal): Promise<Answer> {
    const { session: asked, commands = [], detail } = input;
    if (asked !== undefined && (input["text"] ?? input["file"]) !== undefined)
      return refusal([problem("PTX2002", "both a session and a program were given", { expected: "one of them" })]);
    const begun = asked === undefined ? this.#begin(input) : String(asked);
    if (typeof begun !== "string") return begun;
    const kept = this.#sessions.get(begun);
    if (kept === undefined) {
      const known = [...this.#sessions.keys()].join(", ");
      const expected = known === "" ? "a program, which begins one" : `one of ${known}, or a program`;
      return refusal([problem("PTX2003", `there is no session ${begun}`, { expected })]);
    }
    // The one that was asked last stands last.
    this.#sessions.delete(begun);
    this.#sessions.set(begun, kept);
    const turn = kept.turn.then(() =>
      this.#answer(begun, kept, commands as readonly string[], detail === true, signal),
    );
    kept.turn = turn.catch(() => {});
    return turn;
  }

  async #answer(
    name: string,
    session: DebugSession,
    commands: readonly string[],
    isLong: boolean,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { shell, desk } = session;
    shell.interrupt = () => signal.aborted || session.isOver;
    let failed = false;
    for (const line of commands) {
      if (shell.done || failed || shell.interrupt()) break;
      failed = !(await shell.carryOutInSlices(line, () => new Promise((resume) => setImmediate(resume))));
    }
    if (shell.done) this.#end(name);
    else if (!failed) desk.io.out(`${position(shell, shell.debugger.stop)}\n`);
    const { printed, problems } = desk.taken();
    const head = shell.done ? `session ${name} has ended\n` : `session ${name}\n`;
    return { text: head + fitting(`${printed}${problems}`, isLong), failed };
  }

  #begin(input: Input): string | Answer {
    const desk = new Desk(this.#server, this.#limits.allowRead ?? []);
    const refused = (diagnostics: Parameters<typeof refusal>[0]): Answer => {
      desk.close();
      return refusal(diagnostics);
    };
    const { value: path, diagnostics: unplaced } = desk.place(input, "text", "file");
    if (path === undefined) return refused(unplaced);
    const options = readOptions(input, this.#limits);
    if ("code" in options) return refused([options]);
    const { value: source, diagnostics: unread } = readProgram(path, options, desk.io);
    if (source === undefined) return refused(unread);
    const { value: subject, diagnostics } = LoadedProgram.load(source, options, desk.io);
    if (subject === undefined || hasErrors(diagnostics)) return refused(diagnostics);
    const shell = new Shell(subject, options, new ProgressLine(desk.io, false), dispatch);
    shell.complain(diagnostics);
    this.#begun += 1;
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined && this.#sessions.size >= MOST_SESSIONS) this.#end(oldest);
    this.#sessions.set(String(this.#begun), { shell, desk, turn: Promise.resolve(), isOver: false });
    return String(this.#begun);
  }

  #end(name: string): void {
    const session = this.#sessions.get(name);
    if (session === undefined) return;
    this.#sessions.delete(name);
    session.isOver = true;
    // Not while it runs.
    session.turn = session.turn.then(() => {
      session.shell.debugger.session.close();
      session.desk.close();
    });
  }

  close(): void {
    for (const name of [...this.#sessions.keys()]) this.#end(name);
  }
}

/** The options of the debugger, as its command line reads them. */
function readOptions(input: Input, limits: McpOptions) {
  const command = addReplOptions(new Command("step"))
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} });
  try {
    command.parse([...optionWords(input, command), ...limitWords(limits, command)], { from: "user" });
    return { ...command.opts<ReplOptions>(), color: "never" } as const;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const [message = ""] = error.message.replace(/^error: /, "").split("\n");
    return problem("PTX2003", message, { expected: "what the property's description says" });
  }
}
