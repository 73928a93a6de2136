import { readerOf, toF64 } from "../../binary64/double.ts";
import type { Rounding } from "../../exact/exact.ts";
import { f32, f64 } from "../../format/format.ts";
import { floatOperand } from "../../lower/operand.ts";
import type { Expression, RoundResult } from "../../operation/expression.ts";
import type { Argument } from "../../operation/operation.ts";
import { formatRoundedInto } from "../../operation/rounding.ts";
import { formatOf, isFloat, isSignedType, rangeOf, type TypeName, widthOf } from "../../operation/type.ts";
import { oddOf } from "../float/error-free.ts";
import { promoted } from "../float/widen.ts";
import { narrowed } from "../half/narrow.ts";
import { demotedBoth, oddF32 } from "../half/odd.ts";
import { flushedF32, normalAsF32, readF32 } from "../half/widen.ts";
import type { VectorMaker } from "../maker.ts";
import type { VectorRule } from "../rule.ts";
import { isWide, type Scalar, type Value, type Vector, type Wide } from "../vector.ts";

/** Numbers of four lanes, exact, in f32 or in f64. */
type Real =
  | { readonly in: "f32"; readonly of: Vector }
  /** With an error, the exact number is `of` plus that; `of` is the nearest number of f64. */
  | { readonly in: "f64"; readonly of: Wide; readonly error?: Wide };

/** An operand as an exact number: a float, or an integer, or either scaled. Undefined where an expression is more than that. */
function realOf(
  x: Expression,
  takes: readonly Argument[],
  operands: readonly Value[],
  make: VectorMaker,
): Real | undefined {
  if (x.node === "label") return realOf(x.a, takes, operands, make);
  if (x.node === "mul" || x.node === "div") return scaled(x.node, x.a, x.b, takes, operands, make);
  const operand = floatOperand(x, takes);
  const float = operand && operands[operand.at];
  if (operand && float && isWide(float)) {
    if (operand.format !== f64 || operand.flush) return undefined;
    return { in: "f64", of: float.map((half) => signedF64(operand.sign, half, make)) as unknown as Wide };
  }
  if (operand && float && !isWide(float)) return { in: "f32", of: readF32(operand, float, make) };
  if (x.node !== "argument") return undefined;
  const at = takes.findIndex(({ name }) => name === x.name);
  const type = takes[at]?.type;
  const value = operands[at];
  if (type === undefined || value === undefined || type === "pred" || isFloat(type)) return undefined;
  return integer(value, widthOf(type), type.startsWith("s"), make);
}

/**
 * A number of f32 times a power of two, or divided by it, more than once too: exact in f64, whose exponents reach further
 * than those of a few such factors.
 */
function scaled(
  does: "mul" | "div",
  a: Expression,
  b: Expression,
  takes: readonly Argument[],
  operands: readonly Value[],
  make: VectorMaker,
): Real | undefined {
  const power = powerOf(b, takes, operands, make);
  const real = power && realOf(a, takes, operands, make);
  const number = real?.in === "f32" ? promoted(real.of, make) : isScaled(a) && real?.of;
  if (!power || !number) return undefined;
  const half = (at: 0 | 1): Vector => make.op(`f64x2.${does}`, number[at], power[at]);
  return { in: "f64", of: [half(0), half(1)] };
}

const isScaled = (x: Expression): boolean =>
  x.node === "label" ? isScaled(x.a) : x.node === "mul" || x.node === "div";

/** A power of two, or NaN: an operand whose format has no fraction, or a constant. */
function powerOf(
  x: Expression,
  takes: readonly Argument[],
  operands: readonly Value[],
  make: VectorMaker,
): Wide | undefined {
  if (x.node === "label") return powerOf(x.a, takes, operands, make);
  const constant = constantOf(x);
  if (constant !== undefined && isPowerOfTwo(constant)) {
    const code = make.all64(toF64(constant, f64.nan));
    return [code, code];
  }
  const operand = floatOperand(x, takes);
  const value = operand && operands[operand.at];
  if (operand?.format.frac !== 0 || operand.sign !== "kept" || value === undefined || isWide(value)) return undefined;
  return promoted(readF32(operand, value, make), make);
}

/** The value of a constant: an integer, or one of a format of 16 bits. */
function constantOf(x: Expression): number | undefined {
  if (x.node === "integer") return Number(x.value);
  if (x.node !== "as" || !isFloat(x.type) || x.a.node !== "integer") return undefined;
  return readerOf(formatOf(x.type))?.(Number(x.a.value));
}

const isPowerOfTwo = (size: number): boolean => size > 0 && Number.isInteger(Math.log2(size));

