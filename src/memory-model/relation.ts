/**
 * A binary relation over the events of one execution: a square matrix of bits, a row for each event, so that union,
 * composition and closure go by words.
 */
export class Relation {
  /** Events that it speaks of: 0 to size - 1. */
  readonly size: number;
  readonly #words: number;
  readonly #bits: Uint32Array;

  constructor(size: number) {
    this.size = size;
    this.#words = (size + 31) >>> 5;
    this.#bits = new Uint32Array(size * this.#words);
  }

  has(from: number, to: number): boolean {
    return ((this.#bits[from * this.#words + (to >>> 5)] as number) & (1 << (to & 31))) !== 0;
  }

  add(from: number, to: number): void {
    const at = from * this.#words + (to >>> 5);
    this.#bits[at] = (this.#bits[at] as number) | (1 << (to & 31));
  }

  /** Takes in every pair of another relation of the same size. */
  join(other: Relation): this {
    const theirs = other.#bits;
    for (let i = 0; i < theirs.length; i++) this.#bits[i] = (this.#bits[i] as number) | (theirs[i] as number);
    return this;
  }

  /** Pairs (a, c) with (a, b) here and (b, c) there, for some b. */
  composedWith(other: Relation): Relation {
    const result = new Relation(this.size);
    for (let a = 0; a < this.size; a++)
      for (let b = 0; b < this.size; b++) if (this.has(a, b)) result.#joinRow(a, other, b);
    return result;
  }

  /** Makes it transitive, in place (Warshall's algorithm). */
  close(): this {
    for (let via = 0; via < this.size; via++)
      for (let from = 0; from < this.size; from++) if (this.has(from, via)) this.#joinRow(from, this, via);
    return this;
  }

  copy(): Relation {
    return new Relation(this.size).join(this);
  }

  /** An event that precedes itself; -1 where there is none. */
  loop(): number {
    for (let i = 0; i < this.size; i++) if (this.has(i, i)) return i;
    return -1;
  }

  /** Every pair, in the order of its first event, then of its second. */
  pairs(): (readonly [number, number])[] {
    const pairs: (readonly [number, number])[] = [];
    for (let from = 0; from < this.size; from++)
      for (let word = 0; word < this.#words; word++) {
        let bits = this.#bits[from * this.#words + word] as number;
        while (bits !== 0) {
          const low = bits & -bits;
          pairs.push([from, word * 32 + 31 - Math.clz32(low)]);
          bits ^= low;
        }
      }
    return pairs;
  }

  /** A shortest way of at least one step, as the events on it with both ends; undefined where there is none. */
  way(from: number, to: number): number[] | undefined {
    const before = new Int32Array(this.size).fill(-1);
    const queue = [from];
    for (const here of queue)
      for (let next = 0; next < this.size; next++) {
        if (!this.has(here, next)) continue;
        if (next === to) {
          const way = [to];
          for (let at = here; at !== from; at = before[at] as number) way.push(at);
          return [...way, from].reverse();
        }
        if (before[next] === -1 && next !== from) {
          before[next] = here;
          queue.push(next);
        }
      }
    return undefined;
  }

  #joinRow(row: number, other: Relation, theirs: number): void {
    const to = row * this.#words;
    const from = theirs * this.#words;
    for (let i = 0; i < this.#words; i++)
      this.#bits[to + i] = (this.#bits[to + i] as number) | (other.#bits[from + i] as number);
  }
}
