import type { ThreadId } from "../contract/thread-id.ts";
import type { ByteRange, Operation, Site } from "./operation.ts";

/** A store by the generic proxy: whose, where in the program, and when, in meetings of the block and in fences. */
interface Write {
  readonly thread: ThreadId;
  readonly site: Site;
  readonly meeting: number;
  readonly fences: number;
}

/** What has been written and no fence has followed. */
export interface Unfenced {
  readonly at: number;
  readonly write: { readonly thread: ThreadId; readonly site: Site };
}

/**
 * The two ways to shared memory (PTX ISA 8.6): what the generic proxy has written, wgmma and bulk copies see by the async
 * proxy only behind a fence.proxy.async, of the thread that wrote or of one that has met it since. Programs without such
 * readers leave nothing here.
 */
export class Proxies {
  /** Whether the program reads shared memory by the async proxy at all. */
  readonly active: boolean;
  /** By word of memory's buffer. */
  #writes: Map<number, Write> = new Map();
  /** Fences so far; by thread the number of its last one; by block how often its threads have met, and had at its last fence. */
  #fences = 0;
  #fenced: Map<number, number> = new Map();
  #meetings: Map<number, number> = new Map();
  #fencedAt: Map<number, number> = new Map();

  constructor(active: boolean) {
    this.active = active;
  }

  /** A thread has written these bytes by the generic proxy. */
  wrote(thread: ThreadId, site: Site, { start, bytes }: ByteRange): void {
    const write: Write = { thread, site, meeting: this.#meetings.get(thread.block) ?? 0, fences: this.#fences };
    const end = (start + bytes + 3) >>> 2;
    for (let word = start >>> 2; word < end; word++) this.#writes.set(word, write);
  }

  /** A thread has executed fence.proxy.async. */
  fence(thread: ThreadId): void {
    if (!this.active) return;
    this.#fenced.set(keyOf(thread), ++this.#fences);
    this.#fencedAt.set(thread.block, this.#meetings.get(thread.block) ?? 0);
  }

  /** Threads of a block have waited for each other. */
  met(block: number): void {
    if (this.active) this.#meetings.set(block, (this.#meetings.get(block) ?? 0) + 1);
  }

  /** The first word of what an operation reads by the async proxy that no fence has followed. */
  unfenced({ proxy, reads }: Operation): Unfenced | undefined {
    if (!this.active || proxy !== "async" || this.#writes.size === 0) return undefined;
    for (const { start, bytes } of reads)
      for (let word = start >>> 2; word < (start + bytes + 3) >>> 2; word++) {
        const write = this.#writes.get(word);
        if (write === undefined) continue;
        if (!this.#isCovered(write)) return { at: 4 * word, write };
        this.#writes.delete(word);
      }
    return undefined;
  }

  /** A copy by the generic proxy has happened: its thread has written. */
  landed({ proxy, writes, thread, site }: Operation): void {
    if (this.active && proxy === "generic") for (const range of writes) this.wrote(thread, site, range);
  }

  /** A block has ended, whose shared memory is `[start, end)`. */
  end(block: number, start: number, end: number): void {
    if (!this.active) return;
    for (const word of this.#writes.keys()) if (4 * word >= start && 4 * word < end) this.#writes.delete(word);
    this.#meetings.delete(block);
    this.#fencedAt.delete(block);
  }

  save(): ProxiesImage {
    return {
      writes: new Map(this.#writes),
      fences: this.#fences,
      fenced: new Map(this.#fenced),
      meetings: new Map(this.#meetings),
      fencedAt: new Map(this.#fencedAt),
    };
  }

  restore({ writes, fences, fenced, meetings, fencedAt }: ProxiesImage): void {
    this.#writes = new Map(writes);
    this.#fences = fences;
    this.#fenced = new Map(fenced);
    this.#meetings = new Map(meetings);
    this.#fencedAt = new Map(fencedAt);
  }

  #isCovered({ thread, meeting, fences }: Write): boolean {
    return (this.#fenced.get(keyOf(thread)) ?? 0) > fences || (this.#fencedAt.get(thread.block) ?? 0) > meeting;
  }
}

const keyOf = ({ block, warp, lane }: ThreadId): number => (block * 32 + warp) * 32 + lane;

/** What a snapshot keeps. */
export interface ProxiesImage {
  readonly writes: ReadonlyMap<number, Write>;
  readonly fences: number;
  readonly fenced: ReadonlyMap<number, number>;
  readonly meetings: ReadonlyMap<number, number>;
  readonly fencedAt: ReadonlyMap<number, number>;
}
