import type { FloatModifiers } from "../../../numeric/operation/build.ts";
import type { Fact } from "../../../numeric/operation/grade.ts";
import { of, registerOf, to } from "../../form/classes.ts";
import { type Conflict, compute, type Form, form, manual, ptxas, type Since, unspecified } from "../../form/define.ts";
import { rectified } from "../../form/facts.ts";
import type { OperandClass, VectorClass } from "../../form/operands.ts";
import {
  bothByChance,
  bothTo,
  bothToFixed,
  chances,
  eachFromFixed,
  eachTo,
  eachToFixed,
  fourByChance,
  type Scaled,
  unsigned,
} from "./packed-conversion.ts";

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
const sinceRandom: Since = { ptx: 87, sm: 100, only: "a", families: [100, 103, 107] };

/** What came with sm_107 in PTX 9.4. */
const sinceRubin: Since = { ptx: 94, sm: 107, only: "f", families: [107] };

interface Words {
  readonly frnd?: "rn" | "rz" | undefined;
  readonly pzo?: boolean;
  readonly scaled?: Scaled;
}
/** `.pzo` and `.scaled::n1` are newer than the conversion, as is `.rz` into 8 bits and fewer. */
const sinceWith = ({ frnd = "rn", pzo, scaled }: Words, without: Since): Since =>
  frnd !== "rn" || pzo || scaled !== undefined ? sinceRubin : without;

const n1 = ["scaled::n1::ue8m0"] as const;
const n2 = ["scaled::n2::ue8m0"] as const;

/** The operand that goes with the qualifier. */
function scaleFor(scaled: Scaled, qualifier: NonNullable<Scaled>): OperandClass {
  if (scaled === undefined) return { kind: "absent", unless: `.${qualifier}` };
  return of(scaled === "scaled::n1::ue8m0" ? "ue8m0" : "ue8m0x2");
}

/** The modifiers of a conversion that needs `.satfinite`. */
const saturating = ({ frnd, relu, pzo }: Words & { readonly relu: boolean }): FloatModifiers => ({
  rnd: frnd,
  satfinite: true,
  relu,
  pzo,
});

const isScaled: Fact["when"] = ({ scaled }) => scaled !== undefined;
const scaledDown = [
  manual("with .scaled::n1 subnormal elements are flushed: to the zero of their sign (unspecified)", isScaled),
  unspecified("a scale of NaN makes the result NaN; the quotient is rounded once, then the modifiers see it", isScaled),
];
const scaledUp = [
  unspecified(
    "a scale of NaN makes the result NaN; the product is rounded once, then .relu and .satfinite see it",
    isScaled,
  ),
];

const halves: readonly Form[] = [
  form("cvt.frnd{.relu}{.pzo}.dtype.f32 d, a, b", {
    where: { frnd: ["rn", "rz"], dtype: ["f16x2", "bf16x2"] },
    operands: ({ dtype }) => ({ d: to(dtype), a: of("f32"), b: of("f32") }),
    since: ({ pzo }) => sinceWith({ pzo }, { ptx: 70, sm: 80 }),
    run: ({ frnd, relu, pzo, dtype }) => compute(bothTo(elements[dtype], { rnd: frnd, relu, pzo })),
    facts: rectified,
    check: [
      { with: ["rn", "f16x2"], a: 0x4000_0000, b: 0x3f80_0000, d: 0x4000_3c00 },
      { with: ["rn", "relu", "bf16x2"], a: 0x4000_0000, b: 0xbf80_0000, d: 0x4000_0000 },
      { with: ["rn", "pzo", "f16x2"], a: 0x8000_0000, b: 0xbf80_0000, d: 0x0000_bc00 }, // only zeros change
    ],
  }),
  form("cvt.frnd{.relu}.satfinite{.pzo}.dtype.f32 d, a, b", {
    where: { frnd: ["rn", "rz"], dtype: ["f16x2", "bf16x2"] },
    operands: ({ dtype }) => ({ d: to(dtype), a: of("f32"), b: of("f32") }),
    since: ({ pzo }) => sinceWith({ pzo }, { ptx: 81, sm: 80 }),
    run: ({ frnd, relu, pzo, dtype }) => compute(bothTo(elements[dtype], { rnd: frnd, relu, satfinite: true, pzo })),
    facts: rectified,
    check: [
      { with: ["rn", "f16x2"], a: 0x7f80_0000, b: 0xc780_0000, d: 0x7bff_fbff }, // infinity and -65536
      { with: ["rz", "bf16x2"], a: 0x7fff_ffff, b: 0xff80_0000, d: 0x7fff_ff7f }, // a NaN stays one
      { with: ["rz", "pzo", "f16x2"], a: 0xff80_0000, b: 0x8000_0001, d: 0xfbff_0000 },
    ],
  }),
];

