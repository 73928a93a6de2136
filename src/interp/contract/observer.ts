import type { ThreadId } from "./launch/thread-id.ts";
import type { MemoryOrder, MemoryScope, PlannedFence } from "./memory-consistency.ts";
import type { Space } from "./space.ts";

/**
 * A memory access that lanes of a warp have just made, by one instruction. The same object is reused for the next
 * access: an observer must copy what it keeps.
 */
export interface WarpAccess {
  readonly how: "load" | "store" | "atomic";
  readonly pc: number;
  readonly block: number;
  readonly warp: number;
  /** A mask of the lanes that made it; array entries of other lanes are undefined. */
  readonly lanes: number;
  readonly space: Space;
  /** Bytes touched by each lane. */
  readonly bytes: number;
  readonly sem: MemoryOrder;
  readonly scope: MemoryScope;
  /** By lane: the address, its low word at `2 * lane` and its high word behind it. */
  readonly addresses: Uint32Array;
  /** By lane: the offset in the memory's buffer, the same for all addresses of one byte. */
  readonly where: Int32Array;
  /** The value that a lane has stored, the first element lowest; undefined where it is unknown. */
  value(lane: number): bigint | undefined;
}

/**
 * Accesses to global and shared memory, by addresses of those spaces, that an observer need not be notified of at once:
 * late, but in order, and before it is notified of anything else.
 */
export interface LateAccesses {
  /** Whether accesses of a block may be late, until the observer is notified of something else. */
  isOpen(block: number): boolean;
  /** Keeps all of an access but who makes it, and where its first lane does; returns a number for it, if others like it may be late. */
  note(access: WarpAccess): number | undefined;
  /** An access like one that was noted; returns the lanes of which the observer has to be notified by `Observer.access`. */
  access(noted: number, block: number, warp: number, start: number): number;
  /**
   * For accesses to shared memory of a block up to a barrier of all its threads, or to its end, not all of them loads or all of them
   * atomic operations: says whether the observer need not be notified of them. Undefined where it has been notified of others since the last barrier.
   */
  interval(block: number): LateInterval | undefined;
  /** Whether accesses by an instruction may be dropped, if an interval says so. */
  mayDrop(access: Pick<WarpAccess, "how" | "space" | "sem">): boolean;
  /** So many accesses are dropped. */
  drop(count: number): void;
  /** An atomic operation is dropped: the last one by its instruction, or the first. */
  dropAtomic(access: WarpAccess): void;
  /**
   * Whether the executor itself may judge which accesses race, and let the observer `hold` those that do not. The observer calls `stop`
   * when it has to know of everything: before it is notified of what the executor does not judge.
   */
  judge(stop: () => void): boolean;
  /** Keeps `replay`, which notifies it of accesses that race with none before them, and of what happened between them. */
  hold(replay: () => void): void;
  /** Whether it has room to be notified of all that was held. */
  mayHold(held: HeldAccesses): boolean;
  /** Stops the judgement, and has itself notified of all that was held. */
  replay(): void;
}

/** How much an observer holds. */
export interface HeldAccesses {
  readonly bytes: number;
  /** Words of memory that have been accessed, and how often lanes have accessed one: both at most. */
  readonly words: number;
  readonly accesses: number;
  /** Blocks that have begun. */
  readonly blocks: number;
  /** How often lanes have stored to a part of a word, at most. */
  readonly parts: number;
}

/** Accesses to shared memory up to a barrier: if the observer needs one of them, it needs all. */
export interface LateInterval {
  /** Whether it does not need the next one, like one that was noted. */
  isNeedless(noted: number, warp: number, start: number): boolean;
  /** The same for any. */
  isNeedlessAccess(access: WarpAccess): boolean;
  /** All lanes of a warp have executed a warp operation together. */
  met(warp: number): void;
}

/** How an access to an mbarrier object orders others. */
export interface ArrivalOrder {
  readonly sem: MemoryOrder;
  readonly scope: MemoryScope;
}

/** An asynchronous operation, for observers: who issued it, and the bytes that it writes where that is known. */
export interface ObservedOperation {
  readonly thread: ThreadId;
  readonly writes: readonly { readonly start: number; readonly bytes: number }[];
  readonly updates?: true;
}

