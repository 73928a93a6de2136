import type { Fragment } from "../matrix/fragment.ts";
import type { Space } from "../space.ts";

/**
 * Plans that move matrices between memory and the registers of a whole warp: ldmatrix, stmatrix, wmma.load and wmma.store
 * (PTX ISA, wmma, mma). An access has its addresses in some lanes and its data in all of them.
 */
export type LinesPlan =
  /** `d, [a]{, stride}`; d is a vector, the registers of one matrix after those of the other. */
  | { readonly shape: "load lines"; readonly space: Space; readonly lines: MatrixLines }
  /** `[a], b{, stride}`. */
  | { readonly shape: "store lines"; readonly space: Space; readonly lines: MatrixLines };

/** What both shapes are filled with. */
export type PlanLines = Pick<LinesPlan, "space" | "lines">;

/** How matrices lie in memory: in lines of elements side by side, each a row or a column. */
export interface MatrixLines {
  /** Where the elements of one matrix lie in registers. */
  readonly fragment: Fragment;
  /** Matrices, whose lines and registers follow each other. */
  readonly matrices: number;
  /** What a line holds. */
  readonly line: "row" | "column";
  /** Bytes of a line's elements, a multiple of 4. */
  readonly bytes: number;
  /** What the address of a line must be a multiple of, and that of the first one. */
  readonly align: number;
  readonly first: number;
  /** Bits of an element in memory where they are fewer than in its register; zeros go above it there. */
  readonly packed?: 4 | 6;
  /**
   * All lanes give the address of the first line, and the others follow, so many elements apart if no operand says how
   * many. Without it lane i gives the address of line i.
   */
  readonly stride?: number;
}

/** Lines of all matrices; line i belongs to lane i. */
export const linesOf = ({ fragment, matrices, line }: MatrixLines): number =>
  matrices * (line === "row" ? fragment.rows : fragment.columns);

/** Bits of an element in memory. */
export const bitsInMemory = ({ fragment, packed }: MatrixLines): number => packed ?? fragment.bits;
