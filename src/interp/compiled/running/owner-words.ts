import type { Allocation } from "../../memory/allocation.ts";
import type { Memory } from "../../memory/memory.ts";
import type { Grain } from "../boundary/grain.ts";
import { LAST_INTERVAL, late, owner, PAGE } from "../boundary/late-layout.ts";

/** The name of their memory, which only compiled launches have. */
export const OWNER_WORDS = "owners of words";

/** Bytes of it at most; pages in it are touched as they are needed. */
const MOST_BYTES = 64 << 20;

/** Behind the top of memory, where blocks may yet get their shared memory. */
const BEHIND = 1 << 20;

const CHUNK = 16;

/** No interval is the first. */
const NONE = -1;

/** The owner words by which a module judges accesses (`judging/judge-code.ts`), and the intervals between the barriers of blocks. */
export class OwnerWords {
  readonly #memory: Memory;
  readonly #allocation: Allocation;
  readonly #first: number;
  readonly #grain: Grain;
  /** What module and JavaScript share of late accesses. */
  readonly #words: Int32Array;
  #block = -1;
  /** The interval of which some accesses to shared memory are no longer there. */
  #left = 0;
  /** The intervals of blocks that may go on. */
  readonly #intervals = new Map<number, number>();

  private constructor(
    memory: Memory,
    allocation: Allocation,
    words: Int32Array,
    {
      grain,
      pageCount,
      ownerPages,
    }: { readonly grain: Grain; readonly pageCount: number; readonly ownerPages: number },
  ) {
    this.#memory = memory;
    this.#grain = grain;
    this.#allocation = allocation;
    this.#words = words;
    const sharedWords = allocation.start + 4 * pageCount;
    const spare = sharedWords + 16 * Math.ceil((ownerPages + 1) / 4);
    this.#first = spare + PAGE;
    words[late.sharedWords / 4] = sharedWords;
    words[late.pages / 4] = allocation.start;
    words[late.pageCount / 4] = pageCount;
    words[late.nextPage / 4] = this.#first;
    words[late.sparePage / 4] = spare;
    words[late.endOfPages / 4] = this.#first + ownerPages * PAGE;
    words[late.judging / 4] = 1;
  }

  /** Undefined where no memory is left, or there is too much. `copies`: an interval may load some shared memory, and store to other. */
  static of(memory: Memory, words: Int32Array, copies: boolean, grain: Grain): OwnerWords | undefined {
    const { live, top } = memory.allocations;
    const each = 4 / grain;
    // Where owner words are is computed in 32 bits.
    if ((top + BEHIND) * each > 2 ** 32) return undefined;
    const pageCount = 4 * Math.ceil(((top + BEHIND) * each) / PAGE / 4);
    const used = live.reduce(
      (sum, { kind, start, end }) => (kind === "state" ? sum : sum + each * (end - start) + PAGE),
      each * BEHIND,
    );
    const ownerPages = Math.ceil(Math.min(MOST_BYTES, used) / PAGE);
    // Words are read four at a time, even the last.
    const bytes = 4 * pageCount + 4 * (ownerPages + 4) + (ownerPages + 1) * PAGE + CHUNK;
    const start = memory.reserve({ name: OWNER_WORDS, bytes, align: 16, kind: "state", shadow: 0 });
    const allocation = start === undefined ? undefined : memory.allocations.find(start);
    if (copies) words[late.exact / 4] = 1;
    return allocation && new OwnerWords(memory, allocation, words, { grain, pageCount, ownerPages });
  }

  /** How many words of memory have owner words. */
  get count(): number {
    return ((this.#words[late.nextPage / 4]! - this.#first) / 16) * this.#grain;
  }

  /** Whether an access may race. */
  get areInDoubt(): boolean {
    return this.#words[late.doubt / 4] !== 0;
  }

  /** Whether JavaScript has to look at all accesses to shared memory of the interval when it ends. */
  get areMixed(): boolean {
    return this.#words[late.mixed / 4] !== 0;
  }

  /** The accesses to shared memory of the interval are no longer there when it ends. */
  leave(): void {
    const words = this.#words;
    if (words[late.exact / 4] !== 0 || words[late.done / 4] === 0) return;
    this.#left = words[late.interval / 4]!;
    if (this.areMixed) words[late.doubt / 4] = 1;
  }

  /** Of an interval that ends, JavaScript has found whether it races with nothing. */
  settle(isNeedless: boolean): void {
    const words = this.#words;
    words[late.mixed / 4] = 0;
    words[late.exact / 4] = 1;
    if (!isNeedless || this.#left === words[late.interval / 4]) words[late.doubt / 4] = 1;
  }

  /** A module runs a block; `alone`: others have ended, or have not begun. */
  stand(block: number, alone: boolean): void {
    const words = this.#words;
    if (block === this.#block) return;
    if (!alone && words[late.exact / 4] === 0) {
      if (words[late.done / 4] !== 0) words[late.doubt / 4] = 1;
      words[late.exact / 4] = 1;
    }
    if (alone) this.#intervals.clear();
    else if (this.#block >= 0) this.#intervals.set(this.#block, words[late.interval / 4]!);
    this.#block = block;
    const known = this.#intervals.get(block);
    if (known === undefined) this.next(true);
    else {
      this.#begin(known);
      // Other blocks may have had the intervals behind its first one.
      words[late.firstInterval / 4] = NONE;
    }
  }

  /** The module has begun so many more blocks. */
  follow(count: number): void {
    this.#block += count;
  }

  /** An interval begins; `first`: of a block. */
  next(first: boolean): void {
    const words = this.#words;
    const interval = words[late.lastInterval / 4]! + owner.interval;
    if (interval >>> 0 >= LAST_INTERVAL) words[late.doubt / 4] = 1;
    words[late.lastInterval / 4] = interval;
    this.#begin(interval);
    if (first) words[late.firstInterval / 4] = interval;
  }

  #begin(interval: number): void {
    this.#words[late.interval / 4] = interval;
    this.#words[late.done / 4] = 0;
  }

  close(): void {
    const { allocations } = this.#memory;
    // One of a snapshot that was restored is a copy.
    if (allocations.find(this.#allocation.start) !== this.#allocation) return;
    this.#memory.release(this.#allocation, this.#words[late.nextPage / 4]);
  }
}
