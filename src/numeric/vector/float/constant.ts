import { toF64 } from "../../binary64/double.ts";
import { f64 } from "../../format/format.ts";

/** The bits of a constant of f64. */
export const code64 = (value: number): bigint => toF64(value, f64.nan);
