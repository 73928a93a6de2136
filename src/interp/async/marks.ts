import type { Memory } from "../memory/memory.ts";
import { fourfold, IN_FLIGHT_READ, IN_FLIGHT_WRITE } from "../memory/shadow.ts";
import { readsLeft } from "./flight.ts";
import type { ByteRange, Flight } from "./operation.ts";

/** Log2 of the bytes of one entry of the index. */
const GRANULE_BITS = 8;

/**
 * Which flights touch which bytes. The shadow of those bytes is marked too, for the quick check of ordinary accesses;
 * when one of several flights over a byte ends, the byte stays marked for the others.
 */
export class Marks {
  readonly #memory: Memory;
  readonly #index: Map<number, Set<Flight>> = new Map();

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Marks all bytes of a flight. */
  add(flight: Flight): void {
    for (const range of flight.operation.writes) this.#add(flight, range, IN_FLIGHT_WRITE);
    for (const range of readsLeft(flight)) this.#add(flight, range, IN_FLIGHT_READ);
  }

  /** Unmarks the bytes that a flight reads; with `early` only those of its early reads. */
  freeSource(flight: Flight, early = false): void {
    const left = readsLeft(flight);
    if (early) flight.freed = flight.operation.early ?? 0;
    else flight.sourceFree = true;
    for (const range of left) this.#drop(flight, range);
    for (const range of flight.operation.writes) this.#note(flight, range);
    for (const range of readsLeft(flight)) this.#note(flight, range);
    for (const range of left.slice(0, left.length - readsLeft(flight).length)) this.#clear(range, IN_FLIGHT_READ);
  }

  remove(flight: Flight): void {
    const { reads, writes } = flight.operation;
    for (const range of reads) this.#drop(flight, range);
    for (const range of writes) this.#drop(flight, range);
    for (const range of writes) this.#clear(range, IN_FLIGHT_WRITE);
    for (const range of readsLeft(flight)) this.#clear(range, IN_FLIGHT_READ);
  }

  /** Replaces a flight by several that touch the same bytes together. */
  replace(whole: Flight, parts: readonly Flight[]): void {
    const { reads, writes } = whole.operation;
    for (const range of reads) this.#drop(whole, range);
    for (const range of writes) this.#drop(whole, range);
    for (const flight of parts) {
      for (const range of flight.operation.writes) this.#note(flight, range);
      for (const range of readsLeft(flight)) this.#note(flight, range);
    }
  }

  /** Flights that touch bytes near these, in the order of issue. */
  near(range: ByteRange): readonly Flight[] {
    const found = new Set<Flight>();
    for (let granule = firstGranule(range); granule <= lastGranule(range); granule++)
      for (const flight of this.#index.get(granule) ?? []) found.add(flight);
    return [...found].sort((a, b) => a.number - b.number);
  }

  /** True when a byte has one of these marks; its page must be known. */
  marked({ start, bytes }: ByteRange, mask: number): boolean {
    const { u8 } = this.#memory.shadow;
    for (let at = start; at < start + bytes; at++) if ((u8[at]! & mask) !== 0) return true;
    return false;
  }

  /** Rebuilds the index of a restored memory, whose shadow is marked already. */
  rebuild(flights: Iterable<Flight>): void {
    this.#index.clear();
    for (const flight of flights) {
      for (const range of flight.operation.writes) this.#note(flight, range);
      for (const range of readsLeft(flight)) this.#note(flight, range);
    }
  }

  #add(flight: Flight, range: ByteRange, mark: number): void {
    this.#memory.know(range.start, range.bytes);
    this.#memory.worsens(range.start);
    this.#note(flight, range);
    const { u8, s32 } = this.#memory.shadow;
    const { start, bytes } = range;
    if (((start | bytes) & 3) === 0)
      for (let word = start >>> 2; word < (start + bytes) >>> 2; word++) s32[word]! |= fourfold(mark);
    else for (let at = start; at < start + bytes; at++) u8[at]! |= mark;
  }

  #note(flight: Flight, range: ByteRange): void {
    const last = lastGranule(range);
    for (let granule = firstGranule(range); granule <= last; granule++) {
      const there = this.#index.get(granule);
      if (there === undefined) this.#index.set(granule, new Set([flight]));
      else there.add(flight);
    }
  }

  #drop(flight: Flight, range: ByteRange): void {
    const last = lastGranule(range);
    for (let granule = firstGranule(range); granule <= last; granule++) {
      const there = this.#index.get(granule);
      if (there?.delete(flight) && there.size === 0) this.#index.delete(granule);
    }
  }

  /** Removes a mark where no other flight needs it. */
  #clear(range: ByteRange, mark: number): void {
    const { u8, s32 } = this.#memory.shadow;
    const { start, bytes } = range;
    if (((start | bytes) & 3) === 0)
      for (let word = start >>> 2; word < (start + bytes) >>> 2; word++) s32[word]! &= ~fourfold(mark);
    else for (let at = start; at < start + bytes; at++) u8[at]! &= ~mark;
    for (let granule = firstGranule(range); granule <= lastGranule(range); granule++)
      for (const flight of this.#index.get(granule) ?? []) {
        const ranges = mark === IN_FLIGHT_WRITE ? flight.operation.writes : readsLeft(flight);
        for (const other of ranges) {
          const end = Math.min(other.start + other.bytes, start + bytes);
          for (let at = Math.max(other.start, start); at < end; at++) u8[at]! |= mark;
        }
      }
  }
}

const firstGranule = ({ start }: ByteRange): number => start >>> GRANULE_BITS;
const lastGranule = ({ start, bytes }: ByteRange): number => (start + Math.max(bytes, 1) - 1) >>> GRANULE_BITS;
