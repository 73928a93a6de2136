import { a, as, b, CF, c, carry, clamp, not, plus, shr, slice, times } from "../../numeric/operation/build.ts";
import type { Expression } from "../../numeric/operation/expression.ts";
import { type TypeName, widthOf } from "../../numeric/operation/type.ts";
import { of, to } from "../form/classes.ts";
import { form, ptxas, type Section, type Since, section } from "../form/define.ts";

type Type = "u32" | "s32" | "u64" | "s64";
const bitsOf = (type: Type): 32 | 64 => (type.endsWith("64") ? 64 : 32);

/** ~b as a register of the type holds it. */
const inverted = (type: TypeName): Expression => slice(not(b), 0, widthOf(type));
/** A half of the product of a and b, `t<n-1..0>` or `t<2n-1..n>`: bits without a sign, whatever the factors have. */
const halfOf = (part: "lo" | "hi", type: TypeName): Expression => {
  const n = widthOf(type);
  return slice(times(as(type, a), as(type, b)), part === "hi" ? n : 0, n);
};
const notBorrow = ptxas(
  "the flag is the carry out of a + ~b + 1, NOT borrow: ptxas folds sub.cc 5 - 3 and addc 100 + 10 to 111; " +
    "the manual's words, a - (b + CC.CF) with a borrow-out, differ for chains that mix additions and subtractions",
);

/** With `.cc`, 64 bits came long after 32. */
const sinceCC = (type: Type, ptx: number): Since => (bitsOf(type) === 64 ? { ptx: 43, sm: 20 } : { ptx, sm: 10 });

