/**
 * A generator of 32-bit words (splitmix32) in integer arithmetic only, so that a seed means the same order on every
 * machine. Its whole state is one word.
 */
export class Random {
  state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** An integer from 0 to below `bound`, at most 2^32. */
  below(bound: number): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    let z = this.state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) % bound;
  }
}

/** A permutation of 0 to below `count`, from one index at a time: a grid may be too large for a list. */
export function shuffled(count: number, random: Random): (index: number) => number {
  const shift = random.below(count);
  // Products stay below 2^53 for grids of up to 2^32 blocks.
  let factor = 1 + random.below(Math.min(count, 1 << 20));
  while (divisor(factor, count) !== 1) factor++;
  return (index) => (index * factor + shift) % count;
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
