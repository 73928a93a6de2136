// A stream of choices that a seed settles.
export class Random {
  #state;

  constructor(seed) {
    this.#state = (seed * 0x9e3779b1) >>> 0 || 1;
    for (let i = 0; i < 8; i++) this.below(2);
  }

  /** An integer from 0 to count - 1. */
  below(count) {
    let s = this.#state;
    s = (s ^ (s << 13)) >>> 0;
    s = (s ^ (s >>> 17)) >>> 0;
    s = (s ^ (s << 5)) >>> 0;
    this.#state = s;
    return Math.floor((s / 2 ** 32) * count);
  }

  any(list) {
    return list[this.below(list.length)];
  }

  /** True so often out of a hundred. */
  chance(percent) {
    return this.below(100) < percent;
  }

  word() {
    return this.below(2 ** 32);
  }
}
