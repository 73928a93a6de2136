import { of, registerOf, to } from "../../form/classes.ts";
import { compute, type Form, form, type Since, unspecified } from "../../form/define.ts";
import { rectified } from "../../form/facts.ts";
import type { VectorClass } from "../../form/operands.ts";
import { bothByChance, bothTo, chances, eachTo, fourByChance, unsigned } from "./packed-conversion.ts";

/** What the elements of a packed type are: `e4m3x2` is of `e4m3`. */
const elements = {
  f16x2: "f16",
  bf16x2: "bf16",
  e4m3x2: "e4m3",
  e5m2x2: "e5m2",
  e2m3x2: "e2m3",
  e3m2x2: "e3m2",
  e4m3x4: "e4m3",
  e5m2x4: "e5m2",
  e2m3x4: "e2m3",
  e3m2x4: "e3m2",
} as const;

const f8 = ["e4m3x2", "e5m2x2"] as const;
const f6 = ["e2m3x2", "e3m2x2"] as const;
/** sm_90 came with them, sm_89 got them later (measured with ptxas 13.0). */
const sinceF8: Since = { ptx: 78, sm: 90, or: { ptx: 81, sm: 89 } };
/** 6 and 4 bits, and powers of two. */
const sinceF6: Since = { ptx: 86, sm: 100, only: "f" };
/** Halves into fewer bits, and these into bf16 (PTX ISA 9.4, cvt: PTX ISA Notes, Target ISA Notes). */
const sinceNarrow: Since = { ptx: 91, sm: 100, only: "f" };
const sinceWide: Since = { ptx: 92, sm: 100, only: "f" };
const sinceRandom: Since = { ptx: 87, sm: 100, only: "a" };

const halves: readonly Form[] = [
  form("cvt.frnd{.relu}.dtype.f32 d, a, b", {
    where: { frnd: ["rn", "rz"], dtype: ["f16x2", "bf16x2"] },
    operands: ({ dtype }) => ({ d: to(dtype), a: of("f32"), b: of("f32") }),
    since: { ptx: 70, sm: 80 },
    run: ({ frnd, relu, dtype }) => compute(bothTo(elements[dtype], { rnd: frnd, relu })),
    facts: rectified,
    check: [
      { with: ["rn", "f16x2"], a: 0x4000_0000, b: 0x3f80_0000, d: 0x4000_3c00 },
      { with: ["rn", "relu", "bf16x2"], a: 0x4000_0000, b: 0xbf80_0000, d: 0x4000_0000 },
    ],
  }),
  form("cvt.frnd{.relu}.satfinite.dtype.f32 d, a, b", {
    where: { frnd: ["rn", "rz"], dtype: ["f16x2", "bf16x2"] },
    operands: ({ dtype }) => ({ d: to(dtype), a: of("f32"), b: of("f32") }),
    since: { ptx: 81, sm: 80 },
    run: ({ frnd, relu, dtype }) => compute(bothTo(elements[dtype], { rnd: frnd, relu, satfinite: true })),
    facts: rectified,
    check: [
      { with: ["rn", "f16x2"], a: 0x7f80_0000, b: 0xc780_0000, d: 0x7bff_fbff }, // infinity and -65536
      { with: ["rz", "bf16x2"], a: 0x7fff_ffff, b: 0xff80_0000, d: 0x7fff_ff7f }, // a NaN stays one
    ],
  }),
];

