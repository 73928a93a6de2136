import { fromF32, fromF64, toF32, toF64 } from "../../binary64/double.ts";
import { f64 } from "../../format/format.ts";
import type { Expression } from "../../operation/expression.ts";
import type { VectorMaker } from "../maker.ts";
import { isWide, type Vector, type Wide } from "../vector.ts";
import { operand32, operand64, type Reading, SIGN32, SIGN64 } from "./operand.ts";

// `pmin(a, b)` is b where b < a, else a; `pmax` is b where a < b, else a. Swapping the operands changes the result only
// if an operand is NaN or zeros differ in sign: then it is the first operand.

/** The lesser or greater of numbers of f32, -0 below +0. A NaN gives way to a number unless it propagates. */
function extremum32(which: "min" | "max", a: Vector, b: Vector, propagate: boolean, make: VectorMaker): Vector {
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
function extremum64(which: "min" | "max", a: Vector, b: Vector, propagate: boolean, make: VectorMaker): Vector {
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

/**
 * The value of an expression that is a number of f32 without any rounding; undefined for others. The bits of a NaN are
 * unspecified.
 */
export function number32(x: Expression, reading: Reading): Vector | undefined {
  const { make } = reading;
  switch (x.node) {
    case "integer": {
      const code = toF32(Number(x.value));
      return isWhole(fromF32(code), x.value) ? make.all32(code) : undefined;
    }
    case "min":
    case "max": {
      const [a, b] = [number32(x.a, reading), number32(x.b, reading)];
      return a && b && extremum32(x.node, a, b, x.propagate === true, make);
    }
    case "signed": {
      const [a, negative] = [number32(x.a, reading), maskOf(x.negative, reading)];
      return a && negative && make.choose(make.all32(SIGN32), negative, a);
    }
    case "integral": {
      const [a, name] = [number32(x.a, reading), wholes[x.rnd]];
      return a && name && make.op(`f32x4.${name}`, a);
    }
    case "label":
      return number32(x.a, reading);
    default:
      return operand32(x, reading);
  }
}

/** Is the number that integer? One that is too large for the format became an infinity. */
const isWhole = (number: number, value: bigint): boolean => Number.isFinite(number) && BigInt(number) === value;

/** The same of f64. */
export function number64(x: Expression, reading: Reading): Wide | undefined {
  const { make } = reading;
  switch (x.node) {
    case "integer": {
      const code = toF64(Number(x.value), f64.nan);
      return isWhole(fromF64(code), x.value) ? [make.all64(code), make.all64(code)] : undefined;
    }
    case "min":
    case "max": {
      const [a, b] = [number64(x.a, reading), number64(x.b, reading)];
      const half = (at: 0 | 1): Vector => extremum64(x.node as "min", a![at], b![at], x.propagate === true, make);
      return a && b && [half(0), half(1)];
    }
    case "signed": {
      const [a, negative] = [number64(x.a, reading), maskOf(x.negative, reading)];
      if (a === undefined || negative === undefined) return undefined;
      const wide = make.widen(negative);
      const half = (at: 0 | 1): Vector => make.choose(make.all64(SIGN64), wide[at], a[at]);
      return [half(0), half(1)];
    }
    case "integral": {
      const [a, name] = [number64(x.a, reading), wholes[x.rnd]];
      return a && name && [make.op(`f64x2.${name}`, a[0]), make.op(`f64x2.${name}`, a[1])];
    }
    case "label":
      return number64(x.a, reading);
    default:
      return operand64(x, reading);
  }
}

/** A zero keeps the sign of what was rounded, as it must. */
const wholes: Readonly<Record<string, "nearest" | "trunc" | "floor" | "ceil" | undefined>> = {
  rn: "nearest",
  rz: "trunc",
  rm: "floor",
  rp: "ceil",
};

/** Where an expression is not 0. */
function maskOf(of: Expression, { takes, operands, lower }: Reading): Vector | undefined {
  const mask = lower({ takes, gives: "pred", result: { into: "predicate", of } }, operands);
  return mask === undefined || isWide(mask) ? undefined : mask;
}
