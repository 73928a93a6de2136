import type { VectorMaker } from "../maker.ts";
import type { Vector } from "../vector.ts";

// `pmin(a, b)` is b where b < a, else a; `pmax` is b where a < b, else a. Asked both ways round, they differ only where an
// operand is NaN or where zeros differ in sign: then each gives its own first operand.

/** The lesser or greater of numbers of f32, -0 below +0. A NaN gives way to a number unless it propagates. */
export function extremum32(which: "min" | "max", a: Vector, b: Vector, propagate: boolean, make: VectorMaker): Vector {
  const name = `f32x4.p${which}` as const;
  const [forA, forB] = [make.op(name, a, b), make.op(name, b, a)];
  if (propagate) {
    const both = which === "min" ? make.or(forA, forB) : make.and(forA, forB);
    const numbers = make.and(make.op("f32x4.eq", a, a), make.op("f32x4.eq", b, b));
    // The largest integer where either is a NaN, else the smallest.
    return make.op("i32x4.max_s", both, make.xor(numbers, make.all32(0x7fff_ffff)));
  }
  if (which === "min") {
    const [aIs, bIs] = [make.op("f32x4.eq", a, a), make.op("f32x4.eq", b, b)];
    const least = make.or(make.and(forA, aIs), make.and(forB, bIs));
    return make.or(least, make.op("v128.andnot", make.all32(0x7fff_ffff), make.or(aIs, bIs)));
  }
  const [aNan, bNan] = [make.op("f32x4.ne", a, a), make.op("f32x4.ne", b, b)];
  const greatest = make.and(make.or(forA, aNan), make.or(forB, bNan));
  return make.op("v128.andnot", greatest, make.shift("i32x4.shl", make.and(aNan, bNan), 31));
}

/** The same of f64. */
export function extremum64(which: "min" | "max", a: Vector, b: Vector, propagate: boolean, make: VectorMaker): Vector {
  const name = `f64x2.p${which}` as const;
  const [forA, forB] = [make.op(name, a, b), make.op(name, b, a)];
  const [aNan, bNan] = [make.op("f64x2.ne", a, a), make.op("f64x2.ne", b, b)];
  if (propagate) {
    const both = which === "min" ? make.or(forA, forB) : make.and(forA, forB);
    return make.or(both, make.or(aNan, bNan));
  }
  if (which === "max") return make.and(make.or(forA, aNan), make.or(forB, bNan));
  const least = make.or(make.op("v128.andnot", forA, aNan), make.op("v128.andnot", forB, bNan));
  return make.or(least, make.and(aNan, bNan));
}
