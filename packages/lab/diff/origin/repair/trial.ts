import type { Change } from "./changes.ts";

/** A change of one instruction that may make both programs give the same. */
export interface Trial extends Change {
  readonly pc: number;
  /** It changes which way a thread goes. */
  readonly decides: boolean;
  /** The more, the sooner it is tried. */
  readonly weight: number;
}