const small: readonly Form[] = [
  form("cvt.frnd.satfinite{.relu}{.pzo}{.scaled}.dtype.f32 d, a, b{, scale}", {
    where: { frnd: ["rn", "rz"], scaled: n1, dtype: f8 },
    operands: ({ scaled, dtype }) => ({ d: to(dtype), a: of("f32"), b: of("f32"), scale: scaleFor(scaled, ...n1) }),
    since: (mods) => sinceWith(mods, sinceF8),
    run: ({ scaled, dtype, ...mods }) => compute(bothTo(elements[dtype], saturating(mods), scaled)),
    facts: [...rectified, ...scaledDown],
    check: [
      { with: ["e4m3x2"], a: 0x43e0_0000, b: 0xff80_0000, d: 0x7efe }, // 448 is the largest
      { with: ["e5m2x2"], a: 0x7fc0_0000, b: 0x3f80_0000, d: 0x7f3c },
      { with: ["relu", "e4m3x2"], a: 0xbf80_0000, b: 0x3f88_0000, d: 0x0038 }, // 1.0625 lies halfway: to even
      { with: ["rz", "pzo", "e4m3x2"], a: 0x3f8f_ffff, b: 0x8000_0000, d: 0x3800 },
      { with: ["scaled::n1::ue8m0", "e4m3x2"], a: 0x4400_0000, b: 0xff80_0000, scale: 0x80, d: 0x78fe }, // 512 / 2
    ],
  }),
  form("cvt.frnd.satfinite{.relu}{.pzo}{.scaled}.dtype.f16x2 d, a{, scale}", {
    where: { frnd: ["rn", "rz"], scaled: n1, dtype: f8 },
    operands: ({ scaled, dtype }) => ({ d: to(dtype), a: of("f16x2"), scale: scaleFor(scaled, ...n1) }),
    since: (mods) => sinceWith(mods, sinceF8),
    run: ({ scaled, dtype, ...mods }) => compute(eachTo("f16", elements[dtype], saturating(mods), scaled)),
    facts: [...rectified, ...scaledDown],
    check: [
      { with: ["e4m3x2"], a: 0x5f00_3c00, d: 0x7e38 }, // 448 and 1
      { with: ["e5m2x2"], a: 0x7bff_fe00, d: 0x7b7f }, // 65504 is too large
      { with: ["relu", "e5m2x2"], a: 0xbc00_0001, d: 0x0000 },
      { with: ["rz", "e5m2x2"], a: 0x7bff_3cff, d: 0x7b3c },
      { with: ["scaled::n1::ue8m0", "e4m3x2"], a: 0x3c00_83ff, scale: 0x7e, d: 0x4080 }, // 1 / 0.5; a subnormal is -0
    ],
  }),
  form("cvt.rn{.relu}.f16x2.atype d, a", {
    where: { atype: f8 },
    operands: ({ atype }) => ({ d: to("f16x2"), a: of(atype) }),
    since: sinceF8,
    run: ({ relu, atype }) => compute(eachTo(elements[atype], "f16", { rnd: "rn", relu })),
    facts: rectified,
    check: [
      { with: ["e4m3x2"], a: 0x7eff, d: 0x5f00_7fff },
      { with: ["relu", "e5m2x2"], a: 0xbc7c, d: 0x0000_7c00 },
    ],
  }),
  form("cvt.frnd.satfinite{.relu}{.pzo}{.scaled}.dtype.f32 d, a, b{, scale}", {
    where: { frnd: ["rn", "rz"], scaled: n1, dtype: f6 },
    operands: ({ scaled, dtype }) => ({ d: to(dtype), a: of("f32"), b: of("f32"), scale: scaleFor(scaled, ...n1) }),
    since: (mods) => sinceWith(mods, sinceF6),
    run: ({ scaled, dtype, ...mods }) => compute(bothTo(elements[dtype], saturating(mods), scaled)),
    facts: [...rectified, ...scaledDown],
    check: [
      { with: ["e2m3x2"], a: 0x3f80_0000, b: 0xc1f0_0000, d: 0x083f }, // 1, and -30 becomes -7.5
      { with: ["e3m2x2"], a: 0x7fc0_0000, b: 0x3f80_0000, d: 0x1f0c }, // no NaN: the largest
      { with: ["relu", "e3m2x2"], a: 0xbf80_0000, b: 0x7f80_0000, d: 0x001f },
      { with: ["rz", "e2m3x2"], a: 0x3f8f_ffff, b: 0xbf8f_ffff, d: 0x0828 },
      { with: ["pzo", "e2m3x2"], a: 0x8000_0000, b: 0xbf80_0000, d: 0x0028 },
      { with: ["scaled::n1::ue8m0", "e3m2x2"], a: 0x4000_0000, b: 0xc000_0000, scale: 0xff, d: 0x1f1f }, // NaN
    ],
  }),
  form("cvt.frnd.satfinite{.relu}{.pzo}{.scaled}.e2m1x2.f32 d, a, b{, scale}", {
    where: { frnd: ["rn", "rz"], scaled: n1 },
    operands: ({ scaled }) => ({ d: to("e2m1x2"), a: of("f32"), b: of("f32"), scale: scaleFor(scaled, ...n1) }),
    since: (mods) => sinceWith(mods, sinceF6),
    run: ({ scaled, ...mods }) => compute(bothTo("e2m1", saturating(mods), scaled)),
    facts: [...rectified, ...scaledDown],
    check: [
      { a: 0x3f80_0000, b: 0xc0c0_0000, d: 0x2f }, // 1 and -6
      { with: ["relu"], a: 0xbf80_0000, b: 0x3fa0_0000, d: 0x02 }, // 1.25 lies halfway: to even
      { with: ["rz", "pzo"], a: 0xbf7f_ffff, b: 0x8000_0000, d: 0x90 },
      { with: ["scaled::n1::ue8m0"], a: 0x4100_0000, b: 0xc100_0000, scale: 0x80, d: 0x6e }, // 8 / 2
    ],
  }),
  form("cvt.frnd.satfinite{.relu}{.pzo}{.scaled}.e2m1x2.f16x2 d, a{, scale}", {
    where: { frnd: ["rn", "rz"], scaled: n1 },
    operands: ({ scaled }) => ({ d: to("e2m1x2"), a: of("f16x2"), scale: scaleFor(scaled, ...n1) }),
    since: (mods) => sinceWith(mods, sinceF6),
    run: ({ scaled, ...mods }) => compute(eachTo("f16", "e2m1", saturating(mods), scaled)),
    facts: [ptxas("ptxas 13.0 has it from PTX 8.6 on, the manual from 9.1 on"), ...rectified, ...scaledDown],
    check: [
      { a: 0x3c00_c600, d: 0x2f },
      { with: ["rz", "pzo"], a: 0x3dff_8000, d: 0x20 },
      { with: ["scaled::n1::ue8m0"], a: 0x3c00_c600, scale: 0x80, d: 0x1d }, // 0.5 and -3
    ],
  }),
  form("cvt.rn{.relu}.f16x2.atype d, a", {
    where: { atype: f6 },
    operands: ({ atype }) => ({ d: to("f16x2"), a: of(atype) }),
    since: sinceF6,
    run: ({ relu, atype }) => compute(eachTo(elements[atype], "f16", { rnd: "rn", relu })),
    facts: rectified,
    check: [
      { with: ["e2m3x2"], a: 0x083f, d: 0x3c00_c780 },
      { with: ["relu", "e3m2x2"], a: 0x1f2c, d: 0x4f00_0000 },
    ],
  }),
  form("cvt.rn{.relu}.f16x2.e2m1x2 d, a", {
    operands: { d: to("f16x2"), a: of("e2m1x2") },
    since: sinceF6,
    run: ({ relu }) => compute(eachTo("e2m1", "f16", { rnd: "rn", relu })),
    facts: rectified,
    check: [{ a: 0x2f, d: 0x3c00_c600 }],
  }),
];

