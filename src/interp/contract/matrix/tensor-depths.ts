import type { TensorKind } from "../plan/plan-tensor-memory.ts";

/** A depth of a multiplication: K of a dense A and of a sparse one, and how the names of targets begin that have it. */
interface Depth {
  readonly dense: number;
  readonly sparse?: number;
  readonly on?: { readonly dense: readonly string[]; readonly sparse?: readonly string[] };
  /** Blocks of an instruction that has it with a dense A, where not both one and two. */
  readonly group?: 2;
}

type Depths = readonly [Depth, ...Depth[]];

const rubin = ["sm_107"];
const twice = (dense: number): Depth => ({ dense, sparse: 2 * dense });
const bytes: Depths = [twice(32), { ...twice(64), on: { dense: rubin, sparse: rubin } }];
const fours: Depths = [
  twice(64),
  { ...twice(96), on: { dense: ["sm_103a", "sm_107a"], sparse: rubin } },
  { dense: 128, on: { dense: rubin }, group: 2 },
];

/** K by its number in the instruction descriptor (PTX ISA, Matrix Shape of tcgen05, table 48; Instruction descriptor). */
export const depths: Readonly<Record<TensorKind, Depths>> = {
  f16: [twice(16)],
  tf32: [twice(8)],
  f8f6f4: bytes,
  i8: [twice(32)],
  ti16: [twice(16)],
  mxf8f6f4: bytes,
  mxf4: fours,
  mxf4nvf4: fours,
};
