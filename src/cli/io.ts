import type { Readable, Writable } from "node:stream";

/** A terminal that a person types at. */
export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
  /** What has been typed while nobody listened, without waiting for more; the guest runs in one go, and this is how Ctrl-C reaches it. */
  poll(): string;
}

/** What a command sees of the world besides files; tests pass their own. */
export interface Io {
  /** Results. */
  out(text: string): void;
  /** Diagnostics and notes. */
  err(text: string): void;
  /** All of standard input. */
  input(): Uint8Array;
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
    /** Present when standard input is a terminal that somebody types at. */
    readonly conversation?: Terminal;
  };
  /** Where the code of a check's worker threads lies; without it a check runs in one thread. */
  readonly checkWorker?: URL;
  /** Milliseconds, for `--timeout`. */
  now(): number;
}
