/**
 * What one thread knows to have happened before it (PTX ISA 8.9): of some threads everything up to one of their
 * counts, of whole warps and blocks everything before one of their synchronisations. Immutable.
 */
export interface VectorClock {
  /** By thread: everything up to this count of that thread. */
  readonly threads: ReadonlyMap<number, number>;
  /** By warp: everything before this synchronisation of all its lanes. */
  readonly warps: ReadonlyMap<number, number>;
  /** By block: everything before this barrier of all its threads. */
  readonly blocks: ReadonlyMap<number, number>;
}

export const nothing: VectorClock = { threads: new Map(), warps: new Map(), blocks: new Map() };

/** The union of both. */
export function joined(a: VectorClock, b: VectorClock): VectorClock {
  if (a === b || b === nothing) return a;
  if (a === nothing) return b;
  return {
    threads: latest(a.threads, b.threads),
    warps: latest(a.warps, b.warps),
    blocks: latest(a.blocks, b.blocks),
  };
}

/** The union of many. */
export function joinedAll(clocks: Iterable<VectorClock>): VectorClock {
  const [threads, warps, blocks] = [new Map<number, number>(), new Map<number, number>(), new Map<number, number>()];
  // Threads that have synchronised share one clock.
  for (const clock of new Set(clocks)) {
    add(clock.threads, threads);
    add(clock.warps, warps);
    add(clock.blocks, blocks);
  }
  return { threads, warps, blocks };
}

function add(from: ReadonlyMap<number, number>, to: Map<number, number>): void {
  for (const [who, when] of from) if ((to.get(who) ?? -1) < when) to.set(who, when);
}

function latest(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  let made: Map<number, number> | undefined;
  for (const [who, when] of b) {
    if ((a.get(who) ?? -1) >= when) continue;
    made ??= new Map(a);
    made.set(who, when);
  }
  return made ?? a;
}

/** One clock each for the threads of the block, of the cluster, and of the launch (see `reachOf`). */
export type ByReach = readonly [block: VectorClock, cluster: VectorClock, launch: VectorClock];

export const untold: ByReach = [nothing, nothing, nothing];

/** One array for all blocks whose warps have not synchronised. */
const none: readonly number[] = [];

/** One array for all blocks whose threads have no clocks. */
const noThreads: readonly (ThreadClock | undefined)[] = [];

/** The threads of a block, and how they order each other. */
export class BlockClock {
  readonly block: number;
  /** The index of its cluster in the grid; a block without one is a cluster by itself. */
  readonly cluster: number;
  /** Its number in the race detector. */
  number = -1;
  /** Barriers of all threads so far. */
  barriers = 0;
  ended = false;
  /** Its threads have synchronised only as whole warps and at whole-block barriers: counts say all they know. */
  isPlain = true;
  /** Loads of its warps that the race detector has deferred. */
  deferred = 0;
  /** What all its threads know about other blocks. */
  known: VectorClock = nothing;
  /** By warp: synchronisations of all its lanes so far; `synchroniseWarp` counts them. */
  warpSyncs: readonly number[] = none;
  #threads: readonly (ThreadClock | undefined)[] = noThreads;

  constructor(block: number, cluster: number = block) {
    this.block = block;
    this.cluster = cluster;
  }

