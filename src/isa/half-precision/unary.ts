import { a, abs, approximated, call, negated, round } from "../../numeric/operation/build.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form } from "../form/define.ts";
import { canonicalNan, correctlyRounded } from "../form/facts.ts";

export const halfUnary: readonly Form[] = [
  form("neg{.ftz}.f16 d, a", {
    operands: { d: to("f16"), a: of("f16") },
    since: { ptx: 51, sm: 53 },
    does: (mods) => round("f16", mods, negated(a)),
    facts: canonicalNan,
    check: [
      { a: 0x8401, d: 0x0401 },
      { with: ["ftz"], a: 0x6402, d: 0xe402 },
    ],
  }),
  form("neg{.ftz}.f16x2 d, a", {
    operands: { d: to("f16x2"), a: of("f16x2") },
    since: { ptx: 51, sm: 53 },
    does: (mods) => round("f16", mods, negated(a)),
    facts: canonicalNan,
    check: [
      { a: 0x22d0_9000, d: 0xa2d0_1000 },
      { with: ["ftz"], a: 0xf800_afa3, d: 0x7800_2fa3 },
    ],
  }),
  form("neg.bf16 d, a", {
    operands: { d: to("bf16"), a: of("bf16") },
    since: { ptx: 70, sm: 80 },
    does: () => round("bf16", {}, negated(a)),
    facts: canonicalNan,
    check: [{ a: 0x3e80, d: 0xbe80 }],
  }),
  form("neg.bf16x2 d, a", {
    operands: { d: to("bf16x2"), a: of("bf16x2") },
    since: { ptx: 70, sm: 80 },
    does: () => round("bf16", {}, negated(a)),
    facts: canonicalNan,
    check: [{ a: 0x1440_8002, d: 0x9440_0002 }],
  }),
  form("abs{.ftz}.f16 d, a", {
    operands: { d: to("f16"), a: of("f16") },
    since: { ptx: 65, sm: 53 },
    does: (mods) => round("f16", mods, abs(a)),
    facts: canonicalNan,
    check: [
      { a: 0x4aa7, d: 0x4aa7 },
      { with: ["ftz"], a: 0x3c00, d: 0x3c00 },
    ],
  }),
  form("abs{.ftz}.f16x2 d, a", {
    operands: { d: to("f16x2"), a: of("f16x2") },
    since: { ptx: 65, sm: 53 },
    does: (mods) => round("f16", mods, abs(a)),
    facts: canonicalNan,
    check: [
      { a: 0x83ff_3c01, d: 0x03ff_3c01 },
      { with: ["ftz"], a: 0x8002_398c, d: 0x0000_398c },
    ],
  }),
  form("abs.bf16 d, a", {
    operands: { d: to("bf16"), a: of("bf16") },
    since: { ptx: 70, sm: 80 },
    does: () => round("bf16", {}, abs(a)),
    facts: canonicalNan,
    check: [{ a: 0x3dec, d: 0x3dec }],
  }),
  form("abs.bf16x2 d, a", {
    operands: { d: to("bf16x2"), a: of("bf16x2") },
    since: { ptx: 70, sm: 80 },
    does: () => round("bf16", {}, abs(a)),
    facts: canonicalNan,
    check: [{ a: 0xbfff_bf80, d: 0x3fff_3f80 }],
  }),
  form("tanh.approx.f16 d, a", {
    operands: { d: to("f16"), a: of("f16") },
    since: { ptx: 70, sm: 75 },
    does: () => approximated("f16", {}, call("tanh", a)),
    facts: correctlyRounded("absolute 2^-10.987"),
    check: [
      { a: 0x0000, d: 0x0000 },
      { a: 0x7c00, d: 0x3c00 },
      { a: 0xfc00, d: 0xbc00 },
    ],
  }),
  form("tanh.approx.f16x2 d, a", {
    operands: { d: to("f16x2"), a: of("f16x2") },
    since: { ptx: 70, sm: 75 },
    does: () => approximated("f16", {}, call("tanh", a)),
    facts: correctlyRounded("absolute 2^-10.987"),
    check: [{ a: 0xfc00_7c00, d: 0xbc00_3c00 }],
  }),
  form("tanh.approx.bf16 d, a", {
    operands: { d: to("bf16"), a: of("bf16") },
    since: { ptx: 78, sm: 90 },
    does: () => approximated("bf16", {}, call("tanh", a)),
    facts: correctlyRounded("absolute 2^-8"),
    check: [
      { a: 0x7f80, d: 0x3f80 },
      { a: 0x8000, d: 0x8000 },
    ],
  }),
  form("tanh.approx.bf16x2 d, a", {
    operands: { d: to("bf16x2"), a: of("bf16x2") },
    since: { ptx: 78, sm: 90 },
    does: () => approximated("bf16", {}, call("tanh", a)),
    facts: correctlyRounded("absolute 2^-8"),
    check: [{ a: 0xff80_7f80, d: 0xbf80_3f80 }],
  }),
  form("ex2.approx.f16 d, a", {
    operands: { d: to("f16"), a: of("f16") },
    since: { ptx: 70, sm: 75 },
    does: () => approximated("f16", {}, call("ex2", a)),
    facts: correctlyRounded("relative 2^-9.9"),
    check: [
      { a: 0x3c00, d: 0x4000 },
      { a: 0xfc00, d: 0x0000 },
      { a: 0x0000, d: 0x3c00 },
    ],
  }),
  form("ex2.approx.f16x2 d, a", {
    operands: { d: to("f16x2"), a: of("f16x2") },
    since: { ptx: 70, sm: 75 },
    does: () => approximated("f16", {}, call("ex2", a)),
    facts: correctlyRounded("relative 2^-9.9"),
    check: [{ a: 0xbc00_3c00, d: 0x3800_4000 }],
  }),
  form("ex2.approx.ftz.bf16 d, a", {
    operands: { d: to("bf16"), a: of("bf16") },
    since: { ptx: 78, sm: 90 },
    does: () => approximated("bf16", { ftz: true }, call("ex2", a)),
    facts: correctlyRounded("relative 2^-7"),
    check: [
      { a: 0x3f80, d: 0x4000 },
      { a: 0xff80, d: 0x0000 },
    ],
  }),
  form("ex2.approx.ftz.bf16x2 d, a", {
    operands: { d: to("bf16x2"), a: of("bf16x2") },
    since: { ptx: 78, sm: 90 },
    does: () => approximated("bf16", { ftz: true }, call("ex2", a)),
    facts: correctlyRounded("relative 2^-7"),
    check: [{ a: 0xbf80_3f80, d: 0x3f00_4000 }],
  }),
];
