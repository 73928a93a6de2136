import { type Fragment, holderOf, placeOf } from "../../../interp/contract/matrix/fragment.ts";
import { fragmentsOf } from "../../../interp/contract/matrix/matrix-fragments.ts";
import { chunksOf } from "../../../interp/javascript/matrix/chunks.ts";
import { type MatrixOperation, storedColumns, tileSpecOf } from "../../../numeric/operation/matrix.ts";
import { elementBits } from "../../../numeric/tensor/element.ts";
import type { Row as Operands } from "../../../numeric/tensor/reference.ts";
import { linesOf, row } from "../row.ts";
import { workElement } from "./element.ts";

/** Bits of the registers of an operand, by its place in the instruction, in one lane. */
type ReadRegisters = (operand: number, lane: number) => readonly bigint[];

/** Which element of D, and of which matrix where the warp multiplies several. */
interface ElementPlace {
  readonly row: number;
  readonly column: number;
  readonly matrix: number;
}

/** The operands of one element of D, read from the fragments in the registers of a warp (PTX ISA, mma, mma.sp). */
function elementOperands(op: MatrixOperation, place: ElementPlace, read: ReadRegisters): Operands {
  const layout = fragmentsOf(op);
  const { row, column, matrix } = place;
  const multiplicand = (role: "a" | "b", y: number, x: number): bigint =>
    own(op, role, inFragment(layout[role], role === "a" ? 1 : 2, { row: y, column: x, matrix }, read));
  const stored = Array.from({ length: storedColumns(op) }, (_, k) => k);
  const selected = op.sparse ? selectedColumns(op, row, read) : stored;
  const operands: Operands = {
    a: stored.map((k) => multiplicand("a", row, k)),
    b: selected.map((k) => multiplicand("b", k, column)),
    c: inFragment(layout.c, 3, place, read),
  };
  if (!op.scale) return operands;
  return { ...operands, ...scalesOf(op, place, read) };
}

/** One element of a fragment, as its container has it. */
function inFragment(fragment: Fragment, operand: number, place: ElementPlace, read: ReadRegisters): bigint {
  const holder = holderOf(fragment, place.row, place.column, place.matrix);
  if (holder === undefined) throw new Error(`no lane holds ${fragment.name} of ${place.row}, ${place.column}`);
  const { bits } = fragment;
  const each = (bits === 64 ? 64 : 32) / bits;
  const word = read(operand, holder.lane)[Math.floor(holder.i / each)] ?? 0n;
  return BigInt.asUintN(bits, word >> BigInt((holder.i % each) * bits));
}

/** An element without its padding: .e2m1 is in the middle of 8 bits, .e3m2 and .e2m3 at the bottom (PTX ISA, mma). */
function own(op: MatrixOperation, role: "a" | "b", container: bigint): bigint {
  const bits = elementBits(op[role]);
  return op.contained ? BigInt.asUintN(bits, bits === 4 ? container >> 2n : container) : container;
}

/** The columns of a row of a sparse A that are stored, by its metadata. */
function selectedColumns(op: MatrixOperation, row: number, read: ReadRegisters): number[] {
  const { metadata } = fragmentsOf(op);
  if (metadata === undefined) throw new Error("a sparse operation has metadata");
  const [selector = 0n] = read(5, 0);
  const { columns, stored, column } = chunksOf(op);
  return Array.from({ length: metadata.columns }, (_, chunk) => {
    const holder = holderOf(metadata, row, chunk) ?? { lane: 0, i: 0 };
    // A layout with holders counts lanes as if the first of them were lane 0 of its group.
    const lane = holder.lane + Number(selector) * (metadata.holders?.threads ?? 4);
    const indices = Number(((read(4, lane)[0] ?? 0n) >> BigInt(4 * holder.i)) & 0xfn);
    return Array.from({ length: stored }, (_, which) => chunk * columns + (column[indices * stored + which] ?? 0));
  }).flat();
}

/** The scales of a row and a column (PTX ISA, Block Scaling for mma.sync), as byte-id and thread-id choose them. */
function scalesOf(op: MatrixOperation, { row, column }: ElementPlace, read: ReadRegisters) {
  const behind = op.sparse ? 6 : 4;
  const vector = op.scale?.vector ?? 1;
  const bytes = (data: number, lane: (thread: number) => number): bigint[] => {
    const [byte = 0n, thread = 0n] = read(data + 1, 0);
    const word = (read(data, lane(Number(thread)))[0] ?? 0n) >> (8n * byte);
    return Array.from({ length: vector }, (_, at) => (word >> BigInt(8 * at)) & 0xffn);
  };
  return {
    scaleA: bytes(behind, (thread) => 4 * (row & 7) + 2 * thread + (row >> 3)),
    scaleB: bytes(behind + 2, (thread) => 4 * column + thread),
  };
}

/** A place in D. */
export interface InD {
  readonly row: number;
  readonly column: number;
}

/**
 * The derivation of one element of the matrix multiplication that a warp is about to execute: the one at a position of
 * D, or else the first one that `lane` holds. Undefined for a position outside of D.
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
