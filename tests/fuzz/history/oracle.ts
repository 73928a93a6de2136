import { must } from "../../../src/host/index.ts";
import type { Session } from "../../../src/interp/machine/session.ts";
import { stateOf } from "./fingerprint.ts";
import type { Launches } from "./launches.ts";

/** A change by hand, as whoever made it remembers it: where, and how a plain launch is changed in the same way. */
export interface Change {
  readonly step: number;
  make(session: Session): void;
}

/**
 * What a launch is at a position if it only ever runs forward, with the same changes made on the way: it knows no history,
 * no debugger and no snapshot.
 */
export class Oracle {
  readonly #launches: Launches;
  readonly #changes: readonly Change[];
  #printed: string[] = [];
  #session: Session;
  #made = 0;
  readonly #known = new Map<number, ReadonlyMap<string, string>>();

  constructor(launches: Launches, changes: readonly Change[]) {
    this.#launches = launches;
    this.#changes = changes;
    this.#session = this.#launch();
  }

  /** All state at a position. */
  at(step: number): ReadonlyMap<string, string> {
    const known = this.#known.get(step);
    if (known !== undefined) return known;
    const state = stateOf(this.#go(step));
    this.#known.set(step, state);
    return state;
  }

  /** What was printed up to a position. */
  printedAt(step: number): readonly string[] {
    this.#go(step);
    return [...this.#printed];
  }

  /** How trying to go on from a position ends, in words: for where a launch has stopped. */
  beyond(step: number): string {
    const stop = this.#go(step).run({ budget: 1 });
    this.#session.close();
    this.#session = this.#launch();
    return stop.reason === "trap" ? `trap ${stop.diagnostic.message}` : stop.reason;
  }

  close(): void {
    this.#session.close();
  }

  #launch(): Session {
    this.#printed = [];
    this.#made = 0;
    const printed = this.#printed;
    return must(this.#launches.start((text) => void printed.push(text)));
  }

  #go(step: number): Session {
    if (this.#session.steps > step) {
      this.#session.close();
      this.#session = this.#launch();
    }
    for (;;) {
      const change = this.#changes[this.#made];
      const to = Math.min(step, change?.step ?? step);
      this.#session.run({ budget: to - this.#session.steps });
      if (change === undefined || change.step > this.#session.steps || change.step > step) return this.#session;
      change.make(this.#session);
      this.#made++;
    }
  }
}
