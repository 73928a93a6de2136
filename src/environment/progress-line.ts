import type { Io } from "./io.ts";
import { isSet } from "./is-set.ts";

/** Milliseconds before the line shows, and between two of its states. */
const QUIET = 2000;
const STEP = 250;

/** Columns of a terminal that does not report its width. */
const COLUMNS = 80;

const ERASE = "\r\u001b[K";

/**
 * One line on a terminal with the progress of a long command. It is removed before anything else is printed, and at the
 * end.
 */
export class ProgressLine {
  /** The same streams; output through them removes the line first. */
  readonly io: Io;
  readonly #io: Io;
  readonly #wanted: boolean;
  #began: number;
  #next: number;
  #shown = false;
  /** False while the terminal's cursor is behind an unfinished line of other output. */
  #free = true;

  /** `wanted` false shows nothing, and so does CI, and a standard error that is no terminal, or one that cannot erase. */
  constructor(io: Io, wanted: boolean) {
    this.#io = io;
    this.#began = io.now();
    this.#next = this.#began + QUIET;
    const { out, err } = io.terminal;
    this.#wanted = wanted && err && io.env.TERM !== "dumb" && !isSet(io.env.CI);
    this.io = {
      ...io,
      out: (text) => {
        this.#before(text, out);
        io.out(text);
      },
      err: (text) => {
        this.#before(text, err);
        io.err(text);
      },
    };
  }

  /** Begins another task, which may be short. */
  restart(): void {
    this.#began = this.#io.now();
    this.#next = this.#began + QUIET;
  }

  /**
   * Shows a text, unless the last one is too recent; `text` is called only then, with the seconds since the beginning.
   */
  show(text: (seconds: number) => string): void {
    if (!this.#wanted || !this.#free) return;
    const now = this.#io.now();
    if (now < this.#next) return;
    this.#next = now + STEP;
    // A terminal without a known size reports 0.
    const columns = this.#io.terminal.columns?.() || COLUMNS;
    this.#io.err(`${ERASE}${text((now - this.#began) / 1000).slice(0, Math.max(columns - 1, 0))}`);
    this.#shown = true;
  }

  erase(): void {
    if (this.#shown) this.#io.err(ERASE);
    this.#shown = false;
  }

  #before(text: string, isTerminal: boolean): void {
    this.erase();
    if (isTerminal && text !== "") this.#free = text.endsWith("\n");
  }
}
