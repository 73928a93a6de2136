/**
 * A binary relation over the events of one execution: a square matrix of bits, a row for each event, so that union,
 * composition and closure go by words.
 */
export class Relation {
  /** Number of events it covers: 0 to size - 1. */
  size = 0;
  #words = 0;
  #bits = new Uint32Array(0);

  constructor(size: number) {
    this.clear(size);
  }

  /** Empties it, and resizes it to this many events. */
  clear(size: number): this {
    this.size = size;
    this.#words = (size + 31) >>> 5;
    const length = size * this.#words;
    if (this.#bits.length < length) this.#bits = new Uint32Array(2 * length);
    else this.#bits.fill(0, 0, length);
    return this;
  }

  has(from: number, to: number): boolean {
    return ((this.#bits[from * this.#words + (to >>> 5)] as number) & (1 << (to & 31))) !== 0;
  }

  add(from: number, to: number): void {
    const at = from * this.#words + (to >>> 5);
    this.#bits[at] = (this.#bits[at] as number) | (1 << (to & 31));
  }

  isEmpty(): boolean {
    const length = this.size * this.#words;
    for (let i = 0; i < length; i++) if (this.#bits[i] !== 0) return false;
    return true;
  }

  /** Adds the successors of an event in another relation to those of one here, as far as a third relation has them here. */
  joinRow(row: number, other: Relation, theirs: number, within: Relation): void {
    const to = row * this.#words;
    const from = theirs * this.#words;
    for (let i = 0; i < this.#words; i++)
      this.#bits[to + i] =
        (this.#bits[to + i] as number) | ((other.#bits[from + i] as number) & (within.#bits[to + i] as number));
  }

  /** Whether another relation has a pair of this one the other way round. */
  isTurnedIn(other: Relation): boolean {
    for (let from = 0, at = 0; from < this.size; from++)
      for (let word = 0; word < this.#words; word++, at++)
        for (let bits = this.#bits[at] as number; bits !== 0; bits &= bits - 1)
          if (other.has(word * 32 + 31 - Math.clz32(bits & -bits), from)) return true;
    return false;
  }

  /** Adds every pair of another relation of the same size. */
  join(other: Relation): this {
    const length = this.size * this.#words;
    for (let i = 0; i < length; i++) this.#bits[i] = (this.#bits[i] as number) | (other.#bits[i] as number);
    return this;
  }

  /** Adds the pairs (a, c) with (a, b) in one relation and (b, c) in another one, for some b; neither may be this one. */
  joinComposition(one: Relation, other: Relation): this {
    for (let a = 0; a < this.size; a++)
      for (let word = 0; word < this.#words; word++)
        for (let bits = one.#bits[a * this.#words + word] as number; bits !== 0; bits &= bits - 1)
          this.#joinRow(a, other, word * 32 + 31 - Math.clz32(bits & -bits));
    return this;
  }

  /** Keeps the pairs that another relation of the same size has, too. */
  within(other: Relation): this {
    const length = this.size * this.#words;
    for (let i = 0; i < length; i++) this.#bits[i] = (this.#bits[i] as number) & (other.#bits[i] as number);
    return this;
  }

  /** Makes it transitive, in place (Warshall's algorithm); no path leads through the events `without`. */
  close(without?: ReadonlySet<number>): this {
    for (let via = 0; via < this.size; via++) {
      if (without?.has(via)) continue;
      const word = via >>> 5;
      const bit = 1 << (via & 31);
      if (this.#isRowEmpty(via)) continue;
      for (let from = 0, at = word; from < this.size; from++, at += this.#words)
        if (((this.#bits[at] as number) & bit) !== 0) this.#joinRow(from, this, via);
    }
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
      for (let word = 0; word < this.#words; word++)
        for (let bits = this.#bits[from * this.#words + word] as number; bits !== 0; bits &= bits - 1)
          pairs.push([from, word * 32 + 31 - Math.clz32(bits & -bits)]);
    return pairs;
  }

  /** How many events precede one. */
  countBefore(to: number): number {
    let count = 0;
    for (let from = 0; from < this.size; from++) if (this.has(from, to)) count++;
    return count;
  }

  /** A shortest path of at least one step, as the events on it with both ends; undefined where there is none. */
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

  #isRowEmpty(row: number): boolean {
    for (let i = row * this.#words; i < (row + 1) * this.#words; i++) if (this.#bits[i] !== 0) return false;
    return true;
  }

  #joinRow(row: number, other: Relation, theirs: number): void {
    const to = row * this.#words;
    const from = theirs * this.#words;
    for (let i = 0; i < this.#words; i++)
      this.#bits[to + i] = (this.#bits[to + i] as number) | (other.#bits[from + i] as number);
  }
}

/** A pool of matrices reused for each candidate, since most candidates are judged and dropped at once. */
export class Room {
  readonly #relations: Relation[] = [];
  #taken = 0;

  /** An empty relation; it is valid until `leave`. */
  take(size: number): Relation {
    const free = this.#relations[this.#taken++];
    if (free) return free.clear(size);
    const relation = new Relation(size);
    this.#relations.push(relation);
    return relation;
  }

  /** Releases all matrices. */
  leave(): void {
    this.#taken = 0;
  }
}
