import { chunkOf, type MatrixOperation } from "../../numeric/operation/matrix.ts";
import { type Form, form, type Since } from "../form/define.ts";
import type { LiteralClass } from "../form/operands.ts";
import { all, matrixOperands, sizesOf, word } from "./matrix-operands.ts";
import { sameAccumulator } from "./mma.ts";
import { integers, metadataFacts, sparseFacts, sums } from "./mma-facts.ts";

const spvariant = ["sp", "sp::ordered_metadata"] as const;
const accumulators = ["f16", "f32"] as const;
const eight = ["s8", "u8"] as const;
const four = ["s4", "u4"] as const;
const fp8 = ["e4m3", "e5m2"] as const;
const fp8to4 = ["e4m3", "e5m2", "e3m2", "e2m3", "e2m1"] as const;
const isNarrow = (type: string): boolean => type === "e3m2" || type === "e2m3" || type === "e2m1";

export const sparseOf = (
  variant: (typeof spvariant)[number],
  shape: string,
  a: MatrixOperation["a"],
  b: MatrixOperation["b"],
  accumulator: MatrixOperation["c"],
  more: Partial<MatrixOperation> = {},
): MatrixOperation => ({
  ...sizesOf(shape),
  a,
  b,
  c: accumulator,
  d: accumulator,
  by: "mma",
  sparse: { sorted: variant === "sp::ordered_metadata" },
  ...more,
});

/**
 * Metadata in e; f says which threads of a group hold it, so many as the columns of A need (PTX ISA, Sparse matrix
 * storage).
 */
export function sparseOperands(operation: MatrixOperation) {
  const { a, d, k } = operation;
  const chunks = k / chunkOf(operation).columns;
  // 2 and 3 are undefined for m16n8k32; ptxas takes them where D is .f32 (measured).
  const most = chunks === 4 || (k === 32 && a === "f16" && d === "f32") ? 3 : chunks === 8 ? 1 : 0;
  const f: LiteralClass = { kind: "literal", bits: 32, least: 0, most };
  return { ...matrixOperands(operation), e: word, f };
}

const since = (variant: (typeof spvariant)[number], base: Since = { ptx: 71, sm: 80 }): Since =>
  variant === "sp" ? base : { ...base, ptx: Math.max(base.ptx, 85) };

const ones = { a: all(2, 0x3c00_3c00), b: all(2, 0x4400_4000), c: all(2, 0x3c00_3c00) } as const;

