import {
  a,
  abs,
  b,
  c,
  carryless,
  clamp,
  divided,
  half,
  kept,
  label,
  lowBits,
  max,
  min,
  minus,
  negated,
  plus,
  relation,
  remainder,
  select,
  shr,
  times,
  wrap,
  xor,
} from "../../numeric/operation/build.ts";
import type { Expression } from "../../numeric/operation/expression.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form, type Section, type Since, section, unspecified } from "../form/define.ts";
import { fields } from "./bit-field.ts";
import { dots } from "./dot-product.ts";

const since = { ptx: 10, sm: 10 };
const sinceX2 = { ptx: 80, sm: 90 };
const wide = { u16: "u32", s16: "s32", u32: "u64", s32: "s64" } as const;
/** Four lanes, and what is saturated besides s32 (PTX ISA 9.4, add: Target ISA Notes). */
const sinceX4: Since = { ptx: 92, sm: 107, only: "f", families: [107, 120, 121] };
const sinceOf = { u32: since, s32: since, u16x2: sinceX2, s16x2: sinceX2, u8x4: sinceX4, s8x4: sinceX4 } as const;
/** What one lane is, or the whole. */
const lane = { u32: "u32", s32: "s32", u16x2: "u16", s16x2: "s16", u8x4: "u8", s8x4: "s8" } as const;

const t = label("t", times(a, b));
/** The product of the low 24 bits of a and b: 48 bits. */
const product24 = (type: "u32" | "s32"): Expression => label("t", times(lowBits(type, a, 24), lowBits(type, b, 24)));
/** `t<31..0>` or `t<47..16>` of such a product. */
const half24 = (part: "lo" | "hi", t: Expression): Expression => (part === "hi" ? shr(t, 16) : t);
const byZero = unspecified(
  "by zero the result is unspecified and differs between machines: here it is all ones, whatever the type, as in what ptxas makes of 32 and 64 bits; of 16 bits it may make something else",
);

