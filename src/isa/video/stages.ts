import {
  abs,
  c,
  concat,
  label,
  max,
  min,
  minus,
  plus,
  relation,
  shr,
  signedSlice,
  slice,
  wrap,
} from "../../numeric/operation/build.ts";
import type { Expression } from "../../numeric/operation/expression.ts";
import type { Result } from "../../numeric/operation/operation.ts";
import { rangeOf } from "../../numeric/operation/type.ts";

// The manual computes every video instruction in the same stages; each is a function here, by its name there.

/** Types of video instructions; every operand has 32 bits. */
export type VideoType = "u32" | "s32";

/** A byte or a half of an operand. */
export const videoParts = ["b0", "b1", "b2", "b3", "h0", "h1"] as const;
export type VideoPart = (typeof videoParts)[number];

const partBits = (part: VideoPart): { readonly low: number; readonly width: 8 | 16 } => {
  const width = part.startsWith("b") ? 8 : 16;
  return { low: Number(part.slice(1)) * width, width };
};

/** An operand of the type, or a part of it, as a number. */
export function partSelectSignExtend(x: Expression, type: VideoType, part: VideoPart | undefined): Expression {
  if (part === undefined) return x;
  const { low, width } = partBits(part);
  return (type === "s32" ? signedSlice : slice)(x, low, width);
}

/** The operations on two numbers, of scalar and of SIMD instructions. */
export const videoOperations = {
  add: plus,
  sub: minus,
  absdiff: (x: Expression, y: Expression) => abs(minus(x, y)),
  min: (x: Expression, y: Expression) => min(x, y),
  max: (x: Expression, y: Expression) => max(x, y),
  /** A half is rounded away from zero. */
  avrg: (x: Expression, y: Expression) => {
    const sum = plus(x, y);
    return shr(plus(sum, relation("ge", sum, 0)), 1);
  },
} as const;
export type VideoOperation = keyof typeof videoOperations;

/** The modifiers after the types, and the selector of d. */
export interface Stages {
  readonly sat?: boolean | undefined;
  readonly op2?: "add" | "min" | "max" | undefined;
  readonly dsel?: VideoPart | undefined;
}

/** Into the range of `width` bits of the type. */
export function clampTo(type: VideoType, width: 8 | 16 | 32, x: Expression): Expression {
  const [least, most] = rangeOf(`${type === "s32" ? "s" : "u"}${width}`);
  return min(max(x, least), most);
}

/** 34 bits become 33; with `.sat` the value is clamped to d, or to the written part of d. */
function optSaturate(tmp: Expression, sat: boolean | undefined, dtype: VideoType, dsel?: VideoPart): Expression {
  const width = dsel === undefined ? 32 : partBits(dsel).width;
  return label("optSaturate", sat ? clampTo(dtype, width, tmp) : signedSlice(tmp, 0, 33));
}

/** The optional second operation, on c as a number of the type of d. */
function optSecondaryOp(op2: Stages["op2"], tmp: Expression, dtype: VideoType): Expression {
  if (op2 === undefined) return tmp;
  return label("optSecondaryOp", videoOperations[op2](tmp, dtype === "s32" ? signedSlice(c, 0, 32) : c));
}

/** The part of d that is written; the others are those of c. */
function optMerge(dsel: VideoPart | undefined, tmp: Expression): Expression {
  if (dsel === undefined) return tmp;
  const { low, width } = partBits(dsel);
  const above = 32 - low - width;
  const merged = concat(
    ...(above > 0 ? [[slice(c, low + width, above), above] as const] : []),
    [slice(tmp, 0, width), width],
    ...(low > 0 ? [[slice(c, 0, low), low] as const] : []),
  );
  return label("optMerge", merged);
}

/** All stages after the first operation, in the manual's order. */
export function stages(tmp: Expression, dtype: VideoType, { sat, op2, dsel }: Stages): Result {
  const saturated = optSaturate(label("tmp", tmp), sat, dtype, dsel);
  return wrap("u32", optMerge(dsel, optSecondaryOp(op2, saturated, dtype)));
}
