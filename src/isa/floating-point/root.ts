import { a, approximated, call, root, round } from "../../numeric/operation/build.ts";
import { of, to } from "../form/classes.ts";
import { compute, type Form, form, unspecified } from "../form/define.ts";
import { correctlyRounded } from "../form/facts.ts";
import { inOldTexts } from "../form/since.ts";
import { grossly, ofUpperWord } from "./upper-word.ts";

const rounding = ["rn", "rz", "rm", "rp"] as const;
const two = { d: to("f32"), a: of("f32") };
const two64 = { d: to("f64"), a: of("f64") };

/** sqrt and rsqrt. */
export const roots: readonly Form[] = [
  form("sqrt.rnd{.ftz}.f32 d, a", {
    where: { rnd: rounding },
    operands: two,
    since: { ptx: 14, sm: 20 },
    does: (mods) => round("f32", mods, root(a)),
    check: [
      { a: 0x4080_0000, d: 0x4000_0000 },
      { a: 0x4000_0000, d: 0x3fb5_04f3 },
    ],
  }),
  form("sqrt.rnd.f64 d, a", {
    where: { rnd: rounding },
    operands: two64,
    since: ({ rnd }) => ({ ptx: 10, sm: rnd === "rn" ? 10 : 20 }),
    unsaid: inOldTexts("rn"),
    does: (mods) => round("f64", mods, root(a)),
    check: [{ a: 0x4000_0000_0000_0000n, d: 0x3ff6_a09e_667f_3bcdn }],
  }),
  form("sqrt.approx{.ftz}.f32 d, a", {
    operands: two,
    since: { ptx: 14, sm: 10 },
    unsaid: inOldTexts("approx"),
    does: (mods) => approximated("f32", mods, root(a)),
    facts: correctlyRounded("relative 2^-23"),
    check: [
      { a: 0x4000_0000, d: 0x3fb5_04f3 },
      { a: 0x8000_0000, d: 0x8000_0000 },
      { a: 0xbf80_0000, d: 0x7fff_ffff },
      { with: ["ftz"], a: 0x8000_0001, d: 0x8000_0000 },
    ],
  }),
  form("rsqrt.approx{.ftz}.f32 d, a", {
    operands: two,
    since: { ptx: 14, sm: 10 },
    unsaid: inOldTexts("approx"),
    does: (mods) => approximated("f32", mods, call("rsqrt", a)),
    facts: correctlyRounded("relative 2^-22.9"),
    check: [
      { a: 0x4080_0000, d: 0x3f00_0000 },
      { a: 0x8000_0000, d: 0xff80_0000 },
      { a: 0x0000_0002, d: 0x6480_0000 }, // 1 / sqrt(2^-148) is 2^74
      { with: ["ftz"], a: 0x8000_0001, d: 0xff80_0000 },
    ],
  }),
  form("rsqrt.approx.f64 d, a", {
    operands: two64,
    since: { ptx: 14, sm: 10 },
    unsaid: inOldTexts("approx"),
    does: () => approximated("f64", {}, call("rsqrt", a)),
    facts: [unspecified("the true value, rounded to nearest even; the manual gives no bound")],
    check: [
      { a: 0x4010_0000_0000_0000n, d: 0x3fe0_0000_0000_0000n },
      { a: 0x4000_0000_0000_0000n, d: 0x3fe6_a09e_667f_3bcdn }, // half of the square root of 2
      { a: 0x8000_0000_0000_0000n, d: 0xfff0_0000_0000_0000n },
    ],
  }),
  form("rsqrt.approx.ftz.f64 d, a", {
    operands: two64,
    since: { ptx: 40, sm: 20 },
    run: () => compute(ofUpperWord(call("rsqrt", a))),
    facts: [grossly],
    check: [
      { a: 0x4000_0000_ffff_ffffn, d: 0x3fe6_a09e_0000_0000n },
      { a: 0x800f_ffff_ffff_ffffn, d: 0xfff0_0000_0000_0000n }, // a subnormal counts as 0
    ],
  }),
];
