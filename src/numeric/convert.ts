import { exactConversion } from "./convert-exact.ts";
import { fastConversion } from "./convert-fast.ts";
import { type ConvertMode, formatNamed, type NumberType } from "./convert-mode.ts";
import { type IntType, intWidth } from "./integer.ts";
import type { Op } from "./op.ts";
import { nearestAwayTf32 } from "./tf32.ts";

/** Bits of a stored value of the type. */
const widthOf = (type: NumberType): Op["gives"] => formatNamed(type)?.width ?? intWidth(type as IntType);

/** cvt (9.7.9.21): from one number type to another, bits to bits. */
export function convert(from: NumberType, to: NumberType, mode: ConvertMode = {}): Op {
  const js = mode.rnd === "rna" && to === "tf32" ? nearestAwayTf32(mode) : meaning(from, to, mode);
  return {
    name: nameOfConversion(from, to, mode),
    takes: [widthOf(from)],
    gives: widthOf(to),
    js,
    about: { kind: "conversion", from, to, mode },
  };
}

const meaning = (from: NumberType, to: NumberType, mode: ConvertMode): Op["js"] =>
  (mode.reference ? undefined : fastConversion(from, to, mode)) ?? exactConversion(from, to, mode);

/** A name that tells two conversions apart: `convert.f32.f16.rn.relu`. */
export function nameOfConversion(
  from: string,
  to: string,
  mode: Omit<ConvertMode, "rnd"> & { readonly rnd?: string | undefined },
): string {
  const effects = (["ftz", "sat", "relu", "satfinite"] as const).filter((key) => mode[key]);
  return ["convert", from, to, ...(mode.rnd ? [mode.rnd] : []), ...effects].join(".");
}