  thread(warp: number, lane: number): ThreadClock {
    const index = warp * 32 + lane;
    let thread = this.#threads[index];
    if (thread === undefined) {
      thread = new ThreadClock(this, warp, lane);
      if (this.#threads === noThreads) this.#threads = [];
      (this.#threads as (ThreadClock | undefined)[])[index] = thread;
    }
    return thread;
  }

  /** The thread's clock if it exists already; for other threads the block's knowledge holds. */
  seen(warp: number, lane: number): ThreadClock | undefined {
    return this.#threads[warp * 32 + lane];
  }

  hasSeen(warp: number): boolean {
    if (this.#threads.length === 0) return false;
    for (let lane = 0; lane < 32; lane++) if (this.seen(warp, lane) !== undefined) return true;
    return false;
  }

  get threads(): readonly ThreadClock[] {
    return this.#threads.filter((thread) => thread !== undefined);
  }

  /** The block has ended: the clocks of its threads are no longer needed. Accesses hold their identities. */
  end(): void {
    this.ended = true;
    this.#threads = noThreads;
  }

  /** A copy of the block's and its threads' knowledge, for `restore`. */
  save(): BlockClockImage {
    const { barriers, ended, isPlain, known, warpSyncs } = this;
    const threads = this.#threads.map((thread) => thread && { thread, state: { ...thread } });
    return { barriers, ended, isPlain, known, warpSyncs: [...warpSyncs], threads };
  }

  restore({ barriers, ended, isPlain, known, warpSyncs, threads }: BlockClockImage): void {
    Object.assign(this, { barriers, ended, isPlain, deferred: 0, known, warpSyncs: [...warpSyncs] });
    this.#threads = threads.map((saved) => saved && Object.assign(saved.thread, saved.state));
  }
}

/** The knowledge of a block and its threads at a moment. Its clocks are immutable. */
export interface BlockClockImage extends Pick<BlockClock, "barriers" | "ended" | "isPlain" | "known"> {
  readonly warpSyncs: readonly number[];
  readonly threads: readonly (
    | {
        readonly thread: ThreadClock;
        readonly state: Pick<ThreadClock, "count" | "known" | "pending" | "fenced">;
      }
    | undefined
  )[];
}

/** A load of a thread, with the word and its stores at that time. */
interface LastLoad {
  readonly word: object;
  readonly writes: object;
  readonly access: Epoch & { readonly pc: number; readonly reach: number; readonly bytes: number };
}

/** One thread. */
export class ThreadClock {
  readonly blockClock: BlockClock;
  readonly warp: number;
  readonly lane: number;
  /** Unique in the launch; a block has 1024 threads at most. */
  readonly id: number;
  /** Counts the moments from which other threads may know what this one did. */
  count = 0;
  known: VectorClock;
  /** By reach: releases that it has read, and acquires at its next fence of that reach. */
  pending: ByReach = untold;
  /** By reach: its knowledge at its last fence of that reach, which its later relaxed stores release. */
  fenced: ByReach = untold;

  /** Its last load that was recorded as an object. */
  lastLoad: LastLoad | undefined;

  constructor(blockClock: BlockClock, warp: number, lane: number) {
    this.blockClock = blockClock;
    this.warp = warp;
    this.lane = lane;
    this.known = blockClock.known;
    this.id = blockClock.block * 1024 + warp * 32 + lane;
  }

  /** The warp's number in the launch. */
  get warpId(): number {
    return this.blockClock.block * 32 + this.warp;
  }

  /** All it knows, including what it did itself; later operations are not included. */
  publish(): VectorClock {
    return joined(this.known, this.publishOwn());
  }

  /** The same without what it knows of others. */
  publishOwn(): VectorClock {
    const { blockClock, warp } = this;
    const own: VectorClock = {
      threads: new Map([[this.id, this.count]]),
      warps: new Map([[this.warpId, blockClock.warpSyncs[warp] ?? 0]]),
      blocks: new Map([[blockClock.block, blockClock.barriers]]),
    };
    this.count++;
    return own;
  }

  /** A stamp for its present operation. */
  stamp(): Epoch {
    return {
      thread: this,
      count: this.count,
      warpSync: this.blockClock.warpSyncs[this.warp] ?? 0,
      barrier: this.blockClock.barriers,
    };
  }

  /** True when that epoch happened before everything that this thread does now. */
  follows(epoch: Epoch): boolean {
    const { thread, warpSync, barrier } = epoch;
    if (thread === this) return true;
    const { blockClock } = thread;
    if (blockClock === this.blockClock) {
      if (barrier < blockClock.barriers) return true;
      if (thread.warp === this.warp && warpSync < (blockClock.warpSyncs[this.warp] ?? 0)) return true;
    }
    return covers(this.known, epoch);
  }
}

/** Whether a clock includes an epoch. */
export const covers = ({ threads, warps, blocks }: VectorClock, { thread, count, warpSync, barrier }: Epoch): boolean =>
  (threads.get(thread.id) ?? -1) >= count ||
  (warps.get(thread.warpId) ?? 0) > warpSync ||
  (blocks.get(thread.blockClock.block) ?? 0) > barrier;

/** When a thread did something, in counts that others may know. */
export interface Epoch {
  readonly thread: ThreadClock;
  readonly count: number;
  readonly warpSync: number;
  readonly barrier: number;
}

/** All that these threads know and did so far. */
export const published = (threads: readonly ThreadClock[], known: VectorClock = nothing): VectorClock =>
  joinedAll([known, ...threads.map((thread) => thread.known), ...threads.map((thread) => thread.publishOwn())]);

/** These threads have synchronised: each knows what any of them knew. */
export function synchronise(threads: readonly ThreadClock[]): void {
  const all = published(threads);
  for (const thread of threads) thread.known = all;
}

/** All threads of the block have synchronised. Only knowledge of other blocks is joined; the count says the rest. */
export function synchroniseBlock(block: BlockClock): void {
  block.barriers++;
  const { threads } = block;
  const all = threads.reduce((known, thread) => joined(known, thread.known), block.known);
  block.known = all;
  for (const thread of threads) thread.known = all;
}

/** All threads of several blocks have synchronised: each block knows what the others did before. */
export function synchroniseBlocks(blocks: readonly BlockClock[]): void {
  for (const block of blocks) synchroniseBlock(block);
  const met: VectorClock = { ...nothing, blocks: new Map(blocks.map(({ block, barriers }) => [block, barriers])) };
  const all = blocks.reduce((known, block) => joined(known, block.known), met);
  for (const block of blocks) {
    block.known = all;
    for (const thread of block.threads) thread.known = all;
  }
}

/** All lanes of a warp have synchronised, likewise. `threads` lacks those whose clocks do not exist yet. */
export function synchroniseWarp(block: BlockClock, warp: number, threads: readonly ThreadClock[]): void {
  if (block.warpSyncs === none) block.warpSyncs = [];
  (block.warpSyncs as number[])[warp] = (block.warpSyncs[warp] ?? 0) + 1;
  const all = threads.reduce((known, thread) => joined(known, thread.known), nothing);
  for (const thread of threads) thread.known = all;
}
