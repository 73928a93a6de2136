/** Who commits groups of asynchronous operations and waits for them: a thread, by kind; for wgmma a warp. */
export type LineKind = "cp.async" | "bulk" | "wgmma";

/** Plans of asynchronous operations (PTX ISA 9.7.9.25, 9.7.14.16). */
export type AsyncPlan =
  /**
   * `[d], [a], n{, size}{, policy}`: cp.async, n bytes of global memory to shared memory. Of them only `size` are read, or
   * none where the predicate in its place holds; the rest become zeros.
   */
  | { readonly shape: "copy async"; readonly fills?: "size" | "predicate" }
  /** No operands: what the thread has asked for since the last time becomes a group. */
  | { readonly shape: "commit group"; readonly line: Exclude<LineKind, "wgmma"> }
  /** `n`: waits for all groups but the last n; without one for all that the thread has asked for. */
  | {
      readonly shape: "wait group";
      readonly line: Exclude<LineKind, "wgmma">;
      /** Only until their sources have been read. */
      readonly reads?: boolean;
    };
