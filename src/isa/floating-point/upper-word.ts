import { approximated, operation } from "../../numeric/operation/build.ts";
import type { Expression } from "../../numeric/operation/expression.ts";
import type { Operation } from "../../numeric/operation/operation.ts";
import { unspecified } from "../form/define.ts";

/**
 * rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 read the upper word of a, a number of 1.11.20 bits, and write the upper
 * word of d; the lower word is not read and becomes 0. Subnormal operands and results are zeros of their sign.
 */
export const ofUpperWord = (of: Expression): Operation =>
  operation({ a: "f64.upper" }, "f64.upper", approximated("f64.upper", { ftz: true }, of));

export const grossly = unspecified(
  "a gross approximation, for which the manual gives no bound: the nearest number of 1.11.20 bits, ties to even",
);
