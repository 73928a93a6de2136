import { type MatrixOperation, storedColumns, tileSpecOf } from "../../../numeric/operation/matrix.ts";
import { elementBits } from "../../../numeric/tensor/element.ts";
import type { Tile } from "../../../numeric/tensor/spec.ts";
import { tileOf } from "../../../numeric/tensor/tile.ts";
import { constantValue } from "../../contract/constant.ts";
import { type Fragment, positionsOf } from "../../contract/matrix/fragment.ts";
import { fragmentsOf, type MatrixFragments } from "../../contract/matrix/matrix-fragments.ts";
import { elements, type Operand, slot } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Context } from "../../state/context.ts";
import { Fault, report } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { type Chunks, chunksOf } from "./chunks.ts";
import { type Container, type Gather, gather, scatter, type Words, wordsFor } from "./gather.ts";

/** The matrices of one multiply, as words: inputs and output of a tile (numeric/tensor/spec.ts). */
interface Matrices {
  readonly a: Words;
  readonly b: Words;
  readonly c: Words;
  readonly d: Words;
  readonly scaleA?: Uint32Array;
  readonly scaleB?: Uint32Array;
}

/**
 * A sparse A (PTX ISA, mma.sp): the metadata of each row of A select rows of B, so each row is a separate tile over the
 * stored columns. Operands 4 and 5 are the metadata and the selector.
 */
