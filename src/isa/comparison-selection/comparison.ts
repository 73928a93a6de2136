import type { Plan } from "../../interp/contract/plan/plan.ts";
import { oneOf } from "../../numeric/operation/build.ts";
import type { Operation } from "../../numeric/operation/operation.ts";
import { type InstructionType, of } from "../form/classes.ts";
import { type Form, form, type Section, type Since, section } from "../form/define.ts";
import type { AbsentClass, PredicateClass } from "../form/operands.ts";
import { least } from "../form/since.ts";
import { related } from "./relation.ts";
import { selection } from "./selection.ts";
import { sets } from "./set.ts";

const BoolOp = ["and", "or", "xor"] as const;
const equality = ["eq", "ne"] as const;
const signed = ["eq", "ne", "lt", "le", "gt", "ge"] as const;
const unsigned = [...signed, "lo", "ls", "hi", "hs"] as const;
const floating = [...signed, "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"] as const;
const p: PredicateClass = { kind: "predicate", access: "write", sink: true };
const q = p;
/** ptxas takes a constant too. */
const flag: PredicateClass = { kind: "predicate", access: "read", negatable: true, immediate: true };
const two = (type: InstructionType) => ({ p, q, a: of(type), b: of(type) });
/** One result: with halves ptxas accepts no second predicate, though `_` in its place. */
const none: AbsentClass = { kind: "absent", unless: "another type than .f16 and .bf16", sink: true };
const half = (type: "f16" | "bf16") => ({ p, q: none, a: of(type), b: of(type) });
const three = (type: InstructionType) => ({ ...two(type), c: flag });

type BoolOp = (typeof BoolOp)[number];

const compare = (op: Operation, combine?: BoolOp): Plan => ({
  shape: "compare",
  op: op,
  ...(combine && { combine }),
});
/** For packed halves p has the low one's result and q the high one's. */
const halves = (op: Operation, combine?: BoolOp): Plan => ({
  shape: "compare",
  op: oneOf(2, 0, op),
  second: oneOf(2, 1, op),
  ...(combine && { combine }),
});
const base: Since = { ptx: 10, sm: 10 };
const sinceHalf: Since = { ptx: 42, sm: 53 };
const sinceBrain: Since = { ptx: 78, sm: 90 };

/** setp on integers and bits. */
const integers: readonly Form[] = [
  form("setp.CmpOp.type p{|q}, a, b", {
    where: { CmpOp: equality, type: ["b16", "b32", "b64"] },
    operands: ({ type }) => two(type),
    since: base,
    run: ({ CmpOp, type }) => compare(related(type, CmpOp)),
    check: [{ with: ["eq", "b32"], a: 5, b: 5, p: 1, q: 0 }],
  }),
  form("setp.CmpOp.BoolOp.type p{|q}, a, b, {!}c", {
    where: { CmpOp: equality, BoolOp, type: ["b16", "b32", "b64"] },
    operands: ({ type }) => three(type),
    since: base,
    run: ({ CmpOp, BoolOp: boolean, type }) => compare(related(type, CmpOp), boolean),
    check: [{ with: ["ne", "and", "b64"], a: 5n, b: 6n, c: 1, p: 1, q: 0 }],
  }),
  form("setp.CmpOp.type p{|q}, a, b", {
    where: { CmpOp: unsigned, type: ["u16", "u32", "u64"] },
    operands: ({ type }) => two(type),
    since: base,
    run: ({ CmpOp, type }) => compare(related(type, CmpOp)),
    check: [
      { with: ["lt", "u32"], a: 1, b: 0xffff_ffff, p: 1 },
      { with: ["hi", "u16"], a: 1, b: 0xffff, p: 0, q: 1 },
    ],
  }),
  form("setp.CmpOp.BoolOp.type p{|q}, a, b, {!}c", {
    where: { CmpOp: unsigned, BoolOp, type: ["u16", "u32", "u64"] },
    operands: ({ type }) => three(type),
    since: base,
    run: ({ CmpOp, BoolOp: boolean, type }) => compare(related(type, CmpOp), boolean),
    check: [{ with: ["ls", "xor", "u64"], a: 1n, b: 2n, c: 1, p: 0, q: 1 }],
  }),
  form("setp.CmpOp.type p{|q}, a, b", {
    where: { CmpOp: signed, type: ["s16", "s32", "s64"] },
    operands: ({ type }) => two(type),
    since: base,
    run: ({ CmpOp, type }) => compare(related(type, CmpOp)),
    check: [{ with: ["lt", "s32"], a: 1, b: 0xffff_ffff, p: 0, q: 1 }],
  }),
  form("setp.CmpOp.BoolOp.type p{|q}, a, b, {!}c", {
    where: { CmpOp: signed, BoolOp, type: ["s16", "s32", "s64"] },
    operands: ({ type }) => three(type),
    since: base,
    run: ({ CmpOp, BoolOp: boolean, type }) => compare(related(type, CmpOp), boolean),
    check: [{ with: ["ge", "or", "s16"], a: 0xffff, b: 0, c: 0, p: 0, q: 1 }],
  }),
];

