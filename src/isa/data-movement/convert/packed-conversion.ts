import type { Rounding } from "../../../numeric/exact/exact.ts";
import { bf16 } from "../../../numeric/format/format.ts";
import { packedWidth } from "../../../numeric/format/named.ts";
import {
  a,
  abs,
  argument,
  as,
  choose,
  clamp,
  concat,
  divided,
  type FloatModifiers,
  flushed,
  integral,
  is,
  label,
  max,
  operation,
  or,
  rounded,
  slice,
  times,
  wrap,
} from "../../../numeric/operation/build.ts";
import type { Expression } from "../../../numeric/operation/expression.ts";
import type { Argument, Lane, Operation, Result, Slice } from "../../../numeric/operation/operation.ts";
import { type BitsName, type FloatName, formatOf, type TypeName } from "../../../numeric/operation/type.ts";
import { headers, unspecified } from "../../form/define.ts";

/** Bits that an element takes in a packed register. */
const share = (type: FloatName): number => packedWidth(formatOf(type));

/** The qualifier of a scale operand: one power of two for both elements, or one for each. */
export type Scaled = "scaled::n1::ue8m0" | "scaled::n2::ue8m0" | undefined;

const scale = argument("scale");

/** An element: what it is read as, and what it becomes. With `.scaled` it takes a second operand, `scale`. */
interface Element {
  readonly atype: TypeName;
  readonly dtype: TypeName;
  readonly result: Result;
  readonly scaled: Scaled;
}

/**
 * One number into a format. A format without sign takes what is negative as if it were not. Into fewer bits it is divided by
 * the scale, into more it is multiplied; `.scaled::n1` flushes it first (PTX ISA, cvt).
 */
function converted(atype: FloatName, dtype: FloatName, modifiers: FloatModifiers, scaled: Scaled): Element {
  const number = flushed(scaled === "scaled::n1::ue8m0", a);
  const size = formatOf(dtype).sign === 0 ? abs(number) : number;
  const of = scaled === undefined ? size : share(atype) > share(dtype) ? divided(size, scale) : times(size, scale);
  return { atype, dtype, result: rounded(dtype, modifiers, of), scaled };
}

export const unsigned = headers("the sign does not count");

/** `d, a, b` of f32: what a becomes takes the upper half of d. */
export const bothTo = (dtype: FloatName, modifiers: FloatModifiers, scaled?: Scaled): Operation =>
  bothInto(share(dtype), converted("f32", dtype, modifiers, scaled));

function bothInto(bits: number, element: Element): Operation {
  const each = operationOf(element);
  const laneOf = (of: string, at: number): Lane => ({
    operation: each,
    takes: [whole(of), ...scaleOf(element.scaled, at)],
    low: at * bits,
    bits,
  });
  return {
    takes: [{ name: "a", type: "f32" }, { name: "b", type: "f32" }, ...scales(element.scaled)],
    gives: packed(2 * bits),
    result: { into: "lanes", lanes: [laneOf("b", 0), laneOf("a", 1)] },
  };
}

/** `d, a`: both halves of a packed register, each into its half of another. */
export const eachTo = (atype: FloatName, dtype: FloatName, modifiers: FloatModifiers, scaled?: Scaled): Operation =>
  eachInto(share(atype), share(dtype), converted(atype, dtype, modifiers, scaled));

function eachInto(from: number, to: number, element: Element): Operation {
  const each = operationOf(element);
  return {
    takes: [{ name: "a", type: packed(2 * from) }, ...scales(element.scaled)],
    gives: packed(2 * to),
    result: {
      into: "lanes",
      lanes: [0, 1].map((at) => ({
        operation: each,
        takes: [{ of: "a", low: at * from, bits: from }, ...scaleOf(element.scaled, at)],
        low: at * to,
        bits: to,
      })),
    },
  };
}

const operationOf = ({ atype, dtype, result, scaled }: Element): Operation =>
  operation({ a: atype, ...(scaled && { scale: "ue8m0" }) }, dtype, result);

const scales = (scaled: Scaled): readonly Argument[] =>
  scaled === undefined ? [] : [{ name: "scale", type: scaled === "scaled::n1::ue8m0" ? "b8" : "b16" }];

const scaleOf = (scaled: Scaled, at: number): readonly Slice[] =>
  scaled === undefined ? [] : [{ of: "scale", low: scaled === "scaled::n1::ue8m0" ? 0 : 8 * at, bits: 8 }];

/** The modifiers of s2f6: `.satfinite` changes nothing that is a fixed-point number. */
type FixedModifiers = { readonly rnd: Rounding; readonly relu: boolean };

