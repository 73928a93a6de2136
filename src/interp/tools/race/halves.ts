import type { Observer } from "../../contract/observer.ts";
import { type BlockClock, joined, nothing, published, type ThreadClock, type VectorClock } from "./vector-clock.ts";

export type Half = Parameters<NonNullable<Observer["halfBarrier"]>>[2];

/**
 * Split barriers: what a thread did before its signal happens before what others do behind their
 * wait; what it does between its signal and its wait does not. Clocks are immutable, so a copy of the
 * maps is a snapshot.
 */
export class Halves {
  /** By block and barrier: the joined clocks of the threads that have signalled since its last completion. */
  #signalled = new Map<string, VectorClock>();
  /** The joined clocks of the threads of the last completion. */
  #complete = new Map<string, VectorClock>();

  add(id: number, what: Half, { block }: BlockClock, threads: readonly ThreadClock[]): void {
    const name = `${block} ${id}`;
    switch (what) {
      case "signal": {
        const known = this.#signalled.get(name) ?? nothing;
        this.#signalled.set(name, published(threads, known));
        return;
      }
      case "complete":
        this.#complete.set(name, this.#signalled.get(name) ?? nothing);
        this.#signalled.delete(name);
        return;
      case "wait": {
        const all = this.#complete.get(name) ?? nothing;
        for (const thread of threads) thread.known = joined(thread.known, all);
      }
    }
  }

  save(): readonly [ReadonlyMap<string, VectorClock>, ReadonlyMap<string, VectorClock>] {
    return [new Map(this.#signalled), new Map(this.#complete)];
  }

  restore([signalled, complete]: ReturnType<Halves["save"]>): void {
    this.#signalled = new Map(signalled);
    this.#complete = new Map(complete);
  }
}
