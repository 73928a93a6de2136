import type { Space } from "../contract/space.ts";
import type { Step } from "../state/warp.ts";

/** An access of one instruction: `bytes` contiguous bytes a lane, a power of two unless `align` is given. */
export interface MemoryAccess {
  readonly kind: "load" | "store" | "atomic";
  readonly space: Space;
  readonly bytes: number;
  /** Required alignment, where that is not `bytes`. */
  readonly align?: number;
  /** For an atomic operation whose order does not matter: the mark of its cells on an overlay (`markOf`). */
  readonly reduces?: number | undefined;
  /** Writes the addresses to `Context.scratch`, where messages read them. */
  readonly sum: Step;
}
