import { max, min } from "../../numeric/operation/build.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form, type Since } from "../form/define.ts";
import { extremumOf } from "../form/extremum.ts";

const sinceXorsign = ({ abs }: { readonly abs: boolean }): Since => (abs ? { ptx: 72, sm: 86 } : { ptx: 70, sm: 80 });

export const halfMinMax: readonly Form[] = [
  form("min{.ftz}{.NaN}{.xorsign.abs}.f16 d, a, b", {
    operands: { d: to("f16"), a: of("f16"), b: of("f16") },
    since: sinceXorsign,
    does: (mods) => extremumOf("f16", min, mods),
    check: [
      { a: 0x3c02, b: 0xbbff, d: 0xbbff },
      { with: ["NaN"], a: 0xbbfb, b: 0xf000, d: 0xf000 },
      { with: ["ftz"], a: 0xbc00, b: 0x6800, d: 0xbc00 },
      { with: ["xorsign", "abs"], a: 0xb4b6, b: 0x1403, d: 0x9403 },
    ],
  }),
  form("min{.ftz}{.NaN}{.xorsign.abs}.f16x2 d, a, b", {
    operands: { d: to("f16x2"), a: of("f16x2"), b: of("f16x2") },
    since: sinceXorsign,
    does: (mods) => extremumOf("f16", min, mods),
    check: [
      { a: 0x4f35_549f, b: 0x8583_d49f, d: 0x8583_d49f },
      { with: ["NaN"], a: 0xdf17_ae6d, b: 0xdf17_5002, d: 0xdf17_ae6d },
      { with: ["ftz"], a: 0x0000_ca23, b: 0x0000_3c03, d: 0x0000_ca23 },
      { with: ["xorsign", "abs"], a: 0x8000_8003, b: 0x0000_49b3, d: 0x8000_8003 },
    ],
  }),
  form("min{.NaN}{.xorsign.abs}.bf16 d, a, b", {
    operands: { d: to("bf16"), a: of("bf16"), b: of("bf16") },
    since: sinceXorsign,
    does: (mods) => extremumOf("bf16", min, mods),
    check: [
      { a: 0x2001, b: 0x4725, d: 0x2001 },
      { with: ["NaN"], a: 0x730f, b: 0xe2d5, d: 0xe2d5 },
      { with: ["xorsign", "abs"], a: 0x8002, b: 0xbe1e, d: 0x0002 },
    ],
  }),
  form("min{.NaN}{.xorsign.abs}.bf16x2 d, a, b", {
    operands: { d: to("bf16x2"), a: of("bf16x2"), b: of("bf16x2") },
    since: sinceXorsign,
    does: (mods) => extremumOf("bf16", min, mods),
    check: [
      { a: 0x2000_3780, b: 0xd5fb_bf32, d: 0xd5fb_bf32 },
      { with: ["NaN"], a: 0x4145_0002, b: 0xc380_8002, d: 0xc380_8002 },
      { with: ["xorsign", "abs"], a: 0x007e_0000, b: 0x41fe_0000, d: 0x007e_0000 },
    ],
  }),
  form("max{.ftz}{.NaN}{.xorsign.abs}.f16 d, a, b", {
    operands: { d: to("f16"), a: of("f16"), b: of("f16") },
    since: sinceXorsign,
    does: (mods) => extremumOf("f16", max, mods),
    check: [
      { a: 0x2c00, b: 0x8200, d: 0x2c00 },
      { with: ["NaN"], a: 0x03ff, b: 0x8401, d: 0x03ff },
      { with: ["ftz"], a: 0xfe01, b: 0x3816, d: 0x3816 },
      { with: ["xorsign", "abs"], a: 0xbc00, b: 0x8003, d: 0x3c00 },
    ],
  }),
  form("max{.ftz}{.NaN}{.xorsign.abs}.f16x2 d, a, b", {
    operands: { d: to("f16x2"), a: of("f16x2"), b: of("f16x2") },
    since: sinceXorsign,
    does: (mods) => extremumOf("f16", max, mods),
    check: [
      { a: 0x3c00_4104, b: 0xfbff_fff7, d: 0x3c00_4104 },
      { with: ["NaN"], a: 0xbc02_87fe, b: 0xbc02_3bfe, d: 0xbc02_3bfe },
      { with: ["ftz"], a: 0x0401_93fc, b: 0x2c00_93fc, d: 0x2c00_93fc },
      { with: ["xorsign", "abs"], a: 0xc000_bbfd, b: 0x4000_0200, d: 0xc000_bbfd },
    ],
  }),
  form("max{.NaN}{.xorsign.abs}.bf16 d, a, b", {
    operands: { d: to("bf16"), a: of("bf16"), b: of("bf16") },
    since: sinceXorsign,
    does: (mods) => extremumOf("bf16", max, mods),
    check: [
      { a: 0xff8d, b: 0x412f, d: 0x412f },
      { with: ["NaN"], a: 0x2001, b: 0x0100, d: 0x2001 },
      { with: ["xorsign", "abs"], a: 0x4083, b: 0x4028, d: 0x4083 },
    ],
  }),
  form("max{.NaN}{.xorsign.abs}.bf16x2 d, a, b", {
    operands: { d: to("bf16x2"), a: of("bf16x2"), b: of("bf16x2") },
    since: sinceXorsign,
    does: (mods) => extremumOf("bf16", max, mods),
    check: [
      { a: 0xfffa_5df7, b: 0xbb80_8103, d: 0xbb80_5df7 },
      { with: ["NaN"], a: 0x1fff_8000, b: 0xbf7f_0000, d: 0x1fff_0000 },
      { with: ["xorsign", "abs"], a: 0xbbca_ff7e, b: 0x8000_7fd6, d: 0x3bca_ff7e },
    ],
  }),
];
