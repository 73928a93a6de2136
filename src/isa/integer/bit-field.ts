import {
  a,
  amount,
  and,
  argument,
  as,
  b,
  c,
  label,
  lowBits,
  minus,
  not,
  nth,
  ones,
  or,
  relation,
  reversed,
  select,
  shl,
  signedSlice,
  slice,
  wrap,
  zerosAbove,
} from "../../numeric/operation/build.ts";
import type { Expression } from "../../numeric/operation/expression.ts";
import { count, countTo, of, to } from "../form/classes.ts";
import { type Form, form, manual } from "../form/define.ts";

const since = { ptx: 20, sm: 20 };
const bits = ["b32", "b64"] as const;
const mode = ["clamp", "wrap"] as const;
const width = { b32: 32, b64: 64, u32: 32, u64: 64, s32: 32, s64: 64 } as const;
const type = ["u32", "u64", "s32", "s64"] as const;
/** Positions and lengths are 32-bit numbers whatever the type is; their low 8 bits count. */
const number = count({ most: 255 });
const pos = (x: Expression): Expression => label("pos", and(x, 0xff));
const len = (x: Expression): Expression => label("len", and(x, 0xff));
/** So many ones, from bit 0 on. */
const mask = (length: Expression): Expression => minus(shl(1, length), 1);
/** Below the sign or the zeros at the top: a, with its bits turned over where it is negative. */
const withoutSign = (type: string): Expression =>
  type.startsWith("s") ? label("x", select(relation("lt", a, 0), not(a), a)) : a;

/** Bits counted, found, reversed, and fields of them. */
export const fields: readonly Form[] = [
  form("popc.type d, a", {
    where: { type: bits },
    operands: ({ type }) => ({ d: countTo(), a: of(type) }),
    since,
    does: () => wrap("u32", ones(a)),
    check: [
      { with: ["b32"], a: 0xf000_0001, d: 5 },
      { with: ["b64"], a: 0x8000_0000_8000_0000n, d: 2 },
    ],
  }),
  form("clz.type d, a", {
    where: { type: bits },
    operands: ({ type }) => ({ d: countTo(), a: of(type) }),
    since,
    does: ({ type }) => wrap("u32", zerosAbove(width[type], a)),
    check: [
      { with: ["b32"], a: 0, d: 32 },
      { with: ["b64"], a: 1n, d: 63 },
    ],
  }),
  form("bfind{.shiftamt}.type d, a", {
    where: { type },
    operands: ({ type }) => ({ d: countTo(), a: of(type) }),
    since,
    does: ({ shiftamt, type }) => {
      const x = withoutSign(type);
      const zeros = zerosAbove(width[type], x);
      // Where there is no 1, the bit is -1: 0xffffffff.
      return wrap("u32", shiftamt ? select(relation("ne", x, 0), zeros, -1) : minus(width[type] - 1, zeros));
    },
    check: [
      { with: ["u32"], a: 0x0000_0100, d: 8 },
      { with: ["shiftamt", "u32"], a: 0x0000_0100, d: 23 },
      { with: ["s64"], a: 0xffff_ffff_ffff_ffffn, d: 0xffff_ffff },
    ],
  }),
  form("brev.type d, a", {
    where: { type: bits },
    operands: ({ type }) => ({ d: to(type), a: of(type) }),
    since,
    does: ({ type }) => wrap(type, reversed(width[type], a)),
    check: [
      { with: ["b32"], a: 0x8000_0002, d: 0x4000_0001 },
      { with: ["b64"], a: 1n, d: 0x8000_0000_0000_0000n },
    ],
  }),
  form("bfe.type d, a, b, c", {
    where: { type },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: number, c: number }),
    since,
    // The sign of a goes on above its top, and so it fills what of the field lies there.
    does: ({ type }) => wrap(type, (type.startsWith("s") ? signedSlice : slice)(a, pos(b), len(c))),
    check: [
      { with: ["u32"], a: 0x1234_5678, b: 8, c: 12, d: 0x456 },
      { with: ["s32"], a: 0x0000_0f00, b: 8, c: 4, d: 0xffff_ffff },
      { with: ["s32"], a: 0x8000_0000, b: 40, c: 4, d: 0xffff_ffff },
    ],
  }),
  form("bfi.type f, a, b, c, d", {
    where: { type: bits },
    operands: ({ type }) => ({ f: to(type), a: of(type), b: of(type), c: number, d: number }),
    since,
    does: ({ type }) => {
      const field = label("field", shl(mask(len(argument("d"))), pos(c)));
      return wrap(type, or(and(b, not(field)), and(shl(a, pos(c)), field)));
    },
    check: [
      { with: ["b32"], a: 0xff, b: 0x1111_1111, c: 28, d: 8, f: 0xf111_1111 },
      { with: ["b64"], a: 2n, b: 1n, c: 32, d: 32, f: 0x0000_0002_0000_0001n },
    ],
  }),
  form("fns.b32 d, mask, base, offset", {
    operands: { d: to("b32"), mask: of("b32"), base: of("b32"), offset: of("b32") },
    since: { ptx: 60, sm: 30 },
    does: () => wrap("b32", nth(argument("mask"), argument("base"), as("s32", argument("offset")))),
    facts: [manual("the manual leaves a base above 31 open; its loop ends at once, and nothing is found")],
    check: [
      { mask: 0xaaaa_aaaa, base: 3, offset: 1, d: 3 },
      { mask: 0xaaaa_aaaa, base: 3, offset: 0xffff_ffff, d: 3 },
      { mask: 0xaaaa_aaaa, base: 2, offset: 1, d: 3 },
      { mask: 0xaaaa_aaaa, base: 2, offset: 0xffff_ffff, d: 1 },
      { mask: 0xaaaa_aaaa, base: 2, offset: 0, d: 0xffff_ffff },
    ],
  }),
  form("szext.mode.type d, a, b", {
    where: { mode, type: ["u32", "s32"] },
    operands: { d: countTo(), a: count(), b: count() },
    since: { ptx: 76, sm: 70 },
    does: ({ mode, type }) => wrap(type, lowBits(type, a, amount(mode, b))),
    check: [
      { with: ["clamp", "s32"], a: 0x0000_0f80, b: 8, d: 0xffff_ff80 },
      { with: ["wrap", "u32"], a: 0xffff_ffff, b: 0, d: 0 },
      { with: ["clamp", "u32"], a: 0x8765_4321, b: 32, d: 0x8765_4321 },
      { with: ["wrap", "u32"], a: 0x8765_4321, b: 36, d: 1 },
    ],
  }),
  form("bmsk.mode.b32 d, a, b", {
    where: { mode },
    operands: { d: countTo(), a: count(), b: count() },
    since: { ptx: 76, sm: 70 },
    does: ({ mode }) => wrap("b32", shl(mask(amount(mode, b)), amount(mode, a))),
    check: [
      { with: ["wrap"], a: 1, b: 2, d: 6 },
      { with: ["clamp"], a: 32, b: 2, d: 0 },
      { with: ["wrap"], a: 36, b: 34, d: 0x30 },
      { with: ["clamp"], a: 28, b: 40, d: 0xf000_0000 },
    ],
  }),
];
