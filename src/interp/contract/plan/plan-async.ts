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
  /** `[a]{, n}`: makes an mbarrier object of n arrivals, makes it ordinary memory, or changes its tx-count. */
  | {
      readonly shape: "mbarrier";
      readonly act: "init" | "inval" | "expect_tx" | "complete_tx";
      readonly space: Space;
    }
  /** `state, [a]{, n}`: n arrivals, one without; with `expects` one arrival, and n more expected transactions. */
  | {
      readonly shape: "mbarrier arrive";
      readonly space: Space;
      readonly sem: MemoryOrder;
      readonly scope: MemoryScope;
      readonly drop: boolean;
      readonly expects: boolean;
      readonly incomplete: boolean;
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
  /** `p, [a], state`: whether a phase is complete. */
  | (PhaseQuestion & { readonly shape: "mbarrier test" })
  /** `p, [a], state{, limit}`: waits, for some time, until it is. */
  | (PhaseQuestion & { readonly shape: "mbarrier wait" });

/** Selects a phase of an mbarrier object: that of a state, or the current or last one by its parity. */
export interface PhaseQuestion {
  readonly by: "state" | "parity";
  readonly space: Space;
  readonly sem: MemoryOrder;
  readonly scope: MemoryScope;
}
