import { TENSOR_COLUMNS } from "../contract/matrix/tensor-memory.ts";
import { noTensorOrder, type TensorOrder } from "./tensor-order.ts";

/** Columns that a block has allocated. */
export interface TensorBlock {
  readonly column: number;
  readonly columns: number;
  /** 2 if its peer block has the same columns. */
  readonly group: 1 | 2;
  /** Nothing else is allocated beside it. */
  readonly exclusive: boolean;
  /** The allocating instruction and warp. */
  readonly pc: number;
  readonly warp: number;
  /** Reports that the block of threads has exited without freeing them. */
  unfreed(): void;
}

/**
 * The state of a block's tensor memory (PTX ISA, tcgen05.alloc); immutable, so that
 * snapshots share it.
 */
export interface TensorAllocation {
  /** In the order of their columns. */
  readonly blocks: readonly TensorBlock[];
  /** The instruction that has given up the right to allocate. */
  readonly relinquished: number | undefined;
  /** The accesses and fences so far. */
  readonly order: TensorOrder;
}

export const noTensorAllocation: TensorAllocation = { blocks: [], relinquished: undefined, order: noTensorOrder };

/** The first column from which `columns` are free in all of these; undefined when there are none. */
export function freeColumn(
  states: readonly TensorAllocation[],
  { columns, exclusive }: Pick<TensorBlock, "columns" | "exclusive">,
): number | undefined {
  const taken = states.flatMap(({ blocks }) => blocks);
  if (exclusive) return taken.length === 0 ? 0 : undefined;
  if (taken.some((block) => block.exclusive)) return undefined;
  for (let column = 0; column + columns <= TENSOR_COLUMNS; column += 32)
    if (taken.every((block) => block.column + block.columns <= column || column + columns <= block.column))
      return column;
  return undefined;
}

export const withBlock = (state: TensorAllocation, block: TensorBlock): TensorAllocation => ({
  ...state,
  blocks: [...state.blocks, block].sort((a, b) => a.column - b.column),
});

export const withoutBlock = (state: TensorAllocation, column: number): TensorAllocation => ({
  ...state,
  blocks: state.blocks.filter((block) => block.column !== column),
});

/** The allocation that has a column. */
export const blockOf = ({ blocks }: TensorAllocation, column: number): TensorBlock | undefined =>
  blocks.find((block) => block.column <= column && column < block.column + block.columns);
