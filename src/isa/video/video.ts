import {
  a,
  amount,
  as,
  b,
  c,
  clamp,
  label,
  not,
  plus,
  relation,
  shl,
  shr,
  signedSlice,
  slice,
  times,
  wrap,
} from "../../numeric/operation/build.ts";
import type { Expression, IntegerRelation } from "../../numeric/operation/expression.ts";
import type { Result } from "../../numeric/operation/operation.ts";
import { together } from "../form/anchors.ts";
import { of, to } from "../form/classes.ts";
import { type Conflict, type Form, form, type Section, section } from "../form/define.ts";
import { simdVideo } from "./simd-video.ts";
import {
  partSelectSignExtend,
  videoParts as parts,
  type Stages,
  stages,
  type VideoOperation,
  type VideoPart,
  type VideoType,
  videoOperations,
} from "./stages.ts";

const since = { ptx: 20, sm: 20 };
const type: readonly VideoType[] = ["u32", "s32"];
const op2 = ["add", "min", "max"] as const;
const d = to("u32");
const word = of("u32");

/** The words behind the operation, and the selectors. */
interface Mode extends Stages {
  readonly dtype: VideoType;
  readonly atype: VideoType;
  readonly btype: VideoType;
  readonly asel?: VideoPart | undefined;
  readonly bsel?: VideoPart | undefined;
}
const ta = ({ atype, asel }: Pick<Mode, "atype" | "asel">): Expression =>
  label("ta", partSelectSignExtend(a, atype, asel));
const tb = ({ btype, bsel }: Pick<Mode, "btype" | "bsel">): Expression =>
  label("tb", partSelectSignExtend(b, btype, bsel));

/** `whole` is 3 op -5, `part` 127 op -5, and `merged` the second in bits 8 to 15 of c, saturated. */
interface Scalar {
  readonly mnemonic: "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax";
  readonly operation: VideoOperation;
  readonly whole: number;
  readonly part: number;
  readonly merged: number;
}

const scalars: readonly Scalar[] = [
  { mnemonic: "vadd", operation: "add", whole: 0xffff_fffe, part: 122, merged: 0x1122_7a44 },
  { mnemonic: "vsub", operation: "sub", whole: 8, part: 132, merged: 0x1122_7f44 },
  { mnemonic: "vabsdiff", operation: "absdiff", whole: 8, part: 132, merged: 0x1122_7f44 },
  { mnemonic: "vmin", operation: "min", whole: 0xffff_fffb, part: 0xffff_fffb, merged: 0x1122_fb44 },
  { mnemonic: "vmax", operation: "max", whole: 3, part: 127, merged: 0x1122_7f44 },
];

const arithmetic = ({ mnemonic, operation, whole, part, merged }: Scalar): readonly Form[] => {
  const does = (mods: Mode): Result => stages(videoOperations[operation](ta(mods), tb(mods)), mods.dtype, mods);
  return [
    form(`${mnemonic}.dtype.atype.btype{.sat} d, a{.asel}, b{.bsel}`, {
      where: { dtype: type, atype: type, btype: type, asel: parts, bsel: parts },
      operands: ({ atype, btype }) => ({ d, a: of(atype), b: of(btype) }),
      since,
      does,
      check: [
        { with: ["s32", "s32", "s32"], a: 3, b: 0xffff_fffb, d: whole },
        {
          snippet: `${mnemonic}.s32.s32.s32.sat d, a.b1, b.h1;`,
          given: { a: 0x0000_7f00, b: 0xfffb_0000 },
          gives: { d: part },
        },
      ],
    }),
    form(`${mnemonic}.dtype.atype.btype{.sat}.op2 d, a{.asel}, b{.bsel}, c`, {
      where: { dtype: type, atype: type, btype: type, op2, asel: parts, bsel: parts },
      operands: ({ atype, btype }) => ({ d, a: of(atype), b: of(btype), c: word }),
      since,
      does,
      check: [{ with: ["s32", "s32", "s32", "add"], a: 3, b: 0xffff_fffb, c: 10, d: (whole + 10) % 2 ** 32 }],
    }),
    form(`${mnemonic}.dtype.atype.btype{.sat} d{.dsel}, a{.asel}, b{.bsel}, c`, {
      where: { dtype: type, atype: type, btype: type, dsel: parts, asel: parts, bsel: parts },
      operands: ({ atype, btype }) => ({ d, a: of(atype), b: of(btype), c: word }),
      since,
      does,
      check: [
        {
          snippet: `${mnemonic}.s32.s32.s32.sat d.b1, a.b1, b.h1, c;`,
          given: { a: 0x0000_7f00, b: 0xfffb_0000, c: 0x1122_3344 },
          gives: { d: merged },
        },
      ],
    }),
  ];
};