/** No ptxas that was measured knows these. */
const rectifiedToo = [
  unspecified(".relu makes +0 of -0, as in the conversions that ptxas 13.0 knows", ({ relu }) => relu === true),
];

/** What came with PTX 9.1 and 9.2. */
const later: readonly Form[] = [
  form("cvt.frnd.satfinite{.relu}{.pzo}{.scaled}.dtype.bf16x2 d, a{, scale}", {
    where: { frnd: ["rn", "rz"], scaled: n1, dtype: [...f8, ...f6] },
    operands: ({ scaled, dtype }) => ({ d: to(dtype), a: of("bf16x2"), scale: scaleFor(scaled, ...n1) }),
    since: (mods) => sinceWith(mods, sinceNarrow),
    run: ({ scaled, dtype, ...mods }) => compute(eachTo("bf16", elements[dtype], saturating(mods), scaled)),
    facts: [...rectifiedToo, ...scaledDown],
    check: [
      { with: ["e4m3x2"], a: 0x43e0_3f80, d: 0x7e38 }, // 448 and 1
      { with: ["e5m2x2"], a: 0x7f80_7fc0, d: 0x7b7f }, // infinity is too large, and a NaN stays one
      { with: ["e2m3x2"], a: 0x3f80_c1f0, d: 0x083f },
      { with: ["relu", "e3m2x2"], a: 0xbf80_7f80, d: 0x001f },
      { with: ["rz", "pzo", "e3m2x2"], a: 0x3f9f_8000, d: 0x0c00 },
      { with: ["scaled::n1::ue8m0", "e4m3x2"], a: 0x7f00_0001, scale: 0xfe, d: 0x3800 }, // 2^127 / 2^127, a subnormal
    ],
  }),
  form("cvt.frnd.satfinite{.relu}{.pzo}{.scaled}.dtype.f16x2 d, a{, scale}", {
    where: { frnd: ["rn", "rz"], scaled: n1, dtype: f6 },
    operands: ({ scaled, dtype }) => ({ d: to(dtype), a: of("f16x2"), scale: scaleFor(scaled, ...n1) }),
    since: (mods) => sinceWith(mods, sinceNarrow),
    run: ({ scaled, dtype, ...mods }) => compute(eachTo("f16", elements[dtype], saturating(mods), scaled)),
    facts: [...rectifiedToo, ...scaledDown],
    check: [
      { with: ["e2m3x2"], a: 0x3c00_cf80, d: 0x083f }, // 1, and -30 becomes -7.5
      { with: ["relu", "e3m2x2"], a: 0xbc00_7e00, d: 0x001f }, // no NaN: the largest
      { with: ["rz", "pzo", "e2m3x2"], a: 0x3c7f_8000, d: 0x0800 },
      { with: ["scaled::n1::ue8m0", "e2m3x2"], a: 0x4400_c400, scale: 0x80, d: 0x1030 }, // 4 / 2
    ],
  }),
  form("cvt.frnd.satfinite{.relu}{.pzo}{.scaled}.e2m1x2.bf16x2 d, a{, scale}", {
    where: { frnd: ["rn", "rz"], scaled: n1 },
    operands: ({ scaled }) => ({ d: to("e2m1x2"), a: of("bf16x2"), scale: scaleFor(scaled, ...n1) }),
    since: (mods) => sinceWith(mods, sinceNarrow),
    run: ({ scaled, ...mods }) => compute(eachTo("bf16", "e2m1", saturating(mods), scaled)),
    facts: [...rectifiedToo, ...scaledDown],
    check: [
      { a: 0x3f80_c0c0, d: 0x2f },
      { with: ["rz", "pzo"], a: 0x3fbf_8000, d: 0x20 },
      { with: ["scaled::n1::ue8m0"], a: 0x3f80_c0c0, scale: 0x80, d: 0x1d }, // 0.5 and -3
    ],
  }),
  form("cvt.rn{.relu}{.satfinite}{.scaled}.bf16x2.atype d, a{, scale}", {
    where: { scaled: n2, atype: [...f8, ...f6] },
    operands: ({ scaled, atype }) => ({ d: to("bf16x2"), a: of(atype), scale: scaleFor(scaled, ...n2) }),
    since: sinceWide,
    run: ({ relu, satfinite, scaled, atype }) =>
      compute(eachTo(elements[atype], "bf16", { rnd: "rn", relu, satfinite }, scaled)),
    facts: [...rectifiedToo, ...scaledUp],
    check: [
      { with: ["e4m3x2"], a: 0x7eff, d: 0x43e0_7fff },
      { with: ["satfinite", "e5m2x2"], a: 0xfc3c, d: 0xff7f_3f80 }, // an infinity becomes the largest
      { with: ["relu", "e2m3x2"], a: 0x083f, d: 0x3f80_0000 },
      { with: ["scaled::n2::ue8m0", "e4m3x2"], a: 0x3838, scale: 0x8000, d: 0x4000_0040 }, // 1 times 2, and 2^-127
      { with: ["scaled::n2::ue8m0", "satfinite", "e5m2x2"], a: 0xbc40, scale: 0xfffe, d: 0x7fff_7f7f }, // NaN; 2^128
    ],
  }),
  form("cvt.rn{.relu}{.satfinite}{.scaled}.bf16x2.e2m1x2 d, a{, scale}", {
    where: { scaled: n2 },
    operands: ({ scaled }) => ({ d: to("bf16x2"), a: of("e2m1x2"), scale: scaleFor(scaled, ...n2) }),
    since: sinceWide,
    run: ({ relu, satfinite, scaled }) => compute(eachTo("e2m1", "bf16", { rnd: "rn", relu, satfinite }, scaled)),
    facts: [...rectifiedToo, ...scaledUp],
    check: [
      { a: 0x2f, d: 0x3f80_c0c0 },
      { with: ["scaled::n2::ue8m0"], a: 0x2f, scale: 0x7e80, d: 0x3f00_c140 }, // 1 / 2 and -6 * 2
    ],
  }),
];

