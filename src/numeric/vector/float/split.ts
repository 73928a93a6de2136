import type { ArithmeticShape } from "../../lower/shape.ts";
import type { VectorMaker } from "../maker.ts";
import type { Vector, Wide } from "../vector.ts";
import { sumError } from "./error-free.ts";
import { SIGN64 } from "./operand.ts";
import type { Direction, Split } from "./round32.ts";
import { promoted } from "./widen.ts";

const ONE = 0x3ff0_0000_0000_0000n;

/**
 * What one operation on f32 gives, exactly, or as a number of f64 that lies on the same side of every number and midpoint of
 * f32 (`binary64/fast.ts` says why for quotients and roots). The direction decides the sign of a sum that is 0.
 */
export function splitOf(
  does: ArithmeticShape["does"],
  parts: readonly Vector[],
  rnd: Direction,
  make: VectorMaker,
): Split {
  const [a, b, c] = parts.map((part) => promoted(part, make)) as [Wide, Wide, Wide];
  const both = (of: (at: 0 | 1) => Vector): Wide => [of(0), of(1)];
  switch (does) {
    case "add":
      return sumOf(a, b, rnd, make);
    case "sub":
      return sumOf(
        a,
        both((at) => make.xor(b[at], make.all64(SIGN64))),
        rnd,
        make,
      );
    case "mul":
      return { sum: both((at) => make.op("f64x2.mul", a[at], b[at])) };
    case "fma":
      return sumOf(
        both((at) => make.op("f64x2.mul", a[at], b[at])),
        c,
        rnd,
        make,
      );
    case "div":
      return { sum: both((at) => make.op("f64x2.div", a[at], b[at])) };
    case "rcp":
      return { sum: both((at) => make.op("f64x2.div", make.all64(ONE), a[at])) };
    case "sqrt":
      return { sum: both((at) => make.op("f64x2.sqrt", a[at])) };
  }
}

/** The sum of two numbers, neither too large nor too small for its error to be a number of f64. */
function sumOf(a: Wide, b: Wide, rnd: Direction, make: VectorMaker): Split {
  const halves = ([0, 1] as const).map((at) => {
    const sum = make.op("f64x2.add", a[at], b[at]);
    return { sum: rnd === "rm" ? zeroDown(a[at], b[at], sum, make) : sum, error: sumError(a[at], b[at], sum, make) };
  });
  return {
    sum: [halves[0]!.sum, halves[1]!.sum],
    error: [halves[0]!.error, halves[1]!.error],
  };
}

/** Toward -infinity an exact zero is -0 unless both addends are +0 (IEEE 754, 6.3). */
export function zeroDown(a: Vector, b: Vector, sum: Vector, make: VectorMaker): Vector {
  const zero = make.op("f64x2.eq", sum, make.all64(0n));
  return make.or(sum, make.and(make.and(make.or(a, b), make.all64(SIGN64)), zero));
}