const small: readonly Form[] = [
  form("cvt.rn.satfinite{.relu}.dtype.f32 d, a, b", {
    where: { dtype: f8 },
    operands: { d: to("b16"), a: of("f32"), b: of("f32") },
    since: sinceF8,
    run: ({ relu, dtype }) => compute(bothTo(elements[dtype], { rnd: "rn", satfinite: true, relu })),
    facts: rectified,
    check: [
      { with: ["e4m3x2"], a: 0x43e0_0000, b: 0xff80_0000, d: 0x7efe }, // 448 is the largest
      { with: ["e5m2x2"], a: 0x7fc0_0000, b: 0x3f80_0000, d: 0x7f3c },
      { with: ["relu", "e4m3x2"], a: 0xbf80_0000, b: 0x3f88_0000, d: 0x0038 }, // 1.0625 lies halfway: to even
    ],
  }),
  form("cvt.rn.satfinite{.relu}.dtype.f16x2 d, a", {
    where: { dtype: f8 },
    operands: { d: to("b16"), a: of("f16x2") },
    since: sinceF8,
    run: ({ relu, dtype }) => compute(eachTo("f16", elements[dtype], { rnd: "rn", satfinite: true, relu })),
    facts: rectified,
    check: [
      { with: ["e4m3x2"], a: 0x5f00_3c00, d: 0x7e38 }, // 448 and 1
      { with: ["e5m2x2"], a: 0x7bff_fe00, d: 0x7b7f }, // 65504 is too large
      { with: ["relu", "e5m2x2"], a: 0xbc00_0001, d: 0x0000 },
    ],
  }),
  form("cvt.rn{.relu}.f16x2.atype d, a", {
    where: { atype: f8 },
    operands: { d: to("f16x2"), a: of("b16") },
    since: sinceF8,
    run: ({ relu, atype }) => compute(eachTo(elements[atype], "f16", { rnd: "rn", relu })),
    facts: rectified,
    check: [
      { with: ["e4m3x2"], a: 0x7eff, d: 0x5f00_7fff },
      { with: ["relu", "e5m2x2"], a: 0xbc7c, d: 0x0000_7c00 },
    ],
  }),
  form("cvt.rn.satfinite{.relu}.dtype.f32 d, a, b", {
    where: { dtype: f6 },
    operands: { d: to("b16"), a: of("f32"), b: of("f32") },
    since: sinceF6,
    run: ({ relu, dtype }) => compute(bothTo(elements[dtype], { rnd: "rn", satfinite: true, relu })),
    facts: rectified,
    check: [
      { with: ["e2m3x2"], a: 0x3f80_0000, b: 0xc1f0_0000, d: 0x083f }, // 1, and -30 becomes -7.5
      { with: ["e3m2x2"], a: 0x7fc0_0000, b: 0x3f80_0000, d: 0x1f0c }, // no NaN: the largest
      { with: ["relu", "e3m2x2"], a: 0xbf80_0000, b: 0x7f80_0000, d: 0x001f },
    ],
  }),
  form("cvt.rn.satfinite{.relu}.e2m1x2.f32 d, a, b", {
    operands: { d: to("b8"), a: of("f32"), b: of("f32") },
    since: sinceF6,
    run: ({ relu }) => compute(bothTo("e2m1", { rnd: "rn", satfinite: true, relu })),
    facts: rectified,
    check: [
      { a: 0x3f80_0000, b: 0xc0c0_0000, d: 0x2f }, // 1 and -6
      { with: ["relu"], a: 0xbf80_0000, b: 0x3fa0_0000, d: 0x02 }, // 1.25 lies halfway: to even
    ],
  }),
  form("cvt.rn.satfinite{.relu}.e2m1x2.f16x2 d, a", {
    operands: { d: to("b8"), a: of("f16x2") },
    since: sinceF6,
    undocumented: true,
    run: ({ relu }) => compute(eachTo("f16", "e2m1", { rnd: "rn", satfinite: true, relu })),
    facts: rectified,
    check: [{ a: 0x3c00_c600, d: 0x2f }],
  }),
  form("cvt.rn{.relu}.f16x2.atype d, a", {
    where: { atype: f6 },
    operands: { d: to("f16x2"), a: of("b16") },
    since: sinceF6,
    run: ({ relu, atype }) => compute(eachTo(elements[atype], "f16", { rnd: "rn", relu })),
    facts: rectified,
    check: [
      { with: ["e2m3x2"], a: 0x083f, d: 0x3c00_c780 },
      { with: ["relu", "e3m2x2"], a: 0x1f2c, d: 0x4f00_0000 },
    ],
  }),
  form("cvt.rn{.relu}.f16x2.e2m1x2 d, a", {
    operands: { d: to("f16x2"), a: of("b8") },
    since: sinceF6,
    run: ({ relu }) => compute(eachTo("e2m1", "f16", { rnd: "rn", relu })),
    facts: rectified,
    check: [{ a: 0x2f, d: 0x3c00_c600 }],
  }),
];

