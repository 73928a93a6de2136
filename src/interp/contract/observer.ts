import type { ThreadId } from "./launch/thread-id.ts";
import type { MemoryOrder, MemoryScope, PlannedFence } from "./memory-consistency.ts";
import type { Space } from "./space.ts";

/**
 * What lanes of a warp have just done to memory, by one instruction. The same object is used for the next access: whoever
 * wants to keep something copies it.
 */
export interface WarpAccess {
  readonly how: "load" | "store" | "atomic";
  readonly pc: number;
  readonly block: number;
  readonly warp: number;
  /** A mask of the lanes that did it; what the arrays have of others means nothing. */
  readonly lanes: number;
  readonly space: Space;
  /** Bytes that each lane has touched. */
  readonly bytes: number;
  readonly sem: MemoryOrder;
  readonly scope: MemoryScope;
  /** By lane: the address, its low word at `2 * lane` and its high word behind it. */
  readonly addresses: Uint32Array;
  /** By lane: the offset in the memory's buffer, the same for all addresses of one byte. */
  readonly where: Int32Array;
  /** What a lane has stored, the first element lowest; undefined where nobody knows. */
  value(lane: number): bigint | undefined;
}

/** What a tool may hear. The loop without observers has no call for them in it. */
export interface Observer {
  /** Before the instruction at `pc` runs for the lanes in `active`, of which `taken` pass its guard. */
  instruction?(block: number, warp: number, pc: number, active: number, taken: number): void;
  /** After it has run for them. Lanes that wait for others have not got its results yet. None follows a fault. */
  after?(block: number, warp: number, pc: number, active: number, taken: number): void;
  /**
   * All lanes of an instruction at once, instead of a call of `load`, `store` or `atomic` for each. Those are still called
   * for what is not one access of lanes by their own addresses: asynchronous operations, images.
   */
  access?(access: WarpAccess): void;
  /**
   * `where`: the offset in the memory's buffer, the same for all addresses of one byte. `by`: the instruction that asked
   * for it, where that is not the one that runs: an asynchronous operation is told when its thread has waited for it.
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
  /** A barrier is complete; `threads` are the lanes that have arrived, by warp; `whole` when it was for all of the block. */
  barrier?(block: number, id: number, threads: Uint32Array, whole: boolean): void;
  /**
   * A barrier whose halves are apart: these lanes have said that they have come, all have, these lanes have waited for it.
   * It is told instead of `barrier`.
   */
  halfBarrier?(block: number, id: number, what: "signal" | "complete" | "wait", warp: number, lanes: number): void;
  /** All threads of these blocks, a cluster's, have met at its barrier. */
  cluster?(blocks: readonly number[]): void;
  /** These lanes of a warp have executed a warp operation together (shfl.sync, vote.sync, bar.warp.sync ...). */
  warpSync?(block: number, warp: number, lanes: number): void;
  fence?(block: number, warp: number, lanes: number, scope: MemoryScope, sem: PlannedFence["sem"]): void;
  /** A block begins, or runs already when the observer is added; it ends. */
  begin?(block: number): void;
  end?(block: number): void;
  /**
   * What it knows now, for a snapshot of the session, and about how many bytes that is; `restore` is given it when the
   * session is put back there. An observer that keeps something from one instruction to the next needs both.
   */
  save?(): { readonly byteLength: number };
  restore?(image: unknown): void;
}
