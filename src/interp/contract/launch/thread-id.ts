/** Where in the launch: small integers, so that a thread is cheap to name and to compare. */
export interface ThreadId {
  /** Linear index of the block in the grid. */
  readonly block: number;
  /** Index of the warp in the block. */
  readonly warp: number;
  readonly lane: number;
}