/** Two of four columns of A are there, and metadata says which. */
export const sparseMma: readonly Form[] = [
  form("mma.spvariant.sync.aligned.shape.row.col.dtype.f16.f16.ctype d, a, b, c, e, f", {
    where: { spvariant, shape: ["m16n8k16", "m16n8k32"], dtype: accumulators, ctype: accumulators },
    operands: ({ spvariant, shape, dtype }) => sparseOperands(sparseOf(spvariant, shape, "f16", "f16", dtype)),
    since: ({ spvariant }) => since(spvariant),
    conflict: (mods) => sameAccumulator(mods.dtype, mods.ctype),
    run: ({ spvariant, shape, dtype }) => ({
      shape: "multiply",
      op: sparseOf(spvariant, shape, "f16", "f16", dtype),
    }),
    check: [
      // Even rows of B are 2 and odd ones 4: 8 products with those at 0 and 2, then at 1 and 3.
      { ...ones, e: 0x8888_8888, f: 0, d: all(2, 0x4c40_4c40) },
      { ...ones, e: 0xdddd_dddd, f: 3, d: all(2, 0x5020_5020) },
    ],
    facts: [...sums, ...sparseFacts],
  }),
  form("mma.spvariant.sync.aligned.shape.row.col.f32.bf16.bf16.f32 d, a, b, c, e, f", {
    where: { spvariant, shape: ["m16n8k16", "m16n8k32"] },
    operands: ({ spvariant, shape }) => sparseOperands(sparseOf(spvariant, shape, "bf16", "bf16", "f32")),
    since: ({ spvariant }) => since(spvariant),
    run: ({ spvariant, shape }) => ({ shape: "multiply", op: sparseOf(spvariant, shape, "bf16", "bf16", "f32") }),
    check: [
      {
        a: all(2, 0x3f80_3f80),
        b: all(2, 0x4080_4000),
        c: all(4, 0x3f80_0000),
        e: 0x8888_8888,
        f: 0,
        d: all(4, 0x4188_0000),
      },
    ],
    facts: [...sums, ...sparseFacts],
  }),
  form("mma.spvariant.sync.aligned.shape.row.col.f32.tf32.tf32.f32 d, a, b, c, e, f", {
    where: { spvariant, shape: ["m16n8k8", "m16n8k16"] },
    operands: ({ spvariant, shape }) => sparseOperands(sparseOf(spvariant, shape, "tf32", "tf32", "f32")),
    since: ({ spvariant }) => since(spvariant),
    run: ({ spvariant, shape }) => ({ shape: "multiply", op: sparseOf(spvariant, shape, "tf32", "tf32", "f32") }),
    check: [
      {
        a: all(2, 0x3f80_0000),
        b: [0x4000_0000, 0x4080_0000],
        c: all(4, 0x3f80_0000),
        e: 0xe4e4_e4e4,
        f: 1,
        d: all(4, 0x4150_0000),
      },
    ],
    facts: [...sums, ...sparseFacts],
  }),
  form("mma.spvariant.sync.aligned.m16n8k64.row.col.dtype.atype.btype.ctype d, a, b, c, e, f", {
    where: { spvariant, dtype: ["f32", "f16"], atype: fp8, btype: fp8, ctype: ["f32", "f16"] },
    operands: ({ spvariant, atype, btype, dtype }) =>
      sparseOperands(sparseOf(spvariant, "m16n8k64", atype, btype, dtype)),
    since: ({ spvariant, dtype }) =>
      dtype === "f16" ? { ptx: 87, sm: 120, only: "f" } : since(spvariant, { ptx: 84, sm: 89 }),
    conflict: (mods) =>
      sameAccumulator(mods.dtype, mods.ctype) ??
      (mods.dtype === "f16" && mods.spvariant === "sp" ? ["sp", ".f16 as .dtype"] : undefined),
    run: ({ spvariant, atype, btype, dtype }) => ({
      shape: "multiply",
      op: sparseOf(spvariant, "m16n8k64", atype, btype, dtype),
    }),
    check: [
      {
        a: all(4, 0x3838_3838),
        b: all(4, 0x4038_4038),
        c: all(4, 0x3f80_0000),
        e: 0x8888_8888,
        f: 0,
        d: all(4, 0x4204_0000),
      },
    ],
    facts: [...sums, ...sparseFacts],
  }),
  form("mma.spvariant.sync.aligned.m16n8k64.row.col.kind.dtype.atype.btype.ctype d, a, b, c, e, f", {
    where: {
      spvariant: ["sp::ordered_metadata"],
      kind: ["kind::f8f6f4"],
      dtype: ["f32", "f16"],
      atype: fp8to4,
      btype: fp8to4,
      ctype: ["f32", "f16"],
    },
    operands: ({ spvariant, atype, btype, dtype }) =>
      sparseOperands(sparseOf(spvariant, "m16n8k64", atype, btype, dtype, { contained: true })),
    since: ({ atype, btype, dtype }) =>
      isNarrow(atype) || isNarrow(btype) || dtype === "f16"
        ? { ptx: 87, sm: 120, only: "f" }
        : { ptx: 86, sm: 100, only: "f" },
    conflict: (mods) => sameAccumulator(mods.dtype, mods.ctype),
    run: ({ spvariant, atype, btype, dtype }) => ({
      shape: "multiply",
      op: sparseOf(spvariant, "m16n8k64", atype, btype, dtype, { contained: true }),
    }),
    check: [
      {
        with: ["e2m1", "e2m1"],
        a: all(4, 0x0808_0808),
        b: all(4, 0x1008_1008),
        c: all(4, 0x3f80_0000),
        e: 0xdddd_dddd,
        f: 0,
        d: all(4, 0x4282_0000),
      },
    ],
    facts: [...sums, ...sparseFacts],
  }),
  form("mma.spvariant.sync.aligned.shape.row.col{.satfinite}.s32.atype.btype.s32 d, a, b, c, e, f", {
    where: { spvariant, shape: ["m16n8k32", "m16n8k64"], atype: eight, btype: eight },
    operands: ({ spvariant, shape, atype, btype }) => sparseOperands(sparseOf(spvariant, shape, atype, btype, "s32")),
    since: ({ spvariant }) => since(spvariant),
    run: ({ spvariant, shape, atype, btype, satfinite }) => ({
      shape: "multiply",
      op: sparseOf(spvariant, shape, atype, btype, "s32", satfinite ? { satfinite } : {}),
    }),
    check: [
      // 1 * 1 + 2 * 3 and 3 * 1 + 4 * 3, four times.
      { a: all(2, 0x0403_0201), b: all(2, 0x0403_0201), c: all(4, 1), e: 0x8888_8888, f: 1, d: all(4, 89) },
    ],
    facts: [...integers, ...metadataFacts],
  }),
  form("mma.spvariant.sync.aligned.shape.row.col{.satfinite}.s32.atype.btype.s32 d, a, b, c, e, f", {
    where: { spvariant, shape: ["m16n8k64", "m16n8k128"], atype: four, btype: four },
    operands: ({ spvariant, shape, atype, btype }) => sparseOperands(sparseOf(spvariant, shape, atype, btype, "s32")),
    since: ({ spvariant }) => since(spvariant),
    run: ({ spvariant, shape, atype, btype, satfinite }) => ({
      shape: "multiply",
      op: sparseOf(spvariant, shape, atype, btype, "s32", satfinite ? { satfinite } : {}),
    }),
    check: [
      // The first two pairs of each eight: 1 + 2 + 3 + 4, eight times.
      { a: all(2, 0x1111_1111), b: all(2, 0x8765_4321), c: all(4, 1), e: 0x4444_4444, f: 0, d: all(4, 81) },
    ],
    facts: [...integers, ...metadataFacts],
  }),
];
