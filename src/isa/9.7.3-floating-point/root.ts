import { f32, f64, frsqrt, frsqrtGross, fsqrt } from "../../numeric/index.ts";
import { of, to } from "../form/classes.ts";
import { compute, type Form, form } from "../form/define.ts";

const rounding = ["rn", "rz", "rm", "rp"] as const;
const two = { d: to("f32"), a: of("f32") };
const two64 = { d: to("f64"), a: of("f64") };

/** 9.7.3 sqrt and rsqrt. */
export const roots: readonly Form[] = [
  form("sqrt.rnd{.ftz}.f32 d, a", {
    where: { rnd: rounding },
    operands: two,
    since: { ptx: 14, sm: 20 },
    run: ({ rnd, ftz }) => compute(fsqrt(f32, { rnd, ftz })),
    check: [
      { a: 0x4080_0000, d: 0x4000_0000 },
      { a: 0x4000_0000, d: 0x3fb5_04f3 },
    ],
  }),
  form("sqrt.rnd.f64 d, a", {
    where: { rnd: rounding },
    operands: two64,
    since: ({ rnd }) => ({ ptx: 10, sm: rnd === "rn" ? 10 : 20 }),
    run: ({ rnd }) => compute(fsqrt(f64, { rnd })),
    check: [{ a: 0x4000_0000_0000_0000n, d: 0x3ff6_a09e_667f_3bcdn }],
  }),
  form("sqrt.approx{.ftz}.f32 d, a", {
    operands: two,
    since: { ptx: 14, sm: 10 },
    // A relative error of 2^-23 is allowed; the rounded root is as near as can be (grade open).
    run: ({ ftz }) => compute(fsqrt(f32, { ftz })),
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
    run: ({ ftz }) => compute(frsqrt(f32, { ftz })),
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
    run: () => compute(frsqrt(f64)),
    check: [
      { a: 0x4010_0000_0000_0000n, d: 0x3fe0_0000_0000_0000n },
      { a: 0x4000_0000_0000_0000n, d: 0x3fe6_a09e_667f_3bcdn }, // half of the square root of 2
      { a: 0x8000_0000_0000_0000n, d: 0xfff0_0000_0000_0000n },
    ],
  }),
  form("rsqrt.approx.ftz.f64 d, a", {
    operands: two64,
    since: { ptx: 40, sm: 20 },
    run: () => compute(frsqrtGross()),
    check: [
      { a: 0x4000_0000_ffff_ffffn, d: 0x3fe6_a09e_0000_0000n },
      { a: 0x800f_ffff_ffff_ffffn, d: 0xfff0_0000_0000_0000n }, // a subnormal counts as 0
    ],
  }),
];
