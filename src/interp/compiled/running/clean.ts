import type { Memory } from "../../memory/memory.ts";
import type { Scan } from "../../memory/scan-code.ts";
import { ALLOCATED, fourfold, IN_FLIGHT_READ, INITIALISED, READ_ONLY, STORED, WINDOWED } from "../../memory/shadow.ts";
import { CONSTANT_RANGE, MOST_RANGES, type State } from "../boundary/state-layout.ts";

/** The least number of bytes to scan around an access that was not known to be clean. */
const LEAST = 4096;

const EACH_STORED = fourfold(STORED);
/** All bits of shadow but those that do not matter to loads where no memory is clean to stores. */
const MATTERS = ~(EACH_STORED | fourfold(IN_FLIGHT_READ));

/**
 * Grows ranges of memory that are clean: allocated, initialised, and nothing more. An access to such bytes is right, and
 * leaves their shadow unchanged; for stores the bytes must have all marks that stores make (`Memory.storing`).
 */
export class CleanRanges {
  readonly #memory: Memory;
  readonly #shadow: Int32Array;
  readonly #ranges: State["ranges"];
  readonly #storing: number;
  readonly #stored: ReadonlySet<number>;
  readonly #reduced: ReadonlyMap<number, number>;
  readonly #scan: Scan;
  /** Copies in flight may read any memory: none is clean to stores. */
  #copied = false;
  /** Bytes from data to shadow, and as many bytes of shadow. */
  readonly #distance: number;

  /**
   * `scan`: compares words of memory; `ranges`: those of the state; `stored`: the ranges that stores are checked
   * against; `reduced`: the ranges that only one reduction is checked against, with the mark of its cells (`markOf`).
   */
  constructor(
    memory: Memory,
    scan: Scan,
    ranges: State["ranges"],
    stored: ReadonlySet<number>,
    reduced: ReadonlyMap<number, number> = new Map(),
  ) {
    const { shadow, storing, linear } = memory;
    this.#memory = memory;
    this.#reduced = reduced;
    this.#scan = scan;
    this.#distance = linear.distance;
    this.#shadow = shadow.s32;
    this.#storing = storing;
    this.#stored = stored;
    this.#ranges = ranges;
  }

  /** Grows a range so that it contains the byte at `at`, an offset in memory, if that byte is clean. */
  grow(range: number, at: number): void {
    if (this.#memory.supply?.isElsewhere(at)) return;
    const ranges = this.#ranges;
    const stores = this.#stored.has(range);
    const fixed = range === CONSTANT_RANGE ? READ_ONLY : 0;
    const word = at >>> 2;
    const shadow = this.#shadow;
    const happened = this.#storing & STORED ? this.#reduced.get(range) : undefined;
    const clean =
      happened !== undefined && happened === shadow[word]
        ? happened
        : fourfold(ALLOCATED | fixed | (stores ? this.#storing : INITIALISED));
    const matters = stores ? -1 : this.#copied ? MATTERS : ~EACH_STORED;
    if ((stores && this.#copied) || (shadow[word]! & matters) !== clean) return;
    if (this.#adopt(range, at)) return;
    const [start, length] = [ranges.start[range]!, ranges.length[range]!];
    const end = start + length;
    const joined = 4 * word >= start && 4 * word <= end;
    // The range grows in proportion to its length, so that few calls suffice and none scans much in vain.
    const most = Math.max(LEAST, 2 * length);
    const { above, below } = this.#scan;
    const distance = this.#distance;
    const before = (at: number, bytes: number): number =>
      at - below(distance + at, Math.min(bytes, at), matters, clean);
    const behind = (at: number, bytes: number): number =>
      at + above(distance + at, Math.min(bytes, distance - at), matters, clean);
    let low = joined ? start : 4 * word;
    let high = joined ? end : 4 * word;
    // The scan skips bytes that are in the range already.
    const [down, up] = [joined || end > low ? most : low - end, joined || start < high ? most : start - high];
    low = before(low, Math.min(most, down));
    if (!joined && low === end && length > 0) low = before(start, most - down);
    high = behind(high, Math.min(most, up));
    if (!joined && high === start && length > 0) high = behind(end, most - up);
    ranges.start[range] = low;
    ranges.length[range] = high - low;
  }

  /**
   * Takes over what is known for another access, if that has the byte at `at`; false where none has. Loads and stores want the
   * same of memory, unless stores are tracked.
   */
  #adopt(range: number, at: number): boolean {
    if (this.#storing !== INITIALISED || range === CONSTANT_RANGE) return false;
    const { start, length } = this.#ranges;
    const has = (of: number): boolean => at >= start[of]! && at < start[of]! + length[of]!;
    if (has(range)) return false;
    for (let other = CONSTANT_RANGE + 1; other < MOST_RANGES; other++) {
      if (!has(other)) continue;
      start[range] = start[other]!;
      length[range] = length[other]!;
      return true;
    }
    return false;
  }

  /** From now on the module holds copies in flight: stores have their memory examined each time. */
  copies(): void {
    if (!this.#copied) this.forget();
    this.#copied = true;
  }

  /** Nothing is known to be clean any more. */
  forget(): void {
    this.#ranges.start.fill(0);
    this.#ranges.length.fill(0);
  }

  /** How many bytes of a block's shared memory are clean from its start on, given how many were. */
  shared(start: number, known: number, bytes: number): number {
    const clean = fourfold(ALLOCATED | INITIALISED | WINDOWED);
    const shadow = this.#shadow;
    let at = known >>> 2;
    const end = bytes >>> 2;
    const first = start >>> 2;
    while (at < end && (shadow[first + at]! & ~EACH_STORED) === clean) at++;
    return at * 4;
  }
}
