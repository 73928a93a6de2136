type Times = ReadonlyMap<number, number>;

/** Words that a copy copies; more of them are put together once, for all copies. */
const FEW = 32;

/**
 * What a thread knows of memory: by word, the time of the newest write that comes before what the thread does next, in
 * causality order (PTX ISA 8.9.5). A read may return that write or a newer one.
 */
export class View {
  /** What it shares with its copies, and what it has learned besides. */
  #base: Times;
  #own: Map<number, number>;

  constructor(base: Times = new Map(), own: Map<number, number> = new Map()) {
    this.#base = base;
    this.#own = own;
  }

  /** The time of a word; 0 before all writes. */
  at(word: number): number {
    return this.#own.get(word) ?? this.#base.get(word) ?? 0;
  }

  /** From now on nothing older than the write at `time` is seen of the word. */
  see(word: number, time: number): void {
    if (time > this.at(word)) this.#own.set(word, time);
  }

  /** From now on nothing is seen that is older than what `other` sees. */
  join(other: View): void {
    if (other.#base !== this.#base) for (const [word, time] of other.#base) this.see(word, time);
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