const sinceFixed: Since = { ptx: 91, sm: 100, only: "a", families: [100, 103, 107, 110, 120, 121] };
/** `.rz` stands in the syntax of PTX 9.4 first. */
const sinceFixedWith = (frnd: "rn" | "rz"): Since => (frnd === "rz" ? { ...sinceFixed, ptx: 94 } : sinceFixed);
const fixedDown = [
  unspecified("what is less than -2 becomes that, 0x80, the least number, not the negative of the greatest"),
  unspecified("a NaN, of the scale too, becomes the greatest number; the quotient is rounded once"),
];

/** s2f6, a fixed-point number of 8 bits: 64ths from -2 to almost 2. */
const fixed: readonly Form[] = [
  form("cvt.frnd.satfinite{.relu}{.scaled}.s2f6x2.f32 d, a, b{, scale}", {
    where: { frnd: ["rn", "rz"], scaled: n2 },
    operands: ({ scaled }) => ({ d: to("b16"), a: of("f32"), b: of("f32"), scale: scaleFor(scaled, ...n2) }),
    since: ({ frnd }) => sinceFixedWith(frnd),
    run: ({ frnd, relu, scaled }) => compute(bothToFixed({ rnd: frnd, relu }, scaled)),
    facts: fixedDown,
    check: [
      { a: 0x3f80_0000, b: 0xbf80_0000, d: 0x40c0 }, // 1 and -1
      { a: 0x7f80_0000, b: 0xff80_0000, d: 0x7f80 },
      { with: ["rz", "relu"], a: 0x3f81_ffff, b: 0xbf80_0000, d: 0x4000 },
      { with: ["scaled::n2::ue8m0"], a: 0x4000_0000, b: 0xbf80_0000, scale: 0x807e, d: 0x4080 }, // 2 / 2, -1 / 0.5
    ],
  }),
  form("cvt.frnd.satfinite{.relu}{.scaled}.s2f6x2.bf16x2 d, a{, scale}", {
    where: { frnd: ["rn", "rz"], scaled: n2 },
    operands: ({ scaled }) => ({ d: to("b16"), a: of("bf16x2"), scale: scaleFor(scaled, ...n2) }),
    since: ({ frnd }) => sinceFixedWith(frnd),
    run: ({ frnd, relu, scaled }) => compute(eachToFixed({ rnd: frnd, relu }, scaled)),
    facts: [
      unspecified("each half of a is converted, as the text on scale factors has it, not a[15:8] and a[7:0]"),
      ...fixedDown,
    ],
    check: [
      { a: 0x3f80_7fc0, d: 0x407f },
      { with: ["scaled::n2::ue8m0", "relu"], a: 0x4000_bf80, scale: 0x807f, d: 0x4000 },
    ],
  }),
  form("cvt.rn{.satfinite}{.relu}{.scaled}.bf16x2.s2f6x2 d, a{, scale}", {
    where: { scaled: n2 },
    operands: ({ scaled }) => ({ d: to("bf16x2"), a: of("b16"), scale: scaleFor(scaled, ...n2) }),
    since: sinceFixed,
    run: ({ satfinite, relu, scaled }) => compute(eachFromFixed({ rnd: "rn", satfinite, relu }, scaled)),
    facts: scaledUp,
    check: [
      { a: 0x4080, d: 0x3f80_c000 }, // 1 and -2
      { with: ["relu"], a: 0x7fff, d: 0x3ffe_0000 },
      { with: ["scaled::n2::ue8m0"], a: 0x40ff, scale: 0x8585, d: 0x4280_bf80 }, // 64 and -1
    ],
  }),
];

