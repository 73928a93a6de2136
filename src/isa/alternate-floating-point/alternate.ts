import { a, b, c, minus, plus, round, times } from "../../numeric/operation/build.ts";
import { of, to } from "../form/classes.ts";
import { form, type Section, type Since, section, unspecified } from "../form/define.ts";

/** Of these two targets alone, later ones included: ptxas 13.4 refuses sm_107a and the families (PTX.jl's tables). */
const since: Since = { ptx: 94, sm: 100, only: "a", families: [100, 103] };

const wide = ["e5m2x4", "e4m3x4"] as const;
const all = ["e5m2x4", "e4m3x4", "e3m2x4", "e2m3x4", "e2m1x4", "e2m1p4x4", "ue8m0x4"] as const;
const rnd = ["rn"] as const;
/** The format of each number of the result. */
const element = { e5m2x4: "e5m2", e4m3x4: "e4m3" } as const;

const facts = [
  unspecified("a NaN comes out as 0x7f, as of cvt; .satfinite leaves it one, and takes an infinity for too large"),
];

/** Four numbers side by side, each computed exactly and rounded once. */
export const alternate: Section = section("alternate-floating-point", [
  form("add{.rnd}{.satfinite}.cdtype.atype d, a, c", {
    where: { rnd, cdtype: wide, atype: all },
    operands: ({ cdtype, atype }) => ({ d: to(cdtype), a: of(atype), c: of(cdtype) }),
    since,
    does: ({ cdtype, satfinite }) => round(element[cdtype], { satfinite }, plus(a, c)),
    facts,
    check: [
      { with: ["e4m3x4", "e5m2x4"], a: 0x3c40_bc7b, c: 0x3838_3800, d: 0x4044_007f }, // 1, 2, -1 and 57344 to 1, 1, 1, 0
      { with: ["satfinite", "e4m3x4", "e2m1x4"], a: 0x7f12, c: 0x7eb8_fe00, d: 0x7ece_fe38 },
      { with: ["rn", "e5m2x4", "ue8m0x4"], a: 0x7f80_ff00, c: 0x3c00_3c7c, d: 0x4040_7f7c }, // 1 + 1, 2, NaN, infinity
    ],
  }),
  form("sub{.rnd}{.satfinite}.cdtype.atype d, a, c", {
    where: { rnd, cdtype: wide, atype: all },
    operands: ({ cdtype, atype }) => ({ d: to(cdtype), a: of(atype), c: of(cdtype) }),
    since,
    does: ({ cdtype, satfinite }) => round(element[cdtype], { satfinite }, minus(a, c)),
    facts,
    check: [{ with: ["e4m3x4", "e2m1p4x4"], a: 0xf2f4_f6f8, c: 0x3838_3800, d: 0x0038_4480 }], // 1, 2, 4, -0 minus 1, 1, 1, 0
  }),
  form("mul{.rnd}{.satfinite}.dtype.atype.ctype d, a, c", {
    where: { rnd, dtype: wide, atype: all, ctype: all },
    operands: ({ dtype, atype, ctype }) => ({ d: to(dtype), a: of(atype), c: of(ctype) }),
    since,
    does: ({ dtype, satfinite }) => round(element[dtype], { satfinite }, times(a, c)),
    facts,
    check: [
      { with: ["e5m2x4", "e3m2x4", "e2m1x4"], a: 0x0c10_ec1f, c: 0x2424, d: 0x3c44_bc53 }, // 1, 2, -1, 28 by 1, 2, 1, 2
    ],
  }),
  form("fma{.rnd}{.satfinite}.cdtype.atype.btype d, a, b, c", {
    where: { rnd, cdtype: wide, atype: all, btype: all },
    operands: ({ cdtype, atype, btype }) => ({ d: to(cdtype), a: of(atype), b: of(btype), c: of(cdtype) }),
    since,
    does: ({ cdtype, satfinite }) => round(element[cdtype], { satfinite }, plus(times(a, b), c)),
    facts,
    check: [
      { with: ["e4m3x4", "ue8m0x4", "e5m2x4"], a: 0x7f80_7f7e, b: 0x3c3c_bc3c, c: 0x3838_3838, d: 0x4044_003c },
      { with: ["satfinite", "e4m3x4", "e2m3x4", "e2m1x4"], a: 0x0808_1f1f, b: 0x2277, c: 0x387e_fe7e, d: 0x407e_fd7e },
    ],
  }),
]);
