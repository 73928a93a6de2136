import type { Io } from "../io.ts";

/** Milliseconds before the line shows, and between two of its states. */
const QUIET = 1000;
const STEP = 100;

/** One line on the terminal that says how far a long check has come; it is removed before anything else is printed. */
export class Progress {
  readonly #io: Io;
  readonly #total: number;
  readonly #silent: boolean;
  #next: number;
  #shown = false;

  constructor(total: number, io: Io, quiet: boolean) {
    this.#io = io;
    this.#total = total;
    this.#silent = quiet || !io.terminal.err || io.env.TERM === "dumb";
    this.#next = io.now() + QUIET;
  }

  /** `done` files are checked. */
  show(done: number): void {
    if (this.#silent || this.#io.now() < this.#next) return;
    this.#io.err(`\r\u001b[Kchecked ${done} of ${this.#total} files`);
    this.#shown = true;
    this.#next = this.#io.now() + STEP;
  }

  erase(): void {
    if (this.#shown) this.#io.err("\r\u001b[K");
    this.#shown = false;
  }
}
