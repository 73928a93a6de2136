import { f32, f64, fdiv, fdivApprox, frcp, frcpGross } from "../../numeric/index.ts";
import { of, to } from "../form/classes.ts";
import { compute, type Form, form } from "../form/define.ts";

const rounding = ["rn", "rz", "rm", "rp"] as const;
const two = { d: to("f32"), a: of("f32") };
const two64 = { d: to("f64"), a: of("f64") };
const three = { d: to("f32"), a: of("f32"), b: of("f32") };
const three64 = { d: to("f64"), a: of("f64"), b: of("f64") };

/** 9.7.3 div and rcp. */
export const divisions: readonly Form[] = [
  form("div.rnd{.ftz}.f32 d, a, b", {
    where: { rnd: rounding },
    operands: three,
    since: { ptx: 14, sm: 20 },
    run: ({ rnd, ftz }) => compute(fdiv(f32, { rnd, ftz })),
    check: [
      { a: 0x3f80_0000, b: 0x4040_0000, d: 0x3eaa_aaab },
      { with: ["rz"], a: 0x3f80_0000, b: 0x4040_0000, d: 0x3eaa_aaaa },
    ],
  }),
  form("div.rnd.f64 d, a, b", {
    where: { rnd: rounding },
    operands: three64,
    since: ({ rnd }) => ({ ptx: 10, sm: rnd === "rn" ? 13 : 20 }),
    run: ({ rnd }) => compute(fdiv(f64, { rnd })),
    check: [{ a: 0x3ff0_0000_0000_0000n, b: 0x4008_0000_0000_0000n, d: 0x3fd5_5555_5555_5555n }],
  }),
  form("div.full{.ftz}.f32 d, a, b", {
    operands: three,
    since: { ptx: 14, sm: 10 },
    // 2 ulp are allowed; the rounded quotient is as near as can be (grade open).
    run: ({ ftz }) => compute(fdiv(f32, { ftz })),
    check: [
      { a: 0x3f80_0000, b: 0x4040_0000, d: 0x3eaa_aaab },
      { with: ["ftz"], a: 0x0000_0001, b: 0x3f80_0000, d: 0x0000_0000 },
    ],
  }),
  form("div.approx{.ftz}.f32 d, a, b", {
    operands: three,
    since: { ptx: 14, sm: 10 },
    run: ({ ftz }) => compute(fdivApprox({ ftz })),
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
    run: ({ rnd, ftz }) => compute(frcp(f32, { rnd, ftz })),
    check: [{ a: 0x4040_0000, d: 0x3eaa_aaab }],
  }),
  form("rcp.rnd.f64 d, a", {
    where: { rnd: rounding },
    operands: two64,
    since: ({ rnd }) => ({ ptx: 10, sm: rnd === "rn" ? 10 : 20 }),
    run: ({ rnd }) => compute(frcp(f64, { rnd })),
    check: [{ a: 0x4008_0000_0000_0000n, d: 0x3fd5_5555_5555_5555n }],
  }),
  form("rcp.rnd.ftz.f64 d, a", {
    where: { rnd: rounding },
    operands: two64,
    since: ({ rnd }) => ({ ptx: 14, sm: rnd === "rn" ? 10 : 20 }),
    undocumented: true,
    // ptxas makes the same code with and without .ftz.
    run: ({ rnd }) => compute(frcp(f64, { rnd })),
    check: [{ a: 0x4008_0000_0000_0000n, d: 0x3fd5_5555_5555_5555n }],
  }),
  form("rcp.approx{.ftz}.f32 d, a", {
    operands: two,
    since: { ptx: 14, sm: 10 },
    // 1 ulp is allowed; the rounded quotient is as near as can be (grade open).
    run: ({ ftz }) => compute(frcp(f32, { ftz })),
    check: [
      { a: 0x4040_0000, d: 0x3eaa_aaab },
      { a: 0x8000_0000, d: 0xff80_0000 },
      { with: ["ftz"], a: 0x7e80_0001, d: 0x0000_0000 },
    ],
  }),
  form("rcp.approx.ftz.f64 d, a", {
    operands: two64,
    since: { ptx: 21, sm: 20 },
    run: () => compute(frcpGross()),
    check: [
      { a: 0x4008_0000_ffff_ffffn, d: 0x3fd5_5555_0000_0000n }, // 1/3 in 20 bits of fraction
      { a: 0x800f_ffff_ffff_ffffn, d: 0xfff0_0000_0000_0000n }, // a subnormal counts as 0
    ],
  }),
];
