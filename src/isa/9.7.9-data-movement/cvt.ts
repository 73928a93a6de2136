import type { Plan } from "../../interp/contract/plan.ts";
import { type ConvertMode, convert, type NumberType } from "../../numeric/index.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form, type Since } from "../form/define.ts";
import type { RegisterClass } from "../form/operands.ts";
import { least } from "../form/since.ts";
import { packing } from "./cvt-pack.ts";
import { packedConversions } from "./cvt-packed.ts";

const integer = ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"] as const;
const float = ["f16", "bf16", "f32", "f64"] as const;
const floating: ReadonlySet<string> = new Set(float);
const frnd = ["rn", "rz", "rm", "rp"] as const;
const irnd = ["rni", "rzi", "rmi", "rpi"] as const;
type Type = (typeof integer)[number] | (typeof float)[number];

/** A source or destination register may be wider than the type (9.4.1); special registers are integers. */
const from = (type: Type): RegisterClass => of(type, { wider: true, special: !floating.has(type) });
const into = (type: Type): RegisterClass => to(type, { wider: true });
const two = (dtype: Type, atype: Type) => ({ d: into(dtype), a: from(atype) });

/** A signed result is extended by its sign into a wider register. */
const plan = (atype: NumberType, dtype: NumberType, mode: ConvertMode): Plan => ({
  shape: "compute",
  op: convert(atype, dtype, mode),
  extend: dtype.startsWith("s") ? "sign" : "zero",
});

const base: Since = { ptx: 10, sm: 10 };
const brain = (...types: readonly Type[]): Since => (types.includes("bf16") ? { ptx: 78, sm: 90 } : base);

/** What the type of a conversion between floats decides: it narrows, widens, or stays. */
const widths = { f16: 16, bf16: 16, f32: 32, f64: 64 } as const;

const between: readonly Form[] = [
  form("cvt{.sat}.dtype.atype d, a", {
    where: { dtype: integer, atype: integer },
    operands: ({ dtype, atype }) => two(dtype, atype),
    since: base,
    run: ({ sat, dtype, atype }) => plan(atype, dtype, { sat }),
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
    run: ({ frnd, sat, dtype, atype }) => plan(atype, dtype, { rnd: frnd, sat }),
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
    conflict: ({ ftz, atype }) => (ftz && atype !== "f32" ? ["ftz", `a .${atype} source`] : undefined),
    run: ({ irnd, ftz, sat, dtype, atype }) => plan(atype, dtype, { rnd: irnd, ftz, sat }),
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
      return undefined;
    },
    run: ({ frnd, ftz, sat, dtype, atype }) => plan(atype, dtype, { rnd: frnd, ftz, sat }),
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
      return undefined;
    },
    run: ({ irnd, ftz, sat, dtype, atype }) => plan(atype, dtype, { rnd: irnd, ftz, sat }),
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
    run: ({ frnd, dtype }) => plan("f32", dtype, { rnd: frnd, relu: true }),
    check: [{ with: ["rn", "f16"], a: 0xbf80_0000, d: 0x0000 }],
  }),
  form("cvt.frnd{.relu}.satfinite.dtype.f32 d, a", {
    where: { frnd: ["rn", "rz"], dtype: ["f16", "bf16"] },
    operands: ({ dtype }) => two(dtype, "f32"),
    since: ({ dtype, relu }) => ({ ptx: 81, sm: dtype === "f16" && !relu ? 70 : 80 }),
    run: ({ frnd, relu, dtype }) => plan("f32", dtype, { rnd: frnd, relu, satfinite: true }),
    check: [
      { with: ["rn", "f16"], a: 0xff80_0000, d: 0xfbff },
      { with: ["rn", "relu", "bf16"], a: 0x7f7f_ffff, d: 0x7f7f },
    ],
  }),
  form("cvt.frnd{.satfinite}{.relu}.tf32.f32 d, a", {
    where: { frnd: ["rn", "rz"] },
    operands: { d: to("tf32"), a: of("f32") },
    since: ({ satfinite }) => (satfinite ? { ptx: 86, sm: 100 } : { ptx: 78, sm: 90 }),
    run: ({ frnd, satfinite, relu }) => plan("f32", "tf32", { rnd: frnd, satfinite, relu }),
    check: [
      { a: 0x3f80_1000, d: 0x3f80_0000 }, // a tie, to even
      { with: ["rz"], a: 0x3f80_3fff, d: 0x3f80_2000 },
      { with: ["satfinite"], a: 0x7f80_0000, d: 0x7f7f_e000 },
      { with: ["relu"], a: 0xbf80_0000, d: 0 },
    ],
  }),
  form("cvt.rna{.satfinite}.tf32.f32 d, a", {
    operands: { d: to("tf32"), a: of("f32") },
    since: ({ satfinite }) => (satfinite ? { ptx: 81, sm: 80 } : { ptx: 70, sm: 80 }),
    run: ({ satfinite }) => plan("f32", "tf32", { rnd: "rna", satfinite }),
    check: [
      { a: 0x3f80_1000, d: 0x3f80_2000 }, // a tie, away from zero
      { a: 0x7f7f_ffff, d: 0x7f80_0000 },
      { with: ["satfinite"], a: 0x7f7f_ffff, d: 0x7f7f_e000 },
    ],
  }),
];

/** 9.7.9.21 and 9.7.9.22. */
export const cvt: readonly Form[] = [...between, ...packedConversions, ...packing];
