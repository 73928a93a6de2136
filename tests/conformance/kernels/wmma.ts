import { expect } from "vitest";
import type { Check, Checks } from "./gpu.ts";
import { draw, inColumns, inRows, type Kind, matrix, multiplyAdd, pack, unpack } from "./numbers.ts";

interface Shape {
  /** Of one tile; the product has two tiles each way, and three along K. */
  readonly tile: readonly [m: number, n: number, k: number];
  readonly in: Kind;
  readonly out: "f32" | "f16" | "s32" | "f64";
  /** In rows or in columns. */
  readonly a?: "col";
  readonly b?: "col";
  readonly c?: "col";
}

/** D = A * B + C by one warp a tile. */
const product =
  (kernel: string, { tile: [m, n, k], in: kind, out, a, b, c }: Shape): Check =>
  (gpu) => {
    const [rows, columns, inner] = [m * 2, n * 2, k * 3];
    const left = matrix(rows, inner, draw(rows * inner, kind, 1));
    const right = matrix(inner, columns, draw(inner * columns, kind, 2));
    const plus = matrix(rows, columns, draw(rows * columns, out, 3));
    const order = (way: "col" | undefined) => (way ? inColumns : inRows);
    const result = gpu.buffer(pack(inRows(plus).fill(-1), out));
    const args = [
      gpu.buffer(pack(order(a)(left), kind)),
      gpu.buffer(pack(order(b)(right), kind)),
      gpu.buffer(pack(order(c)(plus), out)),
      result,
      rows,
      columns,
      inner,
    ];
    gpu.launch(kernel, { grid: [2, 2], block: 32, args });
    expect(unpack(result.read(), out)).toEqual(order(c)(multiplyAdd(left, right, plus)));
  };

const shapes = (table: Readonly<Record<string, Shape>>): Checks =>
  Object.fromEntries(Object.entries(table).map(([kernel, shape]) => [kernel, product(kernel, shape)]));

export const wmma_half: Checks = {
  ...shapes({
    wmma_f32_rows: { tile: [16, 16, 16], in: "f16", out: "f32" },
    wmma_f32_row_col: { tile: [16, 16, 16], in: "f16", out: "f32", b: "col" },
    wmma_f32_col_row: { tile: [16, 16, 16], in: "f16", out: "f32", a: "col", c: "col" },
    wmma_f16_wide: { tile: [8, 32, 16], in: "f16", out: "f16", b: "col" },
    wmma_f16_tall: { tile: [32, 8, 16], in: "f16", out: "f16", a: "col", b: "col", c: "col" },
  }),
  wmma_scale: (gpu) => {
    const [left, right] = [1, 2].map((seed) => matrix(16, 16, draw(256, "f16", seed)));
    const result = gpu.buffer(1024);
    const args = [gpu.buffer(pack(inRows(left!), "f16")), gpu.buffer(pack(inRows(right!), "f16")), result, -0.5];
    gpu.launch("wmma_scale", { block: 32, args });
    const product = inRows(multiplyAdd(left!, right!)).map((x) => -0.5 * (2 * x + 1) - 3);
    expect(unpack(result.read(), "f32")).toEqual(product);
  },
};

export const wmma_int: Checks = {
  ...shapes({
    wmma_s8: { tile: [16, 16, 16], in: "s8", out: "s32", b: "col" },
    wmma_u8: { tile: [16, 16, 16], in: "u8", out: "s32", a: "col" },
    wmma_s8_wide: { tile: [8, 32, 16], in: "s8", out: "s32" },
    wmma_u8_tall: { tile: [32, 8, 16], in: "u8", out: "s32", a: "col", b: "col" },
    wmma_s4: { tile: [8, 8, 32], in: "s4", out: "s32", b: "col" },
    wmma_u4: { tile: [8, 8, 32], in: "u4", out: "s32", b: "col" },
  }),
  wmma_b1: (gpu) => {
    const [rows, columns, inner] = [16, 16, 384];
    const left = draw(rows * inner, "b1", 1);
    const right = draw(columns * inner, "b1", 2);
    const plus = draw(rows * columns, "s32", 3);
    for (const both of gpu.sm >= 80 ? [0, 1] : [0]) {
      const result = gpu.buffer(rows * columns * 4);
      const sources = [pack(left, "b1"), pack(right, "b1"), pack(plus, "s32")].map((bytes) => gpu.buffer(bytes));
      gpu.launch("wmma_b1", { grid: [2, 2], block: 32, args: [...sources, result, rows, columns, inner, both] });
      const expected = plus.map((sum, at) => {
        const [row, column] = [Math.floor(at / columns), at % columns];
        for (let k = 0; k < inner; k++) {
          const [x, y] = [left[row * inner + k]!, right[column * inner + k]!];
          sum += both ? x & y : x ^ y;
        }
        return sum;
      });
      expect(unpack(result.read(), "s32")).toEqual(expected);
    }
  },
};

export const wmma_ampere: Checks = shapes({
  wmma_bf16: { tile: [16, 16, 16], in: "bf16", out: "f32" },
  wmma_bf16_wide: { tile: [8, 32, 16], in: "bf16", out: "f32", a: "col" },
  wmma_bf16_tall: { tile: [32, 8, 16], in: "bf16", out: "f32", b: "col" },
  wmma_tf32: { tile: [16, 16, 8], in: "tf32", out: "f32", b: "col" },
  wmma_tf32_col: { tile: [16, 16, 8], in: "tf32", out: "f32", a: "col" },
  wmma_f64: { tile: [8, 8, 4], in: "f64", out: "f64", b: "col" },
  wmma_f64_col: { tile: [8, 8, 4], in: "f64", out: "f64", a: "col" },
});
