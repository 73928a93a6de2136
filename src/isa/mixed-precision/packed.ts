import { a, b, c, minus, plus, round, rounded, times, via } from "../../numeric/operation/build.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form, type Since, unspecified } from "../form/define.ts";

/** Pairs of two precisions came with sm_107f, and so far no other family has them. */
const since: Since = { ptx: 94, sm: 107, only: "f", families: [107] };

const x2 = ["f32x2"] as const;
const narrow = ["f16x2", "bf16x2"] as const;
const rounding = ["rn", "rz", "rm", "rp"] as const;

/** The format of each half of a pair. */
const element = { f16x2: "f16", bf16x2: "bf16" } as const;

const flushes = unspecified(".ftz flushes operands and result, as it does in the other instructions on floats");
const unrounded = unspecified("the page says no rounding: to nearest even, what c is converted to and the product");
const nans = unspecified("a NaN comes out canonical, as of the same instructions on one type");

/** Exact numbers, rounded once; both elements alike. */
export const mixedPairs: readonly Form[] = [
  form("add{.rnd}.dtype.atype.ctype d, a, c", {
    where: { rnd: rounding, dtype: x2, atype: narrow, ctype: x2 },
    operands: ({ atype }) => ({ d: to("f32x2"), a: of(atype), c: of("f32x2") }),
    since,
    does: (mods) => round("f32", mods, plus(a, c)),
    facts: [nans],
    check: [
      { with: ["f16x2"], a: 0x3c00_c000, c: 0x3f80_0000_3f00_0000n, d: 0x4000_0000_bfc0_0000n }, // (-2, 1) + (0.5, 1)
      { with: ["rp", "bf16x2"], a: 0x3f80_3f80, c: 0x0000_0001_8000_0001n, d: 0x3f80_0001_3f80_0000n },
    ],
  }),
  form("add.rz.ftz.dtype.atype.ctype d, a, c", {
    where: { dtype: ["f16x2"], atype: x2, ctype: x2 },
    operands: { d: to("f16x2"), a: of("f32x2"), c: of("f32x2") },
    since,
    does: () => round("f16", { rnd: "rz", ftz: true }, plus(a, c)),
    facts: [flushes, nans],
    check: [
      { a: 0x3f80_0000_477f_e000n, c: 0x3a00_0000_4780_0000n, d: 0x3c00_7bff }, // (65504, 1) + (65536, 2^-11)
      { a: 0x0000_0001_8000_0001n, c: 0x3300_0000_3380_0000n, d: 0x0000_0000 }, // subnormals of f16 are flushed
    ],
  }),
  form("add.rz.dtype.atype.ctype d, a, c", {
    where: { dtype: ["bf16x2"], atype: x2, ctype: x2 },
    operands: { d: to("bf16x2"), a: of("f32x2"), c: of("f32x2") },
    since,
    does: () => round("bf16", { rnd: "rz" }, plus(a, c)),
    facts: [nans],
    check: [{ a: 0x3f80_0000_3f80_0000n, c: 0x3f7f_ffff_0001_0000n, d: 0x3fff_3f80 }],
  }),
  form("sub{.rnd}.dtype.atype.ctype d, a, c", {
    where: { rnd: rounding, dtype: x2, atype: narrow, ctype: x2 },
    operands: ({ atype }) => ({ d: to("f32x2"), a: of(atype), c: of("f32x2") }),
    since,
    does: (mods) => round("f32", mods, minus(a, c)),
    facts: [nans],
    check: [
      { with: ["f16x2"], a: 0x3c00_c000, c: 0x3f80_0000_3f00_0000n, d: 0x0000_0000_c020_0000n }, // (-2, 1) - (0.5, 1)
      { with: ["rm", "bf16x2"], a: 0x3f80_3f80, c: 0x3f80_0000_0000_0001n, d: 0x8000_0000_3f7f_ffffn },
    ],
  }),
  form("sub.rz.ftz.dtype.atype.ctype d, a, c", {
    where: { dtype: ["f16x2"], atype: x2, ctype: x2 },
    operands: { d: to("f16x2"), a: of("f32x2"), c: of("f32x2") },
    since,
    does: () => round("f16", { rnd: "rz", ftz: true }, minus(a, c)),
    facts: [flushes, nans],
    check: [{ a: 0x3f80_0000_3380_0000n, c: 0x3a00_0000_0000_0000n, d: 0x3bff_0000 }], // (2^-24, 1) - (0, 2^-11)
  }),
  form("sub.rz.dtype.atype.ctype d, a, c", {
    where: { dtype: ["bf16x2"], atype: x2, ctype: x2 },
    operands: { d: to("bf16x2"), a: of("f32x2"), c: of("f32x2") },
    since,
    does: () => round("bf16", { rnd: "rz" }, minus(a, c)),
    facts: [nans],
    check: [{ a: 0x3f80_0000_3f80_0000n, c: 0x0000_0001_3f80_0000n, d: 0x3f7f_0000 }],
  }),
  form("fma.rnd.dtype.atype.btype.ctype d, a, b, c", {
    where: { rnd: rounding, dtype: x2, atype: narrow, btype: x2, ctype: x2 },
    operands: ({ atype }) => ({ d: to("f32x2"), a: of(atype), b: of("f32x2"), c: of("f32x2") }),
    since,
    does: (mods) => round("f32", mods, plus(times(a, b), c)),
    facts: [
      unspecified("elements of b are of 32 bits, as .btype says, where the page's formula takes 16"),
      unspecified("a rounding must be there: the page says that there is no default, and its syntax has one"),
      nans,
    ],
    check: [
      { with: ["rn", "f16x2"], a: 0x4000_3c00, b: 0x4040_0000_3f80_0000n, c: 0x3f80_0000_3f80_0000n, d: 0x40e0_0000_4000_0000n }, // biome-ignore format: one line
      { with: ["rz", "bf16x2"], a: 0x3f80_bf80, b: 0x3f80_0001_3f80_0000n, c: 0x3380_0000_3380_0000n, d: 0x3f80_0001_bf7f_ffffn }, // biome-ignore format: one line
    ],
  }),
  form("mul.ftz.rz.dtype.atype.ctype d, a, c", {
    where: { dtype: ["f16x2"], atype: x2, ctype: x2 },
    operands: { d: to("f16x2"), a: of("f32x2"), c: of("f32x2") },
    since,
    does: () => round("f16", { rnd: "rz", ftz: true }, times(a, c)),
    facts: [flushes, nans],
    check: [{ a: 0x3f80_1fff_3f00_0000n, c: 0x4000_0000_3880_0000n, d: 0x4000_0000 }], // 2^-15 is a subnormal of f16
  }),
  form("mul.rz.dtype.atype.ctype d, a, c", {
    where: { dtype: ["bf16x2"], atype: x2, ctype: x2 },
    operands: { d: to("bf16x2"), a: of("f32x2"), c: of("f32x2") },
    since,
    does: () => round("bf16", { rnd: "rz" }, times(a, c)),
    facts: [nans],
    check: [{ a: 0x3fff_ffff_3f80_0000n, c: 0x3f80_0000_bf80_0000n, d: 0x3fff_bf80 }],
  }),
  form("mul.dtype.atype.ctype d, a, c", {
    where: { dtype: narrow, atype: narrow, ctype: narrow },
    operands: ({ atype, ctype }) => ({ d: to(atype), a: of(atype), c: of(ctype) }),
    since,
    conflict: ({ dtype, atype, ctype }) =>
      dtype !== atype ? [atype, `.${dtype}`] : atype === ctype ? [ctype, `.${atype}`] : undefined,
    does: ({ dtype }) => round(element[dtype], {}, times(a, via(rounded(element[dtype], {}, c)))),
    facts: [unrounded, nans],
    check: [
      { with: ["bf16x2", "bf16x2", "f16x2"], a: 0x4000_3f80, c: 0x3c01_4200, d: 0x4000_4040 }, // 1 + 2^-10 becomes 1
      { with: ["f16x2", "f16x2", "bf16x2"], a: 0x0001_3c00, c: 0x47c0_4040, d: 0x7c00_4200 }, // 98304 is too large for f16
    ],
  }),
];
