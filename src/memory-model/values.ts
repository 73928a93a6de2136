/** Which values each thread was seen to write to each piece of memory, in any branch of a search. */
export class Values {
  readonly #byThread = new Map<number, Map<number, Set<bigint>>>();
  #size = 0;

  add(thread: number, piece: number, value: bigint): void {
    const pieces = this.#byThread.get(thread) ?? new Map<number, Set<bigint>>();
    const values = pieces.get(piece) ?? new Set<bigint>();
    if (values.has(value)) return;
    values.add(value);
    pieces.set(piece, values);
    this.#byThread.set(thread, pieces);
    this.#size++;
  }

  has(thread: number, piece: number, value: bigint): boolean {
    return this.#byThread.get(thread)?.get(piece)?.has(value) ?? false;
  }

  of(thread: number, piece: number): Iterable<bigint> {
    return this.#byThread.get(thread)?.get(piece) ?? [];
  }

  /** Whether it knows of more than another does that it has grown from. */
  exceeds(other: Values): boolean {
    return this.#size > other.#size;
  }
}