/** Callbacks of a tool. The loop without observers contains no calls of them. */
export interface Observer {
  /**
   * It needs no accesses to memory that one thread alone reaches or that nobody writes, of the others no addresses but
   * generic ones, and knows only what it is notified of: it does not look at the session meanwhile, whose warps may not
   * be up to date.
   */
  readonly apart?: true;
  /** Of such an observer: accesses that it may be notified of late. */
  readonly late?: LateAccesses | undefined;
  /** Before the instruction at `pc` runs for the lanes in `active`, of which `taken` pass its guard. */
  instruction?(block: number, warp: number, pc: number, active: number, taken: number): void;
  /** After it has run for them. Lanes that wait for others do not have its results yet. Not called after a fault. */
  after?(block: number, warp: number, pc: number, active: number, taken: number): void;
  /**
   * All lanes of an instruction at once, instead of a call of `load`, `store` or `atomic` for each. Those are still
   * called for accesses that are not made by lanes at their operands' addresses: asynchronous operations, images.
   */
  access?(access: WarpAccess): void;
  /**
   * `where`: the offset in the memory's buffer, the same for all addresses of one byte. `by`: the instruction that
   * issued it, where that is not the one that runs: observers are notified of an asynchronous operation when its
   * thread has waited.
   */
  load?(
    at: ThreadId, space: Space, address: bigint, bytes: number, sem: MemoryOrder, scope: MemoryScope, where: number,
    by?: number,
  ): void; // biome-ignore format: as the others
  /** `value`: what the lane stores, the first element lowest, where that is known. */
  store?(
    at: ThreadId, space: Space, address: bigint, bytes: number, sem: MemoryOrder, scope: MemoryScope, where: number,
    value: bigint | undefined, by?: number,
  ): void; // biome-ignore format: as the others
  atomic?(
    at: ThreadId, space: Space, address: bigint, bytes: number, sem: MemoryOrder, scope: MemoryScope, where: number,
    by?: number,
  ): void; // biome-ignore format: as the others
  /** A barrier is complete; `threads` are the lanes that arrived, by warp; `whole` if it is for the whole block. */
  barrier?(block: number, id: number, threads: Uint32Array, whole: boolean): void;
  /**
   * A split barrier: these lanes have signalled, all threads have signalled, or these lanes have waited.
   * Called instead of `barrier`.
   */
  halfBarrier?(block: number, id: number, what: "signal" | "complete" | "wait", warp: number, lanes: number): void;
  /** All threads of these blocks, a cluster's, have synchronised at its barrier. */
  cluster?(blocks: readonly number[]): void;
  /** These lanes of a warp have executed a warp operation together (shfl.sync, vote.sync, bar.warp.sync ...). */
  warpSync?(block: number, warp: number, lanes: number): void;
  fence?(block: number, warp: number, lanes: number, scope: MemoryScope, sem: PlannedFence["sem"]): void;
  /** An asynchronous operation happens: the observer calls `perform`, which moves its data. */
  moves?(operation: ObservedOperation, perform: () => void): void;
  /** Its thread has waited for it; or it has told the mbarrier object at `where` that it has happened. */
  landed?(operation: ObservedOperation, where?: number): void;
  /** A thread has arrived at the mbarrier object at `where`, or has changed what it counts. */
  arrived?(at: ThreadId, where: number, order: ArrivalOrder): void;
  /** A thread has found a phase of the mbarrier object at `where` complete. */
  completed?(at: ThreadId, where: number, order: ArrivalOrder): void;
  /** Memory of the device heap is given to a thread; whoever had it before has freed it. */
  allocated?(where: number, bytes: number): void;
  /** A block begins, or runs already when the observer is added; `end`: it ends. */
  begin?(block: number): void;
  end?(block: number): void;
  /**
   * The observer's state, for a snapshot of the session, and its approximate size in bytes; `restore` receives it
   * when the session is restored. An observer that keeps state between instructions needs both.
   */
  save?(): { readonly byteLength: number };
  restore?(image: unknown): void;
}
