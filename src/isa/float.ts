import {
  f32,
  f64,
  fabs,
  fadd,
  fdiv,
  fex2,
  ffma,
  fmax,
  fmin,
  fmul,
  fneg,
  frcp,
  fsqrt,
  fsub,
  ftanh,
} from "../numeric/index.ts";
import { of, to } from "./classes.ts";
import { compute, type Form, form, type Section, type Since, section } from "./define.ts";
import { least } from "./since.ts";

const rounding = ["rn", "rz", "rm", "rp"] as const;
type Rounding = (typeof rounding)[number];

/** The directed roundings of addition and multiplication came with later hardware. */
const sinceDirected = (rnd: Rounding | undefined, sm: number): Since => ({
  ptx: 10,
  sm: rnd === "rm" || rnd === "rp" ? sm : 10,
});
const sinceX2: Since = { ptx: 86, sm: 100 };
const two = { d: to("f32"), a: of("f32") };
const two64 = { d: to("f64"), a: of("f64") };
const three = { d: to("f32"), a: of("f32"), b: of("f32") };
const four = { ...three, c: of("f32") };
const three64 = { d: to("f64"), a: of("f64"), b: of("f64") };
const four64 = { ...three64, c: of("f64") };
const threeX2 = { d: to("f32x2"), a: of("f32x2"), b: of("f32x2") };

const arithmetic: readonly Form[] = [
  form("add{.rnd}{.ftz}{.sat}.f32 d, a, b", {
    where: { rnd: rounding },
    operands: three,
    since: ({ rnd, ftz }) => least(sinceDirected(rnd, 20), ftz && "ftz"),
    run: ({ rnd = "rn", ftz, sat }) => compute(fadd(f32, { rnd, ftz, sat })),
    check: [
      { a: 0x3f80_0000, b: 0x3f80_0000, d: 0x4000_0000 },
      { with: ["rp"], a: 0x3f80_0000, b: 0x0000_0001, d: 0x3f80_0001 },
      { with: ["ftz"], a: 0x8000_0001, b: 0x8000_0000, d: 0x8000_0000 },
      { with: ["sat"], a: 0x3f80_0000, b: 0x3f80_0000, d: 0x3f80_0000 },
    ],
  }),
  form("add{.rnd}.f64 d, a, b", {
    where: { rnd: rounding },
    operands: three64,
    since: ({ rnd }) => sinceDirected(rnd, 13),
    run: ({ rnd = "rn" }) => compute(fadd(f64, { rnd })),
    check: [{ a: 0x3ff0_0000_0000_0000n, b: 0x3ff0_0000_0000_0000n, d: 0x4000_0000_0000_0000n }],
  }),
  form("add{.rnd}{.ftz}.f32x2 d, a, b", { where: { rnd: rounding }, operands: threeX2, since: sinceX2 }),
  form("sub{.rnd}{.ftz}{.sat}.f32 d, a, b", {
    where: { rnd: rounding },
    operands: three,
    since: ({ rnd, ftz }) => least(sinceDirected(rnd, 20), ftz && "ftz"),
    run: ({ rnd = "rn", ftz, sat }) => compute(fsub(f32, { rnd, ftz, sat })),
    check: [
      { a: 0x3f80_0000, b: 0x4000_0000, d: 0xbf80_0000 },
      { with: ["rm"], a: 0x3f80_0000, b: 0x3f80_0000, d: 0x8000_0000 },
      { with: ["sat"], a: 0x3f80_0000, b: 0x4000_0000, d: 0x0000_0000 },
    ],
  }),
  form("sub{.rnd}.f64 d, a, b", {
    where: { rnd: rounding },
    operands: three64,
    since: ({ rnd }) => sinceDirected(rnd, 13),
    run: ({ rnd = "rn" }) => compute(fsub(f64, { rnd })),
    check: [{ a: 0x3ff0_0000_0000_0000n, b: 0x4000_0000_0000_0000n, d: 0xbff0_0000_0000_0000n }],
  }),
  form("sub{.rnd}{.ftz}.f32x2 d, a, b", { where: { rnd: rounding }, operands: threeX2, since: sinceX2 }),
  form("mul{.rnd}{.ftz}{.sat}.f32 d, a, b", {
    where: { rnd: rounding },
    operands: three,
    since: ({ rnd, ftz }) => least(sinceDirected(rnd, 20), ftz && "ftz"),
    run: ({ rnd = "rn", ftz, sat }) => compute(fmul(f32, { rnd, ftz, sat })),
    check: [
      { a: 0x4000_0000, b: 0x4040_0000, d: 0x40c0_0000 },
      { with: ["rz"], a: 0x3f80_0001, b: 0x3f80_0001, d: 0x3f80_0002 },
      { with: ["rp"], a: 0x3f80_0001, b: 0x3f80_0001, d: 0x3f80_0003 },
      { with: ["ftz"], a: 0x0080_0000, b: 0x3f00_0000, d: 0x0000_0000 },
    ],
  }),
  form("mul{.rnd}.f64 d, a, b", {
    where: { rnd: rounding },
    operands: three64,
    since: ({ rnd }) => sinceDirected(rnd, 13),
    run: ({ rnd = "rn" }) => compute(fmul(f64, { rnd })),
    check: [{ a: 0x4000_0000_0000_0000n, b: 0x4008_0000_0000_0000n, d: 0x4018_0000_0000_0000n }],
  }),
  form("mul{.rnd}{.ftz}.f32x2 d, a, b", { where: { rnd: rounding }, operands: threeX2, since: sinceX2 }),
];

