import type { Change } from "./changes.ts";

/** A change of one instruction that may make both programs agree. */
export interface Trial extends Change {
  readonly pc: number;
  /** It changes a branch decision. */
  readonly decides: boolean;
  /** Changes with a higher weight are tried sooner. */
  readonly weight: number;
}
