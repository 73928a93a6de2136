import type { About } from "./about.ts";
import type { Op } from "./op.ts";

/** Types of video instructions; every operand has 32 bits and means a number of 33 (9.7.18). */
export type VideoType = "u32" | "s32";

/** A byte or a half of an operand. */
export const videoParts = ["b0", "b1", "b2", "b3", "h0", "h1"] as const;
export type VideoPart = (typeof videoParts)[number];

/** The operations on two numbers that scalar and SIMD video instructions share. */
export const videoOperations = {
  add: (a: number, b: number): number => a + b,
  sub: (a: number, b: number): number => a - b,
  absdiff: (a: number, b: number): number => Math.abs(a - b),
  min: (a: number, b: number): number => Math.min(a, b),
  max: (a: number, b: number): number => Math.max(a, b),
  /** Halves are rounded up, away from zero only above it. */
  avrg: (a: number, b: number): number => Math.floor((a + b + (a + b >= 0 ? 1 : 0)) / 2),
  eq: (a: number, b: number): number => (a === b ? 1 : 0),
  ne: (a: number, b: number): number => (a === b ? 0 : 1),
  lt: (a: number, b: number): number => (a < b ? 1 : 0),
  le: (a: number, b: number): number => (a <= b ? 1 : 0),
  gt: (a: number, b: number): number => (a > b ? 1 : 0),
  ge: (a: number, b: number): number => (a >= b ? 1 : 0),
} as const;
export type VideoOperation = keyof typeof videoOperations;

/** How a shift takes amounts above 31: as 32, or modulo 32. */
export type VideoShift = "clamp" | "wrap";

/** What the modifiers and the operands' selectors of a scalar video instruction say. */
export interface VideoMode {
  readonly dtype: VideoType;
  readonly atype: VideoType;
  readonly btype: VideoType;
  readonly sat?: boolean | undefined;
  /** What is done with the intermediate result and c. */
  readonly op2?: "add" | "min" | "max" | undefined;
  readonly asel?: VideoPart | undefined;
  readonly bsel?: VideoPart | undefined;
  /** Which part of d the result is; c gives the others. */
  readonly dsel?: VideoPart | undefined;
}

/** Where a part lies in 32 bits. */
export const placeOf = (part: VideoPart): { readonly from: number; readonly width: 8 | 16 } => {
  const width = part.startsWith("b") ? 8 : 16;
  return { from: Number(part.slice(1)) * width, width };
};

/** `width` bits from bit `from` on, as a number of the type's sign. */
export function field(type: VideoType, from: number, width: number): (bits: number) => number {
  const up = 32 - from - width;
  const down = 32 - width;
  return type === "s32" ? (bits) => (bits << up) >> down : (bits) => (bits << up) >>> down;
}

/** partSelectSignExtend: an operand, or a part of it, as a number. */
export function selected(type: VideoType, part: VideoPart | undefined): (bits: number) => number {
  if (part === undefined) return field(type, 0, 32);
  const { from, width } = placeOf(part);
  return field(type, from, width);
}

/** The number that the low `bits` bits of x are in two's complement; x is an integer of up to 2^65 that a double holds. */
function wrapped(x: number, bits: number): number {
  const modulus = 2 ** bits;
  const low = x - Math.floor(x / modulus) * modulus;
  return low >= modulus / 2 ? low - modulus : low;
}

/** Into the range of `width` bits with the type's sign. */
export function clamped(type: VideoType, width: number): (x: number) => number {
  const [least, most] = type === "s32" ? [-(2 ** (width - 1)), 2 ** (width - 1) - 1] : [0, 2 ** width - 1];
  return (x) => Math.min(Math.max(x, least), most);
}

/** vadd, vsub, vabsdiff, vmin, vmax, vset (9.7.18.1, 9.7.18.4). */
export const video = (operation: VideoOperation, mode: VideoMode): Op =>
  scalar(`v${operation}`, videoOperations[operation], mode, { kind: "video", operation, mode });

/** vshl, vshr (9.7.18.2). */
export function videoShift(direction: "shl" | "shr", shift: VideoShift, mode: Omit<VideoMode, "btype">): Op {
  const amount = shift === "clamp" ? (b: number) => Math.min(b, 32) : (b: number) => b % 32;
  const by =
    direction === "shl"
      ? (a: number, b: number) => a * 2 ** amount(b)
      : (a: number, b: number) => Math.floor(a / 2 ** amount(b));
  const whole: VideoMode = { ...mode, btype: "u32" };
  return scalar(`v${direction}.${shift}`, by, whole, {
    kind: "video",
    operation: direction,
    mode: whole,
    amount: shift,
  });
}

/** The frame of all scalar video instructions: the manual's optSaturate, optSecondaryOp and optMerge. */
function scalar(what: string, primary: (a: number, b: number) => number, mode: VideoMode, about: About): Op {
  const { dtype, atype, btype, sat, op2, asel, bsel, dsel } = mode;
  const words = [dtype, atype, btype, sat ? "sat" : "", op2, "d", dsel, "a", asel, "b", bsel];
  const name = [what, ...words].filter((word) => word).join(".");
  const [ta, tb] = [selected(atype, asel), selected(btype, bsel)];
  // The intermediate result has 34 bits, and 33 from there on where nothing saturates it.
  const saturate = sat ? clamped(dtype, dsel ? placeOf(dsel).width : 32) : (tmp: number) => wrapped(tmp, 33);
  const intermediate = (a: number, b: number): number => saturate(wrapped(primary(ta(a), tb(b)), 34));
  if (op2 !== undefined) {
    const second = videoOperations[op2];
    const tc = field(dtype, 0, 32);
    const js = (a: number, b: number, c: number) => second(intermediate(a, b), tc(c)) >>> 0;
    return { name, takes: [32, 32, 32], gives: 32, js, about };
  }
  if (dsel !== undefined) {
    const { from, width } = placeOf(dsel);
    const mask = (2 ** width - 1) << from;
    const js = (a: number, b: number, c: number) => (((intermediate(a, b) << from) & mask) | (c & ~mask)) >>> 0;
    return { name, takes: [32, 32, 32], gives: 32, js, about };
  }
  return { name, takes: [32, 32], gives: 32, js: (a: number, b: number) => intermediate(a, b) >>> 0, about };
}
