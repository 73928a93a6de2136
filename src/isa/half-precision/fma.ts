import {
  a,
  and,
  b,
  bits,
  c,
  choose,
  label,
  or,
  plus,
  relation,
  round,
  times,
  wrap,
} from "../../numeric/operation/build.ts";
import type { Expression } from "../../numeric/operation/expression.ts";
import type { Result } from "../../numeric/operation/operation.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form, unspecified } from "../form/define.ts";
import { rectified, saturated } from "../form/facts.ts";

const wrong = "ptxas takes this rounding on fma.bf16, but the manual has only .rn and the code ptxas makes is wrong";
const misrounded = { rz: wrong, rm: wrong, rp: wrong };

/** `.oob`: the manual's "out of bounds" NaN in a or b makes d +0, whatever c is. */
const unlessOutOfBounds = (result: Result): Result =>
  choose(label(".oob", or(isOutOfBounds(a), isOutOfBounds(b))), wrap("b16", 0), result);
const isOutOfBounds = (x: Expression): Expression => relation("eq", and(bits(x), 0x7fff), 0x7ff7);

const outOfBounds = unspecified(
  "out of bounds is 0x7ff7 with any sign; it wins over every other rule, a NaN in c included, and c itself does not count",
);

export const halfFma: readonly Form[] = [
  form("fma.rnd{.ftz}{.sat}.f16 d, a, b, c", {
    where: { rnd: ["rn"] },
    operands: { d: to("f16"), a: of("f16"), b: of("f16"), c: of("f16") },
    since: { ptx: 42, sm: 53 },
    does: (mods) => round("f16", mods, plus(times(a, b), c)),
    facts: saturated,
    check: [
      { a: 0xc5b4, b: 0x463b, c: 0x5072, d: 0x2784 },
      { with: ["sat"], a: 0x40d6, b: 0xc239, c: 0x4786, d: 0x0da0 },
      { with: ["ftz"], a: 0x0dff, b: 0x7c00, c: 0x87fe, d: 0x7c00 },
    ],
  }),
  form("fma.rnd{.ftz}{.sat}.f16x2 d, a, b, c", {
    where: { rnd: ["rn"] },
    operands: { d: to("f16x2"), a: of("f16x2"), b: of("f16x2"), c: of("f16x2") },
    since: { ptx: 42, sm: 53 },
    does: (mods) => round("f16", mods, plus(times(a, b), c)),
    facts: saturated,
    check: [
      { a: 0x3c03_3800, b: 0x13fc_3c03, c: 0xbbfe_83ff, d: 0xbbfc_3803 },
      { with: ["sat"], a: 0x4186_38f5, b: 0xb558_2e00, c: 0x3b62_0000, d: 0x0fe0_2b70 },
      { with: ["ftz"], a: 0xc800_3c01, b: 0x07ff_87ff, c: 0xb7b1_3c00, d: 0xb7b5_3c00 },
    ],
  }),
  form("fma.rnd{.ftz}.relu.f16 d, a, b, c", {
    where: { rnd: ["rn"] },
    operands: { d: to("f16"), a: of("f16"), b: of("f16"), c: of("f16") },
    since: { ptx: 70, sm: 80 },
    does: ({ rnd, ftz }) => round("f16", { rnd, ftz, relu: true }, plus(times(a, b), c)),
    facts: rectified,
    check: [
      { a: 0x2dd7, b: 0xb42f, c: 0x261c, d: 0x0062 },
      { with: ["ftz"], a: 0x87fe, b: 0xb808, c: 0x6e09, d: 0x6e09 },
    ],
  }),
  form("fma.rnd{.ftz}.relu.f16x2 d, a, b, c", {
    where: { rnd: ["rn"] },
    operands: { d: to("f16x2"), a: of("f16x2"), b: of("f16x2"), c: of("f16x2") },
    since: { ptx: 70, sm: 80 },
    does: ({ rnd, ftz }) => round("f16", { rnd, ftz, relu: true }, plus(times(a, b), c)),
    facts: rectified,
    check: [
      { a: 0x32c0_4e00, b: 0x3370_c001, c: 0x8001_e402, d: 0x2a46_0000 },
      { with: ["ftz"], a: 0xbae8_0000, b: 0xb593_3c00, c: 0xb4cf_8000, d: 0x0b38_0000 },
    ],
  }),
  form("fma.rnd{.relu}.bf16 d, a, b, c", {
    where: { rnd: ["rn"] },
    operands: { d: to("bf16"), a: of("bf16"), b: of("bf16"), c: of("bf16") },
    since: { ptx: 70, sm: 80 },
    refuse: misrounded,
    does: (mods) => round("bf16", mods, plus(times(a, b), c)),
    facts: rectified,
    check: [
      { a: 0x3e36, b: 0x3f80, c: 0xbe37, d: 0xba80 },
      { with: ["relu"], a: 0x3ff4, b: 0xc00b, c: 0x4085, d: 0x3c84 },
    ],
  }),
  form("fma.rnd{.relu}.bf16x2 d, a, b, c", {
    where: { rnd: ["rn"] },
    operands: { d: to("bf16x2"), a: of("bf16x2"), b: of("bf16x2"), c: of("bf16x2") },
    since: { ptx: 70, sm: 80 },
    refuse: misrounded,
    does: (mods) => round("bf16", mods, plus(times(a, b), c)),
    facts: rectified,
    check: [
      { a: 0xcad0_8000, b: 0x1077_807e, c: 0x483e_0000, d: 0x483e_0000 },
      { with: ["relu"], a: 0x3f7e_3f81, b: 0x3f80_3f80, c: 0x0001_0000, d: 0x3f7e_3f81 },
    ],
  }),
  form("fma.rnd.oob{.relu}.f16 d, a, b, c", {
    where: { rnd: ["rn"] },
    operands: { d: to("f16"), a: of("f16"), b: of("f16"), c: of("f16") },
    since: { ptx: 81, sm: 90 },
    does: (mods) => unlessOutOfBounds(round("f16", mods, plus(times(a, b), c))),
    facts: [outOfBounds, ...rectified],
    check: [
      { a: 0x87fd, b: 0x4000, c: 0xfbff, d: 0xfbff },
      { with: ["relu"], a: 0x8001, b: 0xbc00, c: 0x0001, d: 0x0002 },
    ],
  }),
  form("fma.rnd.oob{.relu}.f16x2 d, a, b, c", {
    where: { rnd: ["rn"] },
    operands: { d: to("f16x2"), a: of("f16x2"), b: of("f16x2"), c: of("f16x2") },
    since: { ptx: 81, sm: 90 },
    does: (mods) => unlessOutOfBounds(round("f16", mods, plus(times(a, b), c))),
    facts: [outOfBounds, ...rectified],
    check: [
      { a: 0x8000_b000, b: 0x93ff_0fff, c: 0x3c02_83ff, d: 0x3c02_87fe },
      { with: ["relu"], a: 0xcd2c_43ca, b: 0xc880_e3ff, c: 0x8400_fbfd, d: 0x59d1_0000 },
    ],
  }),
  form("fma.rnd.oob{.relu}.bf16 d, a, b, c", {
    where: { rnd: ["rn"] },
    operands: { d: to("bf16"), a: of("bf16"), b: of("bf16"), c: of("bf16") },
    since: { ptx: 81, sm: 90 },
    refuse: misrounded,
    does: (mods) => unlessOutOfBounds(round("bf16", mods, plus(times(a, b), c))),
    facts: [outOfBounds, ...rectified],
    check: [
      { a: 0xc0bd, b: 0x4023, c: 0x4170, d: 0xbd2e },
      { with: ["relu"], a: 0x0080, b: 0x3f80, c: 0x8000, d: 0x0080 },
    ],
  }),
  form("fma.rnd.oob{.relu}.bf16x2 d, a, b, c", {
    where: { rnd: ["rn"] },
    operands: { d: to("bf16x2"), a: of("bf16x2"), b: of("bf16x2"), c: of("bf16x2") },
    since: { ptx: 81, sm: 90 },
    refuse: misrounded,
    does: (mods) => unlessOutOfBounds(round("bf16", mods, plus(times(a, b), c))),
    facts: [outOfBounds, ...rectified],
    check: [
      { a: 0xc080_df80, b: 0xa001_c014, c: 0x411e_3f00, d: 0x411e_6014 },
      { with: ["relu"], a: 0x0001_7ff7, b: 0x3f80_40a0, c: 0x8000_8041, d: 0x0001_0000 },
    ],
  }),
  form("fma.rnd.oob.sat.type d, a, b, c", {
    where: { rnd: ["rn"], type: ["f16", "f16x2"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type), c: of(type) }),
    since: { ptx: 81, sm: 90 },
    undocumented: true,
    does: ({ rnd }) => unlessOutOfBounds(round("f16", { rnd, sat: true }, plus(times(a, b), c))),
    facts: [outOfBounds, ...saturated],
    check: [
      { a: 0x3c00, b: 0x4000, c: 0x3c00, d: 0x3c00 }, // 1 * 2 + 1 is 3, clamped to 1
      { a: 0x7ff7, b: 0x4000, c: 0x3c00, d: 0x0000 },
    ],
  }),
];
