import { a, b, minus, plus, round, times } from "../../numeric/operation/build.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form } from "../form/define.ts";
import { saturated } from "../form/facts.ts";

export const halfArithmetic: readonly Form[] = [
  form("add{.rnd}{.ftz}{.sat}.f16 d, a, b", {
    where: { rnd: ["rn"] },
    operands: { d: to("f16"), a: of("f16"), b: of("f16") },
    since: { ptx: 42, sm: 53 },
    does: (mods) => round("f16", mods, plus(a, b)),
    facts: saturated,
    check: [
      { a: 0x4970, b: 0xc96e, d: 0x2400 },
      { with: ["rn", "sat"], a: 0x3c00, b: 0x8000, d: 0x3c00 },
      { with: ["ftz"], a: 0xbc02, b: 0x1000, d: 0xbc02 },
    ],
  }),
  form("add{.rnd}{.ftz}{.sat}.f16x2 d, a, b", {
    where: { rnd: ["rn"] },
    operands: { d: to("f16x2"), a: of("f16x2"), b: of("f16x2") },
    since: { ptx: 42, sm: 53 },
    does: (mods) => round("f16", mods, plus(a, b)),
    facts: saturated,
    check: [
      { a: 0x8635_81ff, b: 0x8364_fc00, d: 0x88cc_fc00 },
      { with: ["rn", "sat"], a: 0x3c00_46df, b: 0x0000_a101, d: 0x3c00_3c00 },
      { with: ["ftz"], a: 0x693e_83fe, b: 0xbbff_8002, d: 0x693e_8000 },
    ],
  }),
  form("add{.rnd}.bf16 d, a, b", {
    where: { rnd: ["rn"] },
    operands: { d: to("bf16"), a: of("bf16"), b: of("bf16") },
    since: { ptx: 78, sm: 90 },
    does: (mods) => round("bf16", mods, plus(a, b)),
    check: [
      { a: 0xc03b, b: 0xbb80, d: 0xc03b },
      { with: ["rn"], a: 0xc093, b: 0xbd3f, d: 0xc094 },
    ],
  }),
  form("add{.rnd}.bf16x2 d, a, b", {
    where: { rnd: ["rn"] },
    operands: { d: to("bf16x2"), a: of("bf16x2"), b: of("bf16x2") },
    since: { ptx: 78, sm: 90 },
    does: (mods) => round("bf16", mods, plus(a, b)),
    check: [
      { a: 0xf74f_bf2b, b: 0xf2ff_3bc0, d: 0xf74f_bf2a },
      { with: ["rn"], a: 0xc1ed_bdb8, b: 0x3d81_ba40, d: 0xc1ec_bdba },
    ],
  }),
  form("sub{.rnd}{.ftz}{.sat}.f16 d, a, b", {
    where: { rnd: ["rn"] },
    operands: { d: to("f16"), a: of("f16"), b: of("f16") },
    since: { ptx: 42, sm: 53 },
    does: (mods) => round("f16", mods, minus(a, b)),
    facts: saturated,
    check: [
      { a: 0x4b5d, b: 0x487a, d: 0x45c6 },
      { with: ["rn", "sat"], a: 0x3347, b: 0x0d00, d: 0x3344 },
      { with: ["ftz"], a: 0x38dc, b: 0x13ff, d: 0x38da },
    ],
  }),
  form("sub{.rnd}{.ftz}{.sat}.f16x2 d, a, b", {
    where: { rnd: ["rn"] },
    operands: { d: to("f16x2"), a: of("f16x2"), b: of("f16x2") },
    since: { ptx: 42, sm: 53 },
    does: (mods) => round("f16", mods, minus(a, b)),
    facts: saturated,
    check: [
      { a: 0x42a9_0200, b: 0x9d00_3959, d: 0x42ac_b959 },
      { with: ["rn", "sat"], a: 0x5000_8000, b: 0xa401_0001, d: 0x3c00_0000 },
      { with: ["ftz"], a: 0x976b_2fd9, b: 0x976c_8900, d: 0x0000_2fdc },
    ],
  }),
  form("sub{.rnd}.bf16 d, a, b", {
    where: { rnd: ["rn"] },
    operands: { d: to("bf16"), a: of("bf16"), b: of("bf16") },
    since: { ptx: 78, sm: 90 },
    does: (mods) => round("bf16", mods, minus(a, b)),
    check: [
      { a: 0x80a3, b: 0x0000, d: 0x80a3 },
      { with: ["rn"], a: 0xc040, b: 0xc021, d: 0xbef8 },
    ],
  }),
  form("sub{.rnd}.bf16x2 d, a, b", {
    where: { rnd: ["rn"] },
    operands: { d: to("bf16x2"), a: of("bf16x2"), b: of("bf16x2") },
    since: { ptx: 78, sm: 90 },
    does: (mods) => round("bf16", mods, minus(a, b)),
    check: [
      { a: 0x3daf_df00, b: 0xb980_6090, d: 0x3db0_e0a0 },
      { with: ["rn"], a: 0x3c00_4066, b: 0x8081_bc00, d: 0x3c00_4066 },
    ],
  }),
  form("mul{.rnd}{.ftz}{.sat}.f16 d, a, b", {
    where: { rnd: ["rn"] },
    operands: { d: to("f16"), a: of("f16"), b: of("f16") },
    since: { ptx: 42, sm: 53 },
    does: (mods) => round("f16", mods, times(a, b)),
    facts: saturated,
    check: [
      { a: 0x340c, b: 0x4780, d: 0x3f96 },
      { with: ["rn", "sat"], a: 0x0001, b: 0x3c00, d: 0x0001 },
      { with: ["ftz"], a: 0xd000, b: 0x3c03, d: 0xd003 },
    ],
  }),
  form("mul{.rnd}{.ftz}{.sat}.f16x2 d, a, b", {
    where: { rnd: ["rn"] },
    operands: { d: to("f16x2"), a: of("f16x2"), b: of("f16x2") },
    since: { ptx: 42, sm: 53 },
    does: (mods) => round("f16", mods, times(a, b)),
    facts: saturated,
    check: [
      { a: 0x82b8_6400, b: 0xbc02_cc00, d: 0x02b9_f400 },
      { with: ["rn", "sat"], a: 0xc880_3c01, b: 0xb1dc_fbfe, d: 0x3c00_0000 },
      { with: ["ftz"], a: 0x2fcd_01ff, b: 0x6400_a757, d: 0x57cd_8000 },
    ],
  }),
  form("mul{.rnd}.bf16 d, a, b", {
    where: { rnd: ["rn"] },
    operands: { d: to("bf16"), a: of("bf16"), b: of("bf16") },
    since: { ptx: 78, sm: 90 },
    does: (mods) => round("bf16", mods, times(a, b)),
    check: [
      { a: 0x3f80, b: 0x4bef, d: 0x4bef },
      { with: ["rn"], a: 0x4138, b: 0x3f50, d: 0x4116 },
    ],
  }),
  form("mul{.rnd}.bf16x2 d, a, b", {
    where: { rnd: ["rn"] },
    operands: { d: to("bf16x2"), a: of("bf16x2"), b: of("bf16x2") },
    since: { ptx: 78, sm: 90 },
    does: (mods) => round("bf16", mods, times(a, b)),
    check: [
      { a: 0x0075_3f91, b: 0x3f7f_4040, d: 0x0075_405a },
      { with: ["rn"], a: 0x483b_be48, b: 0x8082_c0f0, d: 0x893e_3fbc },
    ],
  }),
];
