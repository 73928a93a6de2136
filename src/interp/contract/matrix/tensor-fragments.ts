import { type Fragment, type Term, term } from "./fragment.ts";

/** Shapes of tcgen05.ld and tcgen05.st, lanes x bits of a lane (PTX ISA, Data Movement Shape). */
export type TensorShape = "16x64b" | "16x128b" | "16x256b" | "32x32b" | "16x32bx2";

/** One repetition of a shape: columns, and registers of a thread. `.num` repeats it to the right. */
interface Base {
  readonly lanes: 16 | 32;
  readonly columns: number;
  readonly registers: number;
  /** Lane and column of a thread's registers; `i` counts those of one repetition. */
  readonly row: readonly Term[];
  readonly column: readonly Term[];
}

/**
 * The figures of Data Movement Shape (183 to 187 in PTX ISA 9.3), as CUTLASS's copy traits for sm_100 have them in
 * numbers.
 */
const bases: Readonly<Record<TensorShape, Base>> = {
  "16x64b": {
    lanes: 16,
    columns: 2,
    registers: 1,
    row: [term("groupID"), term("threadID_in_group", 8, 0, 1)],
    column: [term("threadID_in_group", 1, 1, 1)],
  },
  "16x128b": {
    lanes: 16,
    columns: 4,
    registers: 2,
    row: [term("groupID"), term("i", 8, 0, 1)],
    column: [term("threadID_in_group")],
  },
  "16x256b": {
    lanes: 16,
    columns: 8,
    registers: 4,
    row: [term("groupID"), term("i", 8, 1, 1)],
    column: [term("threadID_in_group", 2), term("i", 1, 0, 1)],
  },
  "32x32b": { lanes: 32, columns: 1, registers: 1, row: [term("%laneid")], column: [] },
  "16x32bx2": { lanes: 16, columns: 1, registers: 1, row: [term("%laneid", 1, 0, 4)], column: [] },
};

/** Registers of a thread for a shape repeated `num` times. */
export const tensorRegisters = (shape: TensorShape, num: number): number => bases[shape].registers * num;

/**
 * The word of tensor memory for each register of each thread, counted from the address of the instruction. 16x32bx2 has
 * two matrices, the second at the address plus immHalfSplitoff.
 */
export function tensorFragment(form: TensorShape, num: number): Fragment {
  const { lanes, columns, registers, row, column } = bases[form];
  return {
    name: "r",
    rows: lanes,
    columns: columns * num,
    bits: 32,
    count: registers * num,
    row,
    column: [...column, ...(num === 1 ? [] : [term("i", columns, Math.log2(registers))])],
    ...(form === "16x32bx2" && { matrices: { count: 2, which: [term("%laneid", 1, 4, 1)] } }),
  };
}
