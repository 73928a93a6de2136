/** A thread of the launch, as small integers that are cheap to make and to compare. */
export interface ThreadId {
  /** Linear index of the block in the grid. */
  readonly block: number;
  /** Index of the warp in the block. */
  readonly warp: number;
  readonly lane: number;
}