function sparse(
  op: MatrixOperation,
  tile: Tile,
  { metadata }: MatrixFragments,
  operands: readonly (Operand | undefined)[],
  context: Context,
  { a, b, c, d, scaleA, scaleB }: Matrices,
): Step {
  if (metadata === undefined) throw new Error("a sparse operation has metadata");
  // A selector beyond the groups of threads is undefined.
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

/** The elements of B that one row of A selects, by columns. */
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

/** Reports indices that the manual leaves undefined; the elements they select are multiplied all the same. */
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

/**
 * Reads the scales of A and B (PTX ISA, Block Scaling for mma.sync): `data, {byte-id, thread-id}` of each. The
 * selectors are the same in all lanes; table 40 lists the allowed ones.
 */
function scales(
  vector: 1 | 2 | 4,
  { scaleA, scaleB }: MatrixFragments,
  [dataA, idsA, dataB, idsB]: readonly (Operand | undefined)[],
  lanes: number,
  matrices: Matrices,
): Gather {
  if (!scaleA || !scaleB || !matrices.scaleA || !matrices.scaleB) throw new Error("an operation with scales has them");
  const [intoA, intoB] = [matrices.scaleA, matrices.scaleB];
  const [a, b] = [slot(dataA).slot * lanes, slot(dataB).slot * lanes];
  const [byteA, threadA] = selectors(idsA, lanes, vector, 1, "a");
  const [byteB, threadB] = selectors(idsB, lanes, vector, 3, "b");
  return (warp) => {
    const { r } = warp;
    const [shiftA, pair] = [8 * byteA(warp), 2 * threadA(warp)];
    for (let row = 0; row < 16; row++) {
      const word = r[a + 4 * (row & 7) + pair + (row >> 3)]! >>> shiftA;
      for (let at = 0; at < vector; at++) intoA[row * vector + at] = (word >>> (8 * at)) & 0xff;
    }
    const [shiftB, thread] = [8 * byteB(warp), threadB(warp)];
    for (let column = 0; column < 8; column++) {
      const word = r[b + 4 * column + thread]! >>> shiftB;
      for (let at = 0; at < vector; at++) intoB[column * vector + at] = (word >>> (8 * at)) & 0xff;
    }
  };
}

type Selector = (warp: Warp) => number;

function selectors(
  operand: Operand | undefined,
  lanes: number,
  vector: 1 | 2 | 4,
  mostThread: 1 | 3,
  name: "a" | "b",
): readonly [byte: Selector, thread: Selector] {
  const [byte, thread] = elements(operand);
  return [
    selector(byte, lanes, 4 - vector, vector, `byte-id-${name}`),
    selector(thread, lanes, mostThread, 1, `thread-id-${name}`),
  ];
}

/** One value in all lanes, at most `most` and a multiple of `step`. */
function selector(operand: Operand | undefined, lanes: number, most: number, step: number, name: string): Selector {
  const base = slot(operand).slot * lanes;
  return ({ r }) => {
    const value = r[base]! & 0xffff;
    if (value > most || value % step !== 0)
      throw new Fault("PTX3016", 0, `has ${name} ${value}, where ${allowed(most, step)} is defined`);
    for (let lane = 1; lane < 32; lane++)
      if ((r[base + lane]! & 0xffff) !== value)
        throw new Fault("PTX3016", lane, `has ${name} ${r[base + lane]! & 0xffff}, and lane 0 has ${value}`);
    return value;
  };
}

const allowed = (most: number, step: number): string =>
  most === 0 ? "0" : step === 1 ? `0 to ${most}` : `0 or ${step}`;

/**
 * mma and wmma.mma: the registers of all lanes are read into matrices, a tile computes D as
 * the tensor cores of the target do, and D goes back. Everything is read before anything is written.
 */
export function multiply(
  { op }: PlanOf<"multiply">,
  operands: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { target, lanes } = context;
  const layout = fragmentsOf(op);
  const matrices: Matrices = {
    a: fragmentWords(layout.a),
    b: fragmentWords(layout.b),
    c: fragmentWords(layout.c),
    d: fragmentWords(layout.d),
    ...(op.scale && { scaleA: new Uint32Array(16 * op.scale.vector), scaleB: new Uint32Array(8 * op.scale.vector) }),
  };
  const { a, b, c, d } = matrices;
  const reads: Gather[] = [
    gather(layout.a, operands[1], "rows", lanes, a, containerOf(op, "a", layout.a)),
    gather(layout.b, operands[2], "columns", lanes, b, containerOf(op, "b", layout.b)),
    gather(layout.c, operands[3], "rows", lanes, c),
  ];
  const behind = op.sparse ? 6 : 4;
  if (op.scale) reads.push(scales(op.scale.vector, layout, operands.slice(behind, behind + 4), lanes, matrices));
  const compute = op.sparse
    ? sparse(op, tileOf(target, tileSpecOf(op, 1)), layout, operands, context, matrices)
    : dense(op, tileOf(target, tileSpecOf(op)), matrices);
  const finish = op.satfinite && op.d !== "s32" ? saturating(op.d, d as Uint32Array) : undefined;
  const write = scatter(layout.d, operands[0], lanes, d);
  const [readA, readB, readC, readScales] = reads as [Gather, Gather, Gather, Gather?];
  return (warp) => {
    readA(warp);
    readB(warp);
    readC(warp);
    readScales?.(warp);
    compute(warp);
    finish?.();
    write(warp);
  };
}

/** The words of a matrix; one word holds 32 elements of one bit. */
function fragmentWords({ rows, columns, bits, matrices }: Fragment): Words {
  const count = rows * columns * (matrices?.count ?? 1);
  return wordsFor(bits, bits === 1 ? count / 32 : count);
}

/** Bits below an element in its register or its 8 bits (PTX ISA, mma): .e2m1 lies in the middle of them, all others below. */
export const shiftOf = ({ contained, ...types }: MatrixOperation, role: "a" | "b"): number =>
  contained && elementBits(types[role]) === 4 ? 2 : 0;

/** Where an element of 4 or 6 bits lies in its 8. */
function containerOf(op: MatrixOperation, role: "a" | "b", { bits }: Fragment): Container | undefined {
  const own = elementBits(op[role]);
  if (!op.contained || own === 8) return undefined;
  return { bits, shift: shiftOf(op, role), mask: (1 << own) - 1 };
}

function dense({ quadPairs, m, n, k }: MatrixOperation, tile: Tile, matrices: Matrices): Step {
  const { a, b, c, d, scaleA, scaleB } = matrices;
  if (quadPairs === undefined) return () => tile(a, b, c, d, scaleA, scaleB);
  const four = [0, 1, 2, 3].map((at) => ({
    a: a.subarray(at * m * k, (at + 1) * m * k) as Uint32Array,
    b: b.subarray(at * k * n, (at + 1) * k * n) as Uint32Array,
    c: c.subarray(at * m * n, (at + 1) * m * n) as Uint32Array,
    d: d.subarray(at * m * n, (at + 1) * m * n) as Uint32Array,
  }));
  return () => {
    for (const one of four) tile(one.a, one.b, one.c, one.d);
  };
}

/** wmma before PTX 6.5: an infinity becomes the largest number, a NaN 0. */
function saturating(type: MatrixOperation["d"], d: Uint32Array): () => void {
  const [magnitude, infinity] = type === "f16" ? [0x7fff, 0x7c00] : [0x7fff_ffff, 0x7f80_0000];
  return () => {
    for (let at = 0; at < d.length; at++) {
      const size = d[at]! & magnitude;
      if (size > infinity) d[at] = 0;
      else if (size === infinity) d[at] = d[at]! - 1;
    }
  };
}
