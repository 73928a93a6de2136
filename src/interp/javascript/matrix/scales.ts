import type { MatrixFragments } from "../../contract/matrix/matrix-fragments.ts";
import { elements, type Operand, slot } from "../../contract/operand.ts";
import { Fault } from "../../state/fault.ts";
import type { Warp } from "../../state/warp.ts";
import type { Gather } from "./gather.ts";
import type { Matrices } from "./matrices.ts";

/**
 * Reads the scales of A and B (9.7.15.3): `data, {byte-id, thread-id}` of each. The selectors are the same in all lanes; what
 * they may be says table 40.
 */
export function scales(
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
