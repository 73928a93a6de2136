import type { Reach } from "../contract/memory-consistency.ts";
import type { Origin } from "./history.ts";
import { type Agent, both, hear, morallyStrong, nothing, type Told, told } from "./told.ts";
import { View } from "./view.ts";

/** How an operation on memory orders others, and for whom. A fence has the same halves. */
export interface Order {
  /** -1: weak. */
  readonly reach: Reach;
  readonly acquires: boolean;
  readonly releases: boolean;
}

/** What a thread knows, and what it will know or tell once a fence or a stronger operation comes (PTX ISA 8.8). */
export class ThreadView {
  readonly agent: Agent;
  view: View = new View();
  /** Of what was read by strong operations: for an acquiring fence behind them, and for an acquiring read of the word. */
  #pending: Told = nothing;
  #heard: Map<number, Told> = new Map();
  /** What fences released, for strong writes behind them; and what a releasing write of the word did. */
  #fenced: Told = nothing;
  #released: Map<number, Told> = new Map();

  constructor(agent: Agent) {
    this.agent = agent;
  }

  copy(): ThreadView {
    const copied = new ThreadView(this.agent);
    copied.view = this.view.copy();
    copied.#pending = this.#pending;
    copied.#heard = new Map(this.#heard);
    copied.#fenced = this.#fenced;
    copied.#released = new Map(this.#released);
    return copied;
  }

  /** Has read what these have written, all of them in these words. */
  read(words: readonly number[], origins: readonly Origin[], { reach, acquires }: Order): void {
    if (reach < 0) return;
    const message = this.carried(origins, reach);
    this.#pending = both(this.#pending, message);
    for (const word of words) {
      const all = both(this.#heard.get(word) ?? nothing, message);
      if (all.size > 0) this.#heard.set(word, all);
      if (acquires) hear(this.view, all, this.agent, reach);
    }
  }

  /** What one reads with `reach` in observation order (8.9.2): what those tell that are morally strong with it. */
  carried(origins: readonly Origin[], reach: Reach): Told {
    let all = nothing;
    for (const { by, reach: theirs, message } of origins)
      if (morallyStrong(by, theirs, this.agent, reach)) all = both(all, message);
    return all;
  }

  /** What a write of these words tells, beside what it carries on. */
  write(words: readonly number[], { reach, releases }: Order): Told {
    if (reach < 0) return nothing;
    let message = this.#fenced;
    if (releases) {
      const own = told(nothing, this.agent, this.view, reach);
      for (const word of words) this.#released.set(word, both(this.#released.get(word) ?? nothing, own));
    }
    for (const word of words) message = both(message, this.#released.get(word) ?? nothing);
    return message;
  }

  acquire(reach: Reach): void {
    hear(this.view, this.#pending, this.agent, reach);
  }

  release(reach: Reach): void {
    this.#fenced = told(this.#fenced, this.agent, this.view, reach);
  }
}
