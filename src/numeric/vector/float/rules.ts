import { f32, f64 } from "../../format/format.ts";
import { isTruth } from "../../lower/relation.ts";
import { type ArithmeticShape, arithmeticShape } from "../../lower/shape.ts";
import type { Expression, FunctionName, Property, Relation } from "../../operation/expression.ts";
import { formatOf } from "../../operation/type.ts";
import type { VectorMaker } from "../maker.ts";
import type { VectorRule } from "../rule.ts";
import { isWide, type PureInstruction, type Vector, type VectorFunction, type Wide } from "../vector.ts";
import { canonical64 } from "./canonical.ts";
import { code64 } from "./constant.ts";
import { restricted32 } from "./effects.ts";
import { log32, tanh32 } from "./elementary32.ts";
import { number32, number64 } from "./number.ts";
import { flush32, operand32, operand64, SIGN32 } from "./operand.ts";
import { isBorder, rounded32, type Split } from "./round32.ts";
import { sine32 } from "./sine32.ts";
import { splitOf } from "./split.ts";
import { arithmetic } from "./usual64.ts";
import { demoted, promoted } from "./widen.ts";

/** Expressions that are a number of the format already: signs, min and max, whole numbers. Nothing is rounded. */
const unrounded: VectorRule = ({ takes, result }, operands, make, lower) => {
  if (result.into !== "round" || result.satfinite || result.pzo || result.rnd === "rs") return undefined;
  const reading = { takes, operands, make, lower };
  const format = formatOf(result.format);
  if (format === f32) {
    const of = number32(result.of, reading);
    return of && restricted32(result.ftz && !isFlushed(result.of) ? flush32(of, make) : of, result, make);
  }
  if (format !== f64 || result.ftz || result.sat || result.relu) return undefined;
  const of = number64(result.of, reading);
  return of && canonical64(of, make);
};

/** Whether no value that the expression reads is subnormal: then its result is not, either. */
function isFlushed(x: Expression): boolean {
  switch (x.node) {
    case "flush":
    case "integer":
    case "integral":
      return true;
    case "min":
    case "max":
      return isFlushed(x.a) && isFlushed(x.b);
    case "neg":
    case "abs":
    case "signed":
    case "label":
      return isFlushed(x.a);
    default:
      return false;
  }
}

/** A relation of two numbers of f32 or of f64. */
const floatRelation: VectorRule = ({ takes, result }, operands, make, lower) => {
  const reading = { takes, operands, make, lower };
  if (result.into !== "predicate" || result.of.node !== "relation") return undefined;
  const { relation, a, b } = result.of;
  const [x, y] = [number32(a, reading), number32(b, reading)];
  if (x && y) return compared("f32x4", relation, x, y, make);
  const [v, w] = [number64(a, reading), number64(b, reading)];
  if (!v || !w) return undefined;
  return make.low([compared("f64x2", relation, v[0], w[0], make), compared("f64x2", relation, v[1], w[1], make)]);
};

/** WebAssembly's relations do not hold for a NaN, but for `ne`. */
function compared(shape: "f32x4" | "f64x2", relation: Relation, a: Vector, b: Vector, make: VectorMaker): Vector {
  const is = (name: "eq" | "ne" | "lt" | "le" | "gt" | "ge", x = a, y = b): Vector =>
    make.op(`${shape}.${name}` satisfies PureInstruction, x, y);
  switch (relation) {
    case "eq":
    case "lt":
    case "le":
    case "gt":
    case "ge":
      return is(relation);
    case "ne":
      return make.or(is("lt"), is("gt"));
    case "equ":
      return make.not(make.or(is("lt"), is("gt")));
    case "neu":
      return is("ne");
    case "ltu":
      return make.not(is("ge"));
    case "leu":
      return make.not(is("gt"));
    case "gtu":
      return make.not(is("le"));
    case "geu":
      return make.not(is("lt"));
    case "num":
      return make.and(is("eq", a, a), is("eq", b, b));
    case "nan":
      return make.or(is("ne", a, a), is("ne", b, b));
  }
}

