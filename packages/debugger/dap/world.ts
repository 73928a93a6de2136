import type { Io } from "../../../src/environment/io.ts";
import type { Dispatch, Shell } from "../console/shell.ts";

/** What an adapter needs of its host: input and output, and how it yields. */
export interface World {
  /** Files, time, colours; what is printed with it becomes output events. */
  readonly io: Io;
  /** Sends a message to the client: an object of the protocol. */
  send(message: object): void;
  /** Yields so that messages can arrive; the adapter continues afterwards. */
  rest(): Promise<void>;
  /** Runs commands of the REPL in the debug console; without it, the console only evaluates expressions. */
  readonly dispatch?: Dispatch;
  /** Completions of the word at the end of a console line, and that word. */
  readonly complete?: (shell: Shell, line: string) => readonly [found: readonly string[], word: string];
  /** Reads words of the command line, for `args`; throws a `DapError`. Without it, `args` is refused. */
  readonly readArgs?: (words: readonly string[]) => object;
  /** The words that launch a golden case of a file, by its name or the first; throws a `DapError`. Without it, `case` is refused. */
  readonly wordsOfCase?: (file: string, name: string | undefined) => readonly string[];
}
