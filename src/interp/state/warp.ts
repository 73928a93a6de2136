import type { LaneValues } from "../../numeric/lower/warp.ts";
import type { WarpOperation } from "../../numeric/operation/warp.ts";
import type { PlanOf } from "../contract/plan/shapes/shape-facts.ts";
import type { Context } from "./context.ts";
import type { TensorAllocation } from "./tensor-allocation.ts";

/**
 * The complete state of one warp. Registers lie in banks by width, `bank[slot * lanes + lane]`: one dispatch serves
 * every lane. 8- and 16-bit registers are zero-extended in `r`; predicates and CC.CF are one bit a lane.
 */
export interface Warp {
  /** Linear index of the block in the grid, and of the warp in the block. */
  block: number;
  readonly index: number;
  /** Lanes of each slot: 32, or the threads of the block if they are fewer, rounded up to a multiple of four. */
  readonly lanes: number;
  /** The barriers that it shares with the block's other warps. */
  readonly ctaSync: CtaSync;
  /** Where the state lies in memory's buffer, bytes. */
  readonly base: number;
  readonly p: Uint32Array;
  /** Registers of up to 32 bits, and the same bytes as integers with sign and as floats. */
  readonly r: Uint32Array;
  readonly s: Int32Array;
  readonly f: Float32Array;
  /** 64-bit registers, and the same bytes as words with sign (low first) and as floats. */
  readonly q: BigUint64Array;
  readonly w: Int32Array;
  readonly d: Float64Array;
  /** By pc: lanes for which the instruction has run. Stays exact for guarded instructions. */
  readonly executed: Uint32Array;
  /** By pc: lanes that ran everything from here to the end of the straight-line region, in one mark for speed. */
  readonly executedToEnd: Uint32Array;
  /** CC.CF, one bit a lane. */
  carry: number;
  /** Lanes that have not exited. */
  live: number;
  /** Lanes that execute now, after divergence and predication. */
  active: number;
  /** The instruction that runs now, or runs next for the current group. */
  pc: number;
  /** How often the current group has yielded to others because it spun. */
  rank: number;
  /** How many calls deep the current group is. */
  depth: number;
  /** By lane: the call that it is in; undefined in the kernel itself. */
  activations: (Activation | undefined)[];
  /** Groups that cannot go on before others arrive: at a barrier, or at an instruction among lanes. */
  parked: Parked[];
  /** The groups that wait, and the least pc above `pc` where one does: there the current group reconverges with it. */
  waiting: Group[];
  reconvergeAt: number;
  /** Backward branches left in this turn. */
  yieldBudget: number;
  /** Turns in which the current group used up its yield budget while others waited, since it last yielded. */
  burnt: number;
  /** Warp instructions that the launch executed before the current straight-line region, and the region's first pc. */
  clock: number;
  from: number;
  /** Offsets of the block's shared memory and of lane 0's local memory in the buffer. */
  shared: number;
  local: number;
  /** Offset of the block's tensor memory; 0 where the program uses none. */
  tensor: number;
}

/** One active call, of one or more lanes; immutable, so that snapshots share it. */
export interface Activation {
  readonly caller: Activation | undefined;
  /** Index into `Program.functions`. */
  readonly callee: number;
  /** The call instruction, and where its lanes continue. */
  readonly from: number;
  readonly back: number;
  readonly depth: number;
  /**
   * The caller's contents of the callee's slots, where it is recursive: `count` words from `at` on, all lanes of each
   * slot, in the order of `saves`.
   */
  readonly saved?: { readonly words: Int32Array; readonly at: number; readonly count: number };
}

/** A waiting group: `pc` is the instruction that it waits at. */
export interface Parked {
  readonly pc: number;
  readonly mask: number;
  readonly depth: number;
  /**
   * A barrier of the block by number, the cluster's barrier, an instruction among lanes with its membermask, or one
   * that all of the warp executes together.
   */
  readonly on:
    | { readonly kind: "barrier"; readonly number: number; readonly site: BarrierSite }
    | { readonly kind: "cluster" }
    | { readonly kind: "until"; readonly until: Until }
    | { readonly kind: "warp"; readonly context: Context }
    | TensorWait
    | { readonly kind: "lanes"; readonly members: number; readonly exchange: LaneExchange };
}

/** A condition that lanes wait for, which no other thread's instruction fulfils directly. Immutable, for snapshots. */
export interface Until {
  /** Whether the condition holds. */
  ready(): boolean;
  /** Writes the results of the wait. `inTime`: the condition holds; otherwise the time limit has passed. */
  go(warp: Warp, mask: number, inTime: boolean): void;
  /** The wait has a time limit. */
  readonly limited: boolean;
  /** The condition, for messages: `phase 1 of the mbarrier object at 0x20: ...`. */
  what(): string;
  /** The mbarrier object of the condition, by its offset. */
  readonly barrier?: number;
}

/** A warp that waits at tcgen05.alloc for columns, or at alloc or dealloc for its peer. */
export interface TensorWait {
  readonly kind: "tensor memory";
  readonly act: "alloc" | "dealloc";
  /** Columns to allocate, or to free, and the first of those. */
  readonly columns: number;
  readonly column: number;
  readonly exclusive: boolean;
  readonly group: 1 | 2;
  /** Allocates the columns for the warp. */
  grant(column: number): void;
}

/** How many slots a warp has in each bank, for how many lanes and instructions. */
export interface WarpShape {
  readonly lanes: number;
  readonly p: number;
  readonly r: number;
  readonly q: number;
  readonly code: number;
}

