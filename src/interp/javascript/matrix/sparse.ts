import { type MatrixOperation, storedColumns } from "../../../numeric/operation/matrix.ts";
import type { Tile } from "../../../numeric/tensor/spec.ts";
import { constantValue } from "../../contract/constant.ts";
import { type Fragment, positionsOf } from "../../contract/matrix/fragment.ts";
import type { MatrixFragments } from "../../contract/matrix/matrix-fragments.ts";
import { type Operand, slot } from "../../contract/operand.ts";
import type { Context } from "../../state/context.ts";
import { report } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { type Chunks, chunksOf } from "./chunks.ts";
import { wordsFor } from "./gather.ts";
import type { Matrices } from "./matrices.ts";

/**
 * A sparse A (9.7.15.6): each row meets the rows of B that its metadata selects, so each row is a tile of its own over the
 * columns that are stored. Operands 4 and 5 are the metadata and the selector.
 */
export function sparse(
  op: MatrixOperation,
  tile: Tile,
  { metadata }: MatrixFragments,
  operands: readonly (Operand | undefined)[],
  context: Context,
  { a, b, c, d, scaleA, scaleB }: Matrices,
): Step {
  if (metadata === undefined) throw new Error("a sparse operation has metadata");
  // What is no group of threads is undefined.
  const groups = 4 / (metadata.holders?.threads ?? 4);
  const selector = Number(constantValue(operands[5], context.program) ?? 0n) % groups;
  const chunks = chunksOf(op);
  const indices = new Uint8Array(op.m * metadata.columns);
  const read = reader(metadata, operands[4], selector, context.lanes, indices);
  const { k, m, n } = op;
  const stored = storedColumns(op);
  const selected = wordsFor(op.a === "f64" ? 64 : 32, n * stored);
  const vector = op.scale?.vector ?? 0;
  const rows = Array.from({ length: m }, (_, row) => ({
    a: a.subarray(row * stored, (row + 1) * stored) as Uint32Array,
    c: c.subarray(row * n, (row + 1) * n) as Uint32Array,
    d: d.subarray(row * n, (row + 1) * n) as Uint32Array,
    scale: scaleA?.subarray(row * vector, (row + 1) * vector),
  }));
  return (warp) => {
    read(warp);
    check(chunks, indices, metadata, selector, warp, context);
    for (let row = 0; row < m; row++) {
      select(chunks, indices, row * metadata.columns, b as Uint32Array, k, n, selected as Uint32Array);
      const one = rows[row]!;
      tile(one.a, selected, one.c, one.d, one.scale, scaleB);
    }
  };
}

/** The elements of B that one row of A meets, by columns. */
function select(
  { columns, stored, column }: Chunks,
  indices: Uint8Array,
  from: number,
  b: Uint32Array,
  k: number,
  n: number,
  into: Uint32Array,
): void {
  const count = k / columns;
  let at = 0;
  for (let j = 0; j < n; j++)
    for (let chunk = 0; chunk < count; chunk++) {
      const first = j * k + chunk * columns;
      const which = indices[from + chunk]! * stored;
      for (let e = 0; e < stored; e++) into[at++] = b[first + column[which + e]!]!;
    }
}

/** Reads the metadata of the threads that the selector names. */
function reader(
  fragment: Fragment,
  operand: Operand | undefined,
  selector: number,
  lanes: number,
  into: Uint8Array,
): (warp: Warp) => void {
  const threads = fragment.holders?.threads ?? 4;
  const base = slot(operand).slot * lanes;
  const positions = positionsOf(fragment);
  return ({ r }) => {
    for (let group = 0; group < 8; group++)
      for (let holder = 0; holder < threads; holder++) {
        const word = r[base + 4 * group + selector * threads + holder]!;
        const first = (4 * group + holder) * 8;
        for (let i = 0; i < 8; i++) into[positions[first + i]!] = (word >>> (4 * i)) & 0xf;
      }
  };
}

/** Indices that the manual leaves undefined are a finding; what they select is multiplied all the same. */
function check(
  { sound, stored }: Chunks,
  indices: Uint8Array,
  { columns, holders }: Fragment,
  selector: number,
  warp: Warp,
  context: Context,
): void {
  const at = indices.findIndex((one) => sound[one] === 0);
  if (at < 0 || !context.sanitize.init) return;
  const [row, chunk] = [Math.floor(at / columns), at % columns];
  const bits = `0b${indices[at]!.toString(2).padStart(4, "0")}`;
  const wanted = stored === 1 ? "0b0100 or 0b1110" : "two different indices, the lesser one in the low bits";
  const lane = 4 * (row % 8) + selector * (holders?.threads ?? 4);
  const what = `has metadata ${bits} for row ${row}, chunk ${chunk} of A, where ${wanted} would be defined`;
  context.report(report(context, warp, lane, "PTX4050", what));
}