/** A predicate of two others: a relation of floats, and what a set combines it with. */
const combination: VectorRule = ({ takes, result }, operands, make, lower) => {
  if (result.into !== "predicate") return undefined;
  const { of: x } = result;
  if ((x.node !== "and" && x.node !== "or" && x.node !== "xor") || !isTruth(x.a, takes) || !isTruth(x.b, takes))
    return undefined;
  const [a, b] = [x.a, x.b].map((of) => lower({ takes, gives: "pred", result: { into: "predicate", of } }, operands));
  return a && b && !isWide(a) && !isWide(b) ? make[x.node](a, b) : undefined;
};

/** What `testp` asks of an operand. */
const floatProperty: VectorRule = ({ takes, result }, operands, make, lower) => {
  if (result.into !== "predicate" || result.of.node !== "is") return undefined;
  const { a, property } = result.of;
  const reading = { takes, operands, make, lower };
  const narrow = operand32(a, reading);
  if (narrow) return tested("f32x4", property, narrow, make);
  const wide = operand64(a, reading);
  return wide && make.low([tested("f64x2", property, wide[0], make), tested("f64x2", property, wide[1], make)]);
};

/** Infinity and the smallest normal number. */
const bounds = {
  f32x4: (make: VectorMaker) => [make.all32(0x7f80_0000), make.all32(0x0080_0000)] as const,
  f64x2: (make: VectorMaker) => [make.all64(code64(Infinity)), make.all64(code64(2 ** -1022))] as const,
};

function tested(shape: "f32x4" | "f64x2", property: Property, a: Vector, make: VectorMaker): Vector {
  const is = (name: "eq" | "ne" | "lt", x: Vector, y: Vector): Vector =>
    make.op(`${shape}.${name}` satisfies PureInstruction, x, y);
  const size = make.op(`${shape}.abs`, a);
  const [infinity, normal] = bounds[shape](make);
  const subnormal = (): Vector => make.and(is("lt", make.all32(0), size), is("lt", size, normal));
  switch (property) {
    case "finite":
      return is("lt", size, infinity);
    case "infinite":
      return is("eq", size, infinity);
    case "number":
      return is("eq", a, a);
    case "notanumber":
      return is("ne", a, a);
    case "subnormal":
      return subnormal();
    case "normal":
      // A zero counts as normal.
      return make.op("v128.andnot", is("lt", size, infinity), subnormal());
  }
}

/**
 * A function of one f32, rounded to nearest even: those for which f64, or two numbers of it, is
 * known to decide every case.
 */
const functionOf32: VectorRule = ({ takes, result }, operands, make, lower) => {
  if (result.into !== "round" || result.of.node !== "function" || result.rnd !== "rn" || result.satfinite || result.pzo)
    return undefined;
  if (formatOf(result.format) !== f32) return undefined;
  const operand = operand32(result.of.a, { takes, operands, make, lower });
  const compute = known[result.of.name];
  return operand && compute && restricted32(compute(operand, result.ftz === true, make), result, make);
};

const known: Readonly<Partial<Record<FunctionName, (x: Vector, ftz: boolean, make: VectorMaker) => Vector>>> = {
  rsqrt: (x, _, make) => reciprocalRoot(x, make),
  ex2: (x, ftz, make) => rounded32(powerOfTwo(x, make), "rn", ftz, make),
  tanh: (x, ftz, make) => hyperbolicTangent(x, ftz, make),
  lg2: (x, ftz, make) => logarithm(x, ftz, make),
  sin: (x, ftz, make) => sine32(x, 0, ftz, make),
  cos: (x, ftz, make) => sine32(x, 1, ftz, make),
};

const both = (of: (at: 0 | 1) => Vector): Wide => [of(0), of(1)];

