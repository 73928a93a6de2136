import type { Plan } from "../../interp/contract/plan/plan.ts";
import { and, c, lanes, operation, or, rounded, select, wrap, xor } from "../../numeric/operation/build.ts";
import type { Expression } from "../../numeric/operation/expression.ts";
import type { Result } from "../../numeric/operation/operation.ts";
import { readsOperand } from "../../numeric/operation/parts.ts";
import { isFloat, isSignedType, widthOf } from "../../numeric/operation/type.ts";
import { type InstructionType, of, to } from "../form/classes.ts";
import { type Conflict, compute, type Form, form, type Since } from "../form/define.ts";
import type { PredicateClass } from "../form/operands.ts";
import { least } from "../form/since.ts";
import { type CmpOp, compared } from "./relation.ts";

const BoolOp = ["and", "or", "xor"] as const;
type Boolean = (typeof BoolOp)[number];
const equality = ["eq", "ne"] as const;
const signed = ["eq", "ne", "lt", "le", "gt", "ge"] as const;
const unsigned = [...signed, "lo", "ls", "hi", "hs"] as const;
const floating = [...signed, "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"] as const;
const flag: PredicateClass = { kind: "predicate", access: "read", negatable: true, immediate: true };

const dtypes = ["u32", "s32", "f32", "f16", "bf16"] as const;
type Dtype = (typeof dtypes)[number] | "u8" | "s8" | "u16" | "s16";

const allOnes = (dtype: Dtype): number => (isSignedType(dtype) ? -1 : 2 ** widthOf(dtype) - 1);

/** True is all bits of an integer, and 1 of a float. */
const set = (dtype: Dtype, truth: Expression): Result =>
  isFloat(dtype) ? rounded(dtype, {}, select(truth, 1, 0)) : wrap(dtype, select(truth, allOnes(dtype), 0));

const join = { and, or, xor } as const;
/** The comparison with a predicate. */
const combined = (boolean: Boolean, word: CmpOp, ftz?: boolean): Expression => join[boolean](compared(word, ftz), c);

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
function onIntegers(CmpOp: readonly CmpOp[], stype: readonly InstructionType[]): readonly Form[] {
  return [
    form("set.CmpOp.dtype.stype d, a, b", {
      where: { CmpOp, dtype: dtypes, stype },
      operands: ({ dtype, stype }) => results(dtype, stype),
      since: ({ dtype }) => sinceOf(dtype),
      does: ({ CmpOp, dtype }) => set(dtype, compared(CmpOp)),
      check: [
        { a: 5, b: 5, d: 0xffff_ffff },
        { with: ["ne", "f32"], a: 5, b: 4, d: 0x3f80_0000 },
      ],
    }),
    form("set.CmpOp.BoolOp.dtype.stype d, a, b, {!}c", {
      where: { CmpOp, BoolOp, dtype: dtypes, stype },
      operands: ({ dtype, stype }) => ({ ...results(dtype, stype), c: flag }),
      since: ({ dtype }) => sinceOf(dtype),
      does: ({ CmpOp, BoolOp: boolean, dtype }) => set(dtype, combined(boolean, CmpOp)),
      check: [{ with: ["eq", "and"], a: 5, b: 5, c: 0, d: 0 }],
    }),
  ];
}

/** Combinations that ptxas refuses beyond the words: `.ftz` where nothing is flushed, and .f16 results of .bf16. */
function conflictOf(ftz: boolean, dtype: string, stype: string): Conflict | undefined {
  if (ftz && dtype === "bf16") return ["ftz", "a .bf16 result"];
  if (ftz && (stype === "f64" || stype === "bf16")) return ["ftz", `an .${stype} source`];
  return dtype === "f16" && stype === "bf16" ? ["", "a .bf16 source with an .f16 result"] : undefined;
}

