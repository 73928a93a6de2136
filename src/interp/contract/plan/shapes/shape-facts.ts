import type { Operation } from "../../../../numeric/operation/operation.ts";
import type { FencedProxy, MemoryOrder, MemoryScope, PlannedFence } from "../../memory-consistency.ts";
import type { Space } from "../../space.ts";
import type { Plan, PlanShape } from "../plan.ts";
import type { MatrixLines } from "../plan-lines.ts";

/** Facts about the plans of one shape, for users, tools and executors. `shapes.ts` has the values. */
export interface ShapeFacts<P extends Plan> {
  /**
   * `step`: part of a straight-line region; `control`: ends one, because it waits or sets the next pc itself;
   * `collective`: a step of all threads of a warp together, which ends one because they wait for each other
   * (`.sync.aligned`); `hold`: a step after which some lanes wait for a condition.
   */
  readonly kind: "step" | "control" | "collective" | "hold";
  /** How many operands it writes. They come first, holes of optional ones included; all behind them are read. */
  readonly writes: Fact<P, number>;
  /** Whether it reads and writes CC.CF. */
  readonly carry: Fact<P, { readonly reads: boolean; readonly writes: boolean }>;
  /** Where the lanes that execute it continue. */
  readonly next: Next;
  /** True when the plan itself says which lanes execute it: as with a guard, the others go on. */
  readonly selects: Fact<P, boolean>;
  /** The lanes that it synchronises with: where it waits at all, it waits for them. */
  readonly meets: Meeting | undefined;
  /** The memory that it touches at addresses among its operands, in the order of the accesses. */
  readonly touches: Fact<P, readonly PlannedAccess[]>;
  /** Plans inside it, each executed for all of its channels. */
  readonly within: Fact<P, readonly Plan[]>;
  /** An operand that is an address in the plan's `space`, at which it touches nothing. */
  readonly names: number | undefined;
  /**
   * What it may affect: `registers`: only those of its warp, invisibly to other warps; `block`: also memory, by direct
   * loads and stores, and the block's barriers; `beyond`: anything else: asynchronous operations, mbarrier objects,
   * images, tensor memory, the cluster. Only the first two may run on a worker beside others.
   */
  readonly reach: "registers" | "block" | "beyond";
  /** Accesses before it and after it are ordered, as threads in this scope observe them. */
  readonly fence: Fact<P, PlannedFence | undefined>;
  /** Accesses by this proxy, or by other names, are ordered with those of the generic one. */
  readonly fencedProxy: Fact<P, FencedProxy | undefined>;
  /** True when asynchronous operations happen while it runs: memory changes other than by its accesses. */
  readonly completesAsync: boolean;
  /** How it accesses the memory of images, which it reaches by a handle and not by an address. */
  readonly images: Fact<P, "reads" | "writes" | undefined>;
  /** True for what needs tensor memory: all of tcgen05. */
  readonly tensor: boolean;
  /** It issues reads of shared memory by the async proxy, which sees stores only behind a fence (PTX ISA 8.6). */
  readonly proxy: "async" | undefined;
  /** True when one thread can execute it by itself, beside its program. */
  readonly alone: boolean;
  /** The operation that computes its first operand from those that it reads, as data, if there is one. */
  readonly operation: Fact<P, Operation | undefined>;
  /**
   * What it does, in one line; or `computed`: its results depend only on the bits of its operands and CC.CF, and
   * `src/present/working/plan.ts` derives them.
   */
  readonly says: "computed" | Fact<P, string>;
}

/** One answer for all plans of a shape, or an answer by plan. */
export type Fact<P extends Plan, T> = T | ((plan: P) => T);

/**
 * `on`: to the next instruction. `targets`: to the targets among its operands. `callee`: into a function, and behind it
 * to the next instruction. `caller`: behind the call, or in the kernel itself to the thread's end. `exit`: to the
 * thread's end. `fault`: nowhere, the run ends.
 */
export type Next = "on" | "targets" | "callee" | "caller" | "exit" | "fault";

/** Lanes of the warp (those of a membermask), threads of the block, or of the cluster. */
export type Meeting = "lanes" | "block" | "cluster";

/** One access that each lane makes. */
export interface PlannedAccess {
  /** `atomic` reads and writes as one; discarded bytes have no value afterwards. */
  readonly how: "load" | "store" | "atomic" | "discard";
  readonly space: Space;
  /** The operand with the address. */
  readonly address: number;
  /** Bytes of one element. */
  readonly bytes: number;
  /** The operand whose elements are stored to memory or loaded from it; without it there is one element. */
  readonly data?: number;
  readonly sem: MemoryOrder;
  readonly scope: MemoryScope;
  /** The path to memory (PTX ISA 8.6), where it is not the generic one. */
  readonly proxy?: "readonly";
  /** Only these lanes touch memory, at the lines of matrices: the data of other lanes goes there too. */
  readonly lanes?: number;
  readonly lines?: MatrixLines;
}

export type PlanOf<S extends PlanShape> = Extract<Plan, { readonly shape: S }>;

/** A table that has an entry for every shape. */
export type ShapeTable = { readonly [S in PlanShape]: ShapeFacts<PlanOf<S>> };
