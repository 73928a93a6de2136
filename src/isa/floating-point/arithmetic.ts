import { a, b, minus, plus, round, times } from "../../numeric/operation/build.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form, type Since } from "../form/define.ts";
import { saturated } from "../form/facts.ts";
import { least } from "../form/since.ts";

const rounding = ["rn", "rz", "rm", "rp"] as const;

/** The directed roundings came with later hardware. */
const sinceDirected = (rnd: (typeof rounding)[number] | undefined, sm: number): Since => ({
  ptx: 10,
  sm: rnd === "rm" || rnd === "rp" ? sm : 10,
});
const sinceX2: Since = { ptx: 86, sm: 100 };
const three = { d: to("f32"), a: of("f32"), b: of("f32") };
const three64 = { d: to("f64"), a: of("f64"), b: of("f64") };

/** add, sub and mul. */
export const arithmetic: readonly Form[] = [
  form("add{.rnd}{.ftz}{.sat}.f32 d, a, b", {
    where: { rnd: rounding },
    operands: three,
    since: ({ rnd, ftz }) => least(sinceDirected(rnd, 20), ftz && "ftz"),
    does: (mods) => round("f32", mods, plus(a, b)),
    facts: saturated,
    check: [
      { a: 0x3f80_0000, b: 0x3f80_0000, d: 0x4000_0000 },
      { with: ["rp"], a: 0x3f80_0000, b: 0x0000_0001, d: 0x3f80_0001 },
      { with: ["ftz"], a: 0x8000_0001, b: 0x8000_0000, d: 0x8000_0000 },
      { with: ["sat"], a: 0x3f80_0000, b: 0x3f80_0000, d: 0x3f80_0000 },
    ],
  }),
  form("add{.rnd}.f64 d, a, b", {
    where: { rnd: rounding },
    operands: three64,
    since: ({ rnd }) => sinceDirected(rnd, 13),
    does: (mods) => round("f64", mods, plus(a, b)),
    check: [{ a: 0x3ff0_0000_0000_0000n, b: 0x3ff0_0000_0000_0000n, d: 0x4000_0000_0000_0000n }],
  }),
  form("add{.rnd}{.ftz}.f32x2 d, a, b", {
    where: { rnd: rounding },
    operands: { d: to("f32x2"), a: of("f32x2"), b: of("f32x2") },
    since: sinceX2,
    does: (mods) => round("f32", mods, plus(a, b)),
    check: [
      { a: 0x4000_0000_3f80_0000n, b: 0x4040_0000_3f80_0000n, d: 0x40a0_0000_4000_0000n }, // (1, 2) + (1, 3)
      { with: ["rp"], a: 0x3f80_0000_3f80_0000n, b: 0x8000_0001_0000_0001n, d: 0x3f80_0000_3f80_0001n },
      { with: ["ftz"], a: 0x8000_0001_0000_0001n, b: 0x8000_0000_0000_0000n, d: 0x8000_0000_0000_0000n },
    ],
  }),
  form("sub{.rnd}{.ftz}{.sat}.f32 d, a, b", {
    where: { rnd: rounding },
    operands: three,
    since: ({ rnd, ftz }) => least(sinceDirected(rnd, 20), ftz && "ftz"),
    does: (mods) => round("f32", mods, minus(a, b)),
    facts: saturated,
    check: [
      { a: 0x3f80_0000, b: 0x4000_0000, d: 0xbf80_0000 },
      { with: ["rm"], a: 0x3f80_0000, b: 0x3f80_0000, d: 0x8000_0000 },
      { with: ["sat"], a: 0x3f80_0000, b: 0x4000_0000, d: 0x0000_0000 },
    ],
  }),
  form("sub{.rnd}.f64 d, a, b", {
    where: { rnd: rounding },
    operands: three64,
    since: ({ rnd }) => sinceDirected(rnd, 13),
    does: (mods) => round("f64", mods, minus(a, b)),
    check: [{ a: 0x3ff0_0000_0000_0000n, b: 0x4000_0000_0000_0000n, d: 0xbff0_0000_0000_0000n }],
  }),
  form("sub{.rnd}{.ftz}.f32x2 d, a, b", {
    where: { rnd: rounding },
    operands: { d: to("f32x2"), a: of("f32x2"), b: of("f32x2") },
    since: sinceX2,
    does: (mods) => round("f32", mods, minus(a, b)),
    check: [
      { a: 0x4000_0000_3f80_0000n, b: 0x4040_0000_3f80_0000n, d: 0xbf80_0000_0000_0000n }, // (1, 2) - (1, 3)
      { with: ["rm"], a: 0x3f80_0000_3f80_0000n, b: 0x3f80_0000_0000_0001n, d: 0x8000_0000_3f7f_ffffn },
    ],
  }),
  form("mul{.rnd}{.ftz}{.sat}.f32 d, a, b", {
    where: { rnd: rounding },
    operands: three,
    since: ({ rnd, ftz }) => least(sinceDirected(rnd, 20), ftz && "ftz"),
    does: (mods) => round("f32", mods, times(a, b)),
    facts: saturated,
    check: [
      { a: 0x4000_0000, b: 0x4040_0000, d: 0x40c0_0000 },
      { with: ["rz"], a: 0x3f80_0001, b: 0x3f80_0001, d: 0x3f80_0002 },
      { with: ["rp"], a: 0x3f80_0001, b: 0x3f80_0001, d: 0x3f80_0003 },
      { with: ["ftz"], a: 0x0080_0000, b: 0x3f00_0000, d: 0x0000_0000 },
    ],
  }),
  form("mul{.rnd}.f64 d, a, b", {
    where: { rnd: rounding },
    operands: three64,
    since: ({ rnd }) => sinceDirected(rnd, 13),
    does: (mods) => round("f64", mods, times(a, b)),
    check: [{ a: 0x4000_0000_0000_0000n, b: 0x4008_0000_0000_0000n, d: 0x4018_0000_0000_0000n }],
  }),
  form("mul{.rnd}{.ftz}.f32x2 d, a, b", {
    where: { rnd: rounding },
    operands: { d: to("f32x2"), a: of("f32x2"), b: of("f32x2") },
    since: sinceX2,
    does: (mods) => round("f32", mods, times(a, b)),
    check: [
      { a: 0x4040_0000_4000_0000n, b: 0x4040_0000_4040_0000n, d: 0x4110_0000_40c0_0000n }, // (2, 3) * (3, 3)
      { with: ["rz"], a: 0x3f80_0001_3f80_0001n, b: 0xbf80_0001_3f80_0001n, d: 0xbf80_0002_3f80_0002n },
    ],
  }),
];
