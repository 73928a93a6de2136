import { packedWidth } from "../../../numeric/format/named.ts";
import {
  a,
  abs,
  argument,
  concat,
  type FloatModifiers,
  operation,
  rounded,
  slice,
} from "../../../numeric/operation/build.ts";
import type { Expression } from "../../../numeric/operation/expression.ts";
import type { Lane, Operation, Slice } from "../../../numeric/operation/operation.ts";
import { type BitsName, type FloatName, formatOf } from "../../../numeric/operation/type.ts";
import { headers, unspecified } from "../../form/define.ts";

/** Bits that an element takes in a packed register. */
const share = (type: FloatName): number => packedWidth(formatOf(type));

/** One number into a format. ue8m0 has no sign, and takes what is negative as if it were not. */
const converted = (atype: FloatName, dtype: FloatName, modifiers: FloatModifiers): Operation =>
  operation({ a: atype }, dtype, rounded(dtype, modifiers, dtype === "ue8m0" ? abs(a) : a));

export const unsigned = headers("the sign does not count");

/** `d, a, b` of f32: what a becomes takes the upper half of d. */
export function bothTo(dtype: FloatName, modifiers: FloatModifiers): Operation {
  const each = converted("f32", dtype, modifiers);
  const bits = share(dtype);
  const laneOf = (of: string, low: number): Lane => ({ operation: each, takes: [{ of, low: 0, bits: 32 }], low, bits });
  return {
    takes: [
      { name: "a", type: "f32" },
      { name: "b", type: "f32" },
    ],
    gives: packed(2 * bits),
    result: { into: "lanes", lanes: [laneOf("b", 0), laneOf("a", bits)] },
  };
}

/** `d, a`: both halves of a packed register, each into its half of another. */
export function eachTo(atype: FloatName, dtype: FloatName, modifiers: FloatModifiers): Operation {
  const each = converted(atype, dtype, modifiers);
  const [from, to] = [share(atype), share(dtype)];
  return {
    takes: [{ name: "a", type: packed(2 * from) }],
    gives: packed(2 * to),
    result: {
      into: "lanes",
      lanes: [0, 1].map((at) => ({
        operation: each,
        takes: [{ of: "a", low: at * from, bits: from }],
        low: at * to,
        bits: to,
      })),
    },
  };
}

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
