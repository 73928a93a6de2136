import { a, b, c, minus, plus, round, times } from "../../numeric/operation/build.ts";
import { of, to } from "../form/classes.ts";
import { form, type Section, section } from "../form/define.ts";
import { saturated } from "../form/facts.ts";
import type { RegisterClass } from "../form/operands.ts";
import { mixedPairs } from "./packed.ts";

/** The 16-bit operand: `.bf16` mixes with integers here, as nowhere else. */
const narrow = (type: "f16" | "bf16"): RegisterClass =>
  of(type, type === "bf16" ? { types: ["b16", "u16", "s16"] } : {});

export const mixed: Section = section("mixed-precision", [
  form("add{.rnd}{.sat}.f32.atype d, a, c", {
    where: { rnd: ["rn", "rz", "rm", "rp"], atype: ["f16", "bf16"] },
    operands: ({ atype }) => ({ d: to("f32"), a: narrow(atype), c: of("f32") }),
    since: { ptx: 86, sm: 100 },
    does: (mods) => round("f32", mods, plus(a, c)),
    facts: saturated,
    check: [
      { with: ["f16"], a: 0x5000, c: 0xbf80_0800, d: 0x41f7_ff80 },
      { with: ["rz", "sat", "bf16"], a: 0x0200, c: 0x0e56_5dc7, d: 0x0e56_5dc7 },
      { with: ["rm"], a: 0xb132, c: 0x3f00_0000, d: 0x3eac_e000 },
      { with: ["rp", "bf16"], a: 0x8081, c: 0x0000_0004, d: 0x8080_fffc },
    ],
  }),
  form("sub{.rnd}{.sat}.f32.atype d, a, c", {
    where: { rnd: ["rn", "rz", "rm", "rp"], atype: ["f16", "bf16"] },
    operands: ({ atype }) => ({ d: to("f32"), a: narrow(atype), c: of("f32") }),
    since: { ptx: 86, sm: 100 },
    does: (mods) => round("f32", mods, minus(a, c)),
    facts: saturated,
    check: [
      { with: ["f16"], a: 0x62c9, c: 0x807f_ffff, d: 0x4459_2000 },
      { with: ["rz", "sat", "bf16"], a: 0x8081, c: 0x8c80_0001, d: 0x0c80_0000 },
      { with: ["rm"], a: 0x3bff, c: 0x4b90_1b16, d: 0xcb90_1b16 },
      { with: ["rp", "bf16"], a: 0x0e97, c: 0x0f00_0000, d: 0x8e52_0000 },
    ],
  }),
  form("fma.rnd{.sat}.f32.abtype d, a, b, c", {
    where: { rnd: ["rn", "rz", "rm", "rp"], abtype: ["f16", "bf16"] },
    operands: ({ abtype }) => ({ d: to("f32"), a: narrow(abtype), b: narrow(abtype), c: of("f32") }),
    since: { ptx: 86, sm: 100 },
    does: (mods) => round("f32", mods, plus(times(a, b), c)),
    facts: saturated,
    check: [
      { with: ["rn", "f16"], a: 0x4f42, b: 0x42f8, c: 0x3674_c691, d: 0x42ca_4fc0 },
      { with: ["rz", "sat", "bf16"], a: 0xbdf3, b: 0xbe55, c: 0x487a_c9bb, d: 0x3f80_0000 },
      { with: ["rm"], a: 0x321c, b: 0xaeea, c: 0xaf80_0000, d: 0xbca8_f661 },
      { with: ["rp", "bf16"], a: 0xc1ca, b: 0x4064, c: 0xcf4a_e935, d: 0xcf4a_e935 },
    ],
  }),
  ...mixedPairs,
]);
