import { f32, f64, fmax, fmax3, fmin, fmin3 } from "../../numeric/index.ts";
import { of, to } from "../form/classes.ts";
import { compute, type Form, form } from "../form/define.ts";
import { least } from "../form/since.ts";

const three = { d: to("f32"), a: of("f32"), b: of("f32") };
const three64 = { d: to("f64"), a: of("f64"), b: of("f64") };

/** `min` and `max` differ in one word. */
function formsOf(mnemonic: "min" | "max"): readonly Form[] {
  const op = mnemonic === "min" ? fmin : fmax;
  const op3 = mnemonic === "min" ? fmin3 : fmax3;
  const pick = <T>(least: T, greatest: T): T => (mnemonic === "min" ? least : greatest);
  return [
    form(`${mnemonic}{.ftz}{.NaN}{.xorsign.abs}.f32 d, a, b`, {
      operands: three,
      since: ({ ftz, NaN: nan, abs }) => least(ftz && "ftz", nan && { ptx: 70, sm: 80 }, abs && { ptx: 72, sm: 86 }),
      run: ({ ftz, NaN: nan, abs: xorsignAbs }) => compute(op(f32, { ftz, nan, xorsignAbs })),
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
      run: () => compute(op(f64, {})),
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
      run: ({ ftz, NaN: nan, abs }) => compute(op3(f32, { ftz, nan, abs })),
      check: [
        { a: 0x3f80_0000, b: 0xc000_0000, c: 0x4040_0000, d: pick(0xc000_0000, 0x4040_0000) },
        { a: 0x7fc0_0000, b: 0xc000_0000, c: 0x7fc0_0000, d: 0xc000_0000 },
        { with: ["NaN"], a: 0x3f80_0000, b: 0x7fc0_0000, c: 0x3f80_0000, d: 0x7fff_ffff },
        { with: ["abs"], a: 0x3f80_0000, b: 0xc000_0000, c: 0xc040_0000, d: pick(0x3f80_0000, 0x4040_0000) },
      ],
    }),
  ];
}

/** 9.7.3 min and max. */
export const extremes: readonly Form[] = [...formsOf("min"), ...formsOf("max")];
