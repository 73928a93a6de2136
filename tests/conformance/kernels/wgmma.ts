import { expect } from "vitest";
import type { Check, Checks } from "./gpu.ts";
import { draw, inColumns, inRows, type Kind, type Matrix, matrix, multiplyAdd, pack, unpack } from "./numbers.ts";
import { type RealKind, real, realCodes } from "./real.ts";

/** Bytes of a row of each swizzle pattern. */
const widths = [16, 32, 64, 128];

/** A and B of 64 rows and 64 columns each, along K or along M and N, in all pairs of two neighbouring swizzles and equal ones. */
const majors =
  (kernel: string, apart: number): Check =>
  (gpu) => {
    const a = matrix(64, 64, draw(4096, "bf16", 1));
    const b = matrix(64, 64, draw(4096, "bf16", 2));
    const c = matrix(64, 64, draw(4096, "f32", 3));
    const wanted = inRows(multiplyAdd(a, b, c));
    // The kernel takes rows of 64: of A along K, or of A's columns; of B's columns, or its rows.
    const left = gpu.buffer(pack(inRows(a), "bf16"));
    const right = gpu.buffer(pack(inColumns(b), "bf16"));
    const plus = gpu.buffer(pack(inRows(c), "f32"));
    widths.forEach((width, at) => {
      const result = gpu.buffer(4096 * 4);
      const other = widths[(at + apart) % 4]!;
      gpu.launch(kernel, { block: 128, args: [left, right, plus, result, width, other] });
      expect(unpack(result.read(), "f32")).toEqual(wanted);
    });
  };

interface Type {
  readonly left: Kind;
  readonly right: Kind;
  readonly out: "f32" | "s32";
  /** Columns of 32 bytes. */
  readonly step: number;
  /** Of A times B. */
  readonly sign?: -1;
  readonly combine?: (x: number, y: number) => number;
}

/** One, two and four steps; a step has 32 bytes of a row of A and of a column of B. */
const types =
  (kernel: string, { left, right, out, step, sign }: Type): Check =>
  (gpu) => {
    for (const [steps, width] of [
      [1, 32],
      [2, 64],
      [4, 128],
      [3, 16],
    ] as const) {
      // biome-ignore format: one thing
      const k = step * steps;
      // 1024 bits along K would take long, and say nothing new.
      if (k > 512) continue;
      const a = matrix(64, k, draw(64 * k, left, 1));
      const b = matrix(k, 64, draw(64 * k, right, 2));
      const c = matrix(64, 64, draw(4096, out, 3));
      const result = gpu.buffer(4096 * 4);
      const sources = [pack(inRows(a), left), pack(inColumns(b), right), pack(inRows(c), out)];
      const args = [...sources.map((bytes) => gpu.buffer(bytes)), result, steps, width];
      gpu.launch(kernel, { block: 128, args });
      const signed: Matrix = sign ? { ...a, at: (i, j) => -a.at(i, j) } : a;
      expect(unpack(result.read(), out)).toEqual(inRows(multiplyAdd(signed, b, c)).map((x) => x + 0));
    }
  };

/** Numbers with a fraction: four steps, as the model of sm_90 has it. */
const fractions =
  (kernel: string, name: string, kind: RealKind, step: number, args: readonly number[]): Check =>
  (gpu) => {
    const k = step * 4;
    const bytes = [realCodes(64 * k, kind, 31), realCodes(64 * k, kind, 32), realCodes(4096, "f32", 33)];
    const result = gpu.buffer(4096 * 4);
    gpu.launch(kernel, { block: 128, args: [...bytes.map((x) => gpu.buffer(x)), result, ...args] });
    real(name, gpu.sm).holds(result.read());
  };
const both =
  (...checks: readonly Check[]): Check =>
  (gpu) => {
    for (const check of checks) check(gpu);
  };

export const wgmma: Checks = {
  wgmma_k_k: both(majors("wgmma_k_k", 0), fractions("wgmma_k_k", "wgmma_bf16", "bf16", 16, [128, 64])),
  wgmma_k_n: majors("wgmma_k_n", 1),
  wgmma_m_k: majors("wgmma_m_k", 2),
  wgmma_m_n: majors("wgmma_m_n", 3),
  wgmma_half: (gpu) => {
    const a = matrix(64, 32, draw(2048, "f16", 1));
    const b = matrix(32, 64, draw(2048, "f16", 2));
    const product = inRows(multiplyAdd(a, b));
    for (const keep of [0, 1]) {
      const result = gpu.buffer(4096 * 2);
      const sources = [pack(inRows(a), "f16"), pack(inColumns(b), "f16")].map((bytes) => gpu.buffer(bytes));
      gpu.launch("wgmma_half", { block: 128, args: [...sources, result, 2, 64, keep] });
      expect(unpack(result.read(), "f16")).toEqual(product.map((x) => x + 16 * keep));
    }
  },
  wgmma_registers: (gpu) => {
    const a = matrix(64, 32, draw(2048, "bf16", 1));
    const each = [0, 1].map((at) => matrix(32, 8, draw(256, "bf16", 2 + at)));
    const result = gpu.buffer(2 * 512 * 4);
    const sources = [pack(inRows(a), "bf16"), pack(each.flatMap(inColumns), "bf16")].map((bytes) => gpu.buffer(bytes));
    gpu.launch("wgmma_registers", { block: 128, args: [...sources, result, 2] });
    const start = inRows(
      matrix(
        64,
        8,
        Array.from({ length: 512 }, (_, i) => (i & 1) + 1 + ((i >> 6) & 1) * 2),
      ),
    );
    const [x, y] = each.map((b) => inRows(multiplyAdd(a, b)));
    expect(unpack(result.read(), "f32")).toEqual([...x!.map((sum, i) => sum + start[i]!), ...y!]);
  },
};

/** Sums that .satfinite holds. */
const full: Check = (gpu) => {
  const a = matrix(64, 32, draw(2048, "u8", 1));
  const b = matrix(32, 64, draw(2048, "u8", 2));
  const c = matrix(64, 64, draw(4096, "s32", 3).map((x) => 2 ** 31 - 60_000 * Math.abs(x) - 1)); // biome-ignore format: one thing
  const result = gpu.buffer(4096 * 4);
  const sources = [pack(inRows(a), "u8"), pack(inColumns(b), "u8"), pack(inRows(c), "s32")];
  gpu.launch("wgmma_u8", { block: 128, args: [...sources.map((bytes) => gpu.buffer(bytes)), result, 1, 32] });
  const wanted = inRows(multiplyAdd(a, b, c)).map((x) => Math.min(x, 2 ** 31 - 1));
  expect(unpack(result.read(), "s32")).toEqual(wanted);
};

export const wgmma_types: Checks = {
  wgmma_tf32: both(types("wgmma_tf32", { left: "tf32", right: "tf32", out: "f32", step: 8, sign: -1 })),
  wgmma_e4m3: both(
    types("wgmma_e4m3", { left: "e4m3", right: "e4m3", out: "f32", step: 32 }),
    fractions("wgmma_e4m3", "wgmma_e4m3", "e4m3", 32, [4, 128]),
  ),
  wgmma_e5m2: types("wgmma_e5m2", { left: "e5m2", right: "e4m3", out: "f32", step: 32, sign: -1 }),
  wgmma_s8: types("wgmma_s8", { left: "s8", right: "s8", out: "s32", step: 32 }),
  wgmma_u8: full,
  // Of bits, a product is 1 where both are set.
  wgmma_b1: types("wgmma_b1", { left: "b1", right: "b1", out: "s32", step: 256 }),
};
