import type { Plan } from "../../interp/contract/plan.ts";
import { band, bnot, bor, bxor, cnot, lop3, shl, shr } from "../../numeric/index.ts";
import { funnel } from "../9.7.1-integer/bit-field.ts";
import { count, of, to } from "../form/classes.ts";
import { compute, type Form, form, type Section, section } from "../form/define.ts";
import type { PredicateClass } from "../form/operands.ts";

const since = { ptx: 10, sm: 10 };
const type = ["b16", "b32", "b64"] as const;
const width = { b16: 16, b32: 32, b64: 64 } as const;
const written: PredicateClass = { kind: "predicate", access: "write" };
/** The manual shows neither `!p` nor a constant here; ptxas takes both, and compilers write them. */
const read: PredicateClass = { kind: "predicate", access: "read", negatable: true, immediate: true };
/** A shift amount is a 32-bit number whatever is shifted; amounts past the width are clamped to it. */
const amount = count();

const ops = { and: band, or: bor, xor: bxor };
const onOne = { and: 0, or: 1, xor: 1 };
const onBits = { and: 0x1000, or: 0x3ffc, xor: 0x2ffc };

function bitwise(mnemonic: keyof typeof ops): readonly Form[] {
  return [
    form(`${mnemonic}.type d, a, b`, {
      where: { type },
      operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
      since,
      run: ({ type }) => compute(ops[mnemonic](width[type])),
      check: [{ with: ["b32"], a: 0x3ff0, b: 0x100c, d: onBits[mnemonic] }],
    }),
    form(`${mnemonic}.pred d, a, b`, {
      operands: { d: written, a: read, b: read },
      since,
      run: (): Plan => ({ shape: "logic", op: mnemonic }),
      check: [{ a: 1, b: 0, d: onOne[mnemonic] }],
    }),
  ];
}

/** 9.7.8. */
export const logic: Section = section("9.7.8", "Logic and Shift", "logic-and-shift-instructions", [
  ...bitwise("and"),
  ...bitwise("or"),
  ...bitwise("xor"),
  form("lop3.b32 d, a, b, c, immLut", {
    operands: { d: to("b32"), a: of("b32"), b: of("b32"), c: of("b32"), immLut: { kind: "literal", bits: 8 } },
    since: { ptx: 43, sm: 50 },
    run: () => compute(lop3),
    check: [
      // The table of a & b & c is 0xf0 & 0xcc & 0xaa, that of (a ^ b) | c is (0xf0 ^ 0xcc) | 0xaa.
      { snippet: "lop3.b32 d, a, b, c, 0x80;", given: { a: 0xf0, b: 0xcc, c: 0xaa }, gives: { d: 0x80 } },
      { snippet: "lop3.b32 d, a, b, c, 0xbe;", given: { a: 0xf0, b: 0xcc, c: 0xaa }, gives: { d: 0xbe } },
    ],
  }),
  form("lop3.BoolOp.b32 d|p, a, b, c, immLut, q", {
    where: { BoolOp: ["or", "and"] },
    operands: {
      d: to("b32", { sink: true }),
      p: written,
      a: of("b32"),
      b: of("b32"),
      c: of("b32"),
      immLut: { kind: "literal", bits: 8 },
      q: read,
    },
    since: { ptx: 82, sm: 70 },
    run: ({ BoolOp }) => ({ shape: "test", op: lop3, combine: BoolOp }),
    check: [
      {
        snippet: "lop3.or.b32 d|p, a, b, c, 0x80, q;",
        given: { a: 0xf0, b: 0xcc, c: 0x2a, q: 0 },
        gives: { d: 0, p: 0 },
      },
      {
        snippet: "lop3.and.b32 _|p, a, b, c, 0xfe, !q;",
        given: { a: 0xf0, b: 0xcc, c: 0xaa, q: 0 },
        gives: { p: 1 },
      },
    ],
  }),
  form("not.type d, a", {
    where: { type },
    operands: ({ type }) => ({ d: to(type), a: of(type) }),
    since,
    run: ({ type }) => compute(bnot(width[type])),
    check: [{ with: ["b16"], a: 0x00ff, d: 0xff00 }],
  }),
  form("not.pred d, a", {
    operands: { d: written, a: read },
    since,
    run: () => ({ shape: "logic", op: "not" }),
    check: [{ a: 1, d: 0 }],
  }),
  form("cnot.type d, a", {
    where: { type },
    operands: ({ type }) => ({ d: to(type), a: of(type) }),
    since,
    run: ({ type }) => compute(cnot(width[type])),
    check: [
      { with: ["b32"], a: 0, d: 1 },
      { with: ["b64"], a: 7n, d: 0n },
    ],
  }),
  form("shl.type d, a, b", {
    where: { type },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: amount }),
    since,
    run: ({ type }) => compute(shl(width[type])),
    check: [
      { with: ["b32"], a: 0x8000_0001, b: 1, d: 2 },
      { with: ["b64"], a: 1n, b: 64, d: 0n },
    ],
  }),
  form("shr.type d, a, b", {
    where: { type: ["b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: amount }),
    since,
    run: ({ type }) => compute(shr(type.startsWith("b") ? unsigned[type as keyof typeof unsigned] : (type as Shifted))),
    check: [
      { with: ["u32"], a: 0x8000_0000, b: 31, d: 1 },
      { with: ["s32"], a: 0x8000_0000, b: 99, d: 0xffff_ffff },
      { with: ["b16"], a: 0x8000, b: 3, d: 0x1000 },
    ],
  }),
  ...funnel,
]);

const unsigned = { b16: "u16", b32: "u32", b64: "u64" } as const;
type Shifted = "u16" | "u32" | "u64" | "s16" | "s32" | "s64";
