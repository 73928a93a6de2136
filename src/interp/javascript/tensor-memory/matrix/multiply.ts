import type { Scale, TileSpec } from "../../../../numeric/tensor/spec.ts";
import { tileOf } from "../../../../numeric/tensor/tile.ts";
import type { InstructionDescriptor } from "../../../contract/matrix/instruction-descriptor.ts";
import { laneOfRow, type TensorLayout } from "../../../contract/matrix/tensor-layouts.ts";
import { cellAt, columnOf, laneOf, TENSOR_LANES } from "../../../contract/matrix/tensor-memory.ts";
import type { PlanOf } from "../../../contract/plan/shapes/shape-facts.ts";
import type { Memory } from "../../../memory/memory.ts";
import type { zeroColumns } from "../zero-columns.ts";
import { selected } from "./metadata.ts";
import { chunksOf, readShared, type SharedMatrix } from "./shared-matrix.ts";
import { readRow, scaleColumns, scaleOf, shiftedLane } from "./tensor-matrix.ts";

const single = new Float32Array(1);
const bitsOf = new Uint32Array(single.buffer);

/** An accumulator times 2^-by (scale-input-d), rounded to nearest even where it becomes subnormal. */
function scaledDown(word: number, type: "f16" | "f32", by: number): number {
  if (type === "f16") return halfDown(word & 0xffff, by);
  bitsOf[0] = word;
  single[0] = single[0]! * 2 ** -by;
  return bitsOf[0]!;
}

function halfDown(half: number, by: number): number {
  const sign = half & 0x8000;
  const exponent = (half >> 10) & 31;
  const fraction = half & 0x3ff;
  if (exponent === 31) return half;
  if (exponent > by) return half - (by << 10);
  // Subnormal from here on: units of 2^-24.
  const units = exponent === 0 ? fraction : (fraction | 0x400) * 2 ** (exponent - 1);
  const exact = units / 2 ** by;
  const low = Math.floor(exact);
  const rest = exact - low;
  const up = rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? 1 : 0;
  return sign | (low + up);
}

/** Where the memories of one block begin in the buffer. */
export interface BlockMemory {
  readonly tensor: number;
  readonly shared: number;
}

/** A tcgen05.mma whose operands have been read: it needs no registers of the program any more. */
export interface Multiplication {
  readonly plan: PlanOf<"tcgen05 multiply">;
  readonly target: string;
  readonly idesc: InstructionDescriptor;
  readonly layout: TensorLayout;
  /** The blocks that take part: the even one of a pair first. */
  readonly blocks: readonly BlockMemory[];
  readonly d: number;
  /** A in shared memory, or the address of A in tensor memory. */
  readonly a: SharedMatrix | number;
  readonly b: SharedMatrix;
  /** Elements of 4 and 6 bits have no padding. */
  readonly packed: boolean;
  readonly accumulates: boolean;
  /** D is multiplied by 2^-scale first. */
  readonly scale: number;
  /** A bit for each lane of each block that keeps what it has. */
  readonly mask: readonly number[];
  readonly meta: number;
  readonly sa: number;
  readonly sb: number;
  readonly zeros: ReturnType<typeof zeroColumns> | undefined;
}

/**
 * Scale factors of a row of K elements, one for each `block` of them (PTX ISA, Valid combinations of
 * scale_vectorsize, table 68); of a sparse A only stored elements count.
 */
export function scalesOf(
  { kind, scale }: PlanOf<"tcgen05 multiply">,
  { k, sparse }: InstructionDescriptor,
): { readonly count: number; readonly block: Scale["block"] } | undefined {
  if (scale === undefined) return undefined;
  const stored = sparse ? k / 2 : k;
  const sixteen = scale === "4X" || scale === "block16";
  // .scale_vec::NX of K = 96 are those of .block16 and .block32, which count more.
  const count =
    kind === "mxf8f6f4"
      ? 1
      : scale.endsWith("X") && stored !== 96
        ? Number.parseInt(scale, 10)
        : stored / (sixteen ? 16 : 32);
  return { count, block: (stored / count) as Scale["block"] };
}

