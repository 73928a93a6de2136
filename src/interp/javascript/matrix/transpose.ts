import { type Operand, slot } from "../../contract/operand.ts";
import type { Step } from "../../state/warp.ts";

/** `d, a`: lane 4i + j holds row i, columns 2j and 2j + 1, of an 8x8 matrix of 16 bits (PTX ISA, movmatrix). */
export function transpose([d, a]: readonly (Operand | undefined)[], lanes: number): Step {
  const [to, from] = [slot(d).slot * lanes, slot(a).slot * lanes];
  const rows = new Uint16Array(64);
  return ({ r }) => {
    for (let lane = 0; lane < 32; lane++) {
      const pair = r[from + lane]!;
      rows[2 * lane] = pair;
      rows[2 * lane + 1] = pair >>> 16;
    }
    for (let lane = 0; lane < 32; lane++) {
      const [row, column] = [lane >>> 2, 2 * (lane & 3)];
      r[to + lane] = (rows[8 * column + row]! | (rows[8 * (column + 1) + row]! << 16)) >>> 0;
    }
  };
}
