import type { MatrixOperation } from "../../numeric/operation/matrix.ts";
import { of } from "../form/classes.ts";
import { type Form, form, type Since, unspecified } from "../form/define.ts";
import type { VectorClass } from "../form/operands.ts";
import { all, matrixOperands, sizesOf, word } from "./matrix-operands.ts";
import { scaleFacts, sparseFacts, sums } from "./mma-facts.ts";
import { sparseOperands } from "./mma-sparse.ts";

const fp8to4 = ["e4m3", "e5m2", "e3m2", "e2m3", "e2m1"] as const;
type Vector = 1 | 2 | 4;
const vectors = { "scale_vec::1X": 1, "scale_vec::2X": 2, "scale_vec::4X": 4 } as const;

/** Elements of 8, 6 and 4 bits in bytes; a sparse A has twice the columns. */
const eights = (
  sparse: boolean,
  { atype, btype }: { readonly atype: MatrixOperation["a"]; readonly btype: MatrixOperation["b"] },
): MatrixOperation => ({
  ...sizesOf(sparse ? "m16n8k64" : "m16n8k32"),
  a: atype,
  b: btype,
  c: "f32",
  d: "f32",
  by: "mma",
  contained: true,
  scale: { kind: "mxf8f6f4", type: "ue8m0", vector: 1 },
  ...(sparse && { sparse: { sorted: true } }),
});

/** Elements of 4 bits. */
const fours = (sparse: boolean, vector: 2 | 4, type: "ue8m0" | "ue4m3"): MatrixOperation => ({
  ...sizesOf(sparse ? "m16n8k128" : "m16n8k64"),
  a: "e2m1",
  b: "e2m1",
  c: "f32",
  d: "f32",
  by: "mma",
  scale: { kind: "mxf4", type, vector },
  ...(sparse && { sparse: { sorted: true } }),
});

/** `{byte-id, thread-id}`: numbers of 16 bits, or constants within table 40 (PTX ISA, Block Scaling for mma.sync). */
const selectors = (vector: Vector, mostThread: 1 | 3): VectorClass => ({
  kind: "vector",
  count: 2,
  of: of("u16"),
  each: [
    of("u16", { least: 0, most: 4 - vector, ...(vector === 2 && { multiple: 2 }) }),
    of("u16", { least: 0, most: mostThread }),
  ],
});

const scales = (vector: Vector) => ({
  sa: word,
  ia: selectors(vector, 1),
  sb: word,
  ib: selectors(vector, 3),
});

const family = { ptx: 87, sm: 120, only: "f" } as const;
/**
 * Sparse A of 4-bit elements: not for the family, only for the target itself (measured; the page of mma.sp says so,
 * too).
 */
const exact = { ptx: 87, sm: 120, only: "a" } as const;
const scaled = [...sums, ...scaleFacts, unspecified("infinities and NaN with scales; a NaN scale makes D NaN")];

interface Scaled {
  readonly scale_vec_size: "scale_vec::2X" | "scale_vec::4X";
  readonly stype: "ue8m0" | "ue4m3";
}

/** Scales of .ue4m3 are for 16 elements each, those of .ue8m0 for 32, and since PTX 9.1 also for 16 (Table 45). */
const scaleTypes = ({ scale_vec_size, stype }: Scaled): readonly [string, string] | undefined =>
  scale_vec_size === "scale_vec::2X" && stype === "ue4m3" ? [scale_vec_size, `.${stype}`] : undefined;

const sinceScaled = (base: Since, { scale_vec_size, stype }: Scaled): Since =>
  scale_vec_size === "scale_vec::4X" && stype === "ue8m0" ? { ...base, ptx: 91 } : base;

