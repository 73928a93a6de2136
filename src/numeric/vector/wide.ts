import type { VectorMaker } from "./maker.ts";
import type { PureInstruction, ShiftInstruction, Vector, Wide } from "./vector.ts";

// What is done to both vectors of 64-bit lanes.

export const onBoth = (make: VectorMaker, name: PureInstruction, ...parts: readonly Wide[]): Wide => [
  make.op(name, ...parts.map(([first]) => first)),
  make.op(name, ...parts.map(([, second]) => second)),
];

export const shiftBoth = (make: VectorMaker, name: ShiftInstruction, [first, second]: Wide, by: number): Wide => [
  make.shift(name, first, by),
  make.shift(name, second, by),
];

export const wideConstant = (make: VectorMaker, value: bigint): Wide => [make.all64(value), make.all64(value)];

/** Words as 64-bit numbers, with or without sign. */
export const extended = (make: VectorMaker, word: Vector, signed: boolean): Wide =>
  signed
    ? [make.op("i64x2.extend_low_i32x4_s", word), make.op("i64x2.extend_high_i32x4_s", word)]
    : [make.op("i64x2.extend_low_i32x4_u", word), make.op("i64x2.extend_high_i32x4_u", word)];