const mode = ["clamp", "wrap"] as const;

/** vshl and vshr: `byFour` is 0x80 shifted by 4, `byMuch` a negative 0x80 in byte 0 by 25, saturated. */
function shifts(mnemonic: "vshl" | "vshr", byFour: number, byMuch: number): readonly Form[] {
  const shift = mnemonic === "vshl" ? shl : shr;
  // Only 34 bits of a left shift remain.
  const does = ({ mode, ...mods }: Omit<Mode, "btype"> & { readonly mode: "clamp" | "wrap" }): Result =>
    stages(signedSlice(shift(ta(mods), amount(mode, tb({ ...mods, btype: "u32" }))), 0, 34), mods.dtype, mods);
  return [
    form(`${mnemonic}.dtype.atype.u32{.sat}.mode d, a{.asel}, b{.bsel}`, {
      where: { dtype: type, atype: type, mode, asel: parts, bsel: parts },
      operands: ({ atype }) => ({ d, a: of(atype), b: of("u32") }),
      since,
      does,
      check: [
        { with: ["wrap"], a: 0x80, b: 36, d: byFour },
        {
          snippet: `${mnemonic}.s32.s32.u32.sat.clamp d, a.b0, b.h1;`,
          given: { a: 0x80, b: 0x0019_0000 },
          gives: { d: byMuch },
        },
      ],
    }),
    form(`${mnemonic}.dtype.atype.u32{.sat}.mode.op2 d, a{.asel}, b{.bsel}, c`, {
      where: { dtype: type, atype: type, mode, op2, asel: parts, bsel: parts },
      operands: ({ atype }) => ({ d, a: of(atype), b: of("u32"), c: word }),
      since,
      does,
      check: [{ with: ["wrap", "add"], a: 0x80, b: 36, c: 1, d: byFour + 1 }],
    }),
    form(`${mnemonic}.dtype.atype.u32{.sat}.mode d{.dsel}, a{.asel}, b{.bsel}, c`, {
      where: { dtype: type, atype: type, mode, dsel: parts, asel: parts, bsel: parts },
      operands: ({ atype }) => ({ d, a: of(atype), b: of("u32"), c: word }),
      since,
      does,
      check: [
        {
          snippet: `${mnemonic}.u32.u32.u32.wrap d.h1, a, b, c;`,
          given: { a: 0x80, b: 36, c: 0x1122_3344 },
          gives: { d: byFour * 0x1_0000 + 0x3344 },
        },
      ],
    }),
  ];
}

/** ptxas lets the signs of a and b cancel each other beside .po. */
function signConflict(po: boolean, a: boolean, b: boolean, c: boolean): Conflict | undefined {
  if (a !== b && c) return ["-c", "a negated product"];
  if (!po) return undefined;
  if (c) return ["-c", ".po"];
  return a === b ? undefined : [a ? "-a" : "-b", ".po"];
}