/** mma and mma.sp with .block_scale: D = (A * scale_A) * (B * scale_B) + C. */
export const scaledMma: readonly Form[] = [
  form(
    "mma.sync.aligned.m16n8k32.row.col.kind.block_scale{.scale_vec_size}.f32.atype.btype.f32.ue8m0 d, a, b, c, sa, ia, sb, ib",
    {
      where: {
        kind: ["kind::mxf8f6f4"],
        scale_vec_size: ["scale_vec::1X"],
        atype: fp8to4,
        btype: fp8to4,
      },
      operands: (mods) => ({ ...matrixOperands(eights(false, mods)), ...scales(1) }),
      since: family,
      run: (mods) => ({ shape: "multiply", op: eights(false, mods) }),
      check: [
        // 32 products of 1 and 2, times 2.
        {
          a: all(4, 0x3838_3838),
          b: all(2, 0x4040_4040),
          c: all(4, 0x3f80_0000),
          sa: 0x0080_0000,
          ia: [2, 1],
          sb: 0x7f00_0000,
          ib: [3, 2],
          d: all(4, 0x4301_0000),
        },
      ],
      facts: scaled,
    },
  ),
  form(
    "mma.sync.aligned.m16n8k64.row.col.kind.block_scale{.scale_vec_size}.f32.e2m1.e2m1.f32.ue8m0 d, a, b, c, sa, ia, sb, ib",
    {
      where: { kind: ["kind::mxf4"], scale_vec_size: ["scale_vec::2X"] },
      operands: () => ({ ...matrixOperands(fours(false, 2, "ue8m0")), ...scales(2) }),
      since: family,
      run: () => ({ shape: "multiply", op: fours(false, 2, "ue8m0") }),
      check: [
        // 32 products of 1 and 2, and 32 times 2.
        {
          a: all(4, 0x2222_2222),
          b: all(2, 0x4444_4444),
          c: all(4, 0x3f80_0000),
          sa: 0x0000_807f,
          ia: [0, 0],
          sb: 0x7f7f_0000,
          ib: [2, 3],
          d: all(4, 0x4341_0000),
        },
      ],
      facts: scaled,
    },
  ),
  form(
    "mma.sync.aligned.m16n8k64.row.col.kind.block_scale.scale_vec_size.f32.e2m1.e2m1.f32.stype d, a, b, c, sa, ia, sb, ib",
    {
      where: {
        kind: ["kind::mxf4nvf4"],
        scale_vec_size: ["scale_vec::2X", "scale_vec::4X"],
        stype: ["ue8m0", "ue4m3"],
      },
      operands: ({ scale_vec_size, stype }) => ({
        ...matrixOperands(fours(false, vectors[scale_vec_size], stype)),
        ...scales(vectors[scale_vec_size]),
      }),
      since: (mods) => sinceScaled(family, mods),
      conflict: scaleTypes,
      run: ({ scale_vec_size, stype }) => ({
        shape: "multiply",
        op: fours(false, vectors[scale_vec_size], stype),
      }),
      check: [
        {
          a: all(4, 0x2222_2222),
          b: all(2, 0x4444_4444),
          c: all(4, 0x3f80_0000),
          sa: 0x0000_807f,
          ia: [0, 0],
          sb: 0x7f7f_0000,
          ib: [2, 3],
          d: all(4, 0x4341_0000),
        },
        {
          with: ["scale_vec::4X", "ue4m3"],
          a: all(4, 0x2222_2222),
          b: all(2, 0x4444_4444),
          c: all(4, 0x3f80_0000),
          sa: 0x4038_3838,
          ia: [0, 1],
          sb: 0x3838_3838,
          ib: [0, 0],
          d: all(4, 0x4321_0000),
        },
        // 16 products of 1 and 2 each times 1, 2, 4 and 8, and 1.
        {
          with: ["scale_vec::4X"],
          a: all(4, 0x2222_2222),
          b: all(2, 0x4444_4444),
          c: all(4, 0x3f80_0000),
          sa: 0x8281_807f,
          ia: [0, 1],
          sb: 0x7f7f_7f7f,
          ib: [0, 3],
          d: all(4, 0x43f0_8000),
        },
      ],
      facts: scaled,
    },
  ),
  form(
    "mma.spvariant.sync.aligned.m16n8k64.row.col.kind.block_scale{.scale_vec_size}.f32.atype.btype.f32.ue8m0 d, a, b, c, e, f, sa, ia, sb, ib",
    {
      where: {
        spvariant: ["sp::ordered_metadata"],
        kind: ["kind::mxf8f6f4"],
        scale_vec_size: ["scale_vec::1X"],
        atype: fp8to4,
        btype: fp8to4,
      },
      operands: (mods) => ({ ...sparseOperands(eights(true, mods)), ...scales(1) }),
      since: family,
      run: (mods) => ({ shape: "multiply", op: eights(true, mods) }),
      check: [
        {
          a: all(4, 0x3838_3838),
          b: all(4, 0x4038_4038),
          c: all(4, 0x3f80_0000),
          e: 0xdddd_dddd,
          f: 0,
          sa: 0x0080_0000,
          ia: [2, 1],
          sb: 0x7f00_0000,
          ib: [3, 2],
          d: all(4, 0x4301_0000),
        },
      ],
      facts: [...scaled, ...sparseFacts],
    },
  ),
  form(
    "mma.spvariant.sync.aligned.m16n8k128.row.col.kind.block_scale{.scale_vec_size}.f32.e2m1.e2m1.f32.ue8m0 d, a, b, c, e, f, sa, ia, sb, ib",
    {
      where: {
        spvariant: ["sp::ordered_metadata"],
        kind: ["kind::mxf4"],
        scale_vec_size: ["scale_vec::2X"],
      },
      operands: () => ({ ...sparseOperands(fours(true, 2, "ue8m0")), ...scales(2) }),
      since: exact,
      run: () => ({ shape: "multiply", op: fours(true, 2, "ue8m0") }),
      check: [
        {
          a: all(4, 0x2222_2222),
          b: all(4, 0x4422_4422),
          c: all(4, 0x3f80_0000),
          e: 0xdddd_dddd,
          f: 0,
          sa: 0x0000_807f,
          ia: [0, 0],
          sb: 0x7f7f_0000,
          ib: [2, 3],
          d: all(4, 0x4341_0000),
        },
      ],
      facts: [...scaled, ...sparseFacts],
    },
  ),
  form(
    "mma.spvariant.sync.aligned.m16n8k128.row.col.kind.block_scale.scale_vec_size.f32.e2m1.e2m1.f32.stype d, a, b, c, e, f, sa, ia, sb, ib",
    {
      where: {
        spvariant: ["sp::ordered_metadata"],
        kind: ["kind::mxf4nvf4"],
        scale_vec_size: ["scale_vec::2X", "scale_vec::4X"],
        stype: ["ue8m0", "ue4m3"],
      },
      operands: ({ scale_vec_size, stype }) => ({
        ...sparseOperands(fours(true, vectors[scale_vec_size], stype)),
        ...scales(vectors[scale_vec_size]),
      }),
      since: (mods) => sinceScaled(exact, mods),
      conflict: scaleTypes,
      run: ({ scale_vec_size, stype }) => ({
        shape: "multiply",
        op: fours(true, vectors[scale_vec_size], stype),
      }),
      check: [
        {
          with: ["scale_vec::4X", "ue4m3"],
          a: all(4, 0x2222_2222),
          b: all(4, 0x4422_4422),
          c: all(4, 0x3f80_0000),
          e: 0xdddd_dddd,
          f: 0,
          sa: 0x4038_3838,
          ia: [0, 1],
          sb: 0x3838_3838,
          ib: [0, 0],
          d: all(4, 0x4321_0000),
        },
        {
          with: ["scale_vec::4X"],
          a: all(4, 0x2222_2222),
          b: all(4, 0x4422_4422),
          c: all(4, 0x3f80_0000),
          e: 0xdddd_dddd,
          f: 0,
          sa: 0x8281_807f,
          ia: [0, 1],
          sb: 0x7f7f_7f7f,
          ib: [0, 3],
          d: all(4, 0x43f0_8000),
        },
      ],
      facts: [...scaled, ...sparseFacts],
    },
  ),
];