/** A number into s2f6, a signed integer that counts 64ths: the nearest of -128 to 127, and 127 of a NaN. */
function toFixed(atype: "f32" | "bf16", { rnd, relu }: FixedModifiers, scaled: Scaled): Element {
  const number = scaled === undefined ? a : divided(a, scale);
  const whole = integral(rnd, times(number, 64));
  const isNan = scaled === undefined ? is("notanumber", a) : or(is("notanumber", a), is("notanumber", scale));
  const result = choose(isNan, wrap("s8", 127), clamp("s8", relu ? max(whole, 0) : whole));
  return { atype, dtype: "s8", result, scaled };
}

/** `d, a, b` of f32 into s2f6x2. */
export const bothToFixed = (modifiers: FixedModifiers, scaled: Scaled): Operation =>
  bothInto(8, toFixed("f32", modifiers, scaled));

/** `d, a` of bf16x2 into s2f6x2. */
export const eachToFixed = (modifiers: FixedModifiers, scaled: Scaled): Operation =>
  eachInto(16, 8, toFixed("bf16", modifiers, scaled));

/** `d, a` of s2f6x2 into bf16x2. */
export function eachFromFixed(modifiers: FloatModifiers, scaled: Scaled): Operation {
  const number = times(a, SIXTY_FOURTH);
  const of = scaled === undefined ? number : times(number, scale);
  return eachInto(8, 16, { atype: "s8", dtype: "bf16", result: rounded("bf16", modifiers, of), scaled });
}

/** 2^-6 as a real: bf16 holds it. */
const SIXTY_FOURTH = label("2^-6", as("bf16", (bf16.bias - 6) * 2 ** bf16.frac));

const packed = (bits: number): BitsName => `b${bits}` as BitsName;

type ChanceModifiers = Pick<FloatModifiers, "relu" | "satfinite">;

/** One number of f32 by chance: `of` is taken from e. */
const byChance = (dtype: FloatName, modifiers: ChanceModifiers, e: BitsName, of: Expression, bits: number): Operation =>
  operation({ a: "f32", e }, dtype, { ...rounded(dtype, modifiers, a), rnd: "rs", chance: { of, bits } });

const e = argument("e");
const whole = (of: string): Slice => ({ of, low: 0, bits: 32 });

/** cvt.rs, `d, a, b, e`: two f32 into f16x2 or bf16x2. Each sees the low bits of its half of e. */
export function bothByChance(dtype: "f16" | "bf16", modifiers: ChanceModifiers): Operation {
  const bits = dtype === "f16" ? 13 : 16;
  const each = byChance(dtype, modifiers, "b16", slice(e, 0, bits), bits);
  const laneOf = (of: string, low: number): Lane => ({
    operation: each,
    takes: [whole(of), { of: "e", low, bits: 16 }],
    low,
    bits: 16,
  });
  return {
    takes: [
      { name: "a", type: "f32" },
      { name: "b", type: "f32" },
      { name: "e", type: "b32" },
    ],
    gives: "b32",
    result: { into: "lanes", lanes: [laneOf("b", 0), laneOf("a", 16)] },
  };
}

/**
 * cvt.rs, `d, {a, b, e, f}, g`: four f32, the first into the highest bits. The first pair sees the upper half of g, the
 * second the lower one; of e2m1 each pair sees one half of either half.
 */
export function fourByChance(dtype: FloatName, modifiers: ChanceModifiers): Operation {
  const bits = share(dtype);
  const halves = (at: number): Expression =>
    bits === 4 ? concat([slice(e, 16 + 8 * at, 8), 8], [slice(e, 8 * at, 8), 8]) : slice(e, 16 * at, 16);
  const [second, first] = [halves(0), halves(1)].map((of) => byChance(dtype, modifiers, "b32", of, 16)) as [
    Operation,
    Operation,
  ];
  return {
    takes: [
      ...["a.x", "a.y", "a.z", "a.w"].map((name) => ({ name, type: "f32" as const })),
      { name: "e", type: "b32" },
    ],
    gives: packed(4 * bits),
    result: {
      into: "lanes",
      lanes: ["a.w", "a.z", "a.y", "a.x"].map((of, at) => ({
        operation: at < 2 ? second : first,
        takes: [whole(of), whole("e")],
        low: at * bits,
        bits,
      })),
    },
  };
}

export const chances = unspecified(
  "random bits are added right below the last place that is kept; both operands of a pair see the same 16; what is " +
    "too large becomes an infinity whatever they are",
);
