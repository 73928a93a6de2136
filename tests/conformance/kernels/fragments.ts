import { expect } from "vitest";
import { between, list, noise } from "../gallery/gpu.ts";
import type { Check, Checks } from "./gpu.ts";

const wordsOf = (bytes: Uint8Array): number[] => Array.from(new Uint32Array(bytes.slice().buffer));

/** Word `word` of 4 in a row of 16 bytes, or, transposed, the two halves of a column. */
type Row = (row: number, half: number) => number;

/** What lane `lane` has of the 8 x 8 matrix whose rows of halves `at` gives. */
const fragment = (at: Row, lane: number, transposed: boolean): number => {
  const [group, four] = [lane >> 2, lane & 3];
  const [low, high] = transposed
    ? [at(four * 2, group), at(four * 2 + 1, group)]
    : [at(group, four * 2), at(group, four * 2 + 1)];
  return (low | (high << 16)) >>> 0;
};

const loads: Check = (gpu) => {
  const data = noise(256, 1);
  const halves = new Uint16Array(data.buffer);
  const rows = between(0, 63, 32, 2);
  for (const transposed of [false, true]) {
    const out = gpu.buffer(32 * 7 * 4);
    const args = [gpu.buffer(data), gpu.buffer(Uint8Array.from(rows)), out, transposed ? 1 : 0];
    gpu.launch("ldmatrix_all", { block: 32, args });
    /** Matrix `m` takes its rows from the addresses of lanes 8 * m to 8 * m + 7. */
    const matrix =
      (m: number): Row =>
      (row, half) =>
        halves[rows[m * 8 + row]! * 8 + half]!;
    const one = (m: number, lane: number) => fragment(matrix(m), lane, transposed);
    const wanted = list(32, (lane) => [0, 0, 1, 0, 1, 2, 3].map((m) => one(m, lane))).flat();
    expect(wordsOf(out.read())).toEqual(wanted);
  }
};

const stores: Check = (gpu) => {
  const data = noise(128, 3);
  // Distinct rows, as 32 of 64 in any order.
  const order = noise(64, 4);
  const rows = list(64, (i) => i)
    .sort((a, b) => order[a]! - order[b]!)
    .slice(0, 32);
  const out = gpu.buffer(6 * 1024);
  gpu.launch("stmatrix_all", { block: 32, args: [gpu.buffer(data), gpu.buffer(Uint8Array.from(rows)), out] });
  const wanted = new Uint16Array(6 * 512).fill(0xdddd);
  [1, 2, 4, 1, 2, 4].forEach((count, kind) => {
    for (let m = 0; m < count; m++) {
      for (let lane = 0; lane < 32; lane++) {
        const word = data[lane * 4 + m]!;
        [word & 0xffff, word >>> 16].forEach((half, i) => {
          const [group, two] = [lane >> 2, (lane & 3) * 2 + i];
          const [row, column] = kind < 3 ? [group, two] : [two, group];
          wanted[kind * 512 + rows[m * 8 + row]! * 8 + column] = half;
        });
      }
    }
  });
  expect(new Uint16Array(out.read().slice().buffer)).toEqual(wanted);
};

export const matrices: Checks = {
  ldmatrix_all: loads,
  movmatrix_transpose: (gpu) => {
    const data = noise(64 * 32, 5);
    const halves = new Uint16Array(data.buffer);
    const out = gpu.buffer(64 * 64 * 2);
    gpu.launch("movmatrix_transpose", { block: 256, args: [gpu.buffer(data), out] });
    const wanted = Uint16Array.from({ length: 4096 }, (_, i) => halves[(i % 64) * 64 + (i >> 6)]!);
    expect(new Uint16Array(out.read().slice().buffer)).toEqual(wanted);
  },
  stmatrix_all: stores,
  // A matrix of 16 x 16 bytes and back by what undoes it: st of m16n8 pairs gives each row as it was.
  matrices_bytes: (gpu) => {
    const data = noise(128, 6);
    const bytes = new Uint8Array(data.buffer);
    const [out, back] = [gpu.buffer(512), gpu.buffer(512)];
    gpu.launch("matrices_bytes", { block: 32, args: [gpu.buffer(data), out, back] });
    // Transposed: lane's register r of matrix m holds bytes 4 * (lane % 4) to + 3 of column lane / 4 + 8 * r.
    const wanted = list(32, (lane) =>
      list(4, (i) => {
        const [m, column] = [i >> 1, (lane >> 2) + (i & 1) * 8];
        return list(4, (j) => bytes[m * 256 + ((lane & 3) * 4 + j) * 16 + column]! * 2 ** (8 * j)).reduce(
          (a, b) => a + b,
        );
      }),
    ).flat();
    expect(wordsOf(out.read())).toEqual(wanted);
  },
  matrices_narrow: (gpu) => {
    const data = noise(128, 7);
    const bytes = new Uint8Array(data.buffer);
    const out = gpu.buffer(32 * 8 * 4);
    gpu.launch("matrices_narrow", { block: 32, args: [gpu.buffer(data), out] });
    /** Element `i` of a row: of `width` bits, packed from the row's first byte on. */
    const element = (row: number, i: number, width: number): number => {
      let value = 0;
      for (let bit = 0; bit < width; bit++) {
        const at = i * width + bit;
        value |= ((bytes[row * 16 + (at >> 3)]! >> (at & 7)) & 1) << bit;
      }
      return value;
    };
    const wanted = list(32, (lane) =>
      list(8, (i) => {
        const [m, width] = [i & 3, i < 4 ? 4 : 6];
        const row = m * 8 + (lane >> 2);
        return list(4, (j) => element(row, (lane & 3) * 4 + j, width) * 2 ** (8 * j)).reduce((a, b) => a + b);
      }),
    ).flat();
    expect(wordsOf(out.read())).toEqual(wanted);
  },
};