/**
 * 1 / sqrt x: in f64, where it is off by less than two units of the last place. All significands of f32 were tried, with
 * even and odd exponents: one of them has its result that close to a midpoint, and on the right side.
 */
function reciprocalRoot(x: Vector, make: VectorMaker): Vector {
  const wide = promoted(x, make);
  return demoted(
    both((at) => make.op("f64x2.div", make.all64(code64(1)), make.op("f64x2.sqrt", wide[at]))),
    make,
  );
}

const INFINITE = 0x7f80_0000;

/**
 * log2 x; minus infinity of a zero, NaN below. All numbers from 1/2 to 2 were tried; of the others all whose results lie within 5
 * units of f64's last place of a midpoint, 128 of them: what is known of the rest is off by less than 2.
 */
function logarithm(x: Vector, ftz: boolean, make: VectorMaker): Vector {
  const [zero, infinite] = [make.all32(0), make.all32(INFINITE)];
  const usual = rounded32(log32(x, make), "rn", ftz, make);
  const number = make.choose(make.op("f32x4.lt", zero, x), usual, make.all32(INFINITE | (1 << 22)));
  const positive = make.choose(make.op("f32x4.eq", x, zero), make.all32(INFINITE | SIGN32), number);
  // Infinity and NaN stay.
  return make.choose(make.op("f32x4.lt", x, infinite), positive, x);
}

/**
 * tanh x, which has the sign of x. All numbers from 2^-15 to 32 were tried: the bits that f64 has decide each of them. Below, it
 * is x less not a hundredth of a unit of f32's last place; above, 1.
 */
function hyperbolicTangent(x: Vector, ftz: boolean, make: VectorMaker): Vector {
  const size = rounded32({ sum: tanh32(x, make) }, "rn", ftz, make);
  return make.or(size, make.and(x, make.all32(SIGN32)));
}

/** ln 2 in two numbers, of which the first has 29 bits: its product with one of f32 is exact. */
const LN2_HIGH = 0x162e_42fe * 2 ** -29;
const LN2_LOW = code64(Math.LN2 - LN2_HIGH + 2.3190468138462996e-17);

/** 1 / n! for n = 15 down to 2. */
const exponential = Array.from({ length: 14 }, (_, at) => {
  let factorial = 1;
  for (let n = 2; n <= 15 - at; n++) factorial *= n;
  return code64(1 / factorial);
});

/**
 * 2^x as a power of two times 1 + r + r^2 / 2! + ..., r = t ln 2 for |t| <= 1/2: the polynomial from r^2 / 2! on in f64, the
 * rest in two numbers. It is within 2^-54.9 of the true value, and all numbers of f32 were tried: none is that close
 * to a midpoint. Above 128 and below -150 x may be clamped, since the result rounds the same.
 */
function powerOfTwo(x: Vector, make: VectorMaker): Split {
  // In this order a NaN stays one.
  const held = make.op("f32x4.pmax", make.op("f32x4.pmin", x, make.all32(0x4302_0000)), make.all32(0xc320_0000));
  const whole = make.op("f32x4.nearest", held);
  const t = promoted(make.op("f32x4.sub", held, whole), make);
  const biased = make.op("i32x4.add", make.op("i32x4.trunc_sat_f32x4_s", whole), make.all32(1023));
  // The high words of powers of two.
  const high = make.shift("i32x4.shl", biased, 20);
  const zero = make.all32(0);
  const powers: Wide = [make.pick(zero, high, 0, 4, 0, 5), make.pick(zero, high, 0, 6, 0, 7)];
  const parts = t.map((each, at) => {
    const { sum, error } = exponentialOf(each, make);
    const scaled = (part: Vector): Vector => make.op("f64x2.mul", part, powers[at as 0 | 1]);
    return { sum: scaled(sum), error: scaled(error) };
  });
  return { sum: both((at) => parts[at]!.sum), error: both((at) => parts[at]!.error) };
}

