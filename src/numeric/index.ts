export type { Bits } from "./bits.ts";
export type { Rounding } from "./exact/exact.ts";
export { fromBits, toBits } from "./format/convert-number.ts";
export { exactDecimal, type FloatFields, floatFields, neighbours } from "./format/float-fields.ts";
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
export { ulps } from "./format/ulps.ts";
export { type Scalar, scalarOf } from "./lower/scalar.ts";
export * from "./operation/build.ts";
export type { Expression } from "./operation/expression.ts";
export { keyOf } from "./operation/key.ts";
export type { Argument, Operation, Result } from "./operation/operation.ts";
export { reference } from "./operation/reference.ts";
export { textOf } from "./operation/text.ts";
export type { TypeName, Width } from "./operation/type.ts";
