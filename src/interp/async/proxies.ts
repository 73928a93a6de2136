import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { ByteRange, Operation, Site } from "./operation.ts";

/** Knowledge of a warp: by warp, the moment up to which everything that it did happened before. */
type Known = ReadonlyMap<number, number>;

const nobody: Known = new Map();
/** Stands for every warp. */
const EVERYBODY = -1;

/** A warp of the launch as a number. */
export const warpKey = (block: number, warp: number): number => block * 32 + warp;

/**
 * Which warps have synchronised with each other (PTX ISA 8.9.4): at barriers of a block and a cluster, by mbarrier
 * objects and among lanes. An acquire by other means, as by a flag, counts as synchronising with every warp: in
 * doubt, nothing is reported.
 */
export class SynchronisedWarps {
  /** Moments so far. */
  now = 0;
  #known: Map<number, Known> = new Map();
  /** By offset of an mbarrier object: what the warps that arrived there knew, their own actions included. */
  #arrived: Map<number, Known> = new Map();

  known(warp: number): Known {
    return this.#known.get(warp) ?? nobody;
  }

  /** These warps, or the lanes of one, have synchronised: each knows from now on what the others have done. */
  synchronise(warps: readonly number[]): void {
    const [first] = warps;
    if (warps.length === 1 && this.known(first!).get(first!) === this.now) return;
    const all = this.#with(warps, ...warps.map((warp) => this.known(warp)));
    for (const warp of warps) this.#known.set(warp, all);
  }

  /** A warp has arrived at an mbarrier object. */
  arrive(warp: number, at: number): void {
    this.#arrived.set(at, this.#with([warp], this.#arrived.get(at) ?? nobody, this.known(warp)));
  }

  /** A warp has seen a phase of the object complete, and has waited for operations that these warps issued. */
  observe(warp: number, at: number, asked: readonly number[]): void {
    const arrived = this.#with(asked, this.#arrived.get(at) ?? nobody);
    this.#arrived.set(at, arrived);
    this.#known.set(warp, this.#with([], this.known(warp), arrived));
  }

  /** A warp has acquired what unknown other warps have released. */
  acquire(warp: number): void {
    this.#known.set(warp, this.#with([EVERYBODY], this.known(warp)));
  }

