import {
  a,
  b,
  c,
  concat,
  element,
  label,
  plus,
  relation,
  slice,
  type Term,
  wrap,
} from "../../numeric/operation/build.ts";
import type { Expression, IntegerRelation } from "../../numeric/operation/expression.ts";
import type { Result } from "../../numeric/operation/operation.ts";
import { registerOf, to } from "../form/classes.ts";
import { type Form, form } from "../form/define.ts";
import { clampTo, type VideoOperation, type VideoType, videoOperations } from "./stages.ts";

const since = { ptx: 30, sm: 30 };
const type: readonly VideoType[] = ["u32", "s32"];
const d = to("u32");
/** SIMD video instructions take no constants. */
const register = registerOf("u32");
const operands = { d, a: register, b: register, c: register };

/** Every choice of `count` digits below `base`: `h00` to `h33`, `b0000` to `b7777`. */
const choices = (letter: string, count: number, base: number): readonly string[] =>
  Array.from({ length: base ** count }, (_, n) => letter + n.toString(base).padStart(count, "0"));
const halves = choices("h", 2, 4);
const bytes = choices("b", 4, 8);
const halfMask = ["h0", "h1", "h10"];
const byteMask = "b0 b1 b10 b2 b20 b21 b210 b3 b30 b31 b310 b32 b320 b321 b3210".split(" ");

/** The words behind the operation, and the selectors. */
interface Mode {
  readonly dtype: VideoType;
  readonly atype: VideoType;
  readonly btype: VideoType;
  readonly sat?: boolean | undefined;
  /** The results are added to c in place of merged with it. */
  readonly add?: boolean | undefined;
  /** `h10`: which elements of b:a are selected, the highest first. */
  readonly asel?: string | undefined;
  readonly bsel?: string | undefined;
  /** `h1`: the elements that take part; the others are those of c. */
  readonly mask?: string | undefined;
}

/** The elements of b:a that the selector names, the lowest first. */
function elements(name: string, selector: string, type: VideoType, width: 8 | 16): readonly Expression[] {
  const count = 32 / width;
  return [...selector.slice(1)]
    .reverse()
    .map(Number)
    .map((at) => (at < count ? element(type, a, width, at) : element(type, b, width, at - count)))
    .map((x, lane) => label(`${name}[${lane}]`, x));
}

/**
 * The stages of all SIMD instructions (PTX ISA, SIMD Video): elements are selected, computed, saturated, and added or
 * merged.
 */
function packed(
  width: 8 | 16,
  operation: (x: Expression, y: Expression) => Expression,
  { dtype, atype, btype, sat, add, asel, bsel, mask }: Mode,
): Result {
  const va = elements("Va", asel ?? (width === 16 ? "h10" : "b3210"), atype, width);
  const vb = elements("Vb", bsel ?? (width === 16 ? "h32" : "b7654"), btype, width);
  const t = va.map((x, lane) => {
    const result = operation(x, vb[lane] ?? x);
    return label(`t[${lane}]`, sat ? clampTo(dtype, width, result) : result);
  });
  const active = (lane: number): boolean => mask === undefined || mask.includes(String(lane));
  if (add) return wrap("u32", plus(c, ...t.filter((_, lane) => active(lane))));
  const parts = t.map(
    (x, lane) => [active(lane) ? slice(x, 0, width) : element("u32", c, width, lane), width] as const,
  );
  return wrap("u32", concat(...parts.reverse()));
}

/**
 * Results for the elements 1, -2 and 3, 4 (twice for bytes): merged, added to 10, and -2 op 4 in the highest half of
 * 0x11223344 or in its bytes 3 and 1.
 */
interface Packed {
  readonly mnemonic: "vadd" | "vsub" | "vavrg" | "vabsdiff" | "vmin" | "vmax";
  readonly operation: VideoOperation;
  readonly two: readonly [merged: number, added: number, masked: number];
  readonly four: readonly [merged: number, added: number, masked: number];
}

const kin: readonly Packed[] = [
  {
    mnemonic: "vadd",
    operation: "add",
    two: [0x0004_0002, 16, 0x0002_3344],
    four: [0x0402_0402, 22, 0x0222_0244],
  },
  {
    mnemonic: "vsub",
    operation: "sub",
    two: [0xfffe_fffa, 2, 0xfffa_3344],
    four: [0xfefa_fefa, 0xffff_fffa, 0xfa22_fa44],
  },
  {
    mnemonic: "vavrg",
    operation: "avrg",
    two: [0x0002_0001, 13, 0x0001_3344],
    four: [0x0201_0201, 16, 0x0122_0144],
  },
  {
    mnemonic: "vabsdiff",
    operation: "absdiff",
    two: [0x0002_0006, 18, 0x0006_3344],
    four: [0x0206_0206, 26, 0x0622_0644],
  },
  {
    mnemonic: "vmin",
    operation: "min",
    two: [0x0001_fffe, 9, 0xfffe_3344],
    four: [0x01fe_01fe, 8, 0xfe22_fe44],
  },
  {
    mnemonic: "vmax",
    operation: "max",
    two: [0x0003_0004, 17, 0x0004_3344],
    four: [0x0304_0304, 24, 0x0422_0444],
  },
];

