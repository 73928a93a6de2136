import {
  a,
  abs,
  and,
  approximated,
  b,
  choose,
  divided,
  is,
  label,
  relation,
  round,
  signed,
  signOf,
  times,
} from "../../numeric/operation/build.ts";
import { of, to } from "../form/classes.ts";
import { compute, type Form, form, ptxas } from "../form/define.ts";
import { correctlyRounded } from "../form/facts.ts";
import { inOldTexts } from "../form/since.ts";
import { grossly, ofUpperWord } from "./upper-word.ts";

const rounding = ["rn", "rz", "rm", "rp"] as const;
const two = { d: to("f32"), a: of("f32") };
const two64 = { d: to("f64"), a: of("f64") };
const three = { d: to("f32"), a: of("f32"), b: of("f32") };
const three64 = { d: to("f64"), a: of("f64"), b: of("f64") };

/** div and rcp. */
export const divisions: readonly Form[] = [
  form("div.rnd{.ftz}.f32 d, a, b", {
    where: { rnd: rounding },
    operands: three,
    since: { ptx: 14, sm: 20 },
    does: (mods) => round("f32", mods, divided(a, b)),
    check: [
      { a: 0x3f80_0000, b: 0x4040_0000, d: 0x3eaa_aaab },
      { with: ["rz"], a: 0x3f80_0000, b: 0x4040_0000, d: 0x3eaa_aaaa },
    ],
  }),
  form("div.rnd.f64 d, a, b", {
    where: { rnd: rounding },
    operands: three64,
    since: ({ rnd }) => ({ ptx: 10, sm: rnd === "rn" ? 13 : 20 }),
    unsaid: inOldTexts("rn"),
    does: (mods) => round("f64", mods, divided(a, b)),
    check: [{ a: 0x3ff0_0000_0000_0000n, b: 0x4008_0000_0000_0000n, d: 0x3fd5_5555_5555_5555n }],
  }),
  form("div.full{.ftz}.f32 d, a, b", {
    operands: three,
    since: { ptx: 14, sm: 10 },
    does: (mods) => approximated("f32", mods, divided(a, b)),
    facts: correctlyRounded("2 ulp"),
    check: [
      { a: 0x3f80_0000, b: 0x4040_0000, d: 0x3eaa_aaab },
      { with: ["ftz"], a: 0x0000_0001, b: 0x3f80_0000, d: 0x0000_0000 },
    ],
  }),
  form("div.approx{.ftz}.f32 d, a, b", {
    operands: three,
    since: { ptx: 14, sm: 10 },
    unsaid: inOldTexts("approx"),
    // a * (1 / b): where |b| is above 2^126 the reciprocal is flushed, and d is a zero, or NaN for an infinite a.
    does: (mods) =>
      choose(
        label("a divisor above 2^126", and(relation("gt", abs(b), 2n ** 126n), is("finite", b))),
        approximated("f32", mods, times(a, signed(0, signOf("f32", b)))),
        approximated("f32", mods, divided(a, b)),
      ),
    facts: correctlyRounded("2 ulp where |b| is at most 2^126"),
    check: [
      { a: 0x40c0_0000, b: 0x4000_0000, d: 0x4040_0000 }, // 6 / 2
      { a: 0x7e80_0001, b: 0xfe80_0001, d: 0x8000_0000 }, // -0 where |b| is above 2^126
      { a: 0x7f80_0000, b: 0x7e80_0001, d: 0x7fff_ffff },
    ],
  }),
  form("rcp.rnd{.ftz}.f32 d, a", {
    where: { rnd: rounding },
    operands: two,
    since: { ptx: 14, sm: 20 },
    does: (mods) => round("f32", mods, divided(1, a)),
    check: [{ a: 0x4040_0000, d: 0x3eaa_aaab }],
  }),
  form("rcp.rnd.f64 d, a", {
    where: { rnd: rounding },
    operands: two64,
    since: ({ rnd }) => ({ ptx: 10, sm: rnd === "rn" ? 10 : 20 }),
    does: (mods) => round("f64", mods, divided(1, a)),
    check: [{ a: 0x4008_0000_0000_0000n, d: 0x3fd5_5555_5555_5555n }],
  }),
  form("rcp.rnd.ftz.f64 d, a", {
    where: { rnd: rounding },
    operands: two64,
    since: ({ rnd }) => ({ ptx: 14, sm: rnd === "rn" ? 10 : 20 }),
    undocumented: true,
    does: ({ rnd }) => round("f64", { rnd }, divided(1, a)),
    facts: [ptxas("ptxas makes the same code with and without .ftz")],
    check: [{ a: 0x4008_0000_0000_0000n, d: 0x3fd5_5555_5555_5555n }],
  }),
  form("rcp.approx{.ftz}.f32 d, a", {
    operands: two,
    since: { ptx: 14, sm: 10 },
    unsaid: inOldTexts("approx"),
    does: (mods) => approximated("f32", mods, divided(1, a)),
    facts: correctlyRounded("1 ulp"),
    check: [
      { a: 0x4040_0000, d: 0x3eaa_aaab },
      { a: 0x8000_0000, d: 0xff80_0000 },
      { with: ["ftz"], a: 0x7e80_0001, d: 0x0000_0000 },
    ],
  }),
  form("rcp.approx.ftz.f64 d, a", {
    operands: two64,
    since: { ptx: 21, sm: 20 },
    run: () => compute(ofUpperWord(divided(1, a))),
    facts: [grossly],
    check: [
      { a: 0x4008_0000_ffff_ffffn, d: 0x3fd5_5555_0000_0000n }, // 1/3 in 20 bits of fraction
      { a: 0x800f_ffff_ffff_ffffn, d: 0xfff0_0000_0000_0000n }, // a subnormal counts as 0
    ],
  }),
];
