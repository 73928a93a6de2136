import type { Readable, Writable } from "node:stream";
import type { Io } from "../environment/io.ts";

/** A terminal that a person types at. */
export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
  /**
   * What was typed while the program ran, without waiting for more. The program runs without a break in the event loop,
   * so this is how Ctrl-C reaches it.
   */
  poll(): string;
}

/** Standard input and output for a server: messages are exchanged until its client disconnects. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** What the command line needs of its environment. */
export interface CommandIo extends Io {
  /** Created when a server begins: nothing else needs them. */
  readonly streams?: () => Streams;
  readonly terminal: Io["terminal"] & {
    /** Present when standard input is an interactive terminal. */
    readonly conversation?: Terminal | undefined;
  };
}