const fused: readonly Form[] = [
  form("fma.rnd{.ftz}{.sat}.f32 d, a, b, c", {
    where: { rnd: rounding },
    operands: four,
    since: { ptx: 20, sm: 20 },
    run: ({ rnd, ftz, sat }) => compute(ffma(f32, { rnd, ftz, sat })),
    check: [
      { a: 0x4000_0000, b: 0x4040_0000, c: 0x3f80_0000, d: 0x40e0_0000 },
      { a: 0x3f80_0800, b: 0x3f80_0800, c: 0x1780_0000, d: 0x3f80_1001 }, // wrong when the sum is rounded to f64 first
    ],
  }),
  form("fma.rnd.f64 d, a, b, c", {
    where: { rnd: rounding },
    operands: four64,
    since: ({ rnd }) => least(sinceDirected(rnd, 13), { ptx: 14, sm: 10 }),
    run: ({ rnd }) => compute(ffma(f64, { rnd })),
    check: [
      {
        a: 0x4000_0000_0000_0000n,
        b: 0x4008_0000_0000_0000n,
        c: 0x3ff0_0000_0000_0000n,
        d: 0x401c_0000_0000_0000n,
      },
    ],
  }),
  form("fma.rnd{.ftz}.f32x2 d, a, b, c", {
    where: { rnd: rounding },
    operands: { ...threeX2, c: of("f32x2") },
    since: sinceX2,
  }),
  form("mad.rnd{.ftz}{.sat}.f32 d, a, b, c", {
    where: { rnd: rounding },
    operands: four,
    since: ({ ftz }) => least({ ptx: 10, sm: 20 }, ftz && "ftz"),
    run: ({ rnd, ftz, sat }) => compute(ffma(f32, { rnd, ftz, sat })),
    check: [{ a: 0x4000_0000, b: 0x4040_0000, c: 0x3f80_0000, d: 0x40e0_0000 }],
  }),
  form("mad.rnd.f64 d, a, b, c", {
    where: { rnd: rounding },
    operands: four64,
    since: ({ rnd }) => sinceDirected(rnd, 13),
    run: ({ rnd }) => compute(ffma(f64, { rnd })),
    check: [
      {
        a: 0x4000_0000_0000_0000n,
        b: 0x4008_0000_0000_0000n,
        c: 0x3ff0_0000_0000_0000n,
        d: 0x401c_0000_0000_0000n,
      },
    ],
  }),
];