/** Computes D, block by block, from what the memories hold now. */
export function performMultiplication(memory: Memory, it: Multiplication): void {
  const { plan, idesc, layout, blocks, b } = it;
  const { n, k, sparse } = idesc;
  const { data } = memory;
  const width = it.zeros === undefined ? n : n + it.zeros.shift;
  const matrix = new Uint32Array(width * k);
  const own = width / blocks.length;
  const chunks = chunksOf(b);
  for (const [rank, { shared }] of blocks.entries()) readShared(data, shared, b, chunks, matrix, rank * own * k);
  const columns = negated(it.zeros === undefined ? matrix : zeroed(matrix, k, n, it.zeros), idesc.b, idesc.negateB);
  const stored = sparse ? k / 2 : k;
  const rowsOfA = new Uint32Array(layout.rows * stored);
  const factors = scalesOf(plan, idesc);
  for (const [rank, block] of blocks.entries()) {
    readA(data, it, block, rowsOfA, stored);
    const rows = negated(rowsOfA, idesc.a, idesc.negateA);
    for (const [part, first] of layout.parts.entries()) {
      const piece: Piece = {
        it,
        block,
        rank,
        first: laneOf(it.d) + first,
        from: (part * n) / layout.parts.length,
        count: n / layout.parts.length,
      };
      const accumulator = readD(data, piece);
      const mine = columns.subarray(piece.from * k, (piece.from + piece.count) * k);
      if (sparse) multiplySparse(data, piece, rows, mine, accumulator, stored, factors);
      else multiplyDense(data, piece, rows, mine, accumulator, factors);
      writeD(memory, piece, accumulator);
    }
  }
}

/** The columns of D from `from` on that lie in the lanes from `first` on. */
interface Piece {
  readonly it: Multiplication;
  readonly block: BlockMemory;
  readonly rank: number;
  readonly first: number;
  readonly from: number;
  readonly count: number;
}

type Factors = ReturnType<typeof scalesOf>;

function specOf({ it, count }: Piece, m: number, k: number, factors: Factors): TileSpec {
  const { plan, idesc } = it;
  const kind = plan.kind === "mxf8f6f4" ? "mxf8f6f4" : "mxf4";
  return {
    m,
    n: count,
    k,
    unit: "tcgen05",
    a: idesc.a,
    b: idesc.b,
    c: idesc.d,
    d: idesc.d,
    ...(idesc.saturate && { satfinite: true }),
    ...(factors && { scale: { kind, type: idesc.scaleType, block: factors.block } }),
  };
}

function multiplyDense(
  data: Memory["data"],
  piece: Piece,
  rows: Uint32Array,
  columns: Uint32Array,
  d: Uint32Array,
  factors: Factors,
): void {
  const { it } = piece;
  const { layout, idesc, target } = it;
  const tile = tileOf(target, specOf(piece, layout.rows, idesc.k, factors));
  if (factors === undefined) {
    tile(rows, columns, d, d);
    return;
  }
  const scaleA = Uint32Array.from({ length: layout.rows * factors.count }, (_, at) =>
    factorA(data, piece, Math.floor(at / factors.count), at % factors.count, factors.count),
  );
  tile(rows, columns, d, d, scaleA, factorsB(data, piece, factors.count));
}

/** Each row has its own selection of B. */
function multiplySparse(
  data: Memory["data"],
  piece: Piece,
  rows: Uint32Array,
  columns: Uint32Array,
  d: Uint32Array,
  stored: number,
  factors: Factors,
): void {
  const { it, block, count } = piece;
  const { layout, idesc, target, plan } = it;
  const tile = tileOf(target, specOf(piece, 1, stored, factors));
  const chosen = new Int32Array(stored);
  const part = new Uint32Array(count * stored);
  const scaleB = factors && factorsB(data, piece, factors.count);
  for (let row = 0; row < layout.rows; row++) {
    const lane = piece.first + laneOfRow(layout, row);
    selected(data, block.tensor, columnOf(it.meta) + idesc.selector, plan.kind, lane, idesc.k, chosen);
    for (let column = 0; column < count; column++)
      for (let at = 0; at < stored; at++) part[column * stored + at] = columns[column * idesc.k + chosen[at]!]!;
    const scaleA =
      factors && Uint32Array.from({ length: factors.count }, (_, at) => factorA(data, piece, row, at, factors.count));
    const line = d.subarray(row * count, (row + 1) * count);
    tile(rows.subarray(row * stored, (row + 1) * stored), part, line, line, scaleA, scaleB);
  }
}

