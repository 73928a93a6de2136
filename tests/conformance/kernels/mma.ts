import { expect } from "vitest";
import type { Check, Checks } from "./gpu.ts";
import { draw, inColumns, inRows, type Kind, type Matrix, matrix, multiplyAdd, pack, unpack } from "./numbers.ts";
import { type RealKind, real, realCodes } from "./real.ts";

type Out = "f32" | "f16" | "s32" | "f64";

/** A in rows and B in columns, as K lies in memory. */
interface Operands {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly c: Matrix;
}
const operands = (m: number, k: number, left: Kind, right: Kind, out: Out): Operands => ({
  a: matrix(m, k, draw(m * k, left, 1)),
  b: matrix(k, 8, draw(k * 8, right, 2)),
  c: matrix(m, 8, draw(m * 8, out, 3)),
});

/** One warp: D = A * B + C with `m` rows, 8 columns and `k` along K, which takes the kernel several steps. */
const product =
  (kernel: string, m: number, k: number, left: Kind, right: Kind, out: Out): Check =>
  (gpu) => {
    const { a, b, c } = operands(m, k, left, right, out);
    const result = gpu.buffer(pack(inRows(c).fill(-1), out));
    const bytes = pack(inRows(a), left);
    const args = [
      gpu.buffer(bytes),
      gpu.buffer(pack(inColumns(b), right)),
      gpu.buffer(pack(inRows(c), out)),
      result,
      left === "f64" ? k : bytes.length / m / 4,
    ];
    gpu.launch(kernel, { block: 32, args });
    expect(unpack(result.read(), out)).toEqual(inRows(multiplyAdd(a, b, c)));
  };

/** The same of numbers with a fraction: the bits are those of the model of the target. */
const fractions =
  (kernel: string, m: number, k: number, kind: RealKind, out: "f32" | "f16"): Check =>
  (gpu) => {
    const a = realCodes(m * k, kind, 1);
    const c = realCodes(m * 8, out, 3);
    const result = gpu.buffer(c.length);
    const sources = [a, realCodes(k * 8, kind, 2), c].map((bytes) => gpu.buffer(bytes));
    gpu.launch(kernel, { block: 32, args: [...sources, result, a.length / m / 4] });
    real(kernel, gpu.sm).holds(result.read());
  };

/** Kernels that the model has values for. */
const modelled = new Set(
  "mma_f16 mma_f16_k8 mma_f16_f16 mma_bf16 mma_bf16_k8 mma_tf32 mma_tf32_k4 mma_e4m3 mma_e5m2 mma_e4m3_f16".split(" "),
);

type Row = readonly [m: number, k: number, left: Kind, right: Kind, out: Out];
const products = (table: Readonly<Record<string, Row>>): Checks =>
  Object.fromEntries(
    Object.entries(table).map(([kernel, [m, k, left, right, out]]) => {
      const exact = product(kernel, m, k, left, right, out);
      if (!modelled.has(kernel)) return [kernel, exact];
      const inexact = fractions(kernel, m, k, left as RealKind, out as "f32" | "f16");
      return [kernel, (gpu) => [exact, inexact].forEach((check) => void check(gpu))];
    }),
  );

export const mma_float: Checks = {
  ...products({
    mma_f16: [16, 48, "f16", "f16", "f32"],
    mma_f16_k8: [16, 24, "f16", "f16", "f32"],
    mma_f16_f16: [16, 32, "f16", "f16", "f16"],
    mma_f16_f16_k8: [16, 16, "f16", "f16", "f16"],
    mma_bf16: [16, 48, "bf16", "bf16", "f32"],
    mma_bf16_k8: [16, 24, "bf16", "bf16", "f32"],
    mma_tf32: [16, 24, "tf32", "tf32", "f32"],
    mma_tf32_k4: [16, 12, "tf32", "tf32", "f32"],
  }),
  mma_quads: (gpu) => {
    const each = [0, 1, 2, 3].map((quad) => ({
      a: matrix(8, 4, draw(32, "f16", quad + 1)),
      b: matrix(4, 8, draw(32, "f16", quad + 11)),
      c: matrix(8, 8, draw(64, "f32", quad + 21)),
    }));
    const result = gpu.buffer(4 * 64 * 4);
    const args = [
      gpu.buffer(pack(each.flatMap(({ a }) => inRows(a)), "f16")), // biome-ignore format: one thing
      gpu.buffer(pack(each.flatMap(({ b }) => inColumns(b)), "f16")), // biome-ignore format: one thing
      gpu.buffer(pack(each.flatMap(({ c }) => inRows(c)), "f32")), // biome-ignore format: one thing
      result,
    ];
    gpu.launch("mma_quads", { block: 32, args });
    expect(unpack(result.read(), "f32")).toEqual(each.flatMap(({ a, b, c }) => inRows(multiplyAdd(a, b, c))));
  },
};

