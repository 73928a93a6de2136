/** Numbers that follow from a seed, the same on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 32 bits: SplitMix of 32-bit words. */
  word(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let h = this.#state;
    h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
    h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
    return (h ^ (h >>> 15)) >>> 0;
  }

  below(count: number): number {
    return this.word() % count;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  any<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** `bits` bits: corners of the type, small numbers, or any. */
  bits(bits: number): bigint {
    const top = 1n << BigInt(bits - 1);
    const all = (top << 1n) - 1n;
    const roll = this.below(8);
    if (roll === 0) return this.any([0n, 1n & all, all, top, top - 1n, (top + 1n) & all]);
    if (roll <= 2) return BigInt(this.below(20)) & all;
    if (roll === 3) return all - (BigInt(this.below(10)) & all);
    let word = 0n;
    for (let have = 0; have < bits; have += 32) word = (word << 32n) | BigInt(this.word());
    return word & all;
  }
}
