import type { ShapeAsked } from "./tensor-shapes.ts";

/**
 * How D lies in the lanes of tensor memory (PTX ISA, Data Path Layout Organization): in each block, `rows` of its rows
 * lie in as many lanes, and the columns are divided into as many parts as `parts` has entries, each in separate
 * lanes.
 */
export interface TensorLayout {
  readonly id: "A" | "B" | "C" | "D" | "E" | "F" | "G";
  /** Rows of D in each block. */
  readonly rows: number;
  /** The lane of row `i` is `i`, or for half of the lanes `(i / 16) * 32 + i % 16`, from the lane of the address on. */
  readonly halves: boolean;
  /** First lanes of the parts of the columns. */
  readonly parts: readonly number[];
}

const layouts = {
  A: { id: "A", rows: 128, halves: false, parts: [0] },
  B: { id: "B", rows: 64, halves: false, parts: [0, 64] },
  C: { id: "C", rows: 64, halves: true, parts: [0] },
  D: { id: "D", rows: 128, halves: false, parts: [0] },
  E: { id: "E", rows: 64, halves: false, parts: [0, 64] },
  F: { id: "F", rows: 64, halves: true, parts: [0] },
  G: { id: "G", rows: 32, halves: false, parts: [0, 32, 64, 96] },
} as const satisfies Readonly<Record<string, TensorLayout>>;

/** The layout of an instruction with this M, which its shapes allow. */
export function tensorLayout({ ws, group, sparse }: ShapeAsked, m: number): TensorLayout {
  if (group === 2) return m === 256 ? layouts.A : sparse ? layouts.C : layouts.B;
  if (m === 32) return layouts.G;
  if (m === 64) return ws ? layouts.E : layouts.F;
  return layouts.D;
}

/** The lane of a row, from the first lane of its part on. */
export const laneOfRow = ({ halves }: TensorLayout, row: number): number =>
  halves ? (row >> 4) * 32 + (row & 15) : row;
