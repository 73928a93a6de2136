export type { About, Lane, Slice } from "./about.ts";
export { fcos, fex2, flg2, frsqrt, fsin, ftanh } from "./approx.ts";
export { frcpGross, frsqrtGross } from "./approx-f64.ts";
export { fadd, fdiv, fdivApprox, ffma, fmul, frcp, fsqrt, fsub } from "./arithmetic.ts";
export { type FloatRelation, fcompare, type IntRelation, icompare, select } from "./compare.ts";
export { convert } from "./convert.ts";
export type { ConvertMode, FloatType, NumberType } from "./convert-mode.ts";
export type { Rounding } from "./exact/exact.ts";
export { type Anatomy, anatomy, exactDecimal, neighbours } from "./format/float-fields.ts";
export {
  bf16,
  e2m1,
  e2m3,
  e3m2,
  e4m3,
  e5m2,
  type Format,
  f16,
  f32,
  f64,
  formats,
  tf32,
  ue8m0,
} from "./format/format.ts";
export type { IntType } from "./integer.ts";
export { fmax, fmax3, fmin, fmin3 } from "./minmax.ts";
export type { FloatMode } from "./mode.ts";
export type { Bits, CarryOp, Op, Op1, Op2, Op3, Width } from "./op.ts";
export { convertBoth, convertEach } from "./packed.ts";
export { halfOf, pair } from "./pair.ts";
export { fproperty, type Property } from "./property.ts";
export { fabs, fcopysign, fneg } from "./sign.ts";
export { convertBothRandomly, convertFourRandomly } from "./stochastic.ts";