const pairs = ["f16x2", "bf16x2"] as const;
const unsignedToo = unspecified("the sign does not count, as in a conversion to ue8m0");
/** `.rp` goes without a scale only. */
const upWithScale = ({ frnd, scaled }: { readonly frnd: string; readonly scaled: Scaled }): Conflict | undefined =>
  frnd === "rp" && scaled !== undefined ? ["rp", `.${scaled}`] : undefined;

/** ue5m3: a scale without sign. */
const unsignedEights: readonly Form[] = [
  form("cvt.frnd{.satfinite}{.scaled}.ue5m3x2.f32 d, a, b{, scale}", {
    where: { frnd: ["rn", "rz", "rp"], scaled: n1 },
    operands: ({ scaled }) => ({ d: to("ue5m3x2"), a: of("f32"), b: of("f32"), scale: scaleFor(scaled, ...n1) }),
    since: sinceRubin,
    conflict: upWithScale,
    run: ({ frnd, satfinite, scaled }) => compute(bothTo("ue5m3", { rnd: frnd, satfinite }, scaled)),
    facts: [unsignedToo, ...scaledDown],
    check: [
      { with: ["rn"], a: 0x3f80_0000, b: 0xc000_0000, d: 0x7880 }, // 1 and, without its sign, 2
      { with: ["rp", "satfinite"], a: 0x3f80_0001, b: 0x7f80_0000, d: 0x79fe },
      { with: ["rz"], a: 0x7fc0_0000, b: 0x47ff_ffff, d: 0xfffe },
      { with: ["rn", "scaled::n1::ue8m0"], a: 0x4000_0000, b: 0x4900_0000, scale: 0x80, d: 0x78ff }, // 2^18 is too large
    ],
  }),
  form("cvt.frnd{.satfinite}{.scaled}.ue5m3x2.atype d, a{, scale}", {
    where: { frnd: ["rn", "rz", "rp"], scaled: n1, atype: pairs },
    operands: ({ scaled, atype }) => ({ d: to("ue5m3x2"), a: of(atype), scale: scaleFor(scaled, ...n1) }),
    since: sinceRubin,
    conflict: upWithScale,
    run: ({ frnd, satfinite, scaled, atype }) =>
      compute(eachTo(elements[atype], "ue5m3", { rnd: frnd, satfinite }, scaled)),
    facts: [unsignedToo, ...scaledDown],
    check: [
      { with: ["rn", "f16x2"], a: 0x3c00_fc00, d: 0x78ff }, // no infinity: NaN
      { with: ["rn", "satfinite", "bf16x2"], a: 0x7f80_3f80, d: 0xfe78 },
      { with: ["rn", "scaled::n1::ue8m0", "f16x2"], a: 0x4000_0001, scale: 0x80, d: 0x7800 },
    ],
  }),
  form("cvt.rn.f16x2.ue5m3x2 d, a", {
    operands: { d: to("f16x2"), a: of("ue5m3x2") },
    since: sinceRubin,
    run: () => compute(eachTo("ue5m3", "f16", { rnd: "rn" })),
    check: [
      { a: 0x7801, d: 0x3c00_0080 }, // 1, and the least, 2^-17
      { a: 0xf0fe, d: 0x7800_7c00 }, // 32768; 114688 is too large
    ],
  }),
  form("cvt.rn{.satfinite}{.scaled}.bf16x2.ue5m3x2 d, a{, scale}", {
    where: { scaled: n2 },
    operands: ({ scaled }) => ({ d: to("bf16x2"), a: of("ue5m3x2"), scale: scaleFor(scaled, ...n2) }),
    since: sinceRubin,
    run: ({ satfinite, scaled }) => compute(eachTo("ue5m3", "bf16", { rnd: "rn", satfinite }, scaled)),
    facts: scaledUp,
    check: [
      { a: 0x78ff, d: 0x3f80_7fff },
      { with: ["scaled::n2::ue8m0"], a: 0x7878, scale: 0x7e80, d: 0x3f00_4000 },
    ],
  }),
];