/** setp on floats. */
const floats: readonly Form[] = [
  form("setp.CmpOp{.ftz}.f32 p{|q}, a, b", {
    where: { CmpOp: floating },
    operands: two("f32"),
    since: ({ ftz }) => least(ftz && "ftz"),
    run: ({ CmpOp, ftz }) => compare(related("f32", CmpOp, ftz)),
    check: [
      { with: ["eq"], a: 0x8000_0000, b: 0x0000_0000, p: 1, q: 0 },
      { with: ["ltu"], a: 0x7fc0_0000, b: 0x0000_0000, p: 1 },
      { with: ["eq", "ftz"], a: 0x0000_0001, b: 0x8000_0000, p: 1 },
    ],
  }),
  form("setp.CmpOp.BoolOp{.ftz}.f32 p{|q}, a, b, {!}c", {
    where: { CmpOp: floating, BoolOp },
    operands: three("f32"),
    since: ({ ftz }) => least(ftz && "ftz"),
    run: ({ CmpOp, BoolOp: boolean, ftz }) => compare(related("f32", CmpOp, ftz), boolean),
    check: [{ with: ["num", "and"], a: 0x7fc0_0000, b: 0x0000_0000, c: 1, p: 0, q: 1 }],
  }),
  form("setp.CmpOp.f64 p{|q}, a, b", {
    where: { CmpOp: floating },
    operands: two("f64"),
    since: base,
    run: ({ CmpOp }) => compare(related("f64", CmpOp)),
    check: [{ with: ["gt"], a: 0x3ff0_0000_0000_0000n, b: 0xbff0_0000_0000_0000n, p: 1, q: 0 }],
  }),
  form("setp.CmpOp.BoolOp.f64 p{|q}, a, b, {!}c", {
    where: { CmpOp: floating, BoolOp },
    operands: three("f64"),
    since: base,
    run: ({ CmpOp, BoolOp: boolean }) => compare(related("f64", CmpOp), boolean),
    check: [{ with: ["gt", "xor"], a: 0x3ff0_0000_0000_0000n, b: 0xbff0_0000_0000_0000n, c: 1, p: 0, q: 1 }],
  }),
  form("setp.CmpOp{.ftz}.f16 p{|q}, a, b", {
    where: { CmpOp: floating },
    operands: half("f16"),
    since: sinceHalf,
    run: ({ CmpOp, ftz }) => compare(related("f16", CmpOp, ftz)),
    check: [{ with: ["le"], a: 0x3c00, b: 0x3c00, p: 1 }],
  }),
  form("setp.CmpOp.BoolOp{.ftz}.f16 p{|q}, a, b, {!}c", {
    where: { CmpOp: floating, BoolOp },
    operands: { ...half("f16"), c: flag },
    since: sinceHalf,
    run: ({ CmpOp, BoolOp: boolean, ftz }) => compare(related("f16", CmpOp, ftz), boolean),
    check: [{ with: ["le", "and"], a: 0x3c00, b: 0x3c00, c: 0, p: 0 }],
  }),
  form("setp.CmpOp{.ftz}.f16x2 p{|q}, a, b", {
    where: { CmpOp: floating },
    operands: two("f16x2"),
    since: sinceHalf,
    run: ({ CmpOp, ftz }) => halves(related("f16", CmpOp, ftz)),
    check: [{ with: ["lt"], a: 0x3c00_0000, b: 0x0000_3c00, p: 1, q: 0 }],
  }),
  form("setp.CmpOp.BoolOp{.ftz}.f16x2 p{|q}, a, b, {!}c", {
    where: { CmpOp: floating, BoolOp },
    operands: three("f16x2"),
    since: sinceHalf,
    run: ({ CmpOp, BoolOp: boolean, ftz }) => halves(related("f16", CmpOp, ftz), boolean),
    check: [{ with: ["lt", "xor"], a: 0x3c00_0000, b: 0x0000_3c00, c: 1, p: 0, q: 1 }],
  }),
  form("setp.CmpOp.bf16 p{|q}, a, b", {
    where: { CmpOp: floating },
    operands: half("bf16"),
    since: sinceBrain,
    run: ({ CmpOp }) => compare(related("bf16", CmpOp)),
    check: [{ with: ["ge"], a: 0x3f80, b: 0x4000, p: 0 }],
  }),
  form("setp.CmpOp.BoolOp.bf16 p{|q}, a, b, {!}c", {
    where: { CmpOp: floating, BoolOp },
    operands: { ...half("bf16"), c: flag },
    since: sinceBrain,
    run: ({ CmpOp, BoolOp: boolean }) => compare(related("bf16", CmpOp), boolean),
    check: [{ with: ["ge", "or"], a: 0x3f80, b: 0x4000, c: 1, p: 1 }],
  }),
  form("setp.CmpOp.bf16x2 p{|q}, a, b", {
    where: { CmpOp: floating },
    operands: two("bf16x2"),
    since: sinceBrain,
    run: ({ CmpOp }) => halves(related("bf16", CmpOp)),
    check: [{ with: ["lt"], a: 0x3f80_0000, b: 0x0000_3f80, p: 1, q: 0 }],
  }),
  form("setp.CmpOp.BoolOp.bf16x2 p{|q}, a, b, {!}c", {
    where: { CmpOp: floating, BoolOp },
    operands: three("bf16x2"),
    since: sinceBrain,
    run: ({ CmpOp, BoolOp: boolean }) => halves(related("bf16", CmpOp), boolean),
    check: [{ with: ["lt", "xor"], a: 0x3f80_0000, b: 0x0000_3f80, c: 1, p: 0, q: 1 }],
  }),
];

/** With the half precision forms, which have a chapter of their own. */
export const comparison: Section = section("comparison-selection", [...sets, ...integers, ...floats, ...selection], {
  "half-comparison":
    "setp.CmpOp.f16=setp setp.CmpOp.BoolOp.f16=setp setp.CmpOp.f16x2=setp setp.CmpOp.BoolOp.f16x2=setp setp.CmpOp.bf16=setp setp.CmpOp.BoolOp.bf16=setp setp.CmpOp.bf16x2=setp setp.CmpOp.BoolOp.bf16x2=setp set.CmpOp.dtype.f16x2=set set.CmpOp.BoolOp.dtype.f16x2=set set.CmpOp.dtype.bf16x2=set set.CmpOp.BoolOp.dtype.bf16x2=set",
});