export const extended: Section = section(
  "extended-precision",
  [
    form("add.cc.type d, a, b", {
      where: { type: ["u32", "s32", "u64", "s64"] },
      operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
      since: ({ type }) => sinceCC(type, 12),
      does: ({ type }) => carry(type, plus(a, b)),
      check: [
        { with: ["u32"], a: 0x0000_0001, b: 0x5cfe_f43a, d: 0x5cfe_f43b, cfOut: 0 },
        { with: ["s32"], a: 0x8000_0000, b: 0x3c21_3006, d: 0xbc21_3006, cfOut: 0 },
        { with: ["u64"], a: 0x07e9_3de7_ed8b_60ccn, b: 0x7fff_ffff_ffff_fffen, d: 0x87e9_3de7_ed8b_60can, cfOut: 0 },
        { with: ["s64"], a: 0x0d33_12ec_137c_8207n, b: 0xf2cc_ed13_ec83_7df7n, d: 0xffff_ffff_ffff_fffen, cfOut: 0 },
      ],
    }),
    form("addc{.cc}.type d, a, b", {
      where: { type: ["u32", "s32", "u64", "s64"] },
      operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
      since: ({ cc, type }) => (cc ? sinceCC(type, 12) : { ptx: 12, sm: 10 }),
      does: ({ cc, type }) => carry(type, plus(a, b, CF), { out: cc }),
      check: [
        { with: ["u32"], cfIn: 1, a: 0x5d11_933a, b: 0x7fff_ffff, d: 0xdd11_933a },
        {
          with: ["cc", "s64"],
          cfIn: 1,
          a: 0x8000_0000_0000_0000n,
          b: 0xb9bc_dc17_98ef_9376n,
          d: 0x39bc_dc17_98ef_9377n,
          cfOut: 1,
        },
      ],
    }),
    form("sub.cc.type d, a, b", {
      where: { type: ["u32", "s32", "u64", "s64"] },
      operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
      since: ({ type }) => sinceCC(type, 13),
      does: ({ type }) => carry(type, plus(a, inverted(type), 1)),
      facts: [notBorrow],
      check: [
        { with: ["u32"], a: 5, b: 3, d: 2, cfOut: 1 }, // no borrow: the flag is the carry out of a + ~b + 1
        { with: ["s64"], a: 0n, b: 1n, d: 0xffff_ffff_ffff_ffffn, cfOut: 0 },
      ],
    }),
    form("subc{.cc}.type d, a, b", {
      where: { type: ["u32", "s32", "u64", "s64"] },
      operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
      since: ({ cc, type }) => (cc ? sinceCC(type, 13) : { ptx: 13, sm: 10 }),
      does: ({ cc, type }) => carry(type, plus(a, inverted(type), CF), { out: cc }),
      facts: [notBorrow],
      check: [
        { with: ["u32"], cfIn: 1, a: 5, b: 3, d: 2 },
        { with: ["cc", "u32"], cfIn: 0, a: 5, b: 5, d: 0xffff_ffff, cfOut: 0 },
        { with: ["cc", "s64"], cfIn: 0, a: 5n, b: 3n, d: 1n, cfOut: 1 },
      ],
    }),
    form("mad.part.cc.type d, a, b, c", {
      where: { part: ["lo", "hi"], type: ["u32", "s32", "u64", "s64"] },
      operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type), c: of(type) }),
      since: ({ type }) => (bitsOf(type) === 64 ? { ptx: 43, sm: 20 } : { ptx: 30, sm: 20 }),
      does: ({ part, type }) => carry(type, plus(halfOf(part, type), c)),
      check: [
        { with: ["lo", "u32"], a: 0xc52b_383c, b: 0x6c68_4149, c: 0xca86_3425, d: 0x2580_7941, cfOut: 1 },
        {
          with: ["lo", "s64"],
          a: 0x0000_0000_ffff_ffffn,
          b: 0x7fff_ffff_ffff_ffffn,
          c: 0x0000_0000_ffff_0000n,
          d: 0x7fff_ffff_ffff_0001n,
          cfOut: 0,
        },
        { with: ["hi", "u32"], a: 0x2502_3e53, b: 0x0000_0003, c: 0x4047_56ae, d: 0x4047_56ae, cfOut: 0 },
        {
          with: ["hi", "s64"],
          a: 0x2297_3f83_b455_c49en,
          b: 0xffff_ffff_ffff_ffffn,
          c: 0xffff_ffff_ffff_ffffn,
          d: 0xffff_ffff_ffff_fffen,
          cfOut: 1,
        },
      ],
    }),
    form("madc.part{.cc}.type d, a, b, c", {
      where: { part: ["lo", "hi"], type: ["u32", "s32", "u64", "s64"] },
      operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type), c: of(type) }),
      since: ({ cc, type }) => (cc && bitsOf(type) === 64 ? { ptx: 43, sm: 20 } : { ptx: 30, sm: 20 }),
      does: ({ part, cc, type }) => carry(type, plus(halfOf(part, type), c, CF), { out: cc }),
      check: [
        { with: ["lo", "u32"], cfIn: 1, a: 0x378b_3b1c, b: 0x0000_0002, c: 0x90e9_89c6, d: 0xffff_ffff },
        {
          with: ["hi", "cc", "s32"],
          cfIn: 0,
          a: 0xffff_0000,
          b: 0x7fff_ffff,
          c: 0x0000_0002,
          d: 0xffff_8002,
          cfOut: 0,
        },
        {
          with: ["hi", "cc", "u64"],
          cfIn: 1,
          a: 0x0000_0000_aaaa_aaaan,
          b: 0x0000_0000_aaaa_aaaan,
          c: 0x695c_fe2d_d1e9_94b0n,
          d: 0x695c_fe2d_d1e9_94b1n,
          cfOut: 0,
        },
      ],
    }),
    // What follows ptxas takes although the manual does not list it: 16 bits wide, or saturating. None has `.cc`.
    form("addc.type d, a, b", {
      where: { type: ["u16", "s16"] },
      operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
      since: { ptx: 12, sm: 10 },
      undocumented: true,
      does: ({ type }) => carry(type, plus(a, b, CF), { out: false }),
      check: [{ with: ["u16"], cfIn: 1, a: 0xffff, b: 1, d: 1 }],
    }),
    form("addc.sat.s32 d, a, b", {
      operands: { d: to("s32"), a: of("s32"), b: of("s32") },
      since: { ptx: 12, sm: 10 },
      undocumented: true,
      does: () => clamp("s32", plus(a, b, CF)),
      check: [{ cfIn: 1, a: 0x7fff_fffe, b: 1, d: 0x7fff_ffff }],
    }),
    form("subc.type d, a, b", {
      where: { type: ["u16", "s16"] },
      operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
      since: { ptx: 13, sm: 10 },
      undocumented: true,
      does: ({ type }) => carry(type, plus(a, inverted(type), CF), { out: false }),
      check: [{ with: ["s16"], cfIn: 0, a: 5, b: 3, d: 1 }],
    }),
    form("subc.sat.s32 d, a, b", {
      operands: { d: to("s32"), a: of("s32"), b: of("s32") },
      since: { ptx: 13, sm: 10 },
      undocumented: true,
      does: () => clamp("s32", plus(a, not(b), CF)),
      check: [{ cfIn: 1, a: 0x8000_0000, b: 1, d: 0x8000_0000 }],
    }),
    form("madc.part.type d, a, b, c", {
      where: { part: ["lo", "hi"], type: ["u16", "s16"] },
      operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type), c: of(type) }),
      since: { ptx: 30, sm: 20 },
      undocumented: true,
      does: ({ part, type }) => carry(type, plus(halfOf(part, type), c, CF), { out: false }),
      check: [
        { with: ["lo", "u16"], cfIn: 1, a: 0x100, b: 0x101, c: 2, d: 0x0103 },
        { with: ["hi", "s16"], cfIn: 0, a: 0xffff, b: 1, c: 1, d: 0 },
      ],
    }),
    form("madc.hi.sat.s32 d, a, b, c", {
      operands: { d: to("s32"), a: of("s32"), b: of("s32"), c: of("s32") },
      since: { ptx: 30, sm: 20 },
      undocumented: true,
      does: () => clamp("s32", plus(shr(times(a, b), 32), c, CF)),
      check: [{ cfIn: 1, a: 0x4000_0000, b: 4, c: 0x7fff_ffff, d: 0x7fff_ffff }],
    }),
  ],
  { "": "add.cc sub.cc mad.part.cc=mad.cc" },
);