function factorA(data: Memory["data"], { it, block, first }: Piece, row: number, i: number, count: number): number {
  const { layout, idesc, sa } = it;
  const { stride } = scaleColumns(layout.rows, idesc.scaleA, count, idesc.scaleLanesA);
  const lane = first + laneOfRow(layout, row);
  return scaleOf(data, block.tensor, columnOf(sa), {
    lane,
    at: idesc.scaleLanesA === 128 ? lane & 31 : row,
    id: idesc.scaleA,
    i,
    stride,
  });
}

function factorsB(data: Memory["data"], { it, block, first, count }: Piece, factors: number): Uint32Array {
  const { idesc, sb } = it;
  const { stride } = scaleColumns(count, idesc.scaleB, factors);
  return Uint32Array.from({ length: count * factors }, (_, at) =>
    scaleOf(data, block.tensor, columnOf(sb), {
      lane: first,
      at: Math.floor(at / factors),
      id: idesc.scaleB,
      i: at % factors,
      stride,
    }),
  );
}

function readA(
  data: Memory["data"],
  it: Multiplication,
  { tensor, shared }: BlockMemory,
  into: Uint32Array,
  stored: number,
): void {
  const { a, idesc, layout, plan, d, packed } = it;
  if (typeof a !== "number") {
    readShared(data, shared, a, chunksOf(a), into, 0);
    return;
  }
  for (let row = 0; row < layout.rows; row++) {
    // Each lane of D has A in its own lane; if D's columns are in several parts, all of them have the same A.
    const lane = shiftedLane(laneOf(d) + laneOfRow(layout, row), plan.ashift);
    readRow(data, tensor + cellAt(lane, columnOf(a)), idesc.a, stored, packed, into, row * stored);
  }
}

function readD({ u32 }: Memory["data"], { it, block, first, count }: Piece): Uint32Array {
  const { layout, idesc, accumulates, scale, d } = it;
  const made = new Uint32Array(layout.rows * count);
  if (!accumulates) return made;
  for (let row = 0; row < layout.rows; row++) {
    const from = (block.tensor + cellAt(first + laneOfRow(layout, row), columnOf(d))) >>> 2;
    for (let at = 0; at < count; at++) {
      const word = u32[from + at]!;
      const value = idesc.d === "f16" ? word & 0xffff : word;
      made[row * count + at] = scale === 0 || idesc.d === "s32" ? value : scaledDown(value, idesc.d, scale);
    }
  }
  return made;
}

function writeD(memory: Memory, { it, block, rank, first, count }: Piece, from: Uint32Array): void {
  const { layout, mask, d } = it;
  for (let row = 0; row < layout.rows; row++) {
    const lane = first + laneOfRow(layout, row);
    const bit = rank * TENSOR_LANES + lane;
    if (mask.length > 0 && (mask[bit >>> 5]! >>> (bit & 31)) & 1) continue;
    const at = block.tensor + cellAt(lane, columnOf(d));
    memory.data.u32.set(from.subarray(row * count, (row + 1) * count), at >>> 2);
    memory.know(at, 4 * count);
    memory.initialise(at, 4 * count);
  }
}

/** B with some of its columns zero, the others from `shift` columns further on. */
function zeroed(
  matrix: Uint32Array,
  k: number,
  n: number,
  { zero, shift }: NonNullable<Multiplication["zeros"]>,
): Uint32Array {
  const made = new Uint32Array(n * k);
  for (let column = 0; column < n; column++)
    if (zero[column] === 0) made.set(matrix.subarray((column + shift) * k, (column + shift + 1) * k), column * k);
  return made;
}

const signs: Readonly<Record<string, number>> = {
  f16: 0x8000,
  bf16: 0x8000,
  tf32: 0x8000_0000,
  e4m3: 0x80,
  e5m2: 0x80,
  e3m2: 0x20,
  e2m3: 0x20,
  e2m1: 0x8,
  s1z4m11: 0x8000,
};

function negated(words: Uint32Array, type: string, negate: boolean): Uint32Array {
  if (!negate) return words;
  const sign = signs[type]!;
  return words.map((word) => word ^ sign);
}
