import type { Space } from "../contract/space.ts";
import type { Step } from "../state/warp.ts";

/** An access of one instruction: `bytes` contiguous bytes a lane, a power of two. */
export interface MemoryAccess {
  readonly kind: "load" | "store" | "atomic";
  readonly space: Space;
  readonly bytes: number;
  /** Writes the addresses to `Context.scratch`, where messages read them. */
  readonly sum: Step;
}
