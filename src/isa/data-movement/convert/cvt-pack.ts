import { a, b, c, concat, max, min, slice, wrap } from "../../../numeric/operation/build.ts";
import type { Expression } from "../../../numeric/operation/expression.ts";
import { of, to } from "../../form/classes.ts";
import { type Form, form } from "../../form/define.ts";

const bitsOf = (type: string): number => Number(type.slice(1));

/** a above b, each the nearest number of `convertType`. */
function both(convertType: string): (readonly [Expression, number])[] {
  const width = bitsOf(convertType);
  const least = convertType.startsWith("s") ? -(2 ** (width - 1)) : 0;
  const most = least + 2 ** width - 1;
  return [a, b].map((x) => [slice(min(max(x, least), most), 0, width), width]);
}

/** cvt.pack: two integers, clamped, side by side. */
export const packing: readonly Form[] = [
  form("cvt.pack.sat.convertType.abType d, a, b", {
    where: { convertType: ["u16", "s16"], abType: ["s32"] },
    operands: { d: to("u32"), a: of("s32"), b: of("s32") },
    since: { ptx: 65, sm: 72 },
    does: ({ convertType }) => wrap("u32", concat(...both(convertType))),
    check: [
      { with: ["u16"], a: 70_000, b: 0xffff_ffff, d: 0xffff_0000 },
      { with: ["s16"], a: 0x8000_0000, b: 40_000, d: 0x8000_7fff },
    ],
  }),
  form("cvt.pack.sat.convertType.abType.cType d, a, b, c", {
    where: { convertType: ["u2", "s2", "u4", "s4", "u8", "s8"], abType: ["s32"], cType: ["b32"] },
    operands: { d: to("u32"), a: of("s32"), b: of("s32"), c: of("b32") },
    since: ({ convertType }) => ({ ptx: 65, sm: convertType.endsWith("8") ? 72 : 75 }),
    // The low bits of c stand above both.
    does: ({ convertType }) => {
      const above = 32 - 2 * bitsOf(convertType);
      return wrap("u32", concat([slice(c, 0, above), above], ...both(convertType)));
    },
    check: [
      { with: ["u8"], a: 300, b: 7, c: 0x1234_5678, d: 0x5678_ff07 },
      { with: ["s4"], a: 0xffff_fff0, b: 3, c: 0x1234_5678, d: 0x3456_7883 },
      { with: ["u2"], a: 2, b: 9, c: 1, d: 0x1b },
    ],
  }),
];
