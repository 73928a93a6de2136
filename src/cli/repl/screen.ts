import type { Shell } from "../../console/shell.ts";
import { fitted, panels } from "../../console/show/panels.ts";
import type { Terminal } from "../command-io.ts";

/** The other screen of a terminal, on which nothing scrolls away; and back to the one that was there. */
const ENTER = "\u001b[?1049h";
const LEAVE = "\u001b[?1049l";
const CLEAR = "\u001b[2J\u001b[H";

/** Of a terminal that does not say its size. */
const USUAL = { columns: 80, rows: 24 };

/** Lines of what commands have said that are kept. */
const KEPT = 200;

/**
 * A full-screen view of a shell at a terminal: the program, registers, lanes and memory above, what the last command said below.
 * It is drawn anew before each prompt, and leaves the terminal as it was.
 */
export class Screen {
  readonly #shell: Shell;
  readonly #output: Terminal["output"];
  readonly #said: string[] = [];
  #on = false;

  constructor(shell: Shell, output: Terminal["output"]) {
    this.#shell = shell;
    this.#output = output;
  }

  get on(): boolean {
    return this.#on;
  }

  enter(): void {
    if (this.#on) return;
    this.#on = true;
    this.#said.length = 0;
    this.#output.write(ENTER);
  }

  /** Shows what was there before. */
  leave(): void {
    if (!this.#on) return;
    this.#on = false;
    this.#output.write(LEAVE);
  }

  /** What a command says is kept for the lower part. */
  say(text: string): void {
    this.#said.push(...text.replace(/\n$/, "").split("\n"));
    this.#said.splice(0, Math.max(0, this.#said.length - KEPT));
  }

  /** Draws everything but the prompt, which comes below. A long answer has more of the room. */
  draw(): void {
    if (!this.#on) return;
    const { columns, rows } = this.#size();
    const room = rows - 2;
    const spoken = Math.min(this.#said.length, Math.floor(room / 2));
    const upper = panels(this.#shell, { columns, rows: room - spoken });
    const lines = [
      ...upper,
      this.#shell.palette.faint("─".repeat(columns)),
      ...this.#said.slice(-spoken || this.#said.length),
    ];
    this.#output.write(`${CLEAR}${lines.map((line) => fitted(line, columns)).join("\n")}\n`);
  }

  /** What was said belongs to the last command only. */
  forget(): void {
    this.#said.length = 0;
  }

  #size(): { readonly columns: number; readonly rows: number } {
    const { columns, rows } = this.#output as { readonly columns?: number; readonly rows?: number };
    return { columns: Math.max(40, columns || USUAL.columns), rows: Math.max(12, rows || USUAL.rows) };
  }
}
