import type { Bench } from "./bench.ts";
import type { LineHistory, LineValue, State, Strip } from "./client.ts";
import { shorten } from "./names.ts";

/** Milliseconds that values of an earlier position may stay until those of the present one are there. */
const STAYS = 200;

/** What the launch on the bench has done: the values of the focused thread in the lines, and the strip of all warps. */
export class LaunchHistory {
  values: readonly LineValue[] = [];
  strip: Strip | undefined;
  /** Of the strip, and of the values. */
  #furthest: number | undefined;
  #position: number | undefined;
  readonly #bench: Bench;
  readonly #listeners: (() => void)[] = [];
  #late: ReturnType<typeof setTimeout> | undefined;

  constructor(bench: Bench) {
    this.#bench = bench;
    bench.listen((change) => {
      // Both belong to the program that is shown; loaded again, it has gone the same way until something else is known.
      if (change === "text" || change === "project") this.#forget();
      if (change === "loaded") this.#furthest = undefined;
      if (change === "state" && bench.state !== undefined && !bench.stale) this.#ask(bench.state);
    });
  }

  /** Calls a function when something has changed. */
  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Where the launch stands. */
  get position(): number {
    return this.#bench.state?.position ?? 0;
  }

  /** What the focused thread has done in a line; nothing when the launch has gone elsewhere before that is known. */
  ofLine(line: number, show: (history: LineHistory | undefined) => void): void {
    const bench = this.#bench;
    const { state } = bench;
    bench.look(bench.client.lineHistory(line), (found) =>
      show(bench.state === state && !bench.stale ? found : undefined),
    );
  }

  /** What is said of a value, with parameters by what tells them apart. */
  short(text: string): string {
    return shorten(text, this.#bench.loaded);
  }

  #ask(state: State): void {
    const bench = this.#bench;
    clearTimeout(this.#late);
    if (state.position !== this.#position) this.#late = setTimeout(() => this.#set([], this.strip), STAYS);
    if (state.furthest !== this.#furthest) {
      this.#furthest = state.furthest;
      bench.look(bench.client.strip(), (strip) => {
        if (bench.state?.furthest === state.furthest && !bench.stale) this.#set(this.values, strip);
      });
    }
    bench.look(bench.client.values(), (values) => {
      if (values === undefined || bench.state !== state || bench.stale) return;
      clearTimeout(this.#late);
      this.#position = state.position;
      // Of a launch that is too long there are none.
      this.#set(
        values.position === state.position
          ? values.lines.map((each) => ({ ...each, text: this.short(each.text) }))
          : [],
        this.strip,
      );
    });
  }

  #forget(): void {
    this.#furthest = this.#position = undefined;
    clearTimeout(this.#late);
    this.#set([], undefined);
  }

  #set(values: readonly LineValue[], strip: Strip | undefined): void {
    this.values = values;
    this.strip = strip;
    for (const listener of this.#listeners) listener();
  }
}
