import { a, b, c, plus, round, times } from "../../numeric/operation/build.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form, type Since } from "../form/define.ts";
import { saturated } from "../form/facts.ts";
import { inOldTexts, least } from "../form/since.ts";

const rounding = ["rn", "rz", "rm", "rp"] as const;

/** The directed roundings of f64 came with later hardware. */
const sinceDirected = (rnd: (typeof rounding)[number], sm: number): Since => ({
  ptx: 10,
  sm: rnd === "rm" || rnd === "rp" ? sm : 10,
});
const sinceX2: Since = { ptx: 86, sm: 100 };
const four = { d: to("f32"), a: of("f32"), b: of("f32"), c: of("f32") };
const four64 = { d: to("f64"), a: of("f64"), b: of("f64"), c: of("f64") };

/** fma and mad: from sm_20 on they are the same operation. */
export const fused: readonly Form[] = [
  form("fma.rnd{.ftz}{.sat}.f32 d, a, b, c", {
    where: { rnd: rounding },
    operands: four,
    since: { ptx: 20, sm: 20 },
    does: (mods) => round("f32", mods, plus(times(a, b), c)),
    facts: saturated,
    check: [
      { a: 0x4000_0000, b: 0x4040_0000, c: 0x3f80_0000, d: 0x40e0_0000 },
      { a: 0x3f80_0800, b: 0x3f80_0800, c: 0x1780_0000, d: 0x3f80_1001 }, // wrong when the sum is rounded to f64 first
    ],
  }),
  form("fma.rnd.f64 d, a, b, c", {
    where: { rnd: rounding },
    operands: four64,
    since: ({ rnd }) => least(sinceDirected(rnd, 13), { ptx: 14, sm: 10 }),
    does: (mods) => round("f64", mods, plus(times(a, b), c)),
    check: [
      {
        a: 0x4000_0000_0000_0000n,
        b: 0x4008_0000_0000_0000n,
        c: 0x3ff0_0000_0000_0000n,
        d: 0x401c_0000_0000_0000n,
      },
    ],
  }),
  form("fma.rnd{.ftz}.f32x2 d, a, b, c", {
    where: { rnd: rounding },
    operands: { d: to("f32x2"), a: of("f32x2"), b: of("f32x2"), c: of("f32x2") },
    since: sinceX2,
    does: (mods) => round("f32", mods, plus(times(a, b), c)),
    check: [
      {
        a: 0x4040_0000_4000_0000n,
        b: 0x4040_0000_4040_0000n,
        c: 0xc110_0000_3f80_0000n,
        d: 0x0000_0000_40e0_0000n,
      }, // (2, 3) * (3, 3) + (1, -9)
      {
        with: ["rm"],
        a: 0x4040_0000_4000_0000n,
        b: 0x4040_0000_4040_0000n,
        c: 0xc110_0000_3f80_0000n,
        d: 0x8000_0000_40e0_0000n,
      },
    ],
  }),
  form("mad.rnd{.ftz}{.sat}.f32 d, a, b, c", {
    where: { rnd: rounding },
    operands: four,
    since: ({ ftz }) => least({ ptx: 10, sm: 20 }, ftz && "ftz"),
    unsaid: { word: "rn", until: { ptx: 32, sm: 20 } },
    does: (mods) => round("f32", mods, plus(times(a, b), c)),
    facts: saturated,
    check: [{ a: 0x4000_0000, b: 0x4040_0000, c: 0x3f80_0000, d: 0x40e0_0000 }],
  }),
  form("mad.rnd.f64 d, a, b, c", {
    where: { rnd: rounding },
    operands: four64,
    since: ({ rnd }) => sinceDirected(rnd, 13),
    unsaid: inOldTexts("rn"),
    does: (mods) => round("f64", mods, plus(times(a, b), c)),
    check: [
      {
        a: 0x4000_0000_0000_0000n,
        b: 0x4008_0000_0000_0000n,
        c: 0x3ff0_0000_0000_0000n,
        d: 0x401c_0000_0000_0000n,
      },
    ],
  }),
];