const wide: readonly Form[] = [
  form("set.CmpOp{.ftz}.dtype.stype d, a, b", {
    where: { CmpOp: floating, dtype: dtypes, stype: ["f32", "f64"] },
    operands: ({ dtype, stype }) => results(dtype, stype),
    since: ({ ftz, dtype }) => least(ftz && "ftz", sinceOf(dtype)),
    conflict: ({ ftz, dtype, stype }) => conflictOf(ftz, dtype, stype),
    does: ({ CmpOp, ftz, dtype }) => set(dtype, compared(CmpOp, ftz)),
    check: [{ with: ["lt", "u32", "f32"], a: 0x3f80_0000, b: 0x4000_0000, d: 0xffff_ffff }],
  }),
  form("set.CmpOp.BoolOp{.ftz}.dtype.stype d, a, b, {!}c", {
    where: { CmpOp: floating, BoolOp, dtype: dtypes, stype: ["f32", "f64"] },
    operands: ({ dtype, stype }) => ({ ...results(dtype, stype), c: flag }),
    since: ({ ftz, dtype }) => least(ftz && "ftz", sinceOf(dtype)),
    conflict: ({ ftz, dtype, stype }) => conflictOf(ftz, dtype, stype),
    does: ({ CmpOp, BoolOp: boolean, ftz, dtype }) => set(dtype, combined(boolean, CmpOp, ftz)),
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
    does: ({ CmpOp, ftz, dtype }) => set(dtype, compared(CmpOp, ftz)),
    check: [{ with: ["nan", "u16", "f16"], a: 0x7e00, b: 0x3c00, d: 0xffff }],
  }),
  form("set.CmpOp.BoolOp{.ftz}.dtype.stype d, a, b, {!}c", {
    where: { CmpOp: floating, BoolOp, dtype: halves, stype: ["f16", "bf16"] },
    operands: ({ dtype, stype }) => ({ ...results(dtype, stype), c: flag }),
    since: ({ dtype, stype }) => sinceOfHalves(dtype, stype),
    conflict: ({ ftz, dtype, stype }) => conflictOf(ftz, dtype, stype),
    does: ({ CmpOp, BoolOp: boolean, ftz, dtype }) => set(dtype, combined(boolean, CmpOp, ftz)),
    check: [{ with: ["eq", "or", "u16", "f16"], a: 0x3c00, b: 0x4000, c: 1, d: 0xffff }],
  }),
];

/** The result of one half is not what the target's type says: u32 is two of u16. */
const onHalves = (stype: "f16" | "bf16", dtype: Dtype, truth: Expression): Plan => {
  const takes = { a: stype, b: stype, ...(readsOperand(truth, "c") && { c: "pred" as const }) };
  return compute(lanes(2, operation(takes, dtype, set(dtype, truth))));
};

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
      run: ({ CmpOp, ftz, dtype }) => onHalves(lane, result[String(dtype)] ?? lane, compared(CmpOp as CmpOp, ftz)),
      check: [{ with: ["eq", "u32"], a: 0x3c00_0001, b: 0x3c00_0002, d: 0xffff_0000 }],
    }),
    form(`set.CmpOp.BoolOp{.ftz}.dtype.${stype} d, a, b, {!}c`, {
      where: { CmpOp: floating, BoolOp, dtype },
      operands: ({ dtype }) => ({ ...results(dtype, stype), c: flag }),
      since: ({ dtype }) => sinceOfHalves(String(dtype), stype),
      conflict: ({ ftz }) => (ftz && lane === "bf16" ? ["ftz", "a .bf16x2 source"] : undefined),
      run: ({ CmpOp, BoolOp: boolean, ftz, dtype }) =>
        onHalves(lane, result[String(dtype)] ?? lane, combined(boolean as Boolean, CmpOp as CmpOp, ftz)),
      check: [{ with: ["eq", "and", "u32"], a: 0x3c00_0001, b: 0x3c00_0002, c: 1, d: 0xffff_0000 }],
    }),
  ];
}

const lane = { u8x4: "u8", s8x4: "s8", u16x2: "u16", s16x2: "s16" } as const;
/** Each lane is all ones or zeros (PTX ISA 9.4, set). */
const onLanes = form("set.CmpOp.type d, a, b", {
  where: { CmpOp: unsigned, type: ["u8x4", "s8x4", "u16x2", "s16x2"] },
  operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
  since: { ptx: 94, sm: 107, only: "f", families: [107] },
  conflict: ({ CmpOp, type }) =>
    type.startsWith("s") && !signed.some((word) => word === CmpOp) ? [CmpOp, `.${type}`] : undefined,
  does: ({ CmpOp, type }) => set(lane[type], compared(CmpOp)),
  check: [
    { with: ["eq", "u8x4"], a: 0x0102_0304, b: 0x0103_0304, d: 0xff00_ffff },
    { with: ["lo", "u8x4"], a: 0x80ff_0001, b: 0x7fff_0002, d: 0x0000_00ff },
    { with: ["lt", "s8x4"], a: 0x80ff_0001, b: 0x7fff_0002, d: 0xff00_00ff },
    { with: ["ge", "s16x2"], a: 0x8000_0001, b: 0x7fff_0001, d: 0x0000_ffff },
  ],
});

/** set, with the half precision forms. */
export const sets: readonly Form[] = [
  ...onIntegers(equality, ["b32", "b16", "b64"]),
  ...onIntegers(unsigned, ["u32", "u16", "u64"]),
  ...onIntegers(signed, ["s32", "s16", "s64"]),
  ...wide,
  ...half,
  ...packed("f16x2", "f16"),
  ...packed("bf16x2", "bf16"),
  onLanes,
];