function signedF64(sign: "kept" | "turned" | "plus" | "minus", half: Vector, make: VectorMaker): Vector {
  switch (sign) {
    case "kept":
      return half;
    case "turned":
      return make.op("f64x2.neg", half);
    case "plus":
      return make.op("f64x2.abs", half);
    case "minus":
      return make.op("f64x2.neg", make.op("f64x2.abs", half));
  }
}

function integer(value: Value, width: number, signed: boolean, make: VectorMaker): Real {
  if (isWide(value)) return longInteger(value, signed, make);
  const up = 32 - width;
  if (up > 0 && signed) {
    const extended = make.shift("i32x4.shr_s", make.shift("i32x4.shl", value, up), up);
    return { in: "f32", of: make.op("f32x4.convert_i32x4_s", extended) };
  }
  // Below 2^31 the signed conversion will do, which is one instruction on many machines.
  if (up > 0) return { in: "f32", of: make.op("f32x4.convert_i32x4_s", value) };
  const convert = signed ? "f64x2.convert_low_i32x4_s" : "f64x2.convert_low_i32x4_u";
  return { in: "f64", of: [make.op(convert, value), make.op(convert, make.pick(value, value, 2, 3, 2, 3))] };
}

/** 64-bit integers: the sum of two numbers that f64 holds. */
function longInteger(value: Wide, signed: boolean, make: VectorMaker): Real {
  const sums = value.map((half): readonly [Vector, Vector] => {
    const high = make.op(
      signed ? "f64x2.convert_low_i32x4_s" : "f64x2.convert_low_i32x4_u",
      make.pick(half, half, 1, 3, 1, 3),
    );
    const upper = make.op("f64x2.mul", high, make.all64(0x41f0_0000_0000_0000n));
    const lower = make.op("f64x2.convert_low_i32x4_u", make.pick(half, half, 0, 2, 0, 2));
    const sum = make.op("f64x2.add", upper, lower);
    // Exact, since the first is a multiple of 2^32 and the second is less.
    return [sum, make.op("f64x2.sub", lower, make.op("f64x2.sub", sum, upper))];
  });
  const [first, second] = sums as [readonly [Vector, Vector], readonly [Vector, Vector]];
  return { in: "f64", of: [first[0], second[0]], error: [first[1], second[1]] };
}

/** In f64, where it is not exact rounded to odd. */
function oddF64Of(real: Real, make: VectorMaker): Wide {
  if (real.in === "f32") return promoted(real.of, make);
  const { of, error } = real;
  return error ? [oddOf(of[0], error[0], make), oddOf(of[1], error[1], make)] : of;
}

const SIZE = 0x7fff_ffff;
const ONE = 0x3f80_0000;
const ONE_F64 = 0x3ff0_0000_0000_0000n;

/** A float, a float rounded to an integer, or an integer, into a float format. */
const toFloat: VectorRule = ({ takes, result }, operands, make, lower) => {
  if (result.into !== "round") return undefined;
  const [of, whole] = wholeOf(result.of);
  const real = realOf(of, takes, operands, make);
  if (real === undefined) return undefined;
  if (result.rnd === "rs") {
    if (real.in !== "f32" || whole !== undefined || result.chance === undefined) return undefined;
    const { bits } = result.chance;
    const chance = lower(
      { takes, gives: "u16", result: { into: "wrap", type: "u16", of: result.chance.of } },
      operands,
    );
    return chance && !isWide(chance) && bits <= 16 ? narrowed(result, real.of, make, { of: chance, bits }) : undefined;
  }
  const number = whole === undefined ? real : integral(real, whole, make);
  return number && floatOf(result, result.rnd, number, make);
};

/** What is rounded to an integer first, and how. */
function wholeOf(x: Expression): readonly [Expression, Rounding?] {
  if (x.node === "label") return wholeOf(x.a);
  return x.node === "integral" ? [x.a, x.rnd] : [x];
}

const directions = { rn: "nearest", rz: "trunc", rm: "floor", rp: "ceil" } as const;

/** Numbers rounded to integers. */
function integral(real: Real, rnd: Rounding, make: VectorMaker): Real | undefined {
  if (rnd === "rna") return undefined;
  const name = directions[rnd];
  if (real.in === "f32") return { in: "f32", of: make.op(`f32x4.${name}`, real.of) };
  if (real.error) return undefined;
  return { in: "f64", of: real.of.map((half) => make.op(`f64x2.${name}`, half)) as unknown as Wide };
}

