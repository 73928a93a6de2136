import { cellAt } from "../../../contract/matrix/tensor-memory.ts";
import type { TensorKind } from "../../../contract/plan/plan-tensor-memory.ts";
import type { Memory } from "../../../memory/memory.ts";

/** A sparse A: of `of` neighbouring elements it has `stored`, in runs of `run` (PTX ISA, Sparse Matrices). */
interface Sparsity {
  readonly of: number;
  readonly run: number;
  /** Metadata of 16 bits for each of two halves of K, in two lanes; otherwise all of a row's in its own lane. */
  readonly spread: boolean;
}

const sparsities: Readonly<Record<TensorKind, Sparsity>> = {
  tf32: { of: 2, run: 1, spread: true },
  f16: { of: 4, run: 1, spread: true },
  ti16: { of: 4, run: 1, spread: true },
  f8f6f4: { of: 4, run: 1, spread: false },
  i8: { of: 4, run: 1, spread: false },
  mxf8f6f4: { of: 4, run: 1, spread: false },
  mxf4: { of: 8, run: 2, spread: false },
  mxf4nvf4: { of: 8, run: 2, spread: false },
};

/** Columns of metadata that an instruction reads, 4 bits for each chunk of K. */
export const metadataColumns = (kind: TensorKind, k: number): number =>
  sparsities[kind].spread ? 1 : k / sparsities[kind].of / 8;

/**
 * The positions along K of the stored elements of a row; the row lies in `lane`, the metadata from `column` on.
 * Figures 262 to 267, as CUTLASS's metadata fragments have them: for f16 and tf32, rows i and i + 8 of 16 share the
 * words of lanes i and i + 8, the low halves for i and the high ones for i + 8, lane i for the first half of K.
 */
export function selected(
  { u32 }: Memory["data"],
  base: number,
  column: number,
  kind: TensorKind,
  lane: number,
  k: number,
  into: Int32Array,
): void {
  const { of, run, spread } = sparsities[kind];
  const chunks = k / of;
  for (let chunk = 0; chunk < chunks; chunk++) {
    const half = chunk >> 2;
    const from = spread ? (lane & ~15) + (lane & 7) + 8 * half : lane;
    const word = u32[(base + cellAt(from, column + (spread ? 0 : chunk >> 3))) >>> 2]!;
    const bit = spread ? ((lane >> 3) & 1) * 16 + 4 * (chunk & 3) : 4 * (chunk & 7);
    const bits = (word >>> bit) & 15;
    const stored = of / 2;
    for (let at = 0; at < stored; at++) {
      // For tf32 both indices name halves of one element.
      const index = of === 2 ? (bits & 3) >> 1 : (bits >> (2 * Math.floor(at / run))) & 3;
      into[chunk * stored + at] = chunk * of + index * run + (at % run);
    }
  }
}
