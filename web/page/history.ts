import type { Bench } from "./bench.ts";
import type { LineHistory, LineValue, State, Strip } from "./client.ts";

/** Milliseconds that values of an earlier position may stay until those of the present one are there. */
const STAYS = 200;

/** What the launch on the bench has done: the values of the focused thread in the lines, and the strip of all warps. */
export class LaunchHistory {
  values: readonly LineValue[] = [];
  strip: Strip | undefined;
  readonly #bench: Bench;
  readonly #listeners: (() => void)[] = [];
  #late: ReturnType<typeof setTimeout> | undefined;

  constructor(bench: Bench) {
    this.#bench = bench;
    bench.listen((change) => {
      // Both belong to the program that is shown.
      if (change === "text" || change === "project" || change === "loaded") this.#set([], undefined);
      if (change === "state" && bench.state !== undefined && !bench.stale) this.#ask(bench.state);
    });
  }

  /** Calls a function when something has changed. */
  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  ofLine(line: number, show: (history: LineHistory | undefined) => void): void {
    this.#bench.look(this.#bench.client.lineHistory(line), show);
  }

  #ask(state: State): void {
    const bench = this.#bench;
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.#set([], this.strip), STAYS);
    bench.look(bench.client.record(this.strip?.end ?? -1), (recorded) => {
      if (recorded === undefined || bench.state !== state || bench.stale) return;
      clearTimeout(this.#late);
      // A launch that is too long has values up to a position only.
      this.#set(recorded.position === state.position ? recorded.values : [], recorded.strip ?? this.strip);
    });
  }

  #set(values: readonly LineValue[], strip: Strip | undefined): void {
    this.values = values;
    this.strip = strip;
    for (const listener of this.#listeners) listener();
  }
}