function floatOf(result: RoundResult, rnd: Rounding, real: Real, make: VectorMaker): Value | undefined {
  const f = formatRoundedInto(result);
  if (rnd === "rna" && f.width !== 32) return undefined;
  if (f.width === 64) return f.pad === 0 && f.frac === f64.frac ? f64Of(result, rnd, real, f.nan, make) : undefined;
  if (f.width < 32 || f.pad > 0)
    return narrowed(result, real.in === "f32" ? real.of : oddF32(oddF64Of(real, make), make), make);
  if (f.frac !== f32.frac || f.finite || result.pzo) return undefined;
  const number = real.in === "f32" ? real.of : roundedF32(oddF64Of(real, make), rnd, result.ftz, make);
  return number && finishedF32(result, number, Number(f.nan), make);
}

/** f32 with its modifiers: of an exact number, or of one that was rounded. */
function finishedF32({ ftz, sat, relu }: RoundResult, number: Vector, nan: number, make: VectorMaker): Vector {
  const flushed = ftz ? flushedF32(number, normalAsF32(f32), make) : number;
  const bounded = sat || relu ? make.op("f32x4.pmax", make.all32(0), flushed) : flushed;
  if (sat) return make.op("f32x4.pmin", make.all32(ONE), bounded);
  return make.choose(make.op("f32x4.ne", number, number), make.all32(nan), bounded);
}

/**
 * Numbers of f64, exact or rounded to odd, in f32. With `.ftz` what would be below the smallest normal number if exponents
 * had no end is a zero of its sign (grade ptxas).
 */
function roundedF32(numbers: Wide, rnd: Rounding, ftz: true | undefined, make: VectorMaker): Vector | undefined {
  if (rnd === "rna") return undefined;
  const { nearest, again } = demotedBoth(numbers, make);
  const rounded = rnd === "rn" ? nearest : stepped(numbers, nearest, again, rnd, make);
  if (!ftz) return rounded;
  return make.op("v128.andnot", rounded, make.and(isTiny(numbers, rnd, make), make.all32(SIZE)));
}

/** From the nearest number of f32 to that in another direction. */
function stepped(numbers: Wide, nearest: Vector, again: Wide, rnd: "rz" | "rm" | "rp", make: VectorMaker): Vector {
  const mask = (of: (half: 0 | 1) => Vector): Vector => make.high([of(0), of(1)]);
  if (rnd === "rz") {
    const beyond = mask((half) =>
      make.op("f64x2.gt", make.op("f64x2.abs", again[half]), make.op("f64x2.abs", numbers[half])),
    );
    return make.op("i32x4.add", nearest, beyond);
  }
  const beyond = mask((half) => make.op(rnd === "rm" ? "f64x2.gt" : "f64x2.lt", again[half], numbers[half]));
  // The next size, or for the other sign the one before.
  const negative = make.or(make.shift("i32x4.shr_s", nearest, 31), make.all32(1));
  const step = make.and(negative, beyond);
  return make.op(rnd === "rm" ? "i32x4.sub" : "i32x4.add", nearest, step);
}

/** Where a number rounded to 24 bits stays below the smallest normal number of f32: a mask of four lanes. */
function isTiny(numbers: Wide, rnd: "rn" | "rz" | "rm" | "rp", make: VectorMaker): Vector {
  // 2^-126; less a half of the last of 24 bits, from where rn goes up to it; less all of it, above which rp does.
  const [least, half, step] = [0n, 1n << 27n, 1n << 28n].map((less) => make.all64(0x3810_0000_0000_0000n - less)) as [
    Vector,
    Vector,
    Vector,
  ];
  const of = (number: Vector): Vector => {
    const size = make.op("f64x2.abs", number);
    switch (rnd) {
      case "rn":
        return make.op("f64x2.lt", size, half);
      case "rz":
        return make.op("f64x2.lt", size, least);
      case "rp":
        return make.and(make.op("f64x2.lt", size, least), make.op("f64x2.le", number, step));
      case "rm":
        return make.and(make.op("f64x2.lt", size, least), make.op("f64x2.le", make.op("f64x2.neg", number), step));
    }
  };
  return make.high([of(numbers[0]), of(numbers[1])]);
}

function f64Of(
  { ftz, sat, relu, pzo }: RoundResult,
  rnd: Rounding,
  real: Real,
  nan: bigint,
  make: VectorMaker,
): Wide | undefined {
  if (ftz || relu || pzo || rnd === "rna") return undefined;
  const numbers = real.in === "f32" ? promoted(real.of, make) : real.of;
  const error = real.in === "f32" ? undefined : real.error;
  const half = (at: 0 | 1): Vector => {
    const number = error ? directed(numbers[at], error[at], rnd, make) : numbers[at];
    if (sat) {
      const bounded = make.op("f64x2.pmax", make.all64(0n), number);
      return make.op("f64x2.pmin", make.all64(ONE_F64), bounded);
    }
    return make.choose(make.op("f64x2.ne", number, number), make.all64(nan), number);
  };
  return [half(0), half(1)];
}