/** e^(t ln 2) in two numbers. */
function exponentialOf(t: Vector, make: VectorMaker): { readonly sum: Vector; readonly error: Vector } {
  const [add, sub, mul] = (["add", "sub", "mul"] as const).map(
    (name) => (a: Vector, b: Vector) => make.op(`f64x2.${name}`, a, b),
  ) as unknown as [
    (a: Vector, b: Vector) => Vector,
    (a: Vector, b: Vector) => Vector,
    (a: Vector, b: Vector) => Vector,
  ];
  const [large, small] = [mul(t, make.all64(code64(LN2_HIGH))), mul(t, make.all64(LN2_LOW))];
  const r = add(large, small);
  const series = exponential
    .map((each) => make.all64(each))
    .reduce((sum, each) => (make.fused ? make.op("f64x2.relaxed_madd", sum, r, each) : add(mul(sum, r), each)));
  const tail = add(small, mul(mul(r, r), series));
  const one = make.all64(code64(1));
  const above = add(large, tail);
  const sum = add(one, above);
  return { sum, error: add(sub(tail, sub(above, large)), sub(above, sub(sum, one))) };
}

type Does = ArithmeticShape["does"];

/** One operation on f32, rounded once to nearest even. */
function nearest32(does: Does, parts: readonly Vector[], make: VectorMaker): Vector {
  if (does !== "fma" || make.fused) return own(does, parts, make);
  const { rounded, twice } = throughF64(parts, make);
  // 2^-126 and what is subnormal but not 0: without its sign, 1 to 0x800000.
  const size = make.op("i32x4.add", make.op("i32x4.add", rounded, rounded), make.all32(0x7fff_ffff));
  const small = make.op("i32x4.lt_s", size, make.all32(0x8000_0000 + 0x0100_0000));
  return make.rarely(make.or(twice, small), rounded, exactly(does, false, make), ...parts);
}

/** The same with `.ftz`: a tiny result is a zero. In doubt is only what was rounded to 2^-126. */
function nearestFlushed32(does: Does, parts: readonly Vector[], make: VectorMaker): Vector {
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

/** One operation of IEEE 754 on f64, of which no form has an effect. */
const arithmetic64: VectorRule = ({ takes, result }, operands, make, lower) => {
  if (result.into !== "round" || result.satfinite || result.pzo || formatOf(result.format) !== f64) return undefined;
  const { rnd, ftz, sat, relu } = result;
  if (rnd === "rs" || rnd === "rna" || ftz || sat || relu) return undefined;
  const shape = arithmeticShape(result.of);
  const parts = shape?.operands.map((x) => number64(x, { takes, operands, make, lower }));
  if (shape === undefined || !parts?.every((part) => part !== undefined)) return undefined;
  const half = (at: 0 | 1): Vector =>
    arithmetic(
      shape.does,
      rnd,
      parts.map((part) => part[at]),
      make,
    );
  return canonical64([half(0), half(1)], make);
};

/** One operation of IEEE 754 on f32, rounded once. */
const arithmetic32: VectorRule = ({ takes, result }, operands, make, lower) => {
  if (result.into !== "round" || result.satfinite || result.pzo || formatOf(result.format) !== f32) return undefined;
  const { rnd, ftz = false } = result;
  if (rnd === "rs" || rnd === "rna") return undefined;
  const reading = { takes, operands, make, lower };
  const shape = arithmeticShape(result.of);
  const parts = shape?.operands.map((x) => number32(x, reading));
  if (shape === undefined || !parts?.every((part) => part !== undefined)) return undefined;
  if (rnd !== "rn") return restricted32(rounded32(splitOf(shape.does, parts, rnd, make), rnd, ftz, make), result, make);
  return restricted32((ftz ? nearestFlushed32 : nearest32)(shape.does, parts, make), result, make);
};

/** What is done with f32 and f64. */
export const floatRules: readonly VectorRule[] = [
  arithmetic32,
  arithmetic64,
  functionOf32,
  unrounded,
  floatRelation,
  floatProperty,
  combination,
];
