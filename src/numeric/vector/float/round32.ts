import type { Rounding } from "../../exact/exact.ts";
import type { VectorMaker } from "../maker.ts";
import type { PureInstruction, Vector, Wide } from "../vector.ts";
import { code64 } from "./constant.ts";
import { oddOf } from "./error-free.ts";
import { flush32, SIGN32, SIGN64 } from "./operand.ts";
import { stepped } from "./step.ts";
import { demoted, promoted } from "./widen.ts";

/** A real: a number of f64 and, where that is not all of it, what is left, at most half a unit of its last place. */
export interface Split {
  readonly sum: Wide;
  readonly error?: Wide | undefined;
}

/** The roundings that arithmetic has. */
export type Direction = Exclude<Rounding, "rna">;

/** A real rounded once to f32, with `.ftz` flushed; infinities and NaNs stay what they are. */
export function rounded32(real: Split, rnd: Direction, ftz: boolean, make: VectorMaker): Vector {
  const rounded = rnd === "rn" ? toNearest(real, make) : directed(real, rnd, make);
  if (!ftz) return rounded;
  const flushed = flush32(rounded, make);
  const tiny = tinyAtBorder(real, rounded, rnd, make);
  return tiny ? make.choose(tiny, make.and(rounded, make.all32(SIGN32)), flushed) : flushed;
}

function toNearest({ sum, error }: Split, make: VectorMaker): Vector {
  if (error === undefined) return demoted(sum, make);
  return demoted([oddOf(sum[0], error[0], make), oddOf(sum[1], error[1], make)], make);
}

/** The nearest number, and one step from there where it lies on the wrong side of the real. */
function directed({ sum, error }: Split, rnd: "rz" | "rm" | "rp", make: VectorMaker): Vector {
  const nearest = demoted(sum, make);
  const back = promoted(nearest, make);
  // A difference that is not 0 is exact, and larger than the error: the sign is that of the real less the nearest.
  const rest = ([0, 1] as const).map((at) => {
    const difference = make.op("f64x2.sub", sum[at], back[at]);
    return error ? make.op("f64x2.add", difference, error[at]) : difference;
  }) as unknown as Wide;
  const zero = make.all64(0n);
  const less = make.low([make.op("f64x2.lt", rest[0], zero), make.op("f64x2.lt", rest[1], zero)]);
  const more = make.low([make.op("f64x2.gt", rest[0], zero), make.op("f64x2.gt", rest[1], zero)]);
  return stepped("i32x4", nearest, less, more, rnd, make);
}

const SMALLEST = 2 ** -126;
/** The least real that becomes 2^-126 in 24 bits, exponents having no end: to nearest even from here, away from 0 above. */
const nearly = { rn: SMALLEST - 2 ** -151, away: SMALLEST - 2 ** -150 } as const;

/** 2^-126 of either sign. */
export function isBorder(of: Vector, make: VectorMaker): Vector {
  return make.op("i32x4.eq", make.op("i32x4.add", of, of), make.all32(0x0100_0000));
}

/** Lanes that were rounded up to 2^-126, but are tiny: they would not be where exponents have no end (`lower/arithmetic.ts`). */
function tinyAtBorder({ sum, error }: Split, rounded: Vector, rnd: Direction, make: VectorMaker): Vector | undefined {
  if (rnd === "rz") return undefined;
  const [least, relation] = (rnd === "rn" ? [nearly.rn, "f64x2.lt"] : [nearly.away, "f64x2.le"]) as [
    number,
    PureInstruction,
  ];
  const half = (at: 0 | 1): Vector => {
    const over = make.op("f64x2.sub", make.op("f64x2.abs", sum[at]), make.all64(code64(least)));
    const signed = error && make.xor(error[at], make.and(sum[at], make.all64(SIGN64)));
    return make.op(relation, signed ? make.op("f64x2.add", over, signed) : over, make.all64(0n));
  };
  const tiny = make.and(isBorder(rounded, make), make.low([half(0), half(1)]));
  if (rnd === "rn") return tiny;
  // Only away from 0 does anything smaller become 2^-126.
  const negative = make.shift("i32x4.shr_s", rounded, 31);
  return rnd === "rm" ? make.and(tiny, negative) : make.op("v128.andnot", tiny, negative);
}