/** From the nearest number of f64, by what it lacks, to that in another direction. */
function directed(nearest: Vector, error: Vector, rnd: Exclude<Rounding, "rna">, make: VectorMaker): Vector {
  if (rnd === "rn") return nearest;
  const zero = make.all64(0n);
  const negative = make.op("i64x2.lt_s", nearest, zero);
  const [above, below] = [make.op("f64x2.lt", error, zero), make.op("f64x2.gt", error, zero)];
  // A mask is -1: one step toward zero where it is added.
  const step = make.or(negative, make.all64(1n));
  switch (rnd) {
    case "rz":
      return make.op("i64x2.add", nearest, make.choose(negative, below, above));
    case "rm":
      return make.op("i64x2.sub", nearest, make.and(step, above));
    case "rp":
      return make.op("i64x2.add", nearest, make.and(step, below));
  }
}

/** A float rounded to an integer, into an integer type. Never used on a NaN, for which it returns 0. */
const toInteger: VectorRule = ({ takes, result }, operands, make) => {
  if (result.into !== "clamp") return undefined;
  const floored = floorOf(result.of);
  const [of, rnd] = wholeOf(floored ?? result.of);
  const real = rnd && realOf(of, takes, operands, make);
  if (rnd === undefined || real === undefined) return undefined;
  // What cuts to an integer anyway needs no rounding toward zero first.
  const whole = rnd === "rz" ? real : integral(real, rnd, make);
  if (whole === undefined || (floored && widthOf(result.type) > 16)) return undefined;
  if (widthOf(result.type) === 64) return long(whole, result.type, make);
  return short(whole, result.type, floored !== undefined, make);
};

/** What is not to be below 0. */
const floorOf = (x: Expression): Expression | undefined =>
  x.node === "max" && x.b.node === "integer" && x.b.value === 0n ? x.a : undefined;

/** The same with 0 for a NaN, which is what WebAssembly gives; other constants are a choice. */
const toIntegerOrNan: VectorRule = (operation, operands, _, lower) => {
  const { takes, gives, result } = operation;
  if (result.into !== "choose" || result.when.node !== "is" || result.when.property !== "notanumber") return undefined;
  const { yes, no } = result;
  if (yes.into !== "wrap" || yes.of.node !== "integer" || yes.of.value !== 0n || no.into !== "clamp") return undefined;
  const asked = floatOperand(result.when.a, takes);
  const [of] = wholeOf(no.of);
  return asked && asked.at === floatOperand(of, takes)?.at ? lower({ takes, gives, result: no }, operands) : undefined;
};

function short(real: Real, type: TypeName, floored: boolean, make: VectorMaker): Vector {
  const width = widthOf(type);
  const signed = isSignedType(type);
  // For a narrow type any 32 bits will do before they are clamped.
  const sign = signed || width < 32 ? "s" : "u";
  const word =
    real.in === "f32"
      ? make.op(`i32x4.trunc_sat_f32x4_${sign}`, real.of)
      : make.pick(
          make.op(`i32x4.trunc_sat_f64x2_${sign}_zero`, real.of[0]),
          make.op(`i32x4.trunc_sat_f64x2_${sign}_zero`, real.of[1]),
          0,
          1,
          4,
          5,
        );
  if (width === 32) return word;
  const [lowest, most] = rangeOf(type).map((bound) => make.all32(Number(bound))) as [Vector, Vector];
  const least = floored ? make.all32(0) : lowest;
  const clamped = make.op("i32x4.min_s", make.op("i32x4.max_s", word, least), most);
  return signed ? make.and(clamped, make.all32(2 ** width - 1)) : clamped;
}

function long(real: Real, type: TypeName, make: VectorMaker): Value {
  const numbers = real.in === "f32" ? promoted(real.of, make) : real.of;
  const run: Scalar = {
    code: "op",
    name: "f64.reinterpret_i64",
    parts: [
      {
        code: "op",
        name: isSignedType(type) ? "i64.trunc_sat_f64_s" : "i64.trunc_sat_f64_u",
        parts: [{ code: "part", at: 0 }],
      },
    ],
  };
  return numbers.map((half) => make.lanes("f64x2", run, half)) as unknown as Wide;
}

/** Conversions between number types, but for those from integers to integers. */
export const conversions: readonly VectorRule[] = [toFloat, toInteger];

/** Before choices are taken apart. */
export const conversionsOfNan: readonly VectorRule[] = [toIntegerOrNan];
