/** An allocated range of the buffer: `[start, end)`, bytes. */
export interface Allocation {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** `window`: shared, local and parameter memory of a launch; `state`: registers, which no address reaches. */
  readonly kind: "global" | "const" | "window" | "state";
  /** The initial shadow of its bytes. */
  readonly shadow: number;
  /** Allocated by device malloc. */
  readonly heap?: boolean;
}

/** All allocations, in order of address. Searched only when an access is new or wrong. */
export class Allocations {
  #live: Allocation[] = [];
  #freed: Allocation[] = [];
  #heapBytes = 0;

  get live(): readonly Allocation[] {
    return this.#live;
  }

  /** Bytes that device malloc has allocated and that have not been freed. */
  get heapBytes(): number {
    return this.#heapBytes;
  }

  /** The end of the last allocation. */
  get top(): number {
    return this.#live.at(-1)?.end ?? 0;
  }

  add(allocation: Allocation): void {
    this.#live.splice(this.#after(allocation.start), 0, allocation);
    this.#heapBytes += heapBytesOf(allocation);
    this.#freed = this.#freed.filter(({ start, end }) => end <= allocation.start || allocation.end <= start);
  }

  remove(allocation: Allocation): void {
    const at = this.#live.indexOf(allocation);
    if (at < 0) return;
    this.#live.splice(at, 1);
    this.#heapBytes -= heapBytesOf(allocation);
    // No program can hold an address of a launch's private memory.
    if (!isAddressed(allocation)) return;
    this.#freed.push(allocation);
    if (this.#freed.length > 64) this.#freed.shift();
  }

  /** The allocation that holds the byte at `at`; an empty one is found at its start. */
  find(at: number): Allocation | undefined {
    const before = this.#live[this.#after(at) - 1];
    return before !== undefined && (at < before.end || at === before.start) ? before : undefined;
  }

  /** The allocations that share a byte with `[start, end)`. */
  overlapping(start: number, end: number): readonly Allocation[] {
    let first = this.#after(start) - 1;
    if (first < 0 || this.#live[first]!.end <= start) first++;
    const found: Allocation[] = [];
    for (let at = first; at < this.#live.length && this.#live[at]!.start < end; at++) found.push(this.#live[at]!);
    return found;
  }

  /** A freed allocation that held the byte. */
  freed(at: number): Allocation | undefined {
    return this.#freed.findLast(({ start, end }) => start <= at && at < end);
  }

  /** The allocation of global or constant memory closest to `at`. */
  nearest(at: number): Allocation | undefined {
    let best: Allocation | undefined;
    for (const each of this.#live)
      if (isAddressed(each)) if (best === undefined || distance(each, at) < distance(best, at)) best = each;
    return best;
  }

  /** Room for `bytes` between or behind the live ones, with `gap` bytes left free on both sides. */
  place(bytes: number, align: number, gap: number, limit: number): number | undefined {
    const up = (at: number): number => Math.ceil(at / align) * align;
    const behind = up(this.top + gap);
    if (behind + bytes <= limit) return behind;
    let from = gap;
    for (const { start, end } of this.#live) {
      const at = up(from);
      if (at + bytes + gap <= start) return at;
      from = end + gap;
    }
    return undefined;
  }

  save(): readonly [readonly Allocation[], readonly Allocation[]] {
    return [[...this.#live], [...this.#freed]];
  }

  restore([live, freed]: readonly [readonly Allocation[], readonly Allocation[]]): void {
    this.#live = [...live];
    this.#freed = [...freed];
    this.#heapBytes = live.reduce((sum, each) => sum + heapBytesOf(each), 0);
  }

  /** How many start at or before `at`. */
  #after(at: number): number {
    let low = 0;
    let high = this.#live.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#live[middle]!.start <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const heapBytesOf = ({ heap, start, end }: Allocation): number => (heap === true ? end - start : 0);

/** True for what a 64-bit address in a register can mean: global and constant memory. */
export const isAddressed = ({ kind }: Allocation): boolean => kind === "global" || kind === "const";

/** Bytes between `at` and an allocation; 0 inside. */
export const distance = ({ start, end }: Allocation, at: number): number =>
  at < start ? start - at : at >= end ? at - end + 1 : 0;
