import type { MatrixOperation } from "../../numeric/operation/matrix.ts";
import { bringing } from "../form/bringing.ts";
import { type Conflict, type Form, form } from "../form/define.ts";
import { all, matrixOperands, sizesOf } from "./matrix-operands.ts";
import { doubles, integers, sums } from "./mma-facts.ts";

/** D has C's type. */
export const sameAccumulator = (dtype: string, ctype: string): Conflict | undefined =>
  dtype === ctype ? undefined : ["", `.dtype .${dtype} and .ctype .${ctype}`];

type Accumulator = "f16" | "f32";

/** m8n8k4 of .f16 is four products at once, by eight threads each. */
const quadPairs = (a: "row" | "col", b: "row" | "col", d: Accumulator, c: Accumulator): MatrixOperation => ({
  m: 8,
  n: 8,
  k: 4,
  a: "f16",
  b: "f16",
  c,
  d,
  by: "mma",
  quadPairs: { a, b },
});

const accumulators = ["f16", "f32"] as const;

const of = (
  shape: string,
  a: MatrixOperation["a"],
  b: MatrixOperation["b"],
  accumulator: MatrixOperation["c"],
  more: Partial<MatrixOperation> = {},
): MatrixOperation => ({ ...sizesOf(shape), a, b, c: accumulator, d: accumulator, by: "mma", ...more });

const eight = ["s8", "u8"] as const;
const four = ["s4", "u4"] as const;
const fp8 = ["e4m3", "e5m2"] as const;
const fp8to4 = ["e4m3", "e5m2", "e3m2", "e2m3", "e2m1"] as const;
/** Of eight rows: the shapes of sm_75. */
const isSmall = (shape: string): boolean => sizesOf(shape).m === 8;
const isNarrow = (type: string): boolean => type === "e3m2" || type === "e2m3" || type === "e2m1";

