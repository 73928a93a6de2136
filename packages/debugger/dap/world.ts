import type { Io } from "../../../src/environment/io.ts";
import type { Dispatch, Shell } from "../console/shell.ts";

/** Where an adapter works: what it reads and prints with, and how it lets others do something. */
export interface World {
  /** Files, time, colours; what is printed with it becomes output events. */
  readonly io: Io;
  /** Sends a message to the client: an object of the protocol. */
  send(message: object): void;
  /** Lets messages come in; the adapter goes on afterwards. */
  rest(): Promise<void>;
  /** Carries out commands of the REPL in the debug console; without it, the console evaluates expressions alone. */
  readonly dispatch?: Dispatch;
  /** What the word at the end of a line of the console may become, and that word. */
  readonly complete?: (shell: Shell, line: string) => readonly [found: readonly string[], word: string];
  /** Reads words of the command line, for `args`; throws a `DapError`. Without it, `args` is refused. */
  readonly readArgs?: (words: readonly string[]) => object;
  /** The words that launch a golden case of a file, by its name or the first; throws a `DapError`. Without it, `case` is refused. */
  readonly wordsOfCase?: (file: string, name: string | undefined) => readonly string[];
}
