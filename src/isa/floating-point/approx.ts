import { a, approximated, call } from "../../numeric/operation/build.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form } from "../form/define.ts";
import { correctlyRounded } from "../form/facts.ts";
import { inOldTexts } from "../form/since.ts";

const two = { d: to("f32"), a: of("f32") };

/** sin, cos, lg2, ex2 and tanh. */
export const approximations: readonly Form[] = [
  form("sin.approx{.ftz}.f32 d, a", {
    operands: two,
    since: { ptx: 14, sm: 10 },
    unsaid: inOldTexts("approx"),
    does: (mods) => approximated("f32", mods, call("sin", a)),
    facts: correctlyRounded("absolute 2^-20.5 up to 2 pi, 2^-14.7 up to 100 pi, none beyond"),
    check: [
      { a: 0x8000_0000, d: 0x8000_0000 },
      { a: 0x3f80_0000, d: 0x3f57_6aa4 }, // sin 1 = 0.84147098...
      { a: 0x7f80_0000, d: 0x7fff_ffff },
      { with: ["ftz"], a: 0x8000_0001, d: 0x8000_0000 },
    ],
  }),
  form("cos.approx{.ftz}.f32 d, a", {
    operands: two,
    since: { ptx: 14, sm: 10 },
    unsaid: inOldTexts("approx"),
    does: (mods) => approximated("f32", mods, call("cos", a)),
    facts: correctlyRounded("absolute 2^-20.5 up to 2 pi, 2^-14.7 up to 100 pi, none beyond"),
    check: [
      { a: 0x8000_0000, d: 0x3f80_0000 },
      { a: 0x3f80_0000, d: 0x3f0a_5140 }, // cos 1 = 0.54030230...
      { a: 0xff80_0000, d: 0x7fff_ffff },
      { with: ["ftz"], a: 0x0000_0001, d: 0x3f80_0000 },
    ],
  }),
  form("lg2.approx{.ftz}.f32 d, a", {
    operands: two,
    since: { ptx: 14, sm: 10 },
    unsaid: inOldTexts("approx"),
    does: (mods) => approximated("f32", mods, call("lg2", a)),
    facts: correctlyRounded("absolute 2^-22 between 0.5 and 2, relative 2^-22 elsewhere"),
    check: [
      { a: 0x4100_0000, d: 0x4040_0000 },
      { a: 0x4040_0000, d: 0x3fca_e00d }, // log2 3 = 1.58496250...
      { a: 0x8000_0000, d: 0xff80_0000 },
      { a: 0xbf80_0000, d: 0x7fff_ffff },
      { a: 0x0000_0001, d: 0xc315_0000 }, // -149
      { with: ["ftz"], a: 0x0000_0001, d: 0xff80_0000 },
    ],
  }),
  form("ex2.approx{.ftz}.f32 d, a", {
    operands: two,
    since: { ptx: 14, sm: 10 },
    unsaid: inOldTexts("approx"),
    does: (mods) => approximated("f32", mods, call("ex2", a)),
    facts: correctlyRounded("relative 2^-22"),
    check: [
      { a: 0x3f80_0000, d: 0x4000_0000 },
      { a: 0xff80_0000, d: 0x0000_0000 },
      { with: ["ftz"], a: 0x8000_0001, d: 0x3f80_0000 },
    ],
  }),
  form("tanh.approx.f32 d, a", {
    operands: two,
    since: { ptx: 70, sm: 75 },
    does: () => approximated("f32", {}, call("tanh", a)),
    facts: correctlyRounded("relative 2^-11"),
    check: [
      { a: 0x8000_0000, d: 0x8000_0000 },
      { a: 0x7f80_0000, d: 0x3f80_0000 },
    ],
  }),
];
