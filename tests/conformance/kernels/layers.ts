import { expect } from "vitest";
import { list } from "../gallery/gpu.ts";
import type { Checks } from "./gpu.ts";
import { draw, inColumns, inRows, matrix, multiplyAdd, pack, unpack } from "./numbers.ts";
import { real, realCodes } from "./real.ts";

const bf16Of = (value: number): number => {
  const bits = new Uint32Array(new Float32Array([value]).buffer)[0]!;
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
};
const rounded = (value: number): number => new Float32Array(new Uint32Array([bf16Of(value) << 16]).buffer)[0]!;

const tiles = (rows: number, columns: number, k: number) => ({
  a: matrix(rows, k, draw(rows * k, "bf16", 1)),
  b: matrix(k, columns, draw(k * columns, "bf16", 2)),
});

export const gemm: Checks = {
  gemm_pipelined: (gpu) => {
    const [rows, columns, k] = [64, 128, 160];
    const { a, b } = tiles(rows, columns, k);
    const out = gpu.buffer(rows * columns * 4);
    const args = [gpu.buffer(pack(inRows(a), "bf16")), gpu.buffer(pack(inColumns(b), "bf16")), out, columns, k];
    gpu.launch("gemm_pipelined", { grid: [columns / 64, rows / 64], block: 128, args });
    expect(unpack(out.read(), "f32")).toEqual(inRows(multiplyAdd(a, b)));

    // Numbers with a fraction: the bits are those of the model of the target's tensor cores.
    const [left, right] = [realCodes(64 * 96, "bf16", 21), realCodes(64 * 96, "bf16", 22)];
    const small = gpu.buffer(64 * 64 * 4);
    const sources = [gpu.buffer(left), gpu.buffer(right)];
    gpu.launch("gemm_pipelined", { block: 128, args: [...sources, small, 64, 96] });
    real("gemm", gpu.sm).holds(small.read());
  },
  gemm_bias_relu: (gpu) => {
    const { a, b } = tiles(64, 64, 64);
    const bias = draw(64, "f32", 5).map((x) => x * 4 - 1);
    const out = gpu.buffer(64 * 64 * 2);
    const sources = [pack(inRows(a), "bf16"), pack(inColumns(b), "bf16"), pack(bias, "f32")];
    const args = [...sources.map((bytes) => gpu.buffer(bytes)), out, 64, 64];
    gpu.launch("gemm_bias_relu", { block: 128, args });
    const sums = inRows(multiplyAdd(a, b));
    const wanted = sums.map((sum, i) => rounded(Math.max(sum + bias[i % 64]!, 0)));
    expect(unpack(out.read(), "bf16")).toEqual(wanted);
  },
  gemm_split_k: (gpu) => {
    const { a, b } = tiles(64, 64, 256);
    const before = draw(64 * 64, "f32", 6);
    const out = gpu.buffer(pack(before, "f32"));
    const args = [gpu.buffer(pack(inRows(a), "bf16")), gpu.buffer(pack(inColumns(b), "bf16")), out, 64, 256];
    gpu.launch("gemm_split_k", { grid: [1, 1, 4], block: 128, args });
    expect(unpack(out.read(), "f32")).toEqual(inRows(multiplyAdd(a, b, matrix(64, 64, before))));
  },
  gemm_batched: (gpu) => {
    const each = [0, 1].map((at) => ({
      a: matrix(64, 64, draw(4096, "bf16", 7 + at)),
      b: matrix(64, 64, draw(4096, "bf16", 17 + at)),
      d: matrix(64, 64, draw(4096, "f32", 27 + at)),
    }));
    const out = gpu.buffer(pack(each.flatMap(({ d }) => inRows(d)), "f32")); // biome-ignore format: one thing
    const left = pack(each.flatMap(({ a }) => inRows(a)), "bf16"); // biome-ignore format: one thing
    const right = pack(each.flatMap(({ b }) => inColumns(b)), "bf16"); // biome-ignore format: one thing
    const args = [gpu.buffer(left), gpu.buffer(right), out, 64, 64, 4096, 4096, 4096, -0.5, 3];
    gpu.launch("gemm_batched", { grid: [1, 1, 2], block: 128, args });
    const wanted = each.flatMap(({ a, b, d }) => {
      const [products, before] = [inRows(multiplyAdd(a, b)), inRows(d)];
      return products.map((x, i) => -0.5 * x + 3 * before[i]!);
    });
    expect(unpack(out.read(), "f32")).toEqual(wanted);
  },
};

/** To the nearest integer, ties to even. */
const nearest = (x: number): number => {
  const low = Math.floor(x);
  const rest = x - low;
  return rest > 0.5 || (rest === 0.5 && low % 2 !== 0) ? low + 1 : low;
};

