import { expect } from "vitest";
import type { Check, Checks, Gpu } from "./gpu.ts";
import { draw, inColumns, inRows, type Kind, matrix, multiplyAdd, pack, unpack } from "./numbers.ts";

export interface Sparse {
  readonly left: Kind;
  readonly right: Kind;
  readonly out: "f32" | "s32";
  readonly k: number;
  /** Columns that 4 bits of metadata speak of: 4, of tf32 2, of nibbles 8. */
  readonly chunk: number;
}

/** Kept positions of four, the lower first. */
const kept = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]] as const; // biome-ignore format: one thing

/** A has half of its elements, and metadata that says where they stand: 4 bits a chunk, row after row. */
function operands(rows: number, columns: number, { left, right, out, k, chunk }: Sparse) {
  const whole = draw(rows * k, left, 1).map((x) => x || 1);
  const choice = draw((rows * k) / chunk, "u4", 7).map((x) => (x * 7 + 3) % 6);
  // Positions count in quarters of a chunk; an element of tf32 takes two of them.
  const positions = choice.map((pick) => (chunk === 2 ? ([[0, 1], [2, 3]] as const)[pick & 1]! : kept[pick]!)); // biome-ignore format: one thing
  const keeps = (index: number): boolean =>
    positions[Math.floor(index / chunk)]!.some((at) => at === Math.floor(((index % chunk) * 4) / chunk));
  const meta = new Uint8Array(positions.length / 2);
  positions.forEach(([low, high], at) => {
    meta[at >> 1]! |= (low | (high << 2)) << ((at & 1) * 4);
  });
  const few = whole.map((x, i) => (keeps(i) ? x : 0));
  const b = matrix(k, columns, draw(k * columns, right, 2));
  const c = matrix(rows, columns, draw(rows * columns, out, 3));
  const packed = whole.filter((_, i) => keeps(i));
  return {
    sources: [pack(packed, left), pack(inColumns(b), right), meta, pack(inRows(c), out)],
    wanted: inRows(multiplyAdd(matrix(rows, k, few), b, c)),
  };
}

/** One warp, 16 x 8. */
const sparse =
  (kernel: string, shape: Sparse): Check =>
  (gpu: Gpu) => {
    const { sources, wanted } = operands(16, 8, shape);
    const result = gpu.buffer(16 * 8 * 4);
    gpu.launch(kernel, {
      block: 32,
      args: [...sources.map((source) => gpu.buffer(source)), result, sources[1]!.length / 32],
    });
    expect(unpack(result.read(), shape.out)).toEqual(wanted);
  };

/** A warpgroup, 64 x 64; a step has 32 bytes of a row of A. */
const grouped =
  (kernel: string, shape: Sparse): Check =>
  (gpu: Gpu) => {
    const { sources, wanted } = operands(64, 64, shape);
    const steps = sources[0]!.length / 64 / 32;
    for (const width of [16, 64, 128]) {
      const result = gpu.buffer(64 * 64 * 4);
      const args = [...sources.map((source) => gpu.buffer(source)), result, steps, width];
      gpu.launch(kernel, { block: 128, args });
      expect(unpack(result.read(), shape.out)).toEqual(wanted);
    }
  };

const f16 = { left: "f16", right: "f16", out: "f32", chunk: 4 } as const;
const bytes = { left: "s8", right: "s8", out: "s32", chunk: 4 } as const;
const nibbles = { left: "s4", right: "s4", out: "s32", chunk: 8 } as const;
const sparseOf = (table: Readonly<Record<string, Sparse>>): Checks =>
  Object.fromEntries(Object.entries(table).map(([kernel, shape]) => [kernel, sparse(kernel, shape)]));

export const mma_sparse: Checks = sparseOf({
  sparse_f16_k16: { ...f16, k: 32 },
  sparse_f16: { ...f16, k: 64 },
  sparse_bf16: { ...f16, left: "bf16", right: "bf16", k: 64 },
  sparse_tf32_k8: { left: "tf32", right: "tf32", out: "f32", chunk: 2, k: 16 },
  sparse_tf32: { left: "tf32", right: "tf32", out: "f32", chunk: 2, k: 32 },
  sparse_s8_k32: { ...bytes, right: "u8", k: 64 },
  sparse_s8: { ...bytes, k: 128 },
  sparse_s4_k64: { ...nibbles, k: 128 },
  sparse_u4: { ...nibbles, left: "u4", right: "u4", k: 256 },
  sparse_e4m3: { ...bytes, left: "e4m3", right: "e5m2", out: "f32", k: 128 },
});

export const wgmma_sparse: Checks = {
  wgmma_sparse_f16: grouped("wgmma_sparse_f16", { ...f16, k: 64 }),
  wgmma_sparse_tf32: grouped("wgmma_sparse_tf32", { left: "tf32", right: "tf32", out: "f32", chunk: 2, k: 32 }),
  wgmma_sparse_s8: grouped("wgmma_sparse_s8", { ...bytes, k: 128 }),
  wgmma_sparse_e5m2: grouped("wgmma_sparse_e5m2", { left: "e5m2", right: "e4m3", out: "f32", chunk: 4, k: 64 }),
};
