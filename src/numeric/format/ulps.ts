import { checkGiven } from "../../source/given.ts";
import { unpack } from "../exact/exact.ts";
import type { Format } from "./format.ts";

/**
 * How many units in the last place lie between two values of a format: the steps from one to the other over the numbers
 * that the format has, from each to the next. Both zeros are one number, and an infinity is one step beyond the largest.
 * Two NaNs are 0 apart, whatever their payloads; undefined between a NaN and a number.
 */
export function ulps(format: Format, a: bigint | number, b: bigint | number): bigint | undefined {
  checkGiven("ulps", "format", format, "format");
  checkGiven("ulps", "a", a, "bits");
  checkGiven("ulps", "b", b, "bits");
  const [from, to] = [BigInt(a), BigInt(b)];
  const [isNan, isOther] = [from, to].map((bits) => unpack(format, bits).kind === "nan");
  if (isNan || isOther) return isNan && isOther ? 0n : undefined;
  const apart = ordinal(format, from) - ordinal(format, to);
  return apart < 0n ? -apart : apart;
}

/** Where a number stands, counted from zero. */
function ordinal({ sign, exp, frac, pad }: Format, bits: bigint): bigint {
  const size = BigInt.asUintN(exp + frac, bits >> BigInt(pad));
  const negative = sign === 1 && ((bits >> BigInt(exp + frac + pad)) & 1n) === 1n;
  return negative ? -size : size;
}
