import {
  bf16,
  type FloatRelation,
  f16,
  f32,
  f64,
  fcompare,
  type IntRelation,
  icompare,
  type Op,
  pair,
} from "../../numeric/index.ts";
import { type InstructionType, of, to } from "../form/classes.ts";
import { type Conflict, compute, type Form, form, type Since } from "../form/define.ts";
import type { PredicateClass } from "../form/operands.ts";

const BoolOp = ["and", "or", "xor"] as const;
type Boolean = (typeof BoolOp)[number];
const equality = ["eq", "ne"] as const;
const signed = ["eq", "ne", "lt", "le", "gt", "ge"] as const;
const unsigned = [...signed, "lo", "ls", "hi", "hs"] as const;
const floating = [...signed, "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"] as const;
const plain = { lo: "lt", ls: "le", hi: "gt", hs: "ge" } as const;
const c: PredicateClass = { kind: "predicate", access: "read", negatable: true, immediate: true };

/** What stands for true: all bits of an integer, 1 of a float. */
const truth = {
  u32: 0xffff_ffff,
  s32: 0xffff_ffff,
  f32: 0x3f80_0000,
  u16: 0xffff,
  s16: 0xffff,
  f16: 0x3c00,
  bf16: 0x3f80,
};
type Dtype = keyof typeof truth;
const dtypes = ["u32", "s32", "f32", "f16", "bf16"] as const;
const floats = { f32, f64, f16, bf16 } as const;

/** A comparison whose result is a value of `dtype`, after `boolean` with a predicate if there is one. */
function set(op: Op, dtype: Dtype, boolean?: Boolean): Op {
  const relation = op.js as (a: never, b: never) => number;
  const yes = truth[dtype];
  const gives = /32$/.test(dtype) ? 32 : 16;
  const name = `set.${dtype}.${op.name}`;
  const about = { kind: "set", of: op, yes, combine: boolean } as const;
  if (boolean === undefined)
    return { ...op, name, gives, about, js: (a: never, b: never) => (relation(a, b) ? yes : 0) };
  const join = {
    and: (t: number, other: number) => t & other,
    or: (t: number, other: number) => t | other,
    xor: (t: number, other: number) => t ^ other,
  }[boolean];
  const js = (a: never, b: never, other: number) => (join(relation(a, b), other) ? yes : 0);
  return { name: `${name}.${boolean}`, takes: [...op.takes, 1], gives, about, js };
}

const base: Since = { ptx: 10, sm: 10 };
const sinceHalf: Since = { ptx: 42, sm: 53 };
const sinceBrain: Since = { ptx: 78, sm: 90 };
const sinceOf = (...types: readonly string[]): Since =>
  types.some((type) => type.startsWith("bf16"))
    ? sinceBrain
    : types.some((type) => type.startsWith("f16"))
      ? sinceHalf
      : base;

/** An integer result of halves came later than a float one. */
const sinceOfHalves = (dtype: string, stype: string): Since => {
  const both = sinceOf(dtype, stype);
  return /^[us]/.test(dtype) ? { ...both, ptx: Math.max(both.ptx, 65) } : both;
};

const results = (dtype: InstructionType, stype: InstructionType) => ({ d: to(dtype), a: of(stype), b: of(stype) });
const bits = { b16: "u16", b32: "u32", b64: "u64" } as const;
type Integer = "u16" | "u32" | "u64" | "s16" | "s32" | "s64";
const integerType = (stype: string): Integer => (stype in bits ? bits[stype as keyof typeof bits] : (stype as Integer));
const integerRelation = (word: string): IntRelation =>
  word in plain ? plain[word as keyof typeof plain] : (word as IntRelation);

function onIntegers(CmpOp: readonly string[], stype: readonly InstructionType[]): readonly Form[] {
  const op = (type: string, word: string): Op => icompare(integerType(type), integerRelation(word));
  return [
    form("set.CmpOp.dtype.stype d, a, b", {
      where: { CmpOp, dtype: dtypes, stype },
      operands: ({ dtype, stype }) => results(dtype, stype),
      since: ({ dtype }) => sinceOf(dtype),
      run: ({ CmpOp, dtype, stype }) => compute(set(op(stype, CmpOp), dtype)),
      check: [
        { a: 5, b: 5, d: 0xffff_ffff },
        { with: ["ne", "f32"], a: 5, b: 4, d: 0x3f80_0000 },
      ],
    }),
    form("set.CmpOp.BoolOp.dtype.stype d, a, b, {!}c", {
      where: { CmpOp, BoolOp, dtype: dtypes, stype },
      operands: ({ dtype, stype }) => ({ ...results(dtype, stype), c }),
      since: ({ dtype }) => sinceOf(dtype),
      run: ({ CmpOp, BoolOp: boolean, dtype, stype }) => compute(set(op(stype, CmpOp), dtype, boolean)),
      check: [{ with: ["eq", "and"], a: 5, b: 5, c: 0, d: 0 }],
    }),
  ];
}

/** What ptxas refuses beyond the words: `.ftz` where nothing is flushed, and .f16 results of .bf16. */
function conflictOf(ftz: boolean, dtype: string, stype: string): Conflict | undefined {
  if (ftz && dtype === "bf16") return ["ftz", "a .bf16 result"];
  if (ftz && (stype === "f64" || stype === "bf16")) return ["ftz", `an .${stype} source`];
  return dtype === "f16" && stype === "bf16" ? ["", "a .bf16 source with an .f16 result"] : undefined;
}

