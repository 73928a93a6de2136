import { type ElementType, formatOf, toValue } from "../../host/memory/element.ts";
import type { Tolerance } from "../../launch/value/tolerance.ts";
import { ulps } from "../../numeric/format/ulps.ts";

/** Whether two values of a type are near enough; only floats are ever near. Two NaNs are equal. */
export function isNear(a: bigint, b: bigint, type: string, tolerance: Tolerance): boolean {
  const format = formatOf(type);
  if (format === undefined) return false;
  if ("ulps" in tolerance) {
    const apart = ulps(format, a, b);
    return apart !== undefined && apart <= tolerance.ulps;
  }
  const [one, other] = [Number(toValue(a, type as ElementType)), Number(toValue(b, type as ElementType))];
  if (Number.isNaN(one) || Number.isNaN(other)) return Number.isNaN(one) && Number.isNaN(other);
  if (one === other) return true;
  const apart = Math.abs(one - other);
  return Number.isFinite(apart) && apart <= tolerance.part * Math.max(Math.abs(one), Math.abs(other));
}
