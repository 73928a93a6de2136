import { type Exact, isZero, round, roundByChance, unpack } from "../exact/exact.ts";
import type { Format } from "../format/format.ts";
import type { RoundResult } from "./expression.ts";
import { formatOf } from "./type.ts";

/** A real rounded into its format, and what sat, relu and pzo make of that; `chance` counts where the rounding is `rs`. */
export function roundedBits(result: RoundResult, x: Exact, chance = 0n): bigint {
  const { rnd } = result;
  const target = formatRoundedInto(result);
  const bits =
    rnd === "rs"
      ? roundByChance(target, x, chance, result.chance?.bits ?? 0)
      : round(target, rnd, x, result.ftz === true);
  return restricted(result, bits);
}

/** The format; with `.satfinite` one without infinities. */
export const formatRoundedInto = ({ format, satfinite }: RoundResult): Format =>
  satfinite ? { ...formatOf(format), finite: true } : formatOf(format);

/** `.sat`, `.relu` or `.pzo` on the bits of a float. */
export function restricted({ format, sat, relu, pzo }: RoundResult, bits: bigint): bigint {
  if (pzo && isZero(unpack(formatOf(format), bits))) return 0n;
  if (!sat && !relu) return bits;
  const f = formatOf(format);
  const x = unpack(f, bits);
  if (x.kind === "nan") return sat ? 0n : f.nan;
  if (x.neg) return 0n;
  const one = BigInt(f.bias) << BigInt(f.frac + f.pad);
  return sat && bits > one ? one : bits;
}