/** Division and roots: exact where they round, a gap where they approximate. */
const divided: readonly Form[] = [
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
  form("div.how{.ftz}.f32 d, a, b", {
    where: { how: ["approx", "full"] },
    operands: three,
    since: { ptx: 14, sm: 10 },
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
  form("rcp.approx{.ftz}.f32 d, a", { operands: two, since: { ptx: 14, sm: 10 } }),
  form("rcp.approx.ftz.f64 d, a", { operands: two64, since: { ptx: 21, sm: 20 } }),
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
  form("sqrt.approx{.ftz}.f32 d, a", { operands: two, since: { ptx: 14, sm: 10 } }),
];

const unary: readonly Form[] = [
  form("neg{.ftz}.f32 d, a", {
    operands: { d: to("f32"), a: of("f32") },
    since: ({ ftz }) => least(ftz && "ftz"),
    run: ({ ftz }) => compute(fneg(f32, { ftz })),
    check: [
      { a: 0x3f80_0000, d: 0xbf80_0000 },
      { with: ["ftz"], a: 0x8000_0001, d: 0x0000_0000 },
    ],
  }),
  form("neg.f64 d, a", {
    operands: { d: to("f64"), a: of("f64") },
    since: least(),
    run: () => compute(fneg(f64, { ftz: false })),
    check: [{ a: 0x3ff0_0000_0000_0000n, d: 0xbff0_0000_0000_0000n }],
  }),
  form("abs{.ftz}.f32 d, a", {
    operands: { d: to("f32"), a: of("f32") },
    since: ({ ftz }) => least(ftz && "ftz"),
    run: ({ ftz }) => compute(fabs(f32, { ftz })),
    check: [
      { a: 0xbf80_0000, d: 0x3f80_0000 },
      { with: ["ftz"], a: 0x8000_0001, d: 0x0000_0000 },
    ],
  }),
  form("abs.f64 d, a", {
    operands: { d: to("f64"), a: of("f64") },
    since: least(),
    run: () => compute(fabs(f64, { ftz: false })),
    check: [{ a: 0xbff0_0000_0000_0000n, d: 0x3ff0_0000_0000_0000n }],
  }),
  form("ex2.approx{.ftz}.f32 d, a", {
    operands: { d: to("f32"), a: of("f32") },
    since: { ptx: 14, sm: 10 },
    run: ({ ftz }) => compute(fex2(f32, { ftz })),
    check: [
      { a: 0x3f80_0000, d: 0x4000_0000 },
      { a: 0xff80_0000, d: 0x0000_0000 },
      { with: ["ftz"], a: 0x8000_0001, d: 0x3f80_0000 },
    ],
  }),
  form("tanh.approx.f32 d, a", {
    operands: { d: to("f32"), a: of("f32") },
    since: { ptx: 70, sm: 75 },
    run: () => compute(ftanh(f32)),
    check: [
      { a: 0x8000_0000, d: 0x8000_0000 },
      { a: 0x7f80_0000, d: 0x3f80_0000 },
    ],
  }),
];

/** `min` and `max` differ in one word. */
function extremes(mnemonic: "min" | "max"): readonly Form[] {
  const op = mnemonic === "min" ? fmin : fmax;
  const pick = <T>(least: T, greatest: T): T => (mnemonic === "min" ? least : greatest);
  return [
    form(`${mnemonic}{.ftz}{.NaN}{.xorsign.abs}.f32 d, a, b`, {
      operands: three,
      since: ({ ftz, NaN: nan, abs }) => least(ftz && "ftz", nan && { ptx: 70, sm: 80 }, abs && { ptx: 72, sm: 86 }),
      run: ({ ftz, NaN: nan, abs: xorsignAbs }) => compute(op(f32, { ftz, nan, xorsignAbs })),
      check: [
        { a: 0x8000_0000, b: 0x0000_0000, d: pick(0x8000_0000, 0x0000_0000) },
        { a: 0x7fc0_0000, b: 0x3f80_0000, d: 0x3f80_0000 },
        { with: ["NaN"], a: 0x7fc0_0000, b: 0x3f80_0000, d: 0x7fff_ffff },
        { with: ["xorsign", "abs"], a: 0xc000_0000, b: 0x3f80_0000, d: pick(0xbf80_0000, 0xc000_0000) },
      ],
    }),
    form(`${mnemonic}.f64 d, a, b`, {
      operands: three64,
      since: least(),
      run: () => compute(op(f64, {})),
      check: [
        {
          a: 0x3ff0_0000_0000_0000n,
          b: 0xc000_0000_0000_0000n,
          d: pick(0xc000_0000_0000_0000n, 0x3ff0_0000_0000_0000n),
        },
      ],
    }),
    form(`${mnemonic}{.ftz}{.NaN}{.abs}.f32 d, a, b, c`, { operands: four, since: { ptx: 88, sm: 100 } }),
  ];
}

/** 9.7.3. */
export const float: Section = section("9.7.3", "Floating Point", "floating-point-instructions", [
  ...arithmetic,
  ...fused,
  ...divided,
  ...unary,
  ...extremes("min"),
  ...extremes("max"),
]);