const wide: readonly Form[] = [
  form("set.CmpOp{.ftz}.dtype.stype d, a, b", {
    where: { CmpOp: floating, dtype: dtypes, stype: ["f32", "f64"] },
    operands: ({ dtype, stype }) => results(dtype, stype),
    since: ({ dtype }) => sinceOf(dtype),
    conflict: ({ ftz, dtype, stype }) => conflictOf(ftz, dtype, stype),
    run: ({ CmpOp, ftz, dtype, stype }) => compute(set(fcompare(floats[stype], CmpOp, { ftz }), dtype)),
    check: [{ with: ["lt", "u32", "f32"], a: 0x3f80_0000, b: 0x4000_0000, d: 0xffff_ffff }],
  }),
  form("set.CmpOp.BoolOp{.ftz}.dtype.stype d, a, b, {!}c", {
    where: { CmpOp: floating, BoolOp, dtype: dtypes, stype: ["f32", "f64"] },
    operands: ({ dtype, stype }) => ({ ...results(dtype, stype), c }),
    since: ({ dtype }) => sinceOf(dtype),
    conflict: ({ ftz, dtype, stype }) => conflictOf(ftz, dtype, stype),
    run: ({ CmpOp, BoolOp: boolean, ftz, dtype, stype }) =>
      compute(set(fcompare(floats[stype], CmpOp, { ftz }), dtype, boolean)),
    check: [{ with: ["lt", "xor", "f32"], a: 0x3f80_0000, b: 0x4000_0000, c: 1, d: 0 }],
  }),
];

const halves = ["u16", "s16", "u32", "s32", "f16", "bf16"] as const;
const half: readonly Form[] = [
  form("set.CmpOp{.ftz}.dtype.stype d, a, b", {
    where: { CmpOp: floating, dtype: halves, stype: ["f16", "bf16"] },
    operands: ({ dtype, stype }) => results(dtype, stype),
    since: ({ dtype, stype }) => sinceOfHalves(dtype, stype),
    conflict: ({ ftz, dtype, stype }) => conflictOf(ftz, dtype, stype),
    run: ({ CmpOp, ftz, dtype, stype }) => compute(set(fcompare(floats[stype], CmpOp, { ftz }), dtype)),
    check: [{ with: ["nan", "u16", "f16"], a: 0x7e00, b: 0x3c00, d: 0xffff }],
  }),
  form("set.CmpOp.BoolOp{.ftz}.dtype.stype d, a, b, {!}c", {
    where: { CmpOp: floating, BoolOp, dtype: halves, stype: ["f16", "bf16"] },
    operands: ({ dtype, stype }) => ({ ...results(dtype, stype), c }),
    since: ({ dtype, stype }) => sinceOfHalves(dtype, stype),
    conflict: ({ ftz, dtype, stype }) => conflictOf(ftz, dtype, stype),
    run: ({ CmpOp, BoolOp: boolean, ftz, dtype, stype }) =>
      compute(set(fcompare(floats[stype], CmpOp, { ftz }), dtype, boolean)),
    check: [{ with: ["eq", "or", "u16", "f16"], a: 0x3c00, b: 0x4000, c: 1, d: 0xffff }],
  }),
];

/** One result a half: both are all ones or zeros, or 1.0 and 0.0. */
function packed(stype: "f16x2" | "bf16x2", lane: "f16" | "bf16"): readonly Form[] {
  const result = { u32: "u16", s32: "s16", [stype]: lane } as Readonly<Record<string, "u16" | "s16" | "f16" | "bf16">>;
  const dtype = ["u32", "s32", stype] as const;
  return [
    form(`set.CmpOp{.ftz}.dtype.${stype} d, a, b`, {
      where: { CmpOp: floating, dtype },
      operands: ({ dtype }) => results(dtype, stype),
      since: ({ dtype }) => sinceOfHalves(String(dtype), stype),
      conflict: ({ ftz }) => (ftz && lane === "bf16" ? ["ftz", "a .bf16x2 source"] : undefined),
      run: ({ CmpOp, ftz, dtype }) =>
        compute(pair(set(fcompare(floats[lane], CmpOp as FloatRelation, { ftz }), result[String(dtype)] ?? lane))),
      check: [{ with: ["eq", "u32"], a: 0x3c00_0001, b: 0x3c00_0002, d: 0xffff_0000 }],
    }),
    form(`set.CmpOp.BoolOp{.ftz}.dtype.${stype} d, a, b, {!}c`, {
      where: { CmpOp: floating, BoolOp, dtype },
      operands: ({ dtype }) => ({ ...results(dtype, stype), c }),
      since: ({ dtype }) => sinceOfHalves(String(dtype), stype),
      conflict: ({ ftz }) => (ftz && lane === "bf16" ? ["ftz", "a .bf16x2 source"] : undefined),
      run: ({ CmpOp, BoolOp: boolean, ftz, dtype }) => {
        const relation = fcompare(floats[lane], CmpOp as FloatRelation, { ftz });
        return compute(pair(set(relation, result[String(dtype)] ?? lane, boolean as Boolean)));
      },
      check: [{ with: ["eq", "and", "u32"], a: 0x3c00_0001, b: 0x3c00_0002, c: 1, d: 0xffff_0000 }],
    }),
  ];
}

/** 9.7.6 set, with the half precision forms of 9.7.7. */
export const sets: readonly Form[] = [
  ...onIntegers(equality, ["b32", "b16", "b64"]),
  ...onIntegers(unsigned, ["u32", "u16", "u64"]),
  ...onIntegers(signed, ["s32", "s16", "s64"]),
  ...wide,
  ...half,
  ...packed("f16x2", "f16"),
  ...packed("bf16x2", "bf16"),
];