export const gemm_narrow: Checks = {
  gemm_int8: (gpu) => {
    const [rows, columns, k] = [64, 32, 192];
    const a = matrix(rows, k, draw(rows * k, "s8", 1));
    const b = matrix(k, columns, draw(k * columns, "s8", 2));
    const ofA = list(rows, (i) => 2 ** (-6 - (i % 5)));
    const ofB = list(columns, (i) => 1.5 * 2 ** (-5 - (i % 3)));
    const out = gpu.buffer(rows * columns);
    const sources = [pack(inRows(a), "s8"), pack(inColumns(b), "s8"), pack(ofA, "f32"), pack(ofB, "f32")];
    const args = [...sources.map((bytes) => gpu.buffer(bytes)), out, columns, k];
    gpu.launch("gemm_int8", { grid: [1, 1], block: 128, args });
    const scaled = inRows(multiplyAdd(a, b)).map((x, i) => x * ofA[Math.floor(i / columns)]! * ofB[i % columns]!);
    expect(unpack(out.read(), "s8")).toEqual(scaled.map((x) => Math.max(-128, Math.min(127, nearest(x))) + 0));
  },
  gemm_fp8: (gpu) => {
    const [rows, columns, k] = [32, 16, 96];
    const a = matrix(rows, k, draw(rows * k, "e4m3", 1));
    const b = matrix(k, columns, draw(k * columns, "e4m3", 2));
    const out = gpu.buffer(rows * columns * 2);
    const args = [gpu.buffer(pack(inRows(a), "e4m3")), gpu.buffer(pack(inColumns(b), "e4m3")), 0.25, out, columns, k];
    gpu.launch("gemm_fp8", { grid: [2, 2], block: 32, args });
    expect(unpack(out.read(), "f16")).toEqual(inRows(multiplyAdd(a, b)).map((x) => x / 4));
  },
  gemm_sparse: (gpu) => {
    const k = 96;
    const choice = draw(16 * (k / 4), "u4", 9);
    const values = draw(16 * k, "f16", 1);
    const keep = (i: number) => ((choice[i >> 2]! * 5 + 1) >> (i & 3)) & 1;
    const few = values.map((x, i) => (keep(i) ? x : 0));
    // Never more than two of four.
    for (let chunk = 0; chunk < few.length; chunk += 4) {
      let used = 0;
      for (let i = chunk; i < chunk + 4; i++) if (few[i] !== 0 && ++used > 2) few[i] = 0;
    }
    const a = matrix(16, k, few);
    const b = matrix(k, 8, draw(k * 8, "f16", 2));
    const out = gpu.buffer(16 * 8 * 4);
    const args = [gpu.buffer(pack(few, "f16")), gpu.buffer(pack(inColumns(b), "f16")), out, k];
    gpu.launch("gemm_sparse", { block: 32, args });
    expect(unpack(out.read(), "f32")).toEqual(inRows(multiplyAdd(a, b)));
  },
};

/** `count` values between -1 and 1 that bf16 has. */
const values = (count: number, seed: number): number[] =>
  draw(count, "u8", seed).map((x, i) => rounded(Math.sin(i * 12.9898 + x * 78.233 + seed)));

/** Attention in doubles. */
function attend(q: number[], k: number[], v: number[], length: number, scale: number, causal: boolean) {
  const out: number[] = [];
  const sums: number[] = [];
  for (let row = 0; row < length; row++) {
    const scores = list(causal ? row + 1 : length, (other) => {
      let sum = 0;
      for (let i = 0; i < 64; i++) sum += q[row * 64 + i]! * k[other * 64 + i]!;
      return 2 ** (sum * scale);
    });
    const total = scores.reduce((x, y) => x + y, 0);
    sums.push(Math.log2(total));
    for (let i = 0; i < 64; i++) {
      let sum = 0;
      scores.forEach((score, other) => {
        sum += score * v[other * 64 + i]!;
      });
      out.push(sum / total);
    }
  }
  return { out, sums };
}

const near = (got: number[], wanted: number[], most: number) => {
  expect(got.length).toBe(wanted.length);
  const worst = got.reduce((most, x, i) => Math.max(most, Math.abs(x - wanted[i]!)), 0);
  expect(worst).toBeLessThan(most);
};

