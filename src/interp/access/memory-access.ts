import type { Space } from "../contract/space.ts";
import type { Step } from "../state/warp.ts";

/** An access of one instruction: `bytes` contiguous bytes a lane, a power of two. */
export interface MemoryAccess {
  readonly kind: "load" | "store" | "atomic";
  readonly space: Space;
  readonly bytes: number;
  /** Computes the addresses into the scratch's words, for messages. */
  readonly sum: Step;
}
