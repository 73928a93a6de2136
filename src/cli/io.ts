import type { Readable, Writable } from "node:stream";
import type { BoundedRead } from "./bounded.ts";

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

/** What asks a command to end: Ctrl-C, and what `kill` and `timeout` send. */
export type Signal = "SIGINT" | "SIGTERM";

/** What a command needs from its environment besides files; tests pass their own. */
export interface Io {
  /** Results. */
  out(text: string): void;
  /** Diagnostics and notes. */
  err(text: string): void;
  /** All of standard input, or that it has more than `most` bytes. */
  input(most: number): BoundedRead;
  /** The largest text that is read, bytes; `MOST_TEXT` unless told. */
  readonly mostText?: number;
  readonly env: {
    readonly NO_COLOR?: string;
    readonly FORCE_COLOR?: string;
    readonly TERM?: string;
    readonly CI?: string;
    readonly HOME?: string;
    readonly XDG_STATE_HOME?: string;
    /** The REPL's history; empty for none. */
    readonly PTXRUN_HISTORY?: string;
  };
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** Whether the streams end at a terminal. */
  readonly terminal: {
    readonly out: boolean;
    readonly err: boolean;
    /** How wide standard error's terminal is now; undefined when it does not say. */
    columns?(): number | undefined;
    /** Present when standard input is a terminal that somebody types at. */
    readonly conversation?: Terminal | undefined;
  };
  /**
   * Calls `act` for each signal until the returned function is called. Without a listener a signal kills the process at
   * once.
   */
  onSignal?(act: (signal: Signal) => void): () => void;
  /** The file of a check's worker threads; without it a check runs in one thread. */
  readonly checkWorker?: string;
  /** Which build of ptxrun runs, where it knows: what another one kept in a cache is not taken. */
  readonly build?: string;
  /** The file of the worker threads that run blocks of a grid; without it one thread runs them all. */
  readonly crewWorker?: string;
  /** Milliseconds, for `--timeout` and progress. */
  now(): number;
}