const arithmetic = ({ mnemonic, operation, two, four }: Packed): readonly Form[] => [
  form(`${mnemonic}2.dtype.atype.btype{.sat} d{.mask}, a{.asel}, b{.bsel}, c`, {
    where: { dtype: type, atype: type, btype: type, mask: halfMask, asel: halves, bsel: halves },
    operands,
    since,
    does: (mods) => packed(16, videoOperations[operation], mods),
    check: [
      { with: ["s32", "s32", "s32"], a: 0x0001_fffe, b: 0x0003_0004, c: 0, d: two[0] },
      {
        snippet: `${mnemonic}2.s32.s32.s32 d.h1, a.h01, b.h22, c;`,
        given: { a: 0x0001_fffe, b: 0x0003_0004, c: 0x1122_3344 },
        gives: { d: two[2] },
      },
    ],
  }),
  form(`${mnemonic}2.dtype.atype.btype.add d{.mask}, a{.asel}, b{.bsel}, c`, {
    where: { dtype: type, atype: type, btype: type, mask: halfMask, asel: halves, bsel: halves },
    operands,
    since,
    does: (mods) => packed(16, videoOperations[operation], { ...mods, add: true }),
    check: [{ with: ["s32", "s32", "s32"], a: 0x0001_fffe, b: 0x0003_0004, c: 10, d: two[1] }],
  }),
  form(`${mnemonic}4.dtype.atype.btype{.sat} d{.mask}, a{.asel}, b{.bsel}, c`, {
    where: { dtype: type, atype: type, btype: type, mask: byteMask, asel: bytes, bsel: bytes },
    operands,
    since,
    does: (mods) => packed(8, videoOperations[operation], mods),
    check: [
      { with: ["s32", "s32", "s32"], a: 0x01fe_01fe, b: 0x0304_0304, c: 0, d: four[0] },
      {
        snippet: `${mnemonic}4.s32.s32.s32 d.b31, a.b0101, b.b4444, c;`,
        given: { a: 0x01fe_01fe, b: 0x0304_0304, c: 0x1122_3344 },
        gives: { d: four[2] },
      },
    ],
  }),
  form(`${mnemonic}4.dtype.atype.btype.add d{.mask}, a{.asel}, b{.bsel}, c`, {
    where: { dtype: type, atype: type, btype: type, mask: byteMask, asel: bytes, bsel: bytes },
    operands,
    since,
    does: (mods) => packed(8, videoOperations[operation], { ...mods, add: true }),
    check: [{ with: ["s32", "s32", "s32"], a: 0x01fe_01fe, b: 0x0304_0304, c: 10, d: four[1] }],
  }),
];

const cmp = ["eq", "ne", "lt", "le", "gt", "ge"] as const;
const compared =
  (word: IntegerRelation) =>
  (x: Term, y: Term): Expression =>
    relation(word, x, y);

const comparison: readonly Form[] = [
  form("vset2.atype.btype.cmp{.add} d{.mask}, a{.asel}, b{.bsel}, c", {
    where: { atype: type, btype: type, cmp, mask: halfMask, asel: halves, bsel: halves },
    operands,
    since,
    does: ({ cmp, ...mods }) => packed(16, compared(cmp), { ...mods, dtype: "u32" }),
    check: [
      { with: ["s32", "s32", "lt"], a: 0x0001_fffe, b: 0x0001_0004, c: 0, d: 0x0000_0001 },
      { with: ["u32", "u32", "gt", "add"], a: 0x0001_fffe, b: 0x0000_0004, c: 10, d: 12 },
      {
        snippet: "vset2.u32.u32.ne d.h0, a, b, c;",
        given: { a: 5, b: 6, c: 0x1122_3344 },
        gives: { d: 0x1122_0001 },
      },
    ],
  }),
  form("vset4.atype.btype.cmp{.add} d{.mask}, a{.asel}, b{.bsel}, c", {
    where: { atype: type, btype: type, cmp, mask: byteMask, asel: bytes, bsel: bytes },
    operands,
    since,
    does: ({ cmp, ...mods }) => packed(8, compared(cmp), { ...mods, dtype: "u32" }),
    check: [
      { with: ["u32", "u32", "eq"], a: 0x0102_0304, b: 0x0100_0300, c: 0, d: 0x0100_0100 },
      { with: ["s32", "s32", "lt", "add"], a: 0x00ff_01ff, b: 0, c: 10, d: 12 },
      {
        snippet: "vset4.s32.u32.lt d.b20, a.b0123, b, c;",
        given: { a: 0x80ff_0001, b: 0x0101_0101, c: 0x1122_3344 },
        gives: { d: 0x1101_3301 },
      },
    ],
  }),
];

/** The instructions on two halves or four bytes. */
export const simdVideo: readonly Form[] = [...kin.flatMap(arithmetic), ...comparison];
