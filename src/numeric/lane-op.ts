/** A register of all lanes: `at[lane]`. Predicates are one word, a bit a lane, at index 0. */
export type LaneValues = Uint32Array | BigUint64Array;

/**
 * An operation among lanes, such as `shfl.sync.bfly.b32`. `js` is the meaning: it reads `takes` operands of every lane
 * in `mask` and writes `gives` results for those lanes; it never touches the others. Values are clean unsigned bits,
 * and 0 for a lane that takes no part. The machine has seen to it that all lanes of the membermask are there.
 */
export interface WarpOp {
  /** The instruction with the qualifiers that all lanes must have in common (PTX ISA 9.7.13). */
  readonly name: string;
  /** Widths of the operands behind the results, membermask excluded; 1 is a predicate. */
  readonly takes: readonly (1 | 32 | 64)[];
  readonly gives: readonly (1 | 32 | 64)[];
  /** `results` and `operands` are scratch, indexed by lane; `lanes` is the warp's width and `mask` who takes part. */
  readonly js: (results: readonly LaneValues[], operands: readonly LaneValues[], mask: number, lanes: number) => void;
}
