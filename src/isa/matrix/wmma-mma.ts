import type { MatrixOperation } from "../../numeric/operation/matrix.ts";
import { bringing } from "../form/bringing.ts";
import { type Form, form, ptxas, unspecified } from "../form/define.ts";
import { all, matrixOperands, sizesOf } from "./matrix-operands.ts";
import { doubles, integers, sums } from "./mma-facts.ts";

const large = ["m16n16k16", "m8n32k16", "m32n8k16"] as const;
const layouts = { alayout: ["row", "col"], blayout: ["row", "col"] } as const;
const accumulators = ["f16", "f32"] as const;
const layout = unspecified(
  "which thread holds which element: as in the mma of the same types; .row and .col make no difference",
);

const of = (
  shape: string,
  type: MatrixOperation["a"],
  dtype: MatrixOperation["d"],
  ctype: MatrixOperation["c"],
  more: Partial<MatrixOperation> = {},
): MatrixOperation => ({ ...sizesOf(shape), a: type, b: type, c: ctype, d: dtype, by: "wmma", ...more });

/** A and B have one type. */
const sameTypes = ({ atype, btype }: { readonly atype: string; readonly btype: string }) =>
  atype === btype ? undefined : (["", `.atype .${atype} and .btype .${btype}`] as const);

/** Fragments that wmma.load has loaded. */
export const wmmaMma: readonly Form[] = [
  form("wmma.mma.sync.aligned.alayout.blayout.shape.dtype.ctype d, a, b, c", {
    where: { ...layouts, shape: large, dtype: accumulators, ctype: accumulators },
    operands: ({ shape, dtype, ctype }) => matrixOperands(of(shape, "f16", dtype, ctype)),
    since: { ptx: 63, sm: 70 },
    run: ({ shape, dtype, ctype }) => ({ shape: "multiply", op: of(shape, "f16", dtype, ctype) }),
    check: [{ a: all(8, 0x3c00_3c00), b: all(8, 0x4000_4000), c: all(4, 0x3c00_3c00), d: all(4, 0x5020_5020) }],
    facts: [layout, ...sums],
  }),
  form("wmma.mma.sync.alayout.blayout.shape.dtype.ctype{.satfinite} d, a, b, c", {
    where: { ...layouts, shape: large, dtype: accumulators, ctype: accumulators },
    operands: ({ shape, dtype, ctype }) => matrixOperands(of(shape, "f16", dtype, ctype)),
    since: bringing({ ptx: 60, sm: 70 }, { m8n32k16: { ptx: 61, sm: 70 }, m32n8k16: { ptx: 61, sm: 70 } }),
    until: { ptx: 63, sm: 70 },
    run: ({ shape, dtype, ctype, satfinite }) => ({
      shape: "multiply",
      op: of(shape, "f16", dtype, ctype, satfinite ? { satfinite } : {}),
    }),
    check: [{ a: all(8, 0x3c00_3c00), b: all(8, 0x4000_4000), c: all(4, 0x3c00_3c00), d: all(4, 0x5020_5020) }],
    facts: [layout, ...sums],
  }),
  form("wmma.mma.sync.aligned.alayout.blayout.shape.dtype.ctype.satfinite d, a, b, c", {
    where: { ...layouts, shape: large, dtype: accumulators, ctype: accumulators },
    operands: ({ shape, dtype, ctype }) => matrixOperands(of(shape, "f16", dtype, ctype)),
    since: { ptx: 63, sm: 70 },
    until: { ptx: 65, sm: 70 },
    deprecated: { since: 64, use: "wmma.mma without .satfinite" },
    run: ({ shape, dtype, ctype }) => ({ shape: "multiply", op: of(shape, "f16", dtype, ctype, { satfinite: true }) }),
    check: [
      { a: all(8, 0x3c00_3c00), b: all(8, 0x4000_4000), c: all(4, 0x3c00_fc00), d: all(4, 0x5020_fbff) },
      { a: all(8, 0x3c00_3c00), b: all(8, 0x4000_4000), c: all(4, 0x3c00_7e00), d: all(4, 0x5020_0000) },
    ],
    facts: [layout, ...sums, unspecified("an infinity becomes the largest number, a NaN becomes +0")],
  }),
  form("wmma.mma.sync.aligned.alayout.blayout.shape.f32.bf16.bf16.f32 d, a, b, c", {
    where: { ...layouts, shape: large },
    operands: ({ shape }) => matrixOperands(of(shape, "bf16", "f32", "f32")),
    since: { ptx: 70, sm: 80 },
    run: ({ shape }) => ({ shape: "multiply", op: of(shape, "bf16", "f32", "f32") }),
    check: [{ a: all(4, 0x3f80_3f80), b: all(4, 0x4000_4000), c: all(8, 0x3f80_0000), d: all(8, 0x4204_0000) }],
    facts: [layout, ...sums],
  }),
  form("wmma.mma.sync.aligned.alayout.blayout.m16n16k8.f32.tf32.tf32.f32 d, a, b, c", {
    where: layouts,
    operands: () => matrixOperands(of("m16n16k8", "tf32", "f32", "f32")),
    since: { ptx: 70, sm: 80 },
    run: () => ({ shape: "multiply", op: of("m16n16k8", "tf32", "f32", "f32") }),
    check: [{ a: all(4, 0x3f80_0000), b: all(4, 0x4000_0000), c: all(8, 0x3f80_0000), d: all(8, 0x4188_0000) }],
    facts: [layout, ...sums],
  }),
  form("wmma.mma.sync.aligned.alayout.blayout.m8n8k4{.rnd}.f64.f64.f64.f64 d, a, b, c", {
    where: { ...layouts, rnd: ["rn", "rz", "rm", "rp"] },
    operands: () => matrixOperands(of("m8n8k4", "f64", "f64", "f64")),
    since: { ptx: 70, sm: 80 },
    run: ({ rnd = "rn" }) => ({ shape: "multiply", op: of("m8n8k4", "f64", "f64", "f64", { rounding: rnd }) }),
    check: [
      {
        a: [0x3ff0_0000_0000_0000n],
        b: [0x4000_0000_0000_0000n],
        c: all(2, 0x3ff0_0000_0000_0000n),
        d: all(2, 0x4022_0000_0000_0000n),
      },
    ],
    facts: [layout, ...doubles],
  }),
  form("wmma.mma.sync.aligned.alayout.blayout.shape.s32.atype.btype.s32{.satfinite} d, a, b, c", {
    where: { ...layouts, shape: large, atype: ["s8", "u8"], btype: ["s8", "u8"] },
    operands: ({ shape, atype }) => matrixOperands(of(shape, atype, "s32", "s32")),
    since: { ptx: 63, sm: 72 },
    conflict: sameTypes,
    run: ({ shape, atype, satfinite }) => ({
      shape: "multiply",
      op: of(shape, atype, "s32", "s32", satfinite ? { satfinite } : {}),
    }),
    check: [
      { a: all(2, 0x0403_0201), b: all(2, 0xff01_ff01), c: all(8, 10), d: all(8, 2) },
      {
        with: ["satfinite"],
        a: all(2, 0x0101_0101),
        b: all(2, 0x0101_0101),
        c: all(8, 0x7fff_ffff),
        d: all(8, 0x7fff_ffff),
      },
    ],
    facts: [layout, ...integers],
  }),
  form("wmma.mma.sync.aligned.row.col.m8n8k32.s32.atype.btype.s32{.satfinite} d, a, b, c", {
    where: { atype: ["s4", "u4"], btype: ["s4", "u4"] },
    operands: ({ atype }) => matrixOperands(of("m8n8k32", atype, "s32", "s32")),
    since: { ptx: 63, sm: 75 },
    conflict: (mods) => sameTypes(mods),
    run: ({ atype, satfinite }) => ({
      shape: "multiply",
      op: of("m8n8k32", atype, "s32", "s32", satfinite ? { satfinite } : {}),
    }),
    check: [{ a: [0x8765_4321], b: [0x1111_1111], c: all(2, 1), d: all(2, 81) }],
    facts: [layout, ...integers],
  }),
  form("wmma.mma.op.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 d, a, b, c", {
    where: { op: ["xor", "and"] },
    operands: ({ op }) => matrixOperands(of("m8n8k128", "b1", "s32", "s32", { bits: op })),
    since: bringing({ ptx: 63, sm: 75 }, { and: { ptx: 71, sm: 80 } }),
    run: ({ op }) => ({ shape: "multiply", op: of("m8n8k128", "b1", "s32", "s32", { bits: op }) }),
    check: [{ a: [0xffff_ffff], b: [0x0000_ffff], c: all(2, 1), d: all(2, 65) }],
    facts: [layout, ...integers, ptxas(".xor.popc may stand anywhere among the words")],
  }),
];