/** Matrices in the registers of a warp, without scales and with a dense A. */
export const mma: readonly Form[] = [
  form("mma.sync.aligned.m8n8k4.alayout.blayout.dtype.f16.f16.ctype d, a, b, c", {
    where: {
      alayout: ["row", "col"],
      blayout: ["row", "col"],
      dtype: accumulators,
      ctype: accumulators,
    },
    operands: ({ alayout, blayout, dtype, ctype }) => matrixOperands(quadPairs(alayout, blayout, dtype, ctype)),
    since: { ptx: 64, sm: 70 },
    conflict: ({ dtype, ctype }) => (ctype === "f32" ? sameAccumulator(dtype, ctype) : undefined),
    run: ({ alayout, blayout, dtype, ctype }) => ({
      shape: "multiply",
      op: quadPairs(alayout, blayout, dtype, ctype),
    }),
    check: [
      {
        with: ["col", "row", "f32", "f16"],
        a: all(2, 0x3c00_3c00),
        b: all(2, 0x4000_4000),
        c: all(4, 0x3c00_3c00),
        d: all(8, 0x4110_0000),
      },
    ],
    facts: sums,
  }),
  form("mma.sync.aligned.shape.row.col.dtype.f16.f16.ctype d, a, b, c", {
    where: { shape: ["m16n8k16", "m16n8k8"], dtype: accumulators, ctype: accumulators },
    operands: ({ shape, dtype }) => matrixOperands(of(shape, "f16", "f16", dtype)),
    since: bringing({ ptx: 65, sm: 75 }, { m16n8k16: { ptx: 70, sm: 80 } }),
    conflict: ({ dtype, ctype }) => sameAccumulator(dtype, ctype),
    run: ({ shape, dtype }) => ({ shape: "multiply", op: of(shape, "f16", "f16", dtype) }),
    // 16 products of 1 and 2, and 1.
    check: [{ a: all(4, 0x3c00_3c00), b: all(2, 0x4000_4000), c: all(2, 0x3c00_3c00), d: all(2, 0x5020_5020) }],
    facts: sums,
  }),
  form("mma.sync.aligned.shape.row.col.f32.bf16.bf16.f32 d, a, b, c", {
    where: {
      shape: ["m16n8k16", "m16n8k8"],
    },
    operands: ({ shape }) => matrixOperands(of(shape, "bf16", "bf16", "f32")),
    since: { ptx: 70, sm: 80 },
    run: ({ shape }) => ({ shape: "multiply", op: of(shape, "bf16", "bf16", "f32") }),
    check: [{ a: all(4, 0x3f80_3f80), b: all(2, 0x4000_4000), c: all(4, 0x3f80_0000), d: all(4, 0x4204_0000) }],
    facts: sums,
  }),
  form("mma.sync.aligned.shape.row.col.f32.tf32.tf32.f32 d, a, b, c", {
    where: {
      shape: ["m16n8k8", "m16n8k4"],
    },
    operands: ({ shape }) => matrixOperands(of(shape, "tf32", "tf32", "f32")),
    since: { ptx: 70, sm: 80 },
    run: ({ shape }) => ({ shape: "multiply", op: of(shape, "tf32", "tf32", "f32") }),
    check: [{ a: all(4, 0x3f80_0000), b: all(2, 0x4000_0000), c: all(4, 0x3f80_0000), d: all(4, 0x4188_0000) }],
    facts: sums,
  }),
  form("mma.sync.aligned.shape.row.col.dtype.atype.btype.ctype d, a, b, c", {
    where: {
      shape: ["m16n8k32", "m16n8k16"],
      dtype: accumulators,
      atype: fp8,
      btype: fp8,
      ctype: accumulators,
    },
    operands: ({ shape, atype, btype, dtype }) => matrixOperands(of(shape, atype, btype, dtype)),
    since: bringing({ ptx: 84, sm: 89 }, { m16n8k16: { ptx: 87, sm: 89 }, f16: { ptx: 87, sm: 89 } }),
    conflict: (mods) => sameAccumulator(mods.dtype, mods.ctype),
    run: ({ shape, atype, btype, dtype }) => ({ shape: "multiply", op: of(shape, atype, btype, dtype) }),
    check: [{ a: all(4, 0x3838_3838), b: all(2, 0x4040_4040), c: all(2, 0x3c00_3c00), d: all(2, 0x5410_5410) }],
    facts: sums,
  }),
  form("mma.sync.aligned.shape.row.col.kind.dtype.atype.btype.ctype d, a, b, c", {
    where: {
      shape: ["m16n8k32", "m16n8k16"],
      kind: ["kind::f8f6f4"],
      dtype: accumulators,
      atype: fp8to4,
      btype: fp8to4,
      ctype: accumulators,
    },
    operands: ({ shape, atype, btype, dtype }) => matrixOperands(of(shape, atype, btype, dtype, { contained: true })),
    since: ({ shape, atype, btype, dtype }) =>
      isNarrow(atype) || isNarrow(btype)
        ? { ptx: 87, sm: 120, only: "f" }
        : { ptx: sizesOf(shape).k === 16 || dtype === "f16" ? 87 : 86, sm: 100, only: "f" },
    conflict: (mods) => {
      const narrow = [mods.atype, mods.btype].find(isNarrow);
      if (narrow !== undefined && sizesOf(mods.shape).k === 16) return [narrow, mods.shape];
      return sameAccumulator(mods.dtype, mods.ctype);
    },
    run: ({ shape, atype, btype, dtype }) => ({
      shape: "multiply",
      op: of(shape, atype, btype, dtype, { contained: true }),
    }),
    check: [
      // 1 as .e2m1 lies in bits 2 to 5 of a byte, 2 as .e3m2 in the low six; the rest is padding.
      {
        with: ["f16", "e2m1", "e3m2"],
        a: all(4, 0xcb08_0808),
        b: all(2, 0xd010_1010),
        c: all(2, 0x3c00_3c00),
        d: all(2, 0x5410_5410),
      },
    ],
    facts: sums,
  }),
  form("mma.sync.aligned.shape.row.col{.rnd}.f64.f64.f64.f64 d, a, b, c", {
    where: {
      shape: ["m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"],
      rnd: ["rn", "rz", "rm", "rp"],
    },
    operands: ({ shape }) => matrixOperands(of(shape, "f64", "f64", "f64")),
    since: ({ shape }) => (isSmall(shape) ? { ptx: 70, sm: 80 } : { ptx: 78, sm: 90 }),
    run: ({ shape, rnd = "rn" }) => ({ shape: "multiply", op: of(shape, "f64", "f64", "f64", { rounding: rnd }) }),
    check: [
      {
        a: [0x3ff0_0000_0000_0000n],
        b: [0x4000_0000_0000_0000n],
        c: all(2, 0x3ff0_0000_0000_0000n),
        d: all(2, 0x4022_0000_0000_0000n),
      },
    ],
    facts: doubles,
  }),
  form("mma.sync.aligned.shape.row.col{.satfinite}.s32.atype.btype.s32 d, a, b, c", {
    where: {
      shape: ["m8n8k16", "m16n8k16", "m16n8k32"],
      atype: eight,
      btype: eight,
    },
    operands: ({ shape, atype, btype }) => matrixOperands(of(shape, atype, btype, "s32")),
    since: ({ shape }) => (isSmall(shape) ? { ptx: 65, sm: 75 } : { ptx: 70, sm: 80 }),
    run: ({ shape, atype, btype, satfinite }) => ({
      shape: "multiply",
      op: of(shape, atype, btype, "s32", satfinite ? { satfinite } : {}),
    }),
    check: [
      // 1 - 2 + 3 - 4 in each of four threads.
      { a: [0x0403_0201], b: [0xff01_ff01], c: all(2, 10), d: all(2, 2) },
      { a: [0x0101_0101], b: [0x0101_0101], c: all(2, 0x7fff_ffff), d: all(2, 0x8000_000f) },
      { with: ["satfinite"], a: [0x0101_0101], b: [0x0101_0101], c: all(2, 0x7fff_ffff), d: all(2, 0x7fff_ffff) },
    ],
    facts: integers,
  }),
  form("mma.sync.aligned.shape.row.col{.satfinite}.s32.atype.btype.s32 d, a, b, c", {
    where: {
      shape: ["m8n8k32", "m16n8k32", "m16n8k64"],
      atype: four,
      btype: four,
    },
    operands: ({ shape, atype, btype }) => matrixOperands(of(shape, atype, btype, "s32")),
    since: ({ shape }) => (isSmall(shape) ? { ptx: 65, sm: 75 } : { ptx: 70, sm: 80 }),
    run: ({ shape, atype, btype, satfinite }) => ({
      shape: "multiply",
      op: of(shape, atype, btype, "s32", satfinite ? { satfinite } : {}),
    }),
    check: [
      // 1 + 2 + ... + 7 - 8 in each of four threads.
      { a: [0x8765_4321], b: [0x1111_1111], c: all(2, 1), d: all(2, 81) },
      { with: ["u4"], a: [0x8765_4321], b: [0x1111_1111], c: all(2, 1), d: all(2, 145) },
    ],
    facts: integers,
  }),
  form("mma.sync.aligned.shape.row.col.s32.b1.b1.s32.bitOp.popc d, a, b, c", {
    where: {
      shape: ["m8n8k128", "m16n8k128", "m16n8k256"],
      bitOp: ["xor", "and"],
    },
    operands: ({ shape, bitOp }) => matrixOperands(of(shape, "b1", "b1", "s32", { bits: bitOp })),
    since: ({ shape, bitOp }) => (bitOp === "and" ? { ptx: 71, sm: 80 } : { ptx: 70, sm: isSmall(shape) ? 75 : 80 }),
    run: ({ shape, bitOp }) => ({ shape: "multiply", op: of(shape, "b1", "b1", "s32", { bits: bitOp }) }),
    check: [
      { a: [0xffff_ffff], b: [0x0000_ffff], c: all(2, 1), d: all(2, 65) },
      { with: ["and"], a: [0xffff_ffff], b: [0x0000_00ff], c: all(2, 1), d: all(2, 33) },
    ],
    facts: integers,
  }),
];
