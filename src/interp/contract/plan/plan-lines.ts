import type { Fragment } from "../matrix/fragment.ts";
import type { Space } from "../space.ts";

/**
 * Plans that move matrices between memory and the registers of a whole warp: ldmatrix, stmatrix, wmma.load and
 * wmma.store (PTX ISA, wmma, mma). An access has its addresses in some lanes and its data in all of them.
 */
export type LinesPlan =
  /** `d, [a]{, stride}`; d is a vector, the registers of one matrix after those of the other. */
  | { readonly shape: "load lines"; readonly space: Space; readonly lines: MatrixLines }
  /** `[a], b{, stride}`. */
  | { readonly shape: "store lines"; readonly space: Space; readonly lines: MatrixLines };

/** The fields of both shapes. */
export type PlanLines = Pick<LinesPlan, "space" | "lines">;

/** The layout of matrices in memory: lines of adjacent elements, each a row or a column. */
export interface MatrixLines {
  /** The layout of one matrix in registers. */
  readonly fragment: Fragment;
  /** Number of matrices, whose lines and registers follow each other. */
  readonly matrices: number;
  /** The contents of a line. */
  readonly line: "row" | "column";
  /** Bytes of a line's elements, a multiple of 4. */
  readonly bytes: number;
  /** Required alignment of a line's address, and of the first line's. */
  readonly align: number;
  readonly first: number;
  /** Bits of an element in memory where they are fewer than in its register, whose upper bits become zero. */
  readonly packed?: 4 | 6;
  /** With `packed`: the upper bits repeat the sign instead. */
  readonly signed?: true;
  /**
   * All lanes supply the address of the first line; the others follow at this distance in elements, unless an operand
   * says another. Without it lane i supplies the address of line i.
   */
  readonly stride?: number;
}

/** Lines of all matrices; line i belongs to lane i. */
export const linesOf = ({ fragment, matrices, line }: MatrixLines): number =>
  matrices * (line === "row" ? fragment.rows : fragment.columns);

/** Bits of an element in memory. */
export const bitsInMemory = ({ fragment, packed }: MatrixLines): number => packed ?? fragment.bits;
