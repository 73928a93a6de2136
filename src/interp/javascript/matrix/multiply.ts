import { type MatrixOperation, tileSpecOf } from "../../../numeric/operation/matrix.ts";
import { elementBits } from "../../../numeric/tensor/element.ts";
import type { Tile } from "../../../numeric/tensor/spec.ts";
import { tileOf } from "../../../numeric/tensor/tile.ts";
import type { Fragment } from "../../contract/matrix/fragment.ts";
import { fragmentsOf } from "../../contract/matrix/matrix-fragments.ts";
import type { Operand } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/plan/shape-facts.ts";
import type { Context } from "../../state/context.ts";
import type { Step } from "../../state/warp.ts";
import { type Container, type Gather, gather, scatter, type Words, wordsFor } from "./gather.ts";
import type { Matrices } from "./matrices.ts";
import { scales } from "./scales.ts";
import { sparse } from "./sparse.ts";

/**
 * mma and wmma.mma (PTX ISA 9.7.15.4 to 9.7.15.6): the registers of all lanes are read into matrices, a tile computes D as
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
    a: wordsOf(layout.a),
    b: wordsOf(layout.b),
    c: wordsOf(layout.c),
    d: wordsOf(layout.d),
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

/** Words of a matrix; those of bits have 32 in one. */
function wordsOf({ rows, columns, bits, matrices }: Fragment): Words {
  const count = rows * columns * (matrices?.count ?? 1);
  return wordsFor(bits, bits === 1 ? count / 32 : count);
}

/** Where an element of 4 or 6 bits lies in its 8 (9.7.15.5.14): .e2m1 in the middle, the others below. */
function containerOf(op: MatrixOperation, role: "a" | "b", { bits }: Fragment): Container | undefined {
  const own = elementBits(op[role]);
  if (!op.contained || own === 8) return undefined;
  return { bits, shift: own === 4 ? 2 : 0, mask: (1 << own) - 1 };
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