/** No ptxas that was measured knows these. */
const rectifiedToo = [unspecified(".relu makes +0 of -0, as in the conversions that ptxas 13.0 knows")];

/** What came with PTX 9.1 and 9.2. */
const later: readonly Form[] = [
  form("cvt.rn.satfinite{.relu}.dtype.bf16x2 d, a", {
    where: { dtype: [...f8, ...f6] },
    operands: { d: to("b16"), a: of("bf16x2") },
    since: sinceNarrow,
    run: ({ relu, dtype }) => compute(eachTo("bf16", elements[dtype], { rnd: "rn", satfinite: true, relu })),
    facts: rectifiedToo,
    check: [
      { with: ["e4m3x2"], a: 0x43e0_3f80, d: 0x7e38 }, // 448 and 1
      { with: ["e5m2x2"], a: 0x7f80_7fc0, d: 0x7b7f }, // infinity is too large, and a NaN stays one
      { with: ["e2m3x2"], a: 0x3f80_c1f0, d: 0x083f },
      { with: ["relu", "e3m2x2"], a: 0xbf80_7f80, d: 0x001f },
    ],
  }),
  form("cvt.rn.satfinite{.relu}.dtype.f16x2 d, a", {
    where: { dtype: f6 },
    operands: { d: to("b16"), a: of("f16x2") },
    since: sinceNarrow,
    run: ({ relu, dtype }) => compute(eachTo("f16", elements[dtype], { rnd: "rn", satfinite: true, relu })),
    facts: rectifiedToo,
    check: [
      { with: ["e2m3x2"], a: 0x3c00_cf80, d: 0x083f }, // 1, and -30 becomes -7.5
      { with: ["relu", "e3m2x2"], a: 0xbc00_7e00, d: 0x001f }, // no NaN: the largest
    ],
  }),
  form("cvt.rn.satfinite{.relu}.e2m1x2.bf16x2 d, a", {
    operands: { d: to("b8"), a: of("bf16x2") },
    since: sinceNarrow,
    run: ({ relu }) => compute(eachTo("bf16", "e2m1", { rnd: "rn", satfinite: true, relu })),
    facts: rectifiedToo,
    check: [{ a: 0x3f80_c0c0, d: 0x2f }],
  }),
  form("cvt.rn{.relu}{.satfinite}.bf16x2.atype d, a", {
    where: { atype: [...f8, ...f6] },
    operands: { d: to("bf16x2"), a: of("b16") },
    since: sinceWide,
    run: ({ relu, satfinite, atype }) => compute(eachTo(elements[atype], "bf16", { rnd: "rn", relu, satfinite })),
    facts: rectifiedToo,
    check: [
      { with: ["e4m3x2"], a: 0x7eff, d: 0x43e0_7fff },
      { with: ["satfinite", "e5m2x2"], a: 0xfc3c, d: 0xff7f_3f80 }, // an infinity becomes the largest
      { with: ["relu", "e2m3x2"], a: 0x083f, d: 0x3f80_0000 },
    ],
  }),
  form("cvt.rn{.relu}{.satfinite}.bf16x2.e2m1x2 d, a", {
    operands: { d: to("bf16x2"), a: of("b8") },
    since: sinceWide,
    run: ({ relu, satfinite }) => compute(eachTo("e2m1", "bf16", { rnd: "rn", relu, satfinite })),
    facts: rectifiedToo,
    check: [{ a: 0x2f, d: 0x3f80_c0c0 }],
  }),
];

