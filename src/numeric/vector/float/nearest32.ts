import type { ArithmeticShape } from "../../lower/shape.ts";
import type { VectorMaker } from "../maker.ts";
import type { Vector, VectorFunction, Wide } from "../vector.ts";
import { flush32 } from "./operand.ts";
import { isBorder, rounded32 } from "./round32.ts";
import { splitOf } from "./split.ts";
import { demoted, promoted } from "./widen.ts";

type Does = ArithmeticShape["does"];

/** One operation on f32, rounded once to nearest even. */
export function nearest32(does: Does, parts: readonly Vector[], make: VectorMaker): Vector {
  if (does !== "fma" || make.fused) return own(does, parts, make);
  const { rounded, twice } = throughF64(parts, make);
  // 2^-126 and what is subnormal but not 0: without its sign, 1 to 0x800000.
  const size = make.op("i32x4.add", make.op("i32x4.add", rounded, rounded), make.all32(0x7fff_ffff));
  const small = make.op("i32x4.lt_s", size, make.all32(0x8000_0000 + 0x0100_0000));
  return make.rarely(make.or(twice, small), rounded, exactly(does, false, make), ...parts);
}

/** The same with `.ftz`: a tiny result is a zero. In doubt is only what was rounded to 2^-126. */
export function nearestFlushed32(does: Does, parts: readonly Vector[], make: VectorMaker): Vector {
  // Sums that small are exact, and no root is.
  if (does === "add" || does === "sub" || does === "sqrt") return flush32(own(does, parts, make), make);
  if (does !== "fma" || make.fused) {
    const rounded = own(does, parts, make);
    return make.rarely(isBorder(rounded, make), flush32(rounded, make), exactly(does, true, make), ...parts);
  }
  const { rounded, twice } = throughF64(parts, make);
  const when = make.or(twice, isBorder(rounded, make));
  return make.rarely(when, flush32(rounded, make), exactly(does, true, make), ...parts);
}

/** Instructions that round correctly. */
function own(does: Does, [a, b, c]: readonly Vector[], make: VectorMaker): Vector {
  switch (does) {
    case "fma":
      return make.op("f32x4.relaxed_madd", a!, b!, c!);
    case "rcp":
      return make.op("f32x4.div", make.all32(0x3f80_0000), a!);
    case "sqrt":
      return make.op("f32x4.sqrt", a!);
    default:
      return make.op(`f32x4.${does}`, a!, b!);
  }
}

/**
 * a * b + c: a product of 24-bit significands is exact in f64. Its sum with c is rounded to f64 and then to f32, and both
 * together are wrong only where the first rounding gives a midpoint of f32: its low 29 bits are 1 and zeros (`twice`), or
 * it lies where f32 is subnormal.
 */
function throughF64(parts: readonly Vector[], make: VectorMaker): { rounded: Vector; twice: Vector } {
  const [a, b, c] = parts.map((part) => promoted(part, make)) as [Wide, Wide, Wide];
  const sum = (at: 0 | 1): Vector => make.op("f64x2.add", make.op("f64x2.mul", a[at], b[at]), c[at]);
  const sums: Wide = [sum(0), sum(1)];
  const twice = make.op("i32x4.eq", make.shift("i32x4.shl", make.low(sums), 3), make.all32(0x8000_0000));
  return { rounded: demoted(sums, make), twice };
}

const exactly = (does: Does, ftz: boolean, make: VectorMaker): VectorFunction => {
  const takes = does === "fma" ? 3 : does === "rcp" ? 1 : 2;
  return make.function(`${does}.rn${ftz ? ".ftz" : ""}.f32`, takes, () => {
    const parts = Array.from({ length: takes }, (_, at) => make.input(at));
    return rounded32(splitOf(does, parts, "rn", make), "rn", ftz, make);
  });
};
