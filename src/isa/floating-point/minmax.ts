import { a, abs, b, c, max, min, round } from "../../numeric/operation/build.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form } from "../form/define.ts";
import { extremumOf } from "../form/extremum.ts";
import { least } from "../form/since.ts";

const three = { d: to("f32"), a: of("f32"), b: of("f32") };
const three64 = { d: to("f64"), a: of("f64"), b: of("f64") };

/** `min` and `max` differ in one word. -0 is below +0 (the manual's pseudo-code forgets an `else` where both are NaN). */
function formsOf(mnemonic: "min" | "max"): readonly Form[] {
  const extremum = mnemonic === "min" ? min : max;
  const pick = <T>(least: T, greatest: T): T => (mnemonic === "min" ? least : greatest);
  return [
    form(`${mnemonic}{.ftz}{.NaN}{.xorsign.abs}.f32 d, a, b`, {
      operands: three,
      since: ({ ftz, NaN: nan, abs }) => least(ftz && "ftz", nan && { ptx: 70, sm: 80 }, abs && { ptx: 72, sm: 86 }),
      does: (mods) => extremumOf("f32", extremum, mods),
      check: [
        { a: 0x8000_0000, b: 0x0000_0000, d: pick(0x8000_0000, 0x0000_0000) },
        { a: 0x7fc0_0000, b: 0x3f80_0000, d: 0x3f80_0000 },
        { with: ["NaN"], a: 0x7fc0_0000, b: 0x3f80_0000, d: 0x7fff_ffff },
        { with: ["xorsign", "abs"], a: 0xc000_0000, b: 0x3f80_0000, d: pick(0xbf80_0000, 0xc000_0000) },
      ],
    }),
    form(`${mnemonic}.f64 d, a, b`, {
      operands: three64,
      since: least(),
      does: () => round("f64", {}, extremum(a, b)),
      check: [
        {
          a: 0x3ff0_0000_0000_0000n,
          b: 0xc000_0000_0000_0000n,
          d: pick(0xc000_0000_0000_0000n, 0x3ff0_0000_0000_0000n),
        },
      ],
    }),
    form(`${mnemonic}{.ftz}{.NaN}{.abs}.f32 d, a, b, c`, {
      operands: { ...three, c: of("f32") },
      since: { ptx: 88, sm: 100 },
      // One NaN, or two, give way to a number.
      does: ({ ftz, NaN: nan, abs: magnitudes }) => {
        const [x, y, z] = magnitudes ? ([abs(a), abs(b), abs(c)] as const) : ([a, b, c] as const);
        return round("f32", { ftz }, extremum(extremum(x, y, { nan }), z, { nan }));
      },
      check: [
        { a: 0x3f80_0000, b: 0xc000_0000, c: 0x4040_0000, d: pick(0xc000_0000, 0x4040_0000) },
        { a: 0x7fc0_0000, b: 0xc000_0000, c: 0x7fc0_0000, d: 0xc000_0000 },
        { with: ["NaN"], a: 0x3f80_0000, b: 0x7fc0_0000, c: 0x3f80_0000, d: 0x7fff_ffff },
        { with: ["abs"], a: 0x3f80_0000, b: 0xc000_0000, c: 0xc040_0000, d: pick(0x3f80_0000, 0x4040_0000) },
      ],
    }),
  ];
}

/** min and max. */
export const extremes: readonly Form[] = [...formsOf("min"), ...formsOf("max")];
