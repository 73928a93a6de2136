type Times = ReadonlyMap<number, number>;

/** Entries that a copy duplicates; more of them are merged once into a base that all copies share. */
const FEW = 32;

/**
 * A thread's knowledge of memory: by word, the time of the newest write that precedes the thread's next operation in
 * causality order (PTX ISA 8.9.5). A read may return that write or a newer one.
 */
export class View {
  /** The base shared with copies, and the entries added since. */
  #base: Times;
  #own: Map<number, number>;
  /** The base that it has joined last, of another one: many threads that meet share theirs. */
  #joined: Times | undefined;

  constructor(base: Times = new Map(), own: Map<number, number> = new Map()) {
    this.#base = base;
    this.#own = own;
  }

  /** The time known for a word; 0 before all writes. */
  at(word: number): number {
    return this.#own.get(word) ?? this.#base.get(word) ?? 0;
  }

  /** From now on reads of the word return no write older than the one at `time`. */
  see(word: number, time: number): void {
    if (time > this.at(word)) this.#own.set(word, time);
  }

  /** From now on reads return nothing older than `other` allows. */
  join(other: View): void {
    if (other.#base !== this.#base && other.#base !== this.#joined) {
      for (const [word, time] of other.#base) this.see(word, time);
      this.#joined = other.#base;
    }
    for (const [word, time] of other.#own) this.see(word, time);
  }

  copy(): View {
    if (this.#own.size > FEW) {
      this.#base = new Map([...this.#base, ...this.#own]);
      this.#own = new Map();
    }
    return new View(this.#base, new Map(this.#own));
  }
}
