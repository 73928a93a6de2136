import type { Rounding } from "./exact/exact.ts";
import type { Format } from "./format/format.ts";

/** The modifiers of a floating-point operation. What is left out is off, and `rnd` is rn. */
export interface FloatMode {
  readonly rnd?: Rounding | undefined;
  /** Subnormal operands and results become zeros of their sign. */
  readonly ftz?: boolean | undefined;
  /** Results go into [+0, 1], NaN becomes +0. */
  readonly sat?: boolean | undefined;
  /** Negative results become +0, NaN becomes the canonical NaN. */
  readonly relu?: boolean | undefined;
  /** fma of 16-bit formats: an out-of-bounds NaN in a or b makes the result +0. */
  readonly oob?: boolean | undefined;
  /** min, max: a NaN operand makes the result NaN. */
  readonly nan?: boolean | undefined;
  /** min, max: of the magnitudes; the sign is the XOR of the operands' signs. */
  readonly xorsignAbs?: boolean | undefined;
  /** Mixed precision (9.7.5): a, and b of an fma, are of this format. */
  readonly from?: Format | undefined;
  /** Leaves fast paths out; tests compare the two. */
  readonly reference?: boolean | undefined;
}

/** A name that tells two different operations apart: `fadd.f32.f16.rz.sat`. */
export function nameOf(what: string, f: Format, mode: FloatMode, rounds = true): string {
  const parts = [what, f.name];
  if (mode.from && mode.from !== f) parts.push(mode.from.name);
  if (rounds) parts.push(mode.rnd ?? "rn");
  for (const key of ["ftz", "sat", "relu", "oob", "nan", "xorsignAbs"] as const) if (mode[key]) parts.push(key);
  return parts.join(".");
}