const powers: readonly Form[] = [
  form("cvt.frnd{.satfinite}.ue8m0x2.f32 d, a, b", {
    where: { frnd: ["rz", "rp"] },
    operands: { d: to("ue8m0x2"), a: of("f32"), b: of("f32") },
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
    operands: { d: to("ue8m0x2"), a: of("bf16x2") },
    since: sinceF6,
    run: ({ frnd, satfinite }) => compute(eachTo("bf16", "ue8m0", { rnd: frnd, satfinite })),
    facts: [unsigned],
    check: [
      { with: ["rz"], a: 0x3fff_7f80, d: 0x7fff },
      { with: ["rp", "satfinite"], a: 0x3f81_7f80, d: 0x80fe },
    ],
  }),
  form("cvt.rn.bf16x2.ue8m0x2 d, a", {
    operands: { d: to("bf16x2"), a: of("ue8m0x2") },
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
    operands: ({ dtype }) => ({ d: { ...to("b32"), type: dtype }, a: four, e: registerOf("b32") }),
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
    operands: { d: { ...to("b16"), type: "e2m1x4" }, a: four, e: registerOf("b32") },
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
export const packedConversions: readonly Form[] = [
  ...halves,
  ...small,
  ...later,
  ...fixed,
  ...unsignedEights,
  ...powers,
  ...random,
];
