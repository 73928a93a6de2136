/** Tensor memory of one block: lanes of columns of 32 bits. */
export const TENSOR_LANES = 128;
export const TENSOR_COLUMNS = 512;
/** Only an exclusive allocation on sm_107 has so many (PTX ISA, tcgen05.alloc, table 58). */
export const EXCLUSIVE_COLUMNS = 576;
/** Bytes from one lane to the next, and of all. */
export const LANE_BYTES: number = EXCLUSIVE_COLUMNS * 4;
export const TENSOR_BYTES: number = TENSOR_LANES * LANE_BYTES;

/** Columns that one allocation may have. */
export const mostColumns = (exclusive: boolean, target: string): number =>
  exclusive && target.startsWith("sm_107") ? EXCLUSIVE_COLUMNS : TENSOR_COLUMNS;

/** An address: the lane in the upper and the column in the lower half. */
export const laneOf = (address: number): number => address >>> 16;
export const columnOf = (address: number): number => address & 0xffff;

/** Where a word lies from the start of a block's tensor memory on, bytes. */
export const cellAt = (lane: number, column: number): number => lane * LANE_BYTES + column * 4;

/** Words side by side in lanes below each other. */
export interface TensorRange {
  readonly lane: number;
  readonly lanes: number;
  readonly column: number;
  readonly columns: number;
}

/** True when two ranges of one block's tensor memory share a word. */
export const meets = (a: TensorRange, b: TensorRange): boolean =>
  a.lane < b.lane + b.lanes &&
  b.lane < a.lane + a.lanes &&
  a.column < b.column + b.columns &&
  b.column < a.column + a.columns;

/** True when `outer` has every word of `inner`. */
export const covers = (outer: TensorRange, inner: TensorRange): boolean =>
  outer.lane <= inner.lane &&
  inner.lane + inner.lanes <= outer.lane + outer.lanes &&
  outer.column <= inner.column &&
  inner.column + inner.columns <= outer.column + outer.columns;

/** `lanes 0 to 31, columns 64 to 95 of tensor memory`. */
export function tensorRangeText({ lane, lanes, column, columns }: TensorRange): string {
  const span = (what: string, from: number, count: number): string =>
    count === 1 ? `${what} ${from}` : `${what}s ${from} to ${from + count - 1}`;
  return `${span("lane", lane, lanes)}, ${span("column", column, columns)} of tensor memory`;
}
