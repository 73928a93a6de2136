/** A stream of choices that a seed settles (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) >>> 0;
    this.word();
  }

  /** 32 bits. */
  word(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let z = this.#state;
    z = Math.imul(z ^ (z >>> 15), z | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return (z ^ (z >>> 14)) >>> 0;
  }

  /** An integer from 0 to count - 1. */
  below(count: number): number {
    return Math.floor((this.word() / 2 ** 32) * count);
  }

  any<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)];
    if (found === undefined) throw new Error("nothing to choose from");
    return found;
  }

  /** True so often out of a hundred. */
  chance(percent: number): boolean {
    return this.word() < percent * 42_949_673;
  }
}
