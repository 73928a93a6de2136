import { flushOf, same } from "./format/effects.ts";
import { codes, type Format, f32 } from "./format/format.ts";
import { type IntType, intWidth, isSigned } from "./integer.ts";
import type { Bits, Op, Width } from "./op.ts";

/** Relations of setp on numbers; with a `u` they also hold when an operand is NaN, `num` and `nan` ask for that only. */
export type FloatRelation =
  | "eq" | "ne" | "lt" | "le" | "gt" | "ge"
  | "equ" | "neu" | "ltu" | "leu" | "gtu" | "geu"
  | "num" | "nan"; // biome-ignore format: by kind

export type IntRelation = "eq" | "ne" | "lt" | "le" | "gt" | "ge";

/** a relation b on floats (9.7.6): 1 or 0. +0 equals -0; `ne` is false for NaN, `neu` true. */
export function fcompare(f: Format, relation: FloatRelation, { ftz }: { readonly ftz?: boolean | undefined } = {}): Op {
  const name = `fcompare.${f.name}.${relation}${ftz ? ".ftz" : ""}`;
  const about = { kind: "float relation", format: f, relation, ftz: ftz ?? false } as const;
  const signature = { name, takes: [f.width, f.width], gives: 1 as const, about };
  if (relation === "num" || relation === "nan") {
    const answer = relation === "nan" ? 1 : 0;
    const isNan = nanTest(f);
    return { ...signature, js: (a: never, b: never) => (isNan(a) || isNan(b) ? answer : 1 - answer) };
  }
  const unordered = relation.length === 3 ? 1 : 0;
  const holds = test(relation.slice(0, 2) as IntRelation);
  const isNan = nanTest(f);
  const rank = rankOf(f, ftz ?? false);
  return {
    ...signature,
    js: (a: never, b: never) => (isNan(a) || isNan(b) ? unordered : holds(rank(a), rank(b)) ? 1 : 0),
  };
}

/** a relation b on integers: 1 or 0. lo, ls, hi and hs are lt, le, gt and ge of an unsigned type. */
export function icompare(type: IntType, relation: IntRelation): Op {
  const width = intWidth(type);
  const about = { kind: "integer relation", type, relation } as const;
  const signature = { name: `icompare.${type}.${relation}`, takes: [width, width], gives: 1 as const, about };
  const holds = test(relation);
  if (!isSigned(type)) return { ...signature, js: (a: never, b: never) => (holds(a, b) ? 1 : 0) };
  if (width === 64) {
    return { ...signature, js: (a: bigint, b: bigint) => (holds(BigInt.asIntN(64, a), BigInt.asIntN(64, b)) ? 1 : 0) };
  }
  const up = 32 - width;
  return { ...signature, js: (a: number, b: number) => (holds(a << up, b << up) ? 1 : 0) };
}

/** slct: a where c is at least 0, else b, as bits (9.7.6.4); a NaN chooses b. */
export function select(width: Width, ctype: "s32" | "f32", { ftz }: { readonly ftz?: boolean | undefined } = {}): Op {
  const atLeastZero = ctype === "s32" ? icompare("s32", "ge") : fcompare(f32, "ge", { ftz });
  const holds = atLeastZero.js as (c: number, zero: number) => number;
  return {
    name: `slct.b${width}.${ctype}${ftz ? ".ftz" : ""}`,
    takes: [width, width, 32],
    gives: width,
    js: (a: Bits, b: Bits, c: number) => (holds(c, 0) ? a : b),
    about: { kind: "slct", atLeastZero },
  };
}

type Ordered = number | bigint;

function test(relation: IntRelation): (a: Ordered, b: Ordered) => boolean {
  switch (relation) {
    case "eq":
      return (a, b) => a === b;
    case "ne":
      return (a, b) => a !== b;
    case "lt":
      return (a, b) => a < b;
    case "le":
      return (a, b) => a <= b;
    case "gt":
      return (a, b) => a > b;
    case "ge":
      return (a, b) => a >= b;
  }
}

function nanTest(f: Format): (x: never) => boolean {
  if (f.width === 64) return (x: bigint) => (x & 0x7fff_ffff_ffff_ffffn) > 0x7ff0_0000_0000_0000n;
  const { signBit, infinity } = codes(f);
  return (x: number) => (x & (signBit - 1)) > infinity;
}

/** An integer in the order of the values; both zeros are 0. */
function rankOf(f: Format, ftz: boolean): (x: never) => Ordered {
  if (f.width === 64) return (x: bigint) => (x >> 63n ? (1n << 63n) - x : x);
  const { signBit } = codes(f);
  const flush = ftz ? flushOf(f) : same;
  return (x: number) => {
    const bits = flush(x);
    return bits >= signBit ? signBit - bits : bits;
  };
}