const powers: readonly Form[] = [
  form("cvt.frnd{.satfinite}.ue8m0x2.f32 d, a, b", {
    where: { frnd: ["rz", "rp"] },
    operands: { d: to("b16"), a: of("f32"), b: of("f32") },
    since: sinceF6,
    run: ({ frnd, satfinite }) => compute(bothTo("ue8m0", { rnd: frnd, satfinite })),
    facts: [unsigned],
    check: [
      { with: ["rz"], a: 0x3fff_ffff, b: 0x3f80_0000, d: 0x7f7f },
      { with: ["rp"], a: 0x3f80_0001, b: 0xbf80_0000, d: 0x807f }, // the sign does not count
      { with: ["rp", "satfinite"], a: 0x7f7f_ffff, b: 0, d: 0xfe00 },
    ],
  }),
  form("cvt.frnd{.satfinite}.ue8m0x2.bf16x2 d, a", {
    where: { frnd: ["rz", "rp"] },
    operands: { d: to("b16"), a: of("bf16x2") },
    since: sinceF6,
    run: ({ frnd, satfinite }) => compute(eachTo("bf16", "ue8m0", { rnd: frnd, satfinite })),
    facts: [unsigned],
    check: [
      { with: ["rz"], a: 0x3fff_7f80, d: 0x7fff },
      { with: ["rp", "satfinite"], a: 0x3f81_7f80, d: 0x80fe },
    ],
  }),
  form("cvt.rn.bf16x2.ue8m0x2 d, a", {
    operands: { d: to("bf16x2"), a: of("b16") },
    since: sinceF6,
    run: () => compute(eachTo("ue8m0", "bf16", { rnd: "rn" })),
    check: [{ a: 0x7f00, d: 0x3f80_0040 }], // 1, and 2^-127
  }),
];

const four: VectorClass = { kind: "vector", count: 4, of: of("f32") };

const random: readonly Form[] = [
  form("cvt.rs{.relu}{.satfinite}.dtype.f32 d, a, b, e", {
    where: { dtype: ["f16x2", "bf16x2"] },
    operands: ({ dtype }) => ({ d: to(dtype), a: of("f32"), b: of("f32"), e: registerOf("b32") }),
    since: sinceRandom,
    run: ({ relu, satfinite, dtype }) => compute(bothByChance(elements[dtype], { relu, satfinite })),
    facts: [chances, ...rectified],
    check: [
      // Half a unit above 1: up with the upper half of the random bits, not with the lower one.
      { with: ["f16x2"], a: 0x3f80_1000, b: 0x3f80_1000, e: 0x1000_0fff, d: 0x3c01_3c00 },
      { with: ["bf16x2"], a: 0x3f80_8000, b: 0x3f80_8000, e: 0x7fff_8000, d: 0x3f80_3f81 },
    ],
  }),
  form("cvt.rs{.relu}.satfinite.dtype.f32 d, a, e", {
    where: { dtype: ["e4m3x4", "e5m2x4", "e2m3x4", "e3m2x4"] },
    operands: { d: to("b32"), a: four, e: registerOf("b32") },
    since: sinceRandom,
    run: ({ relu, dtype }) => compute(fourByChance(elements[dtype], { relu, satfinite: true })),
    facts: [chances, ...rectified],
    check: [
      // 1.0625 is half a unit above 1 in e4m3: up for the first pair alone.
      {
        with: ["e4m3x4"],
        a: [0x3f88_0000, 0xbf88_0000, 0x3f88_0000, 0x7f80_0000],
        e: 0x8000_7fff,
        d: 0x39b9_387e,
      },
    ],
  }),
  form("cvt.rs{.relu}.satfinite.e2m1x4.f32 d, a, e", {
    operands: { d: to("b16"), a: four, e: registerOf("b32") },
    since: sinceRandom,
    run: ({ relu }) => compute(fourByChance("e2m1", { relu, satfinite: true })),
    facts: [chances, ...rectified],
    check: [
      // 1.25 is half a unit above 1: up where the pair's 16 bits are 0x8000 or more.
      { a: [0x3fa0_0000, 0x3fa0_0000, 0x3fa0_0000, 0xc0c0_0000], e: 0x8000_0000, d: 0x332f },
    ],
  }),
];

/** cvt into and out of packed types. */
export const packedConversions: readonly Form[] = [...halves, ...small, ...later, ...powers, ...random];
