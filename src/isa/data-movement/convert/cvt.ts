import type { Rounding } from "../../../numeric/exact/exact.ts";
import {
  a,
  and,
  bits,
  choose,
  clamp,
  concat,
  type FloatModifiers,
  flushed,
  integral,
  is,
  kept,
  label,
  minus,
  or,
  plus,
  relation,
  rounded,
  select,
  shl,
  signOf,
  slice,
  wrap,
} from "../../../numeric/operation/build.ts";
import type { Expression } from "../../../numeric/operation/expression.ts";
import type { Fact } from "../../../numeric/operation/grade.ts";
import type { Result } from "../../../numeric/operation/operation.ts";
import { type IntegerName, widthOf } from "../../../numeric/operation/type.ts";
import { of, to } from "../../form/classes.ts";
import { type Form, form, manual, ptxas, type Since, unspecified } from "../../form/define.ts";
import { rectified } from "../../form/facts.ts";
import type { RegisterClass } from "../../form/operands.ts";
import { least } from "../../form/since.ts";
import { packing } from "./cvt-pack.ts";
import { packedConversions } from "./cvt-packed.ts";

const integer = ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"] as const;
const float = ["f16", "bf16", "f32", "f64"] as const;
const floating: ReadonlySet<string> = new Set(float);
const frnd = ["rn", "rz", "rm", "rp"] as const;
const irnd = ["rni", "rzi", "rmi", "rpi"] as const;
type Float = (typeof float)[number];
type Type = (typeof integer)[number] | Float;

/**
 * A source or destination register may be wider than its type (9.4.1), though not where one of them is bf16; a special
 * register goes into integers only (measured with ptxas 13.0).
 */
const two = (dtype: Type, atype: Type): { readonly d: RegisterClass; readonly a: RegisterClass } => {
  const wider = dtype !== "bf16" && atype !== "bf16";
  return { d: to(dtype, { wider }), a: of(atype, { wider, special: !floating.has(dtype) && !floating.has(atype) }) };
};

/** True when every number of `atype` is one of `dtype`: then there is nothing to saturate. */
const holds = (dtype: IntegerName, atype: IntegerName): boolean =>
  dtype[0] === atype[0] ? widthOf(dtype) >= widthOf(atype) : dtype[0] === "s" && widthOf(dtype) > widthOf(atype);

const base: Since = { ptx: 10, sm: 10 };
const sincePzo: Since = { ptx: 94, sm: 107, only: "f", families: [107] };
const brain = (...types: readonly Type[]): Since => (types.includes("bf16") ? { ptx: 78, sm: 90 } : base);

/** What the type of a conversion between floats decides: it narrows, widens, or stays. */
const widths = { f16: 16, bf16: 16, f32: 32, f64: 64 } as const;

/** `.irnd` rounds to an integer: `.rni` in the direction of `.rn`. */
const direction = { rni: "rn", rzi: "rz", rmi: "rm", rpi: "rp" } as const;

/**
 * Into an integer: out of range is the nearest number; a NaN is 0, from f64 or to 64 bits the top bit alone (PTX ISA,
 * cvt).
 */
function toInteger(dtype: IntegerName, atype: Float, of: Expression): Result {
  const width = widthOf(dtype);
  const nan = atype === "f64" || width === 64 ? 1n << BigInt(width - 1) : 0;
  return choose(is("notanumber", a), wrap(dtype, nan), clamp(dtype, of));
}

/** From a float to another. `.ftz` is about f32 alone, as operand and as result (PTX ISA, cvt). */
function toFloat(dtype: Float, atype: Float, { rnd, ftz, sat }: FloatModifiers, toIntegral?: Rounding): Result {
  const nothingElse = !ftz && !sat && toIntegral === undefined;
  if (dtype === atype && nothingElse) return wrap(`b${widthOf(dtype)}` as "b32", bits(a));
  if (dtype === "f32" && atype === "bf16" && !ftz && !sat)
    return wrap("b32", label("the upper half of f32", shl(bits(a), 16)));
  const operand = flushed(ftz && atype === "f32", a);
  const number = rounded(
    dtype,
    { rnd, ftz: ftz && dtype === "f32", sat },
    toIntegral === undefined ? operand : integral(toIntegral, operand),
  );
  return dtype === "f64" && !sat ? choose(is("notanumber", a), wrap("b64", nanAsF64[atype]), number) : number;
}

