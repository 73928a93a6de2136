export { type Anatomy, anatomy, exactDecimal, neighbours } from "./anatomy.ts";
export { fex2, ftanh } from "./approx.ts";
export { fadd, fdiv, ffma, fmul, frcp, fsqrt, fsub } from "./arithmetic.ts";
export { compareAndSwap, decrement, exchange, increment } from "./atomic.ts";
export { addCarry, madCarry, subCarry } from "./carry.ts";
export { type FloatRelation, fcompare, type IntRelation, icompare } from "./compare.ts";
export { type ConvertMode, convert, type NumberType } from "./convert.ts";
export type { Rounding } from "./exact.ts";
export { bfe, bfi, bfind, brev, clz, type FieldType, type PermuteMode, popc, prmt, shf } from "./field.ts";
export { bf16, e2m1, e2m3, e3m2, e4m3, e5m2, type Format, f16, f32, f64, formats, tf32, ue8m0 } from "./format.ts";
export { type IntType, iabs, iadd, idiv, imax, imin, ineg, irem, isad, isub } from "./integer.ts";
export { band, bnot, bor, bxor, cnot, lop3, shl, shr } from "./logic.ts";
export { fmax, fmin } from "./minmax.ts";
export type { FloatMode } from "./mode.ts";
export type { Bits, CarryOp, Op, Op1, Op2, Op3, Width } from "./op.ts";
export { pair } from "./pair.ts";
export { imad, imad24, imul, imul24, type Part } from "./product.ts";
export { fabs, fneg } from "./sign.ts";
export { type SimdVideoMode, simdVideo } from "./simd-video.ts";
export {
  type VideoMode,
  type VideoOperation,
  type VideoType,
  video,
  videoParts,
  videoShift,
} from "./video.ts";
export { type VideoMadMode, videoMad } from "./video-mad.ts";
