/** Numbers that look random and are the same on every machine: xorshift of 32 bits. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  below(count: number): number {
    this.#state = (this.#state ^ (this.#state << 13)) >>> 0;
    this.#state = (this.#state ^ (this.#state >>> 17)) >>> 0;
    this.#state = (this.#state ^ (this.#state << 5)) >>> 0;
    return this.#state % count;
  }

  any<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}
