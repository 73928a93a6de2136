import { appendFileSync, chmodSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Io } from "../../environment/io.ts";
import { readBounded } from "../bounded.ts";

/** Lines that are read back. */
const MOST = 1000;

/** Bytes of a history; a larger file is none. */
const MOST_BYTES = 16 * 2 ** 20;

/** The lines of earlier sessions: in PTXRUN_HISTORY, else in ptxrun/history of the XDG state folder; only the user may read it. */
export class LineHistory {
  readonly #path: string | undefined;

  /** `use` false, or an empty PTXRUN_HISTORY, keeps and reads nothing. */
  constructor({ env }: Pick<Io, "env">, use: boolean) {
    const { PTXRUN_HISTORY: own, XDG_STATE_HOME: state, HOME: home } = env;
    const folder =
      state !== undefined && state !== "" ? state : home === undefined ? undefined : join(home, ".local/state");
    this.#path = !use || own === "" ? undefined : (own ?? (folder && join(folder, "ptxrun", "history")));
  }

  /** The newest line first, as node's readline wants it. A file that cannot be read is no history. */
  read(): string[] {
    if (this.#path === undefined) return [];
    const read = readBounded(this.#path, MOST_BYTES, { pipes: false, exact: false });
    if (!("bytes" in read)) return [];
    const lines = new TextDecoder().decode(read.bytes).split("\n");
    return lines
      .filter((line) => line !== "")
      .slice(-MOST)
      .reverse();
  }

  /** Adds a line. A history that cannot be written is no reason to stop. */
  add(line: string): void {
    if (this.#path === undefined || line.trim() === "") return;
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      appendFileSync(this.#path, `${line.replace(/[\r\n]/g, " ")}\n`, { mode: 0o600 });
      chmodSync(this.#path, 0o600);
    } catch {
      return;
    }
  }
}
