import type { VectorRule } from "../rule.ts";
import { toFloat } from "./to-float.ts";
import { toInteger, toIntegerOrNan } from "./to-integer.ts";

/** Conversions between number types, but for those from integers to integers. */
export const conversions: readonly VectorRule[] = [toFloat, toInteger];

/** Before choices are taken apart. */
export const conversionsOfNan: readonly VectorRule[] = [toIntegerOrNan];