const addition: readonly Form[] = [
  form("add.type d, a, b", {
    where: { type: ["u16", "u64", "s16", "s64"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
    since,
    does: ({ type }) => wrap(type, plus(a, b)),
    check: [{ with: ["s64"], a: 0xffff_ffff_ffff_ffffn, b: 0x8000_0000_0000_0000n, d: 0x7fff_ffff_ffff_ffffn }],
  }),
  form("add{.sat}.type d, a, b", {
    where: { type: ["u32", "s32", "u16x2", "s16x2", "u8x4", "s8x4"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
    since: ({ sat, type }) => (sat && type !== "s32" ? sinceX4 : sinceOf[type]),
    does: ({ sat, type }) => kept(lane[type], sat, plus(a, b)),
    check: [
      { with: ["u32"], a: 0xffff_ffff, b: 2, d: 1 },
      { with: ["s32"], a: 0x7fff_ffff, b: 1, d: 0x8000_0000 },
      { with: ["sat", "s32"], a: 0x7fff_ffff, b: 1, d: 0x7fff_ffff },
      { with: ["sat", "s32"], a: 0x8000_0000, b: 0xffff_ffff, d: 0x8000_0000 },
      { with: ["sat", "u32"], a: 0xffff_ffff, b: 2, d: 0xffff_ffff },
      { with: ["u16x2"], a: 0x0001_ffff, b: 0x0001_0001, d: 0x0002_0000 }, // no carry from lane to lane
      { with: ["sat", "s16x2"], a: 0x8000_7fff, b: 0xffff_0001, d: 0x8000_7fff },
      { with: ["u8x4"], a: 0x01ff_7f80, b: 0x0101_0180, d: 0x0200_8000 },
      { with: ["sat", "u8x4"], a: 0x01ff_7f80, b: 0x0101_0180, d: 0x02ff_80ff },
      { with: ["sat", "s8x4"], a: 0x01ff_7f80, b: 0x0101_0180, d: 0x0200_7f80 },
    ],
  }),
  form("sub.type d, a, b", {
    where: { type: ["u16", "u32", "u64", "s16", "s64"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
    since,
    does: ({ type }) => wrap(type, minus(a, b)),
    check: [{ with: ["u16"], a: 1, b: 2, d: 0xffff }],
  }),
  form("sub{.sat}.type d, a, b", {
    where: { type: ["s32", "u8x4", "s8x4"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
    since: ({ type }) => sinceOf[type],
    does: ({ sat, type }) => kept(lane[type], sat, minus(a, b)),
    check: [
      { a: 0x8000_0000, b: 1, d: 0x7fff_ffff },
      { with: ["sat"], a: 0x8000_0000, b: 1, d: 0x8000_0000 },
      { with: ["u8x4"], a: 0x0001_8000, b: 0x0102_0180, d: 0xffff_7f80 },
      { with: ["sat", "u8x4"], a: 0x0001_8000, b: 0x0102_0180, d: 0x0000_7f00 },
      { with: ["sat", "s8x4"], a: 0x0001_8000, b: 0x0102_0180, d: 0xffff_807f },
    ],
  }),
];

const multiplication: readonly Form[] = [
  form("mul.part.type d, a, b", {
    where: { part: ["lo", "hi"], type: ["u16", "u32", "u64", "s16", "s32", "s64"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
    since,
    does: ({ part, type }) => wrap(type, half(part, type, t)),
    check: [
      { with: ["lo", "u32"], a: 0x1_0000, b: 0x1_0001, d: 0x1_0000 },
      { with: ["hi", "u32"], a: 0xffff_ffff, b: 0xffff_ffff, d: 0xffff_fffe },
      { with: ["hi", "s32"], a: 0xffff_ffff, b: 0xffff_ffff, d: 0 },
      { with: ["hi", "s64"], a: 0xffff_ffff_ffff_ffffn, b: 1n, d: 0xffff_ffff_ffff_ffffn },
    ],
  }),
  form("mul.wide.type d, a, b", {
    where: { type: ["u16", "s16", "u32", "s32"] },
    operands: ({ type }) => ({ d: to(wide[type]), a: of(type), b: of(type) }),
    since,
    does: ({ type }) => wrap(wide[type], times(a, b)),
    check: [
      { with: ["u16"], a: 0xffff, b: 0xffff, d: 0xfffe_0001 },
      { with: ["s32"], a: 0xffff_ffff, b: 2, d: 0xffff_ffff_ffff_fffen },
    ],
  }),
  form("mad.part.type d, a, b, c", {
    where: { part: ["lo", "hi"], type: ["u16", "u32", "u64", "s16", "s32", "s64"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type), c: of(type) }),
    since,
    does: ({ part, type }) => wrap(type, plus(half(part, type, t), c)),
    check: [
      { with: ["lo", "s32"], a: 7, b: 6, c: 0xffff_ffff, d: 41 },
      { with: ["hi", "u32"], a: 0x8000_0000, b: 4, c: 1, d: 3 },
    ],
  }),
  form("mad.hi.sat.s32 d, a, b, c", {
    operands: { d: to("s32"), a: of("s32"), b: of("s32"), c: of("s32") },
    since,
    does: () => clamp("s32", plus(half("hi", "s32", t), c)),
    check: [{ a: 0x7fff_ffff, b: 0x7fff_ffff, c: 0x7fff_ffff, d: 0x7fff_ffff }],
  }),
  form("mad.wide.type d, a, b, c", {
    where: { type: ["u16", "s16", "u32", "s32"] },
    operands: ({ type }) => ({ d: to(wide[type]), a: of(type), b: of(type), c: of(wide[type]) }),
    since,
    does: ({ type }) => wrap(wide[type], plus(times(a, b), c)),
    check: [{ with: ["s32"], a: 0xffff_ffff, b: 2, c: 3n, d: 1n }],
  }),
  form("clmad.part.u64 d, a, b, c", {
    where: { part: ["hi", "lo"] },
    operands: { d: to("u64"), a: of("u64"), b: of("u64"), c: of("u64") },
    since: { ptx: 93, sm: 80 },
    does: ({ part }) => wrap("u64", xor(half(part, "u64", label("t", carryless(a, b))), c)),
    check: [
      { with: ["lo"], a: 3n, b: 3n, c: 0n, d: 5n }, // (x + 1)^2 is x^2 + 1
      { with: ["lo"], a: 0xffff_ffff_ffff_ffffn, b: 3n, c: 0xfn, d: 0xen },
      { with: ["hi"], a: 0x8000_0000_0000_0000n, b: 0x8000_0000_0000_0001n, c: 1n, d: 0x4000_0000_0000_0001n },
    ],
  }),
  form("mul24.part.type d, a, b", {
    where: { part: ["lo", "hi"], type: ["u32", "s32"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
    since,
    does: ({ part, type }) => wrap(type, half24(part, product24(type))),
    check: [
      { with: ["lo", "u32"], a: 0xff00_0003, b: 5, d: 15 },
      { with: ["hi", "u32"], a: 0x00ff_ffff, b: 0x00ff_ffff, d: 0xffff_fe00 }, // bits 47 to 16 of the product
    ],
  }),
  form("mad24.part.type d, a, b, c", {
    where: { part: ["lo", "hi"], type: ["u32", "s32"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type), c: of(type) }),
    since,
    does: ({ part, type }) => wrap(type, plus(half24(part, product24(type)), c)),
    check: [{ with: ["lo", "s32"], a: 0x00ff_ffff, b: 2, c: 5, d: 3 }],
  }),
  form("mad24.hi.sat.s32 d, a, b, c", {
    operands: { d: to("s32"), a: of("s32"), b: of("s32"), c: of("s32") },
    since,
    does: () => clamp("s32", plus(half24("hi", product24("s32")), c)),
    check: [{ a: 0x007f_ffff, b: 0x007f_ffff, c: 0x7fff_ffff, d: 0x7fff_ffff }],
  }),
];

const others: readonly Form[] = [
  form("sad.type d, a, b, c", {
    where: { type: ["u16", "u32", "u64", "s16", "s32", "s64"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type), c: of(type) }),
    since,
    does: ({ type }) => wrap(type, plus(c, abs(minus(a, b)))),
    check: [
      { with: ["u32"], a: 3, b: 0xffff_ffff, c: 1, d: 0xffff_fffd },
      { with: ["s32"], a: 3, b: 0xffff_ffff, c: 1, d: 5 },
    ],
  }),
  form("div.type d, a, b", {
    where: { type: ["u16", "u32", "u64", "s16", "s32", "s64"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
    since,
    does: ({ type }) => wrap(type, select(relation("ne", b, 0), divided(a, b), -1)),
    facts: [byZero],
    check: [
      { with: ["s32"], a: 0xffff_fff9, b: 2, d: 0xffff_fffd }, // -7 / 2 is -3
      { with: ["u64"], a: 100n, b: 7n, d: 14n },
      { with: ["u16"], a: 7, b: 0, d: 0xffff },
    ],
  }),
  form("rem.type d, a, b", {
    where: { type: ["u16", "u32", "u64", "s16", "s32", "s64"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
    since,
    does: ({ type }) => wrap(type, select(relation("ne", b, 0), remainder(a, b), -1)),
    facts: [byZero],
    check: [
      { with: ["s32"], a: 0xffff_fff9, b: 2, d: 0xffff_ffff }, // the sign of a
      { with: ["u64"], a: 100n, b: 7n, d: 2n },
      { with: ["s16"], a: 7, b: 0, d: 0xffff },
    ],
  }),
  form("abs.type d, a", {
    where: { type: ["s16", "s32", "s64"] },
    operands: ({ type }) => ({ d: to(type), a: of(type) }),
    since,
    does: ({ type }) => wrap(type, abs(a)),
    check: [
      { with: ["s16"], a: 0xfffb, d: 5 },
      { with: ["s32"], a: 0x8000_0000, d: 0x8000_0000 },
    ],
  }),
  form("neg.type d, a", {
    where: { type: ["s16", "s32", "s64", "s8x4"] },
    operands: ({ type }) => ({ d: to(type), a: of(type) }),
    since: ({ type }) => (type === "s8x4" ? sinceX4 : since),
    does: ({ type }) => wrap(type === "s8x4" ? "s8" : type, negated(a)),
    check: [
      { with: ["s64"], a: 5n, d: 0xffff_ffff_ffff_fffbn },
      { with: ["s8x4"], a: 0x0001_80ff, d: 0x00ff_8001 },
    ],
  }),
  ...(["min", "max"] as const).flatMap((mnemonic) => extremes(mnemonic)),
];

/** `min` and `max` differ in one word. */
function extremes(mnemonic: "min" | "max"): readonly Form[] {
  const extremum = { min, max }[mnemonic](a, b);
  const pick = <T>(least: T, greatest: T): T => (mnemonic === "min" ? least : greatest);
  return [
    form(`${mnemonic}.type d, a, b`, {
      where: { type: ["u16", "u32", "u64", "s16", "s64"] },
      operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
      since,
      does: ({ type }) => wrap(type, extremum),
      check: [
        { with: ["u32"], a: 0xffff_ffff, b: 1, d: pick(1, 0xffff_ffff) },
        { with: ["s16"], a: 0xffff, b: 1, d: pick(0xffff, 1) },
      ],
    }),
    form(`${mnemonic}{.relu}.s32 d, a, b`, {
      operands: { d: to("s32"), a: of("s32"), b: of("s32") },
      since: ({ relu }) => (relu ? sinceX2 : since),
      does: ({ relu }) => wrap("s32", relu ? max(extremum, 0) : extremum),
      check: [
        { a: 0xffff_ffff, b: 1, d: pick(0xffff_ffff, 1) },
        { with: ["relu"], a: 0xffff_ffff, b: 0xffff_fffe, d: 0 },
      ],
    }),
    form(`${mnemonic}.type d, a, b`, {
      where: { type: ["u16x2", "u8x4"] },
      operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
      since: ({ type }) => sinceOf[type],
      does: ({ type }) => wrap(lane[type], extremum),
      check: [
        { a: 0xffff_0001, b: 0x0001_0002, d: pick(0x0001_0001, 0xffff_0002) },
        { with: ["u8x4"], a: 0xff00_0180, b: 0x0101_027f, d: pick(0x0100_017f, 0xff01_0280) },
      ],
    }),
    form(`${mnemonic}{.relu}.type d, a, b`, {
      where: { type: ["s16x2", "s8x4"] },
      operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
      since: ({ type }) => sinceOf[type],
      does: ({ relu, type }) => wrap(lane[type], relu ? max(extremum, 0) : extremum),
      check: [
        { with: ["s8x4"], a: 0xff00_0180, b: 0x0101_027f, d: pick(0xff00_0180, 0x0101_027f) },
        { with: ["relu", "s8x4"], a: 0xff00_0180, b: 0xfe01_0281, d: pick(0x0000_0100, 0x0001_0200) },
        { a: 0xffff_0001, b: 0x0001_0002, d: pick(0xffff_0001, 0x0001_0002) },
        { with: ["relu"], a: 0xffff_0001, b: 0xfffe_0002, d: pick(0x0000_0001, 0x0000_0002) },
      ],
    }),
  ];
}

export const integer: Section = section("integer", [...addition, ...multiplication, ...others, ...fields, ...dots]);