/** vmad. The types of a and b and the signs determine whether the result is signed; .dtype does not. */
const multiplyAdd: Form = form("vmad.dtype.atype.btype{.po}{.sat}{.scale} d, {-}a{.asel}, {-}b{.bsel}, {-}c", {
  where: { dtype: type, atype: type, btype: type, scale: ["shr7", "shr15"], asel: parts, bsel: parts },
  operands: ({ atype, btype }) => ({ d, a: of(atype), b: of(btype), c: word }),
  since,
  conflict: ({ po, "-a": a = false, "-b": b = false, "-c": c = false }) => signConflict(po, a, b, c),
  does: ({ "-a": minusA = false, "-b": minusB = false, "-c": minusC = false, po, sat, scale, ...mods }) => {
    const negated = minusA !== minusB;
    const signedFinal = mods.atype === "s32" || mods.btype === "s32" || negated || minusC;
    const product = times(ta(mods), tb(mods));
    const addend = minusC ? slice(not(c), 0, 32) : c;
    const tmp = plus(
      label("product", negated ? not(product) : product),
      // An unsigned c that is negated counts as signed here: it is complemented at 32 bits, and those extended.
      label("addend", signedFinal ? as("s32", addend) : addend),
      ...(po || negated || minusC ? [1] : []),
    );
    const scaled = scale === undefined ? tmp : shr(tmp, Number(scale.slice(3)));
    const result = (signedFinal ? signedSlice : slice)(scaled, 0, 64);
    return (sat ? clamp : wrap)(signedFinal ? "s32" : "u32", label("result", result));
  },
  check: [
    { a: 6, b: 7, c: 3, d: 45 },
    { with: ["po", "shr7"], a: 0x100, b: 3, c: 0xff, d: 8 }, // (768 + 255 + 1) / 128
    { with: ["s32", "s32", "s32", "sat"], a: 0x7fff_ffff, b: 2, c: 0, d: 0x7fff_ffff },
    {
      snippet: "vmad.s32.s32.u32 d, -a.b0, b.h1, c;",
      given: { a: 0xfe, b: 0x0005_0000, c: 3 },
      gives: { d: 13 },
    },
    {
      snippet: "vmad.u32.u32.u32.sat d, a, b, -c;",
      given: { a: 2, b: 3, c: 7 },
      gives: { d: 0xffff_ffff },
    },
  ],
});

const cmp = ["eq", "ne", "lt", "le", "gt", "ge"] as const;
const compared = (mods: Omit<Mode, "dtype"> & { readonly cmp: IntegerRelation }): Result =>
  stages(relation(mods.cmp, ta(mods), tb(mods)), "u32", mods);

/** vset: the result is 1 or 0, without a sign. */
const comparison: readonly Form[] = [
  form("vset.atype.btype.cmp d, a{.asel}, b{.bsel}", {
    where: { atype: type, btype: type, cmp, asel: parts, bsel: parts },
    operands: ({ atype, btype }) => ({ d, a: of(atype), b: of(btype) }),
    since,
    does: compared,
    check: [
      { with: ["s32", "u32", "lt"], a: 0xffff_ffff, b: 0xffff_ffff, d: 1 },
      { snippet: "vset.u32.u32.ne d, a, b.h1;", given: { a: 5, b: 0x0005_0001 }, gives: { d: 0 } },
    ],
  }),
  form("vset.atype.btype.cmp.op2 d, a{.asel}, b{.bsel}, c", {
    where: { atype: type, btype: type, cmp, op2, asel: parts, bsel: parts },
    operands: ({ atype, btype }) => ({ d, a: of(atype), b: of(btype), c: word }),
    since,
    does: compared,
    check: [{ with: ["u32", "u32", "eq", "add"], a: 5, b: 5, c: 10, d: 11 }],
  }),
  form("vset.atype.btype.cmp d{.dsel}, a{.asel}, b{.bsel}, c", {
    where: { atype: type, btype: type, cmp, dsel: parts, asel: parts, bsel: parts },
    operands: ({ atype, btype }) => ({ d, a: of(atype), b: of(btype), c: word }),
    since,
    does: compared,
    check: [
      {
        snippet: "vset.u32.u32.ge d.b2, a, b, c;",
        given: { a: 6, b: 5, c: 0x1122_3344 },
        gives: { d: 0x1101_3344 },
      },
    ],
  }),
];

export const videos: Section = section(
  "video",
  [
    ...scalars.flatMap(arithmetic),
    ...shifts("vshl", 0x800, 0x8000_0000),
    ...shifts("vshr", 8, 0xffff_ffff),
    multiplyAdd,
    ...comparison,
    ...simdVideo,
  ],
  {
    "scalar-video-instructions": `${together("vadd vsub vabsdiff vmin vmax")} ${together("vshl vshr")} vmad vset`,
    "simd-video-instructions": `${together("vadd2 vsub2 vavrg2 vabsdiff2 vmin2 vmax2")} vset2 ${together("vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4")} vset4`,
  },
);
