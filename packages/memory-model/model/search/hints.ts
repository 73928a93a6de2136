import type { Read } from "../event.ts";

const none: ReadonlySet<bigint> = new Set();

/**
 * Observations of one search from which the next one may guess: which values each thread may write to each piece of
 * memory, and which reads come before a write that does not depend on them. Only such a read can return a later write
 * (load buffering): where every write after it depends on it, that would be a value out of thin air (PTX ISA 8.10.4).
 */
export class Hints {
  readonly #values = new Map<number, Map<number, Set<bigint>>>();
  readonly #writers = new Set<string>();
  readonly #guessers = new Set<string>();
  #size = 0;

  /** A thread may write to a piece. */
  addWriter(thread: number, piece: number): void {
    this.#writers.add(`${thread} ${piece}`);
  }

  /** A thread has written a value. */
  add(thread: number, piece: number, value: bigint): void {
    this.addWriter(thread, piece);
    const pieces = this.#values.get(thread) ?? new Map<number, Set<bigint>>();
    const values = pieces.get(piece) ?? new Set<bigint>();
    if (values.has(value)) return;
    values.add(value);
    pieces.set(piece, values);
    this.#values.set(thread, pieces);
    this.#size++;
  }

  /** A read comes before a write that does not depend on it. */
  addGuesser(thread: number, read: Read): void {
    this.#guessers.add(place(thread, read));
  }

  mayGuess(thread: number, read: Read): boolean {
    return this.#guessers.has(place(thread, read));
  }

  /** Whether a thread may write to a piece, so that others may wait for it. */
  mayWrite(thread: number, piece: number): boolean {
    return this.#writers.has(`${thread} ${piece}`);
  }

  /** What a thread may write to a piece. */
  values(thread: number, piece: number): ReadonlySet<bigint> {
    return this.#values.get(thread)?.get(piece) ?? none;
  }

  /** Whether a search with these hints could find what one with others has not. */
  exceeds(others: Hints): boolean {
    if (this.#writers.size > others.#writers.size) return true;
    if (this.#guessers.size === 0) return false;
    return this.#size > others.#size || this.#guessers.size > others.#guessers.size;
  }
}

/** The key of a read of a thread: its instruction's position in the source, or else its text, and the place in memory. */
const place = (thread: number, { span, text, location }: Read): string =>
  `${thread} ${span?.start ?? text} ${location.at}`;