  /** A block has ended, whose shared memory is `[start, end)`. */
  end(block: number, start: number, end: number): void {
    for (const warp of this.#known.keys()) if (Math.floor(warp / 32) === block) this.#known.delete(warp);
    for (const at of this.#arrived.keys()) if (at >= start && at < end) this.#arrived.delete(at);
  }

  save(): SynchronisedWarpsImage {
    return { now: this.now, known: new Map(this.#known), arrived: new Map(this.#arrived) };
  }

  restore({ now, known, arrived }: SynchronisedWarpsImage): void {
    this.now = now;
    this.#known = new Map(known);
    this.#arrived = new Map(arrived);
  }

  /** The union of these parts, and everything that these warps have done up to now. */
  #with(warps: readonly number[], ...parts: readonly Known[]): Known {
    const all = new Map<number, number>();
    for (const part of new Set(parts)) include(all, part);
    for (const warp of warps) all.set(warp, this.now);
    return all;
  }
}

/** Adds what `more` knows to `all`. */
function include(all: Map<number, number>, more: ReadonlyMap<number, number>): void {
  for (const [warp, moment] of more) if ((all.get(warp) ?? -1) < moment) all.set(warp, moment);
}

/** The moment up to which `known` covers everything that a warp has done. */
export const lastKnown = (known: ReadonlyMap<number, number>, warp: number): number =>
  Math.max(known.get(warp) ?? -1, known.get(EVERYBODY) ?? -1);

/** What a snapshot keeps; entries are immutable, so that snapshots share them. */
interface SynchronisedWarpsImage {
  readonly now: number;
  readonly known: ReadonlyMap<number, Known>;
  readonly arrived: ReadonlyMap<number, Known>;
}

/** A store by the generic proxy: its thread, its instruction, and its moment. */
interface Write {
  readonly thread: ThreadId;
  readonly site: Site;
  readonly moment: number;
}

/** A write without a fence after it. */
export interface Unfenced {
  readonly at: number;
  readonly write: { readonly thread: ThreadId; readonly site: Site };
}

/**
 * The two proxies to shared memory (PTX ISA 8.6). wgmma, tcgen05 and bulk copies see writes of the generic proxy only
 * behind a fence.proxy.async, of the writing thread or of one that has synchronised with it since: the manual asks
 * for a fence along the way from the write to the read (8.9.5), of whatever thread. Programs without such readers
 * record nothing here.
 */
export class Proxies {
  /** Whether the program reads shared memory by the async proxy at all. */
  readonly active: boolean;
  /** By word of memory's buffer. */
  #writes: Map<number, Write> = new Map();
  /** By offset of an mbarrier object: its initialisation, as long as no fence is known to follow it. */
  #inits: Map<number, Write> = new Map();
  readonly #meetings: SynchronisedWarps = new SynchronisedWarps();
  /** By thread, the moment of its last fence; by warp, the moment up to which some thread has fenced its actions. */
  #ownFences: Map<number, number> = new Map();
  #fenced: Map<number, number> = new Map();

  constructor(active: boolean) {
    this.active = active;
  }

  /** A thread has written these bytes by the generic proxy. */
  wrote(thread: ThreadId, site: Site, { start, bytes }: ByteRange): void {
    const write: Write = { thread, site, moment: ++this.#meetings.now };
    const end = (start + bytes + 3) >>> 2;
    for (let word = start >>> 2; word < end; word++) this.#writes.set(word, write);
  }

  /** A thread has initialised an mbarrier object. */
  initialised(thread: ThreadId, site: Site, at: number): void {
    if (this.active) this.#inits.set(at, { thread, site, moment: ++this.#meetings.now });
  }

  /** These lanes of a warp have executed fence.mbarrier_init, for the objects that they have initialised. */
  fenceInits(block: number, warp: number, lanes: number): void {
    for (const [at, { thread }] of this.#inits)
      if (thread.block === block && thread.warp === warp && (lanes >>> thread.lane) & 1) this.#inits.delete(at);
  }

  /** These lanes of a warp have executed fence.proxy.async. */
  fence(block: number, warp: number, lanes: number): void {
    if (!this.active || lanes === 0) return;
    const key = warpKey(block, warp);
    for (let lane = 0; lane < 32; lane++)
      if ((lanes >>> lane) & 1) this.#ownFences.set(32 * key + lane, this.#meetings.now);
    include(this.#fenced, this.#meetings.known(key));
  }

  /** These warps of blocks have synchronised with each other. */
  met(warps: readonly { readonly block: number; readonly index: number }[]): void {
    if (this.active) this.#meetings.synchronise(warps.map(({ block, index }) => warpKey(block, index)));
  }

  /** A thread has arrived at an mbarrier object. */
  arrived({ block, warp }: ThreadId, at: number): void {
    if (this.active) this.#meetings.arrive(warpKey(block, warp), at);
  }

  /** A warp has seen a phase of an mbarrier object complete, and with it the operations of these threads. */
  observed({ block, warp }: ThreadId, at: number, asked: readonly ThreadId[]): void {
    if (!this.active) return;
    const askers = asked.map((thread) => warpKey(thread.block, thread.warp));
    this.#meetings.observe(warpKey(block, warp), at, askers);
  }

  /** A warp has acquired by other means than barriers. */
  acquired(block: number, warp: number): void {
    if (this.active) this.#meetings.acquire(warpKey(block, warp));
  }

  /** The first word that an operation reads by the async proxy without a fence after its write. */
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

  /** The initialisation, without a fence after it, of the object that an operation of the async proxy signals. */
  unfencedInit({ proxy, completion }: Operation): Unfenced["write"] | undefined {
    if (proxy !== "async" || completion.kind !== "mbarrier") return undefined;
    const init = this.#inits.get(completion.at);
    if (init === undefined || !this.#isCovered(init)) return init;
    this.#inits.delete(completion.at);
    return undefined;
  }

  /** A copy by the generic proxy has happened: its thread has written. */
  landed({ proxy, writes, thread, site }: Operation): void {
    if (this.active && proxy === "generic") for (const range of writes) this.wrote(thread, site, range);
  }

  /** A block has ended, whose shared memory is `[start, end)`. */
  end(block: number, start: number, end: number): void {
    if (!this.active) return;
    // Its writes to the memory of other blocks outlive it; whether they have been fenced is decided now.
    for (const [word, write] of this.#writes) {
      const own = 4 * word >= start && 4 * word < end;
      if (own || (write.thread.block === block && this.#isCovered(write))) this.#writes.delete(word);
    }
    for (const at of this.#inits.keys()) if (at >= start && at < end) this.#inits.delete(at);
    for (const thread of this.#ownFences.keys())
      if (Math.floor(thread / 1024) === block) this.#ownFences.delete(thread);
    for (const warp of this.#fenced.keys()) if (Math.floor(warp / 32) === block) this.#fenced.delete(warp);
    this.#meetings.end(block, start, end);
  }

  save(): ProxiesImage {
    return {
      writes: new Map(this.#writes),
      inits: new Map(this.#inits),
      meetings: this.#meetings.save(),
      ownFences: new Map(this.#ownFences),
      fenced: new Map(this.#fenced),
    };
  }

  restore({ writes, inits, meetings, ownFences, fenced }: ProxiesImage): void {
    this.#writes = new Map(writes);
    this.#inits = new Map(inits);
    this.#meetings.restore(meetings);
    this.#ownFences = new Map(ownFences);
    this.#fenced = new Map(fenced);
  }

  #isCovered({ thread, moment }: Write): boolean {
    const key = warpKey(thread.block, thread.warp);
    const own = this.#ownFences.get(32 * key + thread.lane) ?? -1;
    return own >= moment || lastKnown(this.#fenced, key) >= moment;
  }
}

/** What a snapshot keeps. */
export interface ProxiesImage {
  readonly writes: ReadonlyMap<number, Write>;
  readonly inits: ReadonlyMap<number, Write>;
  readonly meetings: SynchronisedWarpsImage;
  readonly ownFences: ReadonlyMap<number, number>;
  readonly fenced: ReadonlyMap<number, number>;
}
