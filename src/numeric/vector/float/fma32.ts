import type { VectorMaker } from "../maker.ts";
import type { Vector, VectorFunction, Wide } from "../vector.ts";
import { oddOf, sumError } from "./error-free.ts";
import { demoted, promoted } from "./widen.ts";

/**
 * a * b + c of f32, rounded once to nearest even. A product of 24-bit significands is exact in f64. Its sum with c is
 * rounded to f64 and then to f32, and both together are wrong only where the first rounding gives a midpoint of f32: its
 * low 29 bits are 1 and zeros, or it lies where f32 is subnormal. Seldom enough for a function that rounds to odd.
 */
export function fma32(a: Vector, b: Vector, c: Vector, make: VectorMaker): Vector {
  if (make.fused) return make.op("f32x4.relaxed_madd", a, b, c);
  const sums = sumsOf(a, b, c, make);
  const rounded = demoted(sums, make);
  const midpoint = make.op("i32x4.eq", make.shift("i32x4.shl", make.low(sums), 3), make.all32(0x8000_0000));
  // 2^-126 and what is subnormal but not 0: without its sign, 1 to 0x800000.
  const size = make.op("i32x4.add", rounded, rounded);
  const shifted = make.op("i32x4.add", size, make.all32(0x7fff_ffff));
  const small = make.op("i32x4.lt_s", shifted, make.all32(0x8000_0000 + 0x0100_0000));
  return make.rarely(make.or(midpoint, small), rounded, roundedToOdd(make), a, b, c);
}

const sumsOf = (a: Vector, b: Vector, c: Vector, make: VectorMaker): Wide => {
  const [x, y, z] = [promoted(a, make), promoted(b, make), promoted(c, make)];
  const sum = (at: 0 | 1): Vector => make.op("f64x2.add", make.op("f64x2.mul", x[at], y[at]), z[at]);
  return [sum(0), sum(1)];
};

const roundedToOdd = (make: VectorMaker): VectorFunction =>
  make.function("fma.rn.f32", 3, () => {
    const [x, y, z] = [0, 1, 2].map((at) => promoted(make.input(at), make)) as [Wide, Wide, Wide];
    const sum = (at: 0 | 1): Vector => {
      const product = make.op("f64x2.mul", x[at], y[at]);
      const sum = make.op("f64x2.add", product, z[at]);
      return oddOf(sum, sumError(product, z[at], sum, make), make);
    };
    return demoted([sum(0), sum(1)], make);
  });
