import type { IntegerWidth } from "../../../numeric/operation/type.ts";
/** Kinds of queues of asynchronous groups: a thread commits and waits for them, for wgmma a warp. */
export type LineKind = "cp.async" | "bulk" | "wgmma" | "tcgen05.st";

import type { MemoryOrder, MemoryScope } from "../memory-consistency.ts";
import type { Space } from "../space.ts";
import type { Update } from "./plan-bulk.ts";

/** Plans of asynchronous operations (PTX ISA, Asynchronous copy, mbarrier). */
export type AsyncPlan =
  /**
   * `[d], [a], n{, size}{, policy}`: cp.async, n bytes of global memory to shared memory. Of them only `size` are
   * read, or none where the predicate in its place holds; the rest become zeros.
   */
  | { readonly shape: "copy async"; readonly fills?: "size" | "predicate" }
  /** No operands: the operations that the thread has issued since the last commit become a group. */
  | { readonly shape: "commit group"; readonly line: Exclude<LineKind, "wgmma" | "tcgen05.st"> }
  /** `n`: waits for all groups but the last n; without one for all that the thread has issued. */
  | {
      readonly shape: "wait group";
      readonly line: Exclude<LineKind, "wgmma" | "tcgen05.st">;
      /** Only until their sources have been read. */
      readonly reads?: boolean;
    }
  /**
   * `[a]{, n}{, mask}`: makes an mbarrier object of n arrivals, makes it ordinary memory, or changes its tx-count;
   * with `multicast` that of the objects at its place in the blocks of a mask.
   */
  | {
      readonly shape: "mbarrier";
      readonly act: "init" | "inval" | "expect_tx" | "complete_tx";
      readonly space: Space;
      /** Of the object that is made; `v0` by default. */
      readonly layout?: BarrierLayout;
      readonly multicast?: true;
    }
  /** `p, [a]`: whether the object has this layout. */
  | { readonly shape: "mbarrier layout"; readonly space: Space; readonly layout: BarrierLayout }
  /**
   * `state, [a]{, n}{, mask}`: n arrivals, one without; with `expects` one arrival, and n more expected transactions;
   * with `multicast` at the objects at its place in the blocks of a mask.
   */
  | {
      readonly shape: "mbarrier arrive";
      readonly space: Space;
      readonly sem: MemoryOrder;
      readonly scope: MemoryScope;
      readonly drop: boolean;
      readonly expects: boolean;
      readonly incomplete: boolean;
      readonly multicast?: true;
    }
  /** `[a]`: cp.async.mbarrier.arrive, an arrival when all copies that the thread has issued have happened. */
  | { readonly shape: "copies arrive"; readonly space: Space; readonly counted: boolean }
  /**
   * `[d], b{, [mbar]}`: st.async and red.async. With a scope it is a strong access to global memory that others may
   * observe at any time; otherwise threads observe it by waiting for the mbarrier object.
   */
  | {
      readonly shape: "store async";
      readonly space: Space;
      /** Of one element. */
      readonly bits: IntegerWidth;
      readonly update?: Update;
      readonly scope?: MemoryScope;
      /** The address is a multimem address: it happens at each replica. */
      readonly multimem?: true;
    }
  /** `p{|report{, value}}, [a], state`: whether a phase is complete. */
  | (PhaseQuestion & { readonly shape: "mbarrier test" })
  /** `p{|report{, value}}, [a], state{, limit}`: waits, for some time, until it is. */
  | (PhaseQuestion & { readonly shape: "mbarrier wait" });

/** Layouts of mbarrier objects (PTX ISA, Layouts of the mbarrier object). */
export type BarrierLayout = "v0" | "v1";

/** Selects a phase of an mbarrier object: that of a state, or the current or last one by its parity. */
export interface PhaseQuestion {
  /** The conditional phase; otherwise the primary one. */
  readonly conditional?: true;
  /** The payload report of the phase is written, too: `p|report{, value}`. */
  readonly reports?: "predicate" | "value";
  readonly by: "state" | "parity";
  readonly space: Space;
  readonly sem: MemoryOrder;
  readonly scope: MemoryScope;
}