export const mma_double: Checks = products({
  mma_f64: [8, 12, "f64", "f64", "f64"],
  mma_f64_k4: [16, 8, "f64", "f64", "f64"],
  mma_f64_k8: [16, 16, "f64", "f64", "f64"],
  mma_f64_k16: [16, 32, "f64", "f64", "f64"],
});

/** Single bits: both set, or different. */
const bits =
  (kernel: string, m: number, k: number, meet: (x: number, y: number) => number): Check =>
  (gpu) => {
    const { a, b, c } = operands(m, k, "b1", "b1", "s32");
    const result = gpu.buffer(m * 8 * 4);
    const sources = [pack(inRows(a), "b1"), pack(inColumns(b), "b1"), pack(inRows(c), "s32")];
    gpu.launch(kernel, { block: 32, args: [...sources.map((bytes) => gpu.buffer(bytes)), result, k / 32] });
    const expected = inRows(c).map((sum, at) => {
      for (let i = 0; i < k; i++) sum += meet(a.at(at >> 3, i), b.at(i, at & 7));
      return sum;
    });
    expect(unpack(result.read(), "s32")).toEqual(expected);
  };

export const mma_int: Checks = {
  ...products({
    mma_s8: [16, 96, "s8", "s8", "s32"],
    mma_u8_s8: [16, 64, "u8", "s8", "s32"],
    mma_s8_k16: [16, 48, "s8", "u8", "s32"],
    mma_s8_small: [8, 48, "s8", "s8", "s32"],
    mma_s4: [16, 192, "s4", "s4", "s32"],
    mma_u4_s4: [16, 96, "u4", "s4", "s32"],
    mma_s4_small: [8, 96, "s4", "u4", "s32"],
  }),
  // C is so large that .satfinite has to hold it.
  mma_u8_full: (gpu) => {
    const { a, b } = operands(16, 64, "u8", "u8", "s32");
    const c = matrix(16, 8, draw(128, "s32", 3).map((x) => (x > 0 ? 2 ** 31 - x * 1000 : x * 2 ** 28))); // biome-ignore format: one thing
    const result = gpu.buffer(16 * 8 * 4);
    const sources = [pack(inRows(a), "u8"), pack(inColumns(b), "u8"), pack(inRows(c), "s32")];
    gpu.launch("mma_u8_full", { block: 32, args: [...sources.map((bytes) => gpu.buffer(bytes)), result, 16] });
    // Two steps, each held in range.
    const half = (k: number) => [matrix(16, 32, inRows({ ...a, columns: 32, at: (i, j) => a.at(i, j + k) })), matrix(32, 8, inRows({ ...b, rows: 32, at: (i, j) => b.at(i + k, j) }))] as const; // biome-ignore format: one thing
    const hold = ({ rows, columns, at }: Matrix): Matrix => ({ rows, columns, at: (i, j) => Math.min(at(i, j), 2 ** 31 - 1) }); // biome-ignore format: one thing
    const first = hold(multiplyAdd(...half(0), c));
    expect(unpack(result.read(), "s32")).toEqual(inRows(hold(multiplyAdd(...half(32), first))));
  },
  mma_xor: bits("mma_xor", 16, 512, (x, y) => x ^ y),
  mma_and: bits("mma_and", 16, 512, (x, y) => x & y),
  mma_and_k128: bits("mma_and_k128", 16, 256, (x, y) => x & y),
  mma_xor_small: bits("mma_xor_small", 8, 256, (x, y) => x ^ y),
};