/** Offsets of a warp's banks from its base, bytes. 64-bit slots come first: they need the alignment. */
export function layout({ lanes, p, r, q, code }: WarpShape): {
  readonly r: number;
  readonly p: number;
  readonly executed: number;
  readonly executedToEnd: number;
  readonly bytes: number;
} {
  const afterQ = q * lanes * 8;
  const afterR = afterQ + r * lanes * 4;
  const afterP = afterR + p * 4;
  const bytes = Math.max(Math.ceil((afterP + 8 * code) / 64) * 64, 64);
  return { r: afterQ, p: afterR, executed: afterP, executedToEnd: afterP + 4 * code, bytes };
}

type Banks = Pick<Warp, "p" | "r" | "s" | "f" | "q" | "w" | "d" | "executed" | "executedToEnd">;

/** The views of a warp whose state begins at `base` in the buffer. */
export function banksAt(base: number, buffer: ArrayBufferLike, shape: WarpShape): Banks {
  const { lanes, p, r, q, code } = shape;
  const at = layout(shape);
  return {
    q: new BigUint64Array(buffer, base, q * lanes),
    w: new Int32Array(buffer, base, q * lanes * 2),
    d: new Float64Array(buffer, base, q * lanes),
    r: new Uint32Array(buffer, base + at.r, r * lanes),
    s: new Int32Array(buffer, base + at.r, r * lanes),
    f: new Float32Array(buffer, base + at.r, r * lanes),
    p: new Uint32Array(buffer, base + at.p, p),
    executed: new Uint32Array(buffer, base + at.executed, code),
    executedToEnd: new Uint32Array(buffer, base + at.executedToEnd, code),
  };
}

/** One instruction, ready to run for the lanes in `warp.active`: widths, modifiers and offsets are bound. */
export type Step = (warp: Warp) => void;

/**
 * A group of diverged lanes of a warp, with a common pc. The group with the lowest pc runs, so that those behind catch
 * up, and groups that come to the same pc reconverge; nothing is assumed about the shape of the control flow.
 *
 * A group that keeps branching backwards would starve the others, and may be waiting for them (a lock within a warp;
 * since sm_70 every lane makes progress). A group that has used up its yield budget therefore goes up one rank, and the
 * lowest rank runs first.
 */
export interface Group {
  pc: number;
  mask: number;
  rank: number;
  /** Its call depth; a callee runs before lanes that wait for it. */
  depth: number;
}

/** A barrier of a block with arrivals. */
export interface Barrier {
  /** Threads that it waits for, in whole warps; `whole` when the instruction has no count. */
  readonly threads: number;
  readonly whole: boolean;
  /** sync and arrive may be mixed, reductions stand alone. */
  readonly reduction: "popc" | "and" | "or" | undefined;
  /** By warp: lanes that have arrived. */
  readonly arrived: Uint32Array;
  /** Warps all of whose live lanes have arrived, a bit a warp. */
  warps: number;
  /** Lanes whose predicate holds, and lanes with a predicate. */
  votes: number;
  voters: number;
  /** A thread has signalled it, and waits later. */
  split: SplitBarrier | undefined;
}

/** The state of a split barrier. */
export interface SplitBarrier {
  readonly context: Context;
  /** How many SIMD threads take part, and how many are still missing; undefined where all of the block does. */
  readonly counts?: { readonly asked: Participants; readonly missing: Participants };
}

/** SIMD threads that take part in a named barrier of vISA. A producer that is also a consumer counts twice. */
export interface Participants {
  readonly producers: number;
  readonly consumers: number;
}

/** One barrier instruction, bound to its launch. */
export interface BarrierSite {
  readonly act: PlanOf<"barrier">["act"];
  /** The wait half: its threads have signalled before. */
  readonly half?: true;
  readonly aligned: boolean;
  readonly pc: number;
  readonly context: Context;
  /** Writes the result of a reduction. */
  give(warp: Warp, mask: number, barrier: Barrier): void;
}

/** The state of one block's (CTA's) barriers and of its cluster's barrier. */
export interface CtaSync {
  /** All warps of the block, in order. */
  readonly warps: Warp[];
  /** Threads that the block began with. */
  threads: number;
  /** By number: barriers with arrivals. */
  readonly barriers: (Barrier | undefined)[];
  /** By number: objects of completed barriers, for reuse. */
  readonly completeBarriers: (Barrier | undefined)[];
  /** The number of barriers with arrivals. */
  openBarriers: number;
  /** By warp: barriers signalled and not yet waited at, a bit each. */
  readonly splitOwing: Uint32Array;
  /** The blocks of the cluster by rank, this one included (PTX ISA 2.2.1.1). */
  cluster: readonly CtaSync[];
  /** Whether a thread has arrived at the cluster's barrier since its last completion. */
  clusterOpen: boolean;
  /** By warp: lanes that have arrived at the cluster's barrier in its current phase, and lanes that must still wait. */
  readonly clusterArrived: Uint32Array;
  readonly clusterOwing: Uint32Array;
  /** Observers to notify of the completion of the cluster's barrier; set by the first arrival. */
  clusterContext: Pick<Context, "observers" | "asynchrony"> | undefined;
  /** The allocated columns of tensor memory. */
  tensor: TensorAllocation;
}

/** One warp operation, bound: copies operands from the registers of its lanes, and results back. */
export interface LaneExchange {
  readonly op: WarpOperation;
  /** Copies the operands of the lanes in `mask`. */
  take(warp: Warp, mask: number, operands: readonly LaneValues[]): void;
  /** Gives operands to the `absent` lanes, which the membermask names and which will not come, before those in `mask` read them. */
  miss(warp: Warp, mask: number, absent: number, operands: readonly LaneValues[]): void;
  give(warp: Warp, mask: number, results: readonly LaneValues[]): void;
  /** Notifies observers that these lanes have executed it together. */
  notify(warp: Warp, mask: number): void;
}
