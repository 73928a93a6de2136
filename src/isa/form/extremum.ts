import { a, abs, b, type min, round, signed, signOf, xor } from "../../numeric/operation/build.ts";
import type { Result } from "../../numeric/operation/operation.ts";
import type { FloatName } from "../../numeric/operation/type.ts";

interface ExtremumModifiers {
  readonly ftz?: boolean;
  readonly NaN: boolean;
  readonly abs: boolean;
}

/** `.xorsign.abs` takes magnitudes and gives the result the XOR of both signs, a NaN's sign included. */
export const extremumOf = (
  type: FloatName,
  pick: typeof min,
  { ftz, NaN: nan, abs: xorsign }: ExtremumModifiers,
): Result =>
  round(
    type,
    { ftz },
    xorsign ? signed(pick(abs(a), abs(b), { nan }), xor(signOf(type, a), signOf(type, b))) : pick(a, b, { nan }),
  );
