import type { Plan } from "../../interp/contract/plan/plan.ts";
import {
  a,
  amount,
  and,
  argument,
  b,
  c,
  label,
  min,
  minus,
  not,
  operation,
  or,
  relation,
  select,
  shl,
  shr,
  slice,
  wrap,
  xor,
} from "../../numeric/operation/build.ts";
import type { Expression } from "../../numeric/operation/expression.ts";
import { count, of, to } from "../form/classes.ts";
import { type Form, form, type Section, section } from "../form/define.ts";
import type { PredicateClass } from "../form/operands.ts";

const since = { ptx: 10, sm: 10 };
const type = ["b16", "b32", "b64"] as const;
const written: PredicateClass = { kind: "predicate", access: "write" };
/** The manual shows neither `!p` nor a constant here; ptxas takes both, and compilers write them. */
const read: PredicateClass = { kind: "predicate", access: "read", negatable: true, immediate: true };
/** A shift amount is a 32-bit number whatever is shifted. */
const number = count();
/** Amounts past the width are clamped to it. */
const clamped = (type: string): Expression => min(b, Number(type.slice(1)));

const ops = { and, or, xor };
const onOne = { and: 0, or: 1, xor: 1 };
const onBits = { and: 0x1000, or: 0x3ffc, xor: 0x2ffc };

/** Bit n of immLut is the result for the bits of a, b and c that form n, that of a the highest. */
const immLut = argument("immLut");
const lookUp = Array.from({ length: 8 }, (_, n) => {
  const [x, y, z] = [n & 4 ? a : not(a), n & 2 ? b : not(b), n & 1 ? c : not(c)];
  return select(slice(immLut, n, 1), label(`row${n}`, and(and(x, y), z)), 0);
}).reduce(or);
const lop3 = operation({ a: "b32", b: "b32", c: "b32", immLut: "u32" }, "b32", wrap("b32", lookUp));

function bitwise(mnemonic: keyof typeof ops): readonly Form[] {
  return [
    form(`${mnemonic}.type d, a, b`, {
      where: { type },
      operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
      since,
      does: ({ type }) => wrap(type, ops[mnemonic](a, b)),
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

export const logic: Section = section("logic-shift", [
  ...bitwise("and"),
  ...bitwise("or"),
  ...bitwise("xor"),
  form("lop3.b32 d, a, b, c, immLut", {
    operands: { d: to("b32"), a: of("b32"), b: of("b32"), c: of("b32"), immLut: { kind: "literal", bits: 8 } },
    since: { ptx: 43, sm: 50 },
    does: () => wrap("b32", lookUp),
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
    does: ({ type }) => wrap(type, not(a)),
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
    does: ({ type }) => wrap(type, relation("eq", a, 0)),
    check: [
      { with: ["b32"], a: 0, d: 1 },
      { with: ["b64"], a: 7n, d: 0n },
    ],
  }),
  form("shl.type d, a, b", {
    where: { type },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: number }),
    since,
    does: ({ type }) => wrap(type, shl(a, clamped(type))),
    check: [
      { with: ["b32"], a: 0x8000_0001, b: 1, d: 2 },
      { with: ["b64"], a: 1n, b: 64, d: 0n },
    ],
  }),
  form("shr.type d, a, b", {
    where: { type: ["b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: number }),
    since,
    does: ({ type }) => wrap(type, shr(a, clamped(type))),
    check: [
      { with: ["u32"], a: 0x8000_0000, b: 31, d: 1 },
      { with: ["s32"], a: 0x8000_0000, b: 99, d: 0xffff_ffff },
      { with: ["b16"], a: 0x8000, b: 3, d: 0x1000 },
    ],
  }),
  form("shf.direction.mode.b32 d, a, b, c", {
    where: { direction: ["l", "r"], mode: ["clamp", "wrap"] },
    operands: { d: to("b32"), a: of("b32"), b: of("b32"), c: count() },
    since: { ptx: 31, sm: 32 },
    does: ({ direction, mode }) => {
      const n = amount(mode, c);
      return wrap("b32", direction === "l" ? or(shl(b, n), shr(a, minus(32, n))) : or(shl(b, minus(32, n)), shr(a, n)));
    },
    check: [
      { with: ["l", "clamp"], a: 0x8000_0000, b: 1, c: 1, d: 3 },
      { with: ["l", "clamp"], a: 7, b: 1, c: 99, d: 7 },
      { with: ["r", "wrap"], a: 0x10, b: 1, c: 36, d: 0x1000_0001 },
    ],
  }),
]);