export const attention: Checks = {
  // exp2 is approximate and the weights are rounded to bf16 (2^-9), so this is compared with doubles: within 2^-8 of values up to 1.
  attention: (gpu) => {
    const length = gpu.debug ? 64 : 128;
    const inputs = [1, 2, 3].map((seed) => values(length * 64, seed));
    const scale = 0.125 * Math.LOG2E;
    const bytes = inputs.map((x) => pack(x, "bf16"));
    for (const causal of gpu.debug ? [1] : [0, 1]) {
      const [out, sums] = [gpu.buffer(length * 64 * 4), gpu.buffer(length * 4)];
      const args = [...bytes.map((x) => gpu.buffer(x)), out, sums, length, scale, causal];
      gpu.launch("attention", { grid: [length / 64, 1], block: 128, args });
      const [q, k, v] = inputs;
      const wanted = attend(q!, k!, v!, length, scale, causal === 1);
      near(unpack(out.read(), "f32"), wanted.out, 2 ** -8);
      near(unpack(sums.read(), "f32"), wanted.sums, 2 ** -15);
    }
  },
};

export const layers: Checks = {
  // ex2.approx is off by 2^-22 at most: compared with doubles.
  softmax: (gpu) => {
    const [rows, columns] = [8, 77];
    const input = list(rows * columns, (i) => Math.fround(Math.sin(i * 3.7) * 6));
    const out = gpu.buffer(rows * columns * 4);
    gpu.launch("softmax", { grid: rows / 4, block: 128, args: [gpu.buffer(pack(input, "f32")), out, columns] });
    const wanted = list(rows, (row) => {
      const powers = list(columns, (i) => Math.exp(input[row * columns + i]!));
      const sum = powers.reduce((a, b) => a + b, 0);
      return powers.map((x) => x / sum);
    }).flat();
    near(unpack(out.read(), "f32"), wanted, 2 ** -20);
  },
  // rsqrt is approximate; the result is rounded to bf16, so that it may be the neighbour of the rounded one.
  layer_norm: (gpu) => {
    const [rows, columns] = [3, 200];
    const input = values(rows * columns, 4);
    const gain = list(columns, (i) => 1 + (i % 7) / 8);
    const bias = list(columns, (i) => (i % 5) / 4 - 0.5);
    const out = gpu.buffer(rows * columns * 2);
    const sources = [pack(input, "bf16"), pack(gain, "f32"), pack(bias, "f32")];
    const args = [...sources.map((bytes) => gpu.buffer(bytes)), out, columns, 1e-5];
    gpu.launch("layer_norm", { grid: rows, block: 96, args });
    const wanted = list(rows, (row) => {
      const own = input.slice(row * columns, (row + 1) * columns);
      const mean = own.reduce((a, b) => a + b, 0) / columns;
      const square = own.reduce((a, b) => a + b * b, 0) / columns;
      const scale = 1 / Math.sqrt(square - mean * mean + 1e-5);
      return own.map((x, i) => (x - mean) * scale * gain[i]! + bias[i]!);
    }).flat();
    near(unpack(out.read(), "bf16"), wanted, 2 ** -6);
  },
  convolution: (gpu) => {
    const [height, width] = [3, 32];
    const image = draw(height * width * 16, "f16", 1);
    const weights = draw(9 * 256, "f16", 2);
    const out = gpu.buffer(height * width * 16 * 4);
    const args = [gpu.buffer(pack(image, "f16")), gpu.buffer(pack(weights, "f16")), out, height, width];
    gpu.launch("convolution", { grid: [width / 16, height], block: 32, args });
    const wanted: number[] = [];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const sums = list(16, () => 0);
        for (let weight = 0; weight < 9; weight++) {
          const [py, px] = [y + Math.floor(weight / 3) - 1, x + (weight % 3) - 1];
          if (py < 0 || py >= height || px < 0 || px >= width) continue;
          for (let from = 0; from < 16; from++) {
            const pixel = image[(py * width + px) * 16 + from]!;
            for (let to = 0; to < 16; to++) sums[to] = sums[to]! + pixel * weights[weight * 256 + from * 16 + to]!;
          }
        }
        wanted.push(...sums);
      }
    }
    expect(unpack(out.read(), "f32")).toEqual(wanted);
  },
  gemv_batched: (gpu) => {
    const [batch, rows, columns] = [2, 11, 264];
    const a = draw(batch * rows * columns, "f16", 1);
    const x = draw(batch * columns, "f16", 2);
    const out = gpu.buffer(batch * rows * 4);
    const args = [gpu.buffer(pack(a, "f16")), gpu.buffer(pack(x, "f16")), out, rows, columns];
    gpu.launch("gemv_batched", { grid: [3, batch], block: 128, args });
    const wanted = list(batch * rows, (at) => {
      let sum = 0;
      for (let i = 0; i < columns; i++) sum += a[at * columns + i]! * x[Math.floor(at / rows) * columns + i]!;
      return sum;
    });
    expect(unpack(out.read(), "f32")).toEqual(wanted);
  },
};