const QUIET = 0x7ff8_0000_0000_0000n;

/**
 * Operations on f64 keep a NaN's payload and make it quiet (PTX ISA, Floating Point); one of 16 bits goes through the
 * canonical one of f32.
 */
const nanAsF64: Readonly<Record<Float, Expression>> = {
  f64: or(bits(a), QUIET),
  f32: or(concat([signOf("f32", a), 1], [0, 11], [slice(bits(a), 0, 23), 23], [0, 29]), QUIET),
  f16: { node: "integer", value: QUIET | (0x7f_ffffn << 29n) },
  bf16: { node: "integer", value: QUIET | (0x7f_ffffn << 29n) },
};

const isHalf = (type: unknown): boolean => type === "f16" || type === "bf16";

const nans: readonly Fact[] = [
  ptxas(
    "one type on both sides and nothing to do is a move, and bf16 to f32 a shift: they keep a NaN's payload",
    ({ dtype, atype }) => dtype === atype || (dtype === "f32" && atype === "bf16"),
  ),
  ptxas(
    "any other NaN becomes the canonical one of f16 and bf16, and of f32 from f16",
    ({ dtype, atype }) => isHalf(dtype) || (dtype === "f32" && atype === "f16"),
  ),
  unspecified(
    "any other NaN becomes the canonical one of f32 from f64",
    ({ dtype, atype }) => dtype === "f32" && atype === "f64",
  ),
  manual("into f64 a NaN keeps its payload and becomes quiet", ({ dtype }) => dtype === "f64"),
  ptxas(
    "a NaN of 16 bits goes into f64 by way of f32's canonical one: ptxas folds constants so",
    ({ dtype, atype }) => dtype === "f64" && isHalf(atype),
  ),
];

/**
 * cvt.rna.tf32: a finite number gets half a unit of tf32's last place added, then the low 13 bits go, those of a NaN's
 * payload too (0x7f800001 becomes an infinity). With `.satfinite` what is no finite number then has a unit taken off, a
 * NaN too.
 */
function nearestAwayTf32(satfinite: boolean): Result {
  const HALF = 0x1000;
  const isNumber = (code: Expression): Expression => relation("lt", and(code, 0x7fff_ffff), 0x7f80_0000);
  const added = label("half a unit of tf32 added", plus(bits(a), HALF));
  const nearest = and(select(isNumber(bits(a)), added, bits(a)), 0xffff_e000);
  if (!satfinite) return wrap("b32", nearest);
  return wrap("b32", select(isNumber(nearest), nearest, minus(nearest, 2 * HALF)));
}

