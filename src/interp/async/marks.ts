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
  /** Flights that the index lacks: most programs never ask who touches a byte. */
  readonly #unindexed: Set<Flight> = new Set();
  /** Flights that began on bytes with the same mark: as long as there are none, each mark belongs to one flight. */
  readonly #overlapping: Set<Flight> = new Set();

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Marks all bytes of a flight, whose pages must be known. */
  add(flight: Flight): void {
    this.#unindexed.add(flight);
    let met = 0;
    for (const range of flight.operation.writes) met |= this.#add(range, IN_FLIGHT_WRITE);
    for (const range of readsLeft(flight)) met |= this.#add(range, IN_FLIGHT_READ);
    if (met !== 0) this.#overlapping.add(flight);
  }

  /** The same of a flight whose bytes, and no others' among them, are marked already. */
  take(flight: Flight): void {
    this.#unindexed.add(flight);
  }

  /** Unmarks the bytes that a flight reads; with `early` only those of its early reads. */
  freeSource(flight: Flight, early = false): void {
    const left = readsLeft(flight);
    if (early) flight.freed = flight.operation.early ?? 0;
    else flight.sourceFree = true;
    this.#drop(flight, left);
    this.#unindexed.add(flight);
    this.#clear(left.slice(0, left.length - readsLeft(flight).length), IN_FLIGHT_READ);
  }

  remove(flight: Flight): void {
    const { reads, writes } = flight.operation;
    this.#drop(flight, reads);
    this.#clear(writes, IN_FLIGHT_WRITE);
    this.#clear(readsLeft(flight), IN_FLIGHT_READ);
    this.#overlapping.delete(flight);
  }

  /** Replaces a flight by several that touch the same bytes together. */
  replace(whole: Flight, parts: readonly Flight[]): void {
    this.#drop(whole, whole.operation.reads);
    const overlaps = this.#overlapping.delete(whole);
    for (const flight of parts) {
      this.#unindexed.add(flight);
      if (overlaps) this.#overlapping.add(flight);
    }
  }

  /** Flights that touch bytes near these, in the order of issue. */
  near(range: ByteRange): readonly Flight[] {
    this.#catchUp();
    const found = new Set<Flight>();
    for (let granule = firstGranule(range); granule <= lastGranule(range); granule++)
      for (const flight of this.#index.get(granule) ?? []) found.add(flight);
    return [...found].sort((a, b) => a.number - b.number);
  }

  /** True when a byte has one of these marks; its page must be known. */
  marked({ start, bytes }: ByteRange, mask: number): boolean {
    const { u8, s32 } = this.#memory.shadow;
    if (((start | bytes) & 3) === 0) {
      const word = fourfold(mask);
      for (let at = start >>> 2; at < (start + bytes) >>> 2; at++) if ((s32[at]! & word) !== 0) return true;
      return false;
    }
    for (let at = start; at < start + bytes; at++) if ((u8[at]! & mask) !== 0) return true;
    return false;
  }

  /** Takes the flights of a restored memory, whose shadow is marked already. */
  rebuild(flights: Iterable<Flight>): void {
    this.#index.clear();
    this.#unindexed.clear();
    this.#overlapping.clear();
    for (const flight of flights) {
      this.#unindexed.add(flight);
      this.#overlapping.add(flight);
    }
  }

  /** Marks a range; returns a number that is not 0 if some of its bytes had the mark already. */
  #add({ start, bytes }: ByteRange, mark: number): number {
    this.#memory.worsens(start);
    const { u8, s32 } = this.#memory.shadow;
    let met = 0;
    if (((start | bytes) & 3) === 0) {
      const word = fourfold(mark);
      for (let at = start >>> 2; at < (start + bytes) >>> 2; at++) {
        const held = s32[at]!;
        met |= held & word;
        s32[at] = held | word;
      }
    } else
      for (let at = start; at < start + bytes; at++) {
        met |= u8[at]! & mark;
        u8[at]! |= mark;
      }
    return met;
  }

  #catchUp(): void {
    for (const flight of this.#unindexed) {
      for (const range of flight.operation.writes) this.#note(flight, range);
      for (const range of readsLeft(flight)) this.#note(flight, range);
    }
    this.#unindexed.clear();
  }

  #note(flight: Flight, range: ByteRange): void {
    const last = lastGranule(range);
    for (let granule = firstGranule(range); granule <= last; granule++) {
      const there = this.#index.get(granule);
      if (there === undefined) this.#index.set(granule, new Set([flight]));
      else there.add(flight);
    }
  }

  /** Removes a flight, which reads `reads`, from the index. */
  #drop(flight: Flight, reads: readonly ByteRange[]): void {
    if (this.#unindexed.delete(flight)) return;
    for (const ranges of [reads, flight.operation.writes])
      for (const range of ranges) {
        const last = lastGranule(range);
        for (let granule = firstGranule(range); granule <= last; granule++) {
          const there = this.#index.get(granule);
          if (there?.delete(flight) && there.size === 0) this.#index.delete(granule);
        }
      }
  }

  /** Removes a mark where no other flight needs it: flights near it set theirs again. */
  #clear(ranges: readonly ByteRange[], mark: number): void {
    const { u8, s32 } = this.#memory.shadow;
    const left = ~fourfold(mark);
    for (const { start, bytes } of ranges)
      if (((start | bytes) & 3) === 0)
        for (let word = start >>> 2; word < (start + bytes) >>> 2; word++) s32[word]! &= left;
      else for (let at = start; at < start + bytes; at++) u8[at]! &= ~mark;
    if (this.#overlapping.size === 0) return;
    this.#catchUp();
    const near = new Set<Flight>();
    for (const range of ranges)
      for (let granule = firstGranule(range); granule <= lastGranule(range); granule++)
        for (const flight of this.#index.get(granule) ?? []) near.add(flight);
    for (const flight of near)
      for (const { start, bytes } of mark === IN_FLIGHT_WRITE ? flight.operation.writes : readsLeft(flight))
        if (((start | bytes) & 3) === 0)
          for (let word = start >>> 2; word < (start + bytes) >>> 2; word++) s32[word]! |= ~left;
        else for (let at = start; at < start + bytes; at++) u8[at]! |= mark;
  }
}

const firstGranule = ({ start }: ByteRange): number => start >>> GRANULE_BITS;
const lastGranule = ({ start, bytes }: ByteRange): number => (start + Math.max(bytes, 1) - 1) >>> GRANULE_BITS;