export const mma_fp8: Checks = products({
  mma_e4m3: [16, 96, "e4m3", "e4m3", "f32"],
  mma_e5m2_e4m3: [16, 64, "e5m2", "e4m3", "f32"],
  mma_e5m2: [16, 64, "e5m2", "e5m2", "f32"],
  mma_e4m3_k16: [16, 48, "e4m3", "e5m2", "f32"],
  mma_e4m3_f16: [16, 64, "e4m3", "e4m3", "f16"],
  mma_e5m2_f16_k16: [16, 32, "e5m2", "e5m2", "f16"],
});

interface Scaled {
  readonly left: Kind;
  readonly right: Kind;
  /** Columns of a step, and blocks of it that have a scale each. */
  readonly step: number;
  readonly blocks: number;
  readonly scale: "ue8m0" | "ue4m3";
}

/** Each block of a row of A and of a column of B is multiplied by a scale, a power of two (ue4m3: or 1.5 times one). */
const scaled =
  (kernel: string, { left, right, step, blocks, scale }: Scaled): Check =>
  (gpu) => {
    const k = step * 2;
    const { a, b, c } = operands(16, k, left, right, "f32");
    const [values, codes] = scale === "ue8m0" ? [[0.5, 1, 2, 4], [126, 127, 128, 129]] : [[0.5, 1, 1.5, 3], [0x30, 0x38, 0x3c, 0x44]]; // biome-ignore format: one thing
    const pick = (rows: number, seed: number) => draw(rows * 2 * blocks, "u4", seed).map((x) => x % 4);
    const [ofA, ofB] = [pick(16, 4), pick(8, 5)];
    const block = step / blocks;
    const scaleOf = (picked: number[], row: number, i: number) =>
      values![picked[row * 2 * blocks + Math.floor(i / block)]!]!;
    const result = gpu.buffer(16 * 8 * 4);
    const bytes = pack(inRows(a), left);
    const sources = [
      bytes,
      pack(inColumns(b), right),
      Uint8Array.from(ofA, (i) => codes![i]!),
      Uint8Array.from(ofB, (i) => codes![i]!),
      pack(inRows(c), "f32"),
    ];
    const args = [...sources.map((source) => gpu.buffer(source)), result, bytes.length / 64];
    gpu.launch(kernel, { block: 32, args });
    const times: Operands = {
      a: { ...a, at: (row, i) => a.at(row, i) * scaleOf(ofA, row, i) },
      b: { ...b, at: (i, column) => b.at(i, column) * scaleOf(ofB, column, i) },
      c,
    };
    expect(unpack(result.read(), "f32")).toEqual(inRows(multiplyAdd(times.a, times.b, c)));
  };

export const mma_narrow: Checks = {
  ...products({
    mma_e3m2: [16, 64, "e3m2", "e3m2", "f32"],
    mma_e2m3_e4m3: [16, 64, "e2m3", "e4m3", "f32"],
    mma_e2m1_e5m2: [16, 64, "e2m1c", "e5m2", "f32"],
    mma_e2m1_f16: [16, 64, "e2m1c", "e2m3", "f16"],
  }),
  mma_mxf8: scaled("mma_mxf8", { left: "e4m3", right: "e4m3", step: 32, blocks: 1, scale: "ue8m0" }),
  mma_mxf6: scaled("mma_mxf6", { left: "e3m2", right: "e2m1c", step: 32, blocks: 1, scale: "ue8m0" }),
  mma_mxf4: scaled("mma_mxf4", { left: "e2m1", right: "e2m1", step: 64, blocks: 2, scale: "ue8m0" }),
  mma_nvf4: scaled("mma_nvf4", { left: "e2m1", right: "e2m1", step: 64, blocks: 4, scale: "ue4m3" }),
  mma_nvf4_2x: scaled("mma_nvf4_2x", { left: "e2m1", right: "e2m1", step: 64, blocks: 2, scale: "ue8m0" }),
};