const between: readonly Form[] = [
  form("cvt{.sat}.dtype.atype d, a", {
    where: { dtype: integer, atype: integer },
    operands: ({ dtype, atype }) => two(dtype, atype),
    since: base,
    conflict: ({ sat, dtype, atype }) =>
      sat && holds(dtype, atype) ? ["sat", `a .${dtype} result, which holds every .${atype}`] : undefined,
    does: ({ sat, dtype }) => kept(dtype, sat, a),
    check: [
      { with: ["u32", "u16"], a: 0xffff, d: 0xffff },
      { with: ["sat", "u8", "s32"], a: 0xffff_ffff, d: 0 },
      { with: ["s64", "s32"], a: 0xffff_ffff, d: 0xffff_ffff_ffff_ffffn },
    ],
  }),
  form("cvt.frnd{.ftz}{.sat}.dtype.atype d, a", {
    where: { frnd, dtype: float, atype: integer },
    operands: ({ dtype, atype }) => two(dtype, atype),
    since: ({ ftz, dtype }) => least(ftz && "ftz", brain(dtype)),
    conflict: ({ ftz, sat, dtype }) =>
      ftz && dtype !== "f32"
        ? ["ftz", `a .${dtype} result`]
        : sat && dtype === "bf16"
          ? ["sat", "a .bf16 result"]
          : undefined,
    does: ({ frnd, sat, dtype }) => rounded(dtype, { rnd: frnd, sat }, a),
    check: [
      { with: ["rn", "f32", "s32"], a: 0xffff_ffff, d: 0xbf80_0000 },
      { with: ["rz", "f16", "u32"], a: 2049, d: 0x6800 },
      { with: ["rp", "f16", "u32"], a: 2049, d: 0x6801 },
    ],
  }),
  form("cvt.irnd{.ftz}{.sat}.dtype.atype d, a", {
    where: { irnd, dtype: integer, atype: float },
    operands: ({ dtype, atype }) => two(dtype, atype),
    since: ({ ftz, atype }) => least(ftz && "ftz", brain(atype)),
    conflict: ({ ftz, sat, atype }) =>
      ftz && atype !== "f32"
        ? ["ftz", `a .${atype} source`]
        : sat && atype === "bf16"
          ? ["sat", "a .bf16 source"]
          : undefined,
    does: ({ irnd, ftz, dtype, atype }) => toInteger(dtype, atype, integral(direction[irnd], flushed(ftz, a))),
    check: [
      { with: ["rni", "s32", "f32"], a: 0x4020_0000, d: 2 },
      { with: ["rpi", "s32", "f32"], a: 0x4020_0000, d: 3 },
      { with: ["rzi", "u32", "f32"], a: 0xbf80_0000, d: 0 },
    ],
  }),
  form("cvt.frnd{.ftz}{.sat}.dtype.atype d, a", {
    where: { frnd, dtype: float, atype: float },
    operands: ({ dtype, atype }) => two(dtype, atype),
    since: ({ ftz, dtype, atype }) => {
      if (dtype === "bf16" && atype === "f32") return { ptx: 70, sm: 80 };
      if (dtype === "f32" && atype === "bf16" && !ftz) return { ptx: 71, sm: 80 };
      return least(ftz && "ftz", brain(dtype, atype));
    },
    conflict: ({ frnd, ftz, sat, dtype, atype }) => {
      if (dtype === atype) return [frnd, "one type on both sides"];
      if (widths[dtype] >= widths[atype] && dtype !== "bf16" && atype !== "bf16")
        return [frnd, "a conversion that is exact"];
      if (ftz && dtype !== "f32" && atype !== "f32") return ["ftz", "neither type being .f32"];
      if (sat && dtype === "bf16") return ["sat", "a .bf16 result"];
      if (sat && atype === "bf16") return ["sat", "a .bf16 source"];
      return undefined;
    },
    does: ({ frnd, ftz, sat, dtype, atype }) => toFloat(dtype, atype, { rnd: frnd, ftz, sat }),
    facts: nans,
    check: [
      { with: ["rn", "f16", "f32"], a: 0x3f80_1000, d: 0x3c00 }, // a tie, to even
      { with: ["rp", "f16", "f32"], a: 0x3f80_1000, d: 0x3c01 },
      { with: ["rn", "f32", "f64"], a: 0x7ff0_0000_0000_0000n, d: 0x7f80_0000 },
      { with: ["rz", "bf16", "f32"], a: 0x3f80_ffff, d: 0x3f80 },
    ],
  }),
  form("cvt{.irnd}{.ftz}{.sat}.dtype.atype d, a", {
    where: { irnd, dtype: float, atype: float },
    operands: ({ dtype, atype }) => two(dtype, atype),
    since: ({ ftz, dtype, atype }) =>
      dtype === "f32" && atype === "bf16" && !ftz ? { ptx: 71, sm: 80 } : least(ftz && "ftz", brain(dtype, atype)),
    conflict: ({ irnd, ftz, sat, dtype, atype }) => {
      if (widths[dtype] < widths[atype]) return ["", `a conversion that needs one of .rn, .rz, .rm and .rp`];
      if (irnd && dtype !== atype) return [irnd, "two different types"];
      if (ftz && dtype !== "f32" && atype !== "f32") return ["ftz", "neither type being .f32"];
      if (sat && dtype === "bf16") return ["sat", "a .bf16 result"];
      if (sat && atype === "bf16") return ["sat", "a .bf16 source"];
      return undefined;
    },
    does: ({ irnd, ftz, sat, dtype, atype }) => toFloat(dtype, atype, { ftz, sat }, irnd && direction[irnd]),
    facts: nans,
    check: [
      { with: ["f32", "f16"], a: 0x3c00, d: 0x3f80_0000 },
      { with: ["f64", "f32"], a: 0x3f80_0000, d: 0x3ff0_0000_0000_0000n },
      { with: ["rmi", "f32", "f32"], a: 0xbf00_0000, d: 0xbf80_0000 },
    ],
  }),
  form("cvt.frnd.relu.dtype.f32 d, a", {
    where: { frnd: ["rn", "rz"], dtype: ["f16", "bf16"] },
    operands: ({ dtype }) => two(dtype, "f32"),
    since: { ptx: 70, sm: 80 },
    does: ({ frnd, dtype }) => rounded(dtype, { rnd: frnd, relu: true }, a),
    facts: rectified,
    check: [{ with: ["rn", "f16"], a: 0xbf80_0000, d: 0x0000 }],
  }),
  form("cvt.frnd{.relu}.satfinite.dtype.f32 d, a", {
    where: { frnd: ["rn", "rz"], dtype: ["f16", "bf16"] },
    operands: ({ dtype }) => two(dtype, "f32"),
    since: ({ dtype, relu }) => ({ ptx: 81, sm: dtype === "f16" && !relu ? 70 : 80 }),
    does: ({ frnd, relu, dtype }) => rounded(dtype, { rnd: frnd, relu, satfinite: true }, a),
    facts: rectified,
    check: [
      { with: ["rn", "f16"], a: 0xff80_0000, d: 0xfbff },
      { with: ["rn", "relu", "bf16"], a: 0x7f7f_ffff, d: 0x7f7f },
    ],
  }),
  form("cvt.frnd{.relu}{.satfinite}.pzo.dtype.f32 d, a", {
    where: { frnd: ["rn", "rz"], dtype: ["f16", "bf16"] },
    operands: ({ dtype }) => two(dtype, "f32"),
    since: sincePzo,
    does: ({ frnd, relu, satfinite, dtype }) => rounded(dtype, { rnd: frnd, relu, satfinite, pzo: true }, a),
    facts: rectified,
    check: [
      { with: ["rn", "f16"], a: 0x8000_0001, d: 0x0000 },
      { with: ["rz", "satfinite", "bf16"], a: 0xff80_0000, d: 0xff7f }, // only zeros change
    ],
  }),
  form("cvt.frnd{.satfinite}{.relu}{.pzo}.tf32.f32 d, a", {
    where: { frnd: ["rn", "rz"] },
    operands: { d: to("tf32"), a: of("f32") },
    since: ({ satfinite, pzo }) => (pzo ? sincePzo : satfinite ? { ptx: 86, sm: 100 } : { ptx: 78, sm: 90 }),
    does: ({ frnd, satfinite, relu, pzo }) => rounded("tf32", { rnd: frnd, satfinite, relu, pzo }, a),
    facts: [unspecified("a NaN is that of f32 without the bits that tf32 lacks"), ...rectified],
    check: [
      { a: 0x3f80_1000, d: 0x3f80_0000 }, // a tie, to even
      { with: ["rz"], a: 0x3f80_3fff, d: 0x3f80_2000 },
      { with: ["satfinite"], a: 0x7f80_0000, d: 0x7f7f_e000 },
      { with: ["relu"], a: 0xbf80_0000, d: 0 },
      { with: ["pzo"], a: 0x8000_0000, d: 0 },
    ],
  }),
  form("cvt.rna{.satfinite}.tf32.f32 d, a", {
    operands: { d: to("tf32"), a: of("f32") },
    since: ({ satfinite }) => (satfinite ? { ptx: 81, sm: 80 } : { ptx: 70, sm: 80 }),
    does: ({ satfinite }) => nearestAwayTf32(satfinite),
    facts: [ptxas("ptxas writes the same few instructions for every target: the recipe, NaNs included")],
    check: [
      { a: 0x3f80_1000, d: 0x3f80_2000 }, // a tie, away from zero
      { a: 0x7f7f_ffff, d: 0x7f80_0000 },
      { with: ["satfinite"], a: 0x7f7f_ffff, d: 0x7f7f_e000 },
    ],
  }),
];

export const cvt: readonly Form[] = [...between, ...packedConversions, ...packing];
