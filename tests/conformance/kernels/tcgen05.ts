import { expect } from "vitest";
import { list, noise } from "../gallery/gpu.ts";
import type { Check, Checks } from "./gpu.ts";
import { draw, inColumns, inRows, type Kind, type Matrix, matrix, multiplyAdd, pack, unpack } from "./numbers.ts";
import { type RealKind, real, realCodes } from "./real.ts";

const wordsOf = (bytes: Uint8Array): number[] => Array.from(new Uint32Array(bytes.slice().buffer));

/** D is 128 x 64, K 64 of bf16; the tiles in every swizzle, that of B some further than that of A. */
const majors =
  (kernel: string, apart: number): Check =>
  (gpu) => {
    const a = matrix(128, 64, draw(8192, "bf16", 1));
    const b = matrix(64, 64, draw(4096, "bf16", 2));
    const c = matrix(128, 64, draw(8192, "f32", 3));
    const wanted = inRows(multiplyAdd(a, b, c));
    const sources = [pack(inRows(a), "bf16"), pack(inColumns(b), "bf16"), pack(inRows(c), "f32")];
    const widths = [16, 32, 64, 128];
    widths.forEach((width, at) => {
      const result = gpu.buffer(8192 * 4);
      const args = [...sources.map((bytes) => gpu.buffer(bytes)), result, width, widths[(at + apart) % 4]!];
      gpu.launch(kernel, { block: 128, args });
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
  /** Added to C, so that .satfinite has to hold the sum. */
  readonly far?: number;
}
const types =
  (kernel: string, { left, right, out, step, sign, far = 0 }: Type): Check =>
  (gpu) => {
    for (const [steps, width, keep] of [
      [1, 32, 1],
      [4, 128, 1],
      [3, 16, 0],
    ] as const) {
      const k = step * steps;
      const a = matrix(128, k, draw(128 * k, left, 1));
      const b = matrix(k, 64, draw(64 * k, right, 2));
      const c = matrix(
        128,
        64,
        draw(8192, out, 3).map((x) => x + far),
      );
      const result = gpu.buffer(8192 * 4);
      const sources = [pack(inRows(a), left), pack(inColumns(b), right), pack(inRows(c), out)];
      const args = [...sources.map((bytes) => gpu.buffer(bytes)), result, steps, width, keep];
      gpu.launch(kernel, { block: 128, args });
      const signed: Matrix = sign ? { ...a, at: (i, j) => -a.at(i, j) } : a;
      const sums = inRows(multiplyAdd(signed, b, keep ? c : undefined));
      expect(unpack(result.read(), out)).toEqual(
        far ? sums.map((x) => Math.min(x, 2 ** 31 - 1)) : sums.map((x) => x + 0),
      );
    }
  };

/** Numbers with a fraction: four steps, as the model of sm_100 has it. */
const fractions =
  (kernel: string, name: string, kind: RealKind, step: number, args: readonly number[]): Check =>
  (gpu) => {
    if (gpu.sm !== 100) return;
    const k = step * 4;
    const bytes = [realCodes(128 * k, kind, 31), realCodes(64 * k, kind, 32), realCodes(8192, "f32", 33)];
    const result = gpu.buffer(8192 * 4);
    gpu.launch(kernel, { block: 128, args: [...bytes.map((x) => gpu.buffer(x)), result, ...args] });
    real(name, gpu.sm).holds(result.read());
  };
const both =
  (...checks: readonly Check[]): Check =>
  (gpu) => {
    for (const check of checks) check(gpu);
  };

export const tcgen05: Checks = {
  tcgen05_k_k: both(majors("tcgen05_k_k", 0), fractions("tcgen05_k_k", "tcgen05_bf16", "bf16", 16, [128, 64])),
  tcgen05_m_n: majors("tcgen05_m_n", 3),
  tcgen05_tf32: both(
    types("tcgen05_tf32", { left: "tf32", right: "tf32", out: "f32", step: 8 }),
    fractions("tcgen05_tf32", "tcgen05_tf32", "tf32", 8, [4, 64, 1]),
  ),
  tcgen05_e4m3: both(
    types("tcgen05_e4m3", { left: "e4m3", right: "e4m3", out: "f32", step: 32 }),
    fractions("tcgen05_e4m3", "tcgen05_e4m3", "e4m3", 32, [4, 128, 1]),
  ),
  tcgen05_e5m2: types("tcgen05_e5m2", { left: "e5m2", right: "e4m3", out: "f32", step: 32, sign: -1 }),
  tcgen05_s8: types("tcgen05_s8", { left: "s8", right: "s8", out: "s32", step: 32 }),
  // No step goes below what the sum has reached once it is held, since all products of one sign or another come in one group of 32.
  tcgen05_u8_s8: (gpu) => {
    const a = matrix(128, 32, draw(4096, "u8", 1));
    const b = matrix(32, 64, draw(2048, "s8", 2));
    const c = matrix(
      128,
      64,
      draw(8192, "s32", 3).map((x) => 2 ** 31 - 100_000 + x * 9999),
    );
    const result = gpu.buffer(8192 * 4);
    const sources = [pack(inRows(a), "u8"), pack(inColumns(b), "s8"), pack(inRows(c), "s32")];
    const args = [...sources.map((bytes) => gpu.buffer(bytes)), result, 1, 64, 1];
    gpu.launch("tcgen05_u8_s8", { block: 128, args });
    const sums = inRows(multiplyAdd(a, b, c));
    expect(unpack(result.read(), "s32")).toEqual(sums.map((x) => Math.min(x, 2 ** 31 - 1)));
  },
  tcgen05_from_memory: (gpu) => {
    const a = matrix(128, 32, draw(4096, "f16", 1));
    const b = matrix(32, 64, draw(2048, "f16", 2));
    const result = gpu.buffer(8192 * 4);
    const args = [gpu.buffer(pack(inRows(a), "f16")), gpu.buffer(pack(inColumns(b), "f16")), result];
    gpu.launch("tcgen05_from_memory", { block: 128, args });
    const low = wordsOf(result.read()).map((word) => word & 0xffff);
    expect(unpack(new Uint8Array(Uint16Array.from(low).buffer), "f16")).toEqual(inRows(multiplyAdd(a, b)));
  },
  tcgen05_half_height: (gpu) => {
    const a = matrix(64, 32, draw(2048, "bf16", 1));
    const b = matrix(32, 64, draw(2048, "bf16", 2));
    const result = gpu.buffer(4096 * 4);
    const args = [gpu.buffer(pack(inRows(a), "bf16")), gpu.buffer(pack(inColumns(b), "bf16")), result];
    gpu.launch("tcgen05_half_height", { block: 128, args });
    expect(unpack(result.read(), "f32")).toEqual(inRows(multiplyAdd(a, b)));
  },
  tcgen05_shapes: (gpu) => {
    const data = noise(1024, 3);
    const out = gpu.buffer(128 * 16 * 4);
    gpu.launch("tcgen05_shapes", { block: 128, args: [gpu.buffer(data), out] });
    const at = (row: number, column: number) => data[row * 8 + column]!;
    const wanted = list(128, (thread) => {
      const first = thread - (thread % 32);
      const [group, four] = [(thread % 32) >> 2, thread % 4];
      return [
        ...list(8, (i) => at(thread, i)),
        // 16 x 256 bits, from the middle of the warp's lanes: as D of mma lies.
        ...list(4, (i) => at(first + 16 + group + (i >> 1) * 8, four * 2 + (i & 1))),
        // 16 x 128 bits, twice.
        ...list(4, (i) => at(first + group + (i & 1) * 8, four + (i >> 1) * 4)),
      ];
    }).flat();
    expect(wordsOf(out.read())).toEqual(wanted);
  },
  tcgen05_mxf8: (gpu) => {
    const steps = 3;
    const k = steps * 32;
    const a = matrix(128, k, draw(128 * k, "e4m3", 1));
    const b = matrix(k, 64, draw(64 * k, "e4m3", 2));
    const c = matrix(128, 64, draw(8192, "f32", 3));
    const [ofA, ofB] = [draw(128 * 4, "u4", 4), draw(64 * 4, "u4", 5)].map((x) => x.map((n) => (n % 4) - 1));
    const codes = (exponents: readonly number[]) => Uint8Array.from(exponents, (e) => 127 + e);
    const result = gpu.buffer(8192 * 4);
    const sources = [
      pack(inRows(a), "e4m3"),
      pack(inColumns(b), "e4m3"),
      codes(ofA!),
      codes(ofB!),
      pack(inRows(c), "f32"),
    ];
    const args = [...sources.map((bytes) => gpu.buffer(bytes)), result, steps];
    gpu.launch("tcgen05_mxf8", { block: 128, args });
    const left: Matrix = { ...a, at: (row, i) => a.at(row, i) * 2 ** ofA![row * 4 + (i >> 5)]! };
    const right: Matrix = { ...b, at: (i, column) => b.at(i, column) * 2 ** ofB![column * 4 + (i >> 5)]! };
    expect(unpack(result.read(), "f32")).toEqual(inRows(multiplyAdd(left, right, c)));
  },
  tcgen05_pair: (gpu) => {
    const a = matrix(256, 32, draw(8192, "bf16", 1));
    const b = matrix(32, 64, draw(2048, "bf16", 2));
    const result = gpu.buffer(256 * 64 * 4);
    const args = [gpu.buffer(pack(inRows(a), "bf16")), gpu.buffer(pack(inColumns(b), "bf16")), result];
    gpu.launch("tcgen05_pair", { grid: 2, block: 128, args });
    expect(unpack(result.read(), "f32")).toEqual(inRows(multiplyAdd(a, b)));
  },
};
