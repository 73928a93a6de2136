import { holderOf, placeOf } from "../../../interp/contract/matrix/fragment.ts";
import { fragmentsOf } from "../../../interp/contract/matrix/matrix-fragments.ts";
import { type MatrixOperation, tileSpecOf } from "../../../numeric/operation/matrix.ts";
import { linesOf, row } from "../row.ts";
import { workElement } from "./element.ts";
import { elementOperands, type ReadRegisters } from "./fragments.ts";

/** A place in D. */
export interface InD {
  readonly row: number;
  readonly column: number;
}

/**
 * One element of the matrix multiplication that a warp is about to execute: that at a place of D, or else the first one that `lane`
 * holds. Undefined for a place outside of D.
 */
export function workMultiply(
  op: MatrixOperation,
  target: string,
  lane: number,
  place: InD | undefined,
  read: ReadRegisters,
): string[] | undefined {
  const { d } = fragmentsOf(op);
  const own = placeOf(d, lane, 0);
  const at = place === undefined ? own : { ...place, matrix: own.matrix };
  const holder = holderOf(d, at.row, at.column, at.matrix);
  if (holder === undefined || at.row >= d.rows || at.column >= d.columns) return undefined;
  const which = d.matrices === undefined ? "D" : `D of matrix ${at.matrix}`;
  const where = `row ${at.row}, column ${at.column} of ${which}, which lane ${holder.lane} gets as d${holder.i}`;
  return [
    ...linesOf([row("element", where), ...workElement(target, tileSpecOf(op), elementOperands(op, at, read))]),
    ...(op.satfinite && op.d !== "s32"
      ? linesOf([row(".satfinite", "an infinity becomes the largest number of its sign, a NaN 0")])
      : []),
  ];
}

/** Rows and columns of D. */
export const sizeOfD = (op: MatrixOperation): { readonly rows: number; readonly columns: number } => fragmentsOf(op).d;
