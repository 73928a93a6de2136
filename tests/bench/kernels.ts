import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type Buffer, Device, type Kernel, type Launch, type LaunchOptions, must } from "../../src/index.ts";
import type { Executor } from "../../src/interp/state/executor.ts";

/** Words of each buffer, and its inputs. */
const count = 1 << 20;
const x = Float32Array.from({ length: count }, (_, i) => (i % 1000) * 0.25);
const y = Float32Array.from({ length: count }, (_, i) => (i % 77) * 0.5);

interface Run {
  readonly launch: LaunchOptions;
  readonly result: Buffer;
}
interface Sample {
  /** Thread-instructions of the launch. */
  readonly instructions: number;
  /** Of the same arithmetic in C++ (products of matrices: in JavaScript), over all words of the output buffer. */
  readonly checksum: string;
  readonly prepare: (device: Device) => Run;
  /** A module of `tests/data/kernels`, whose entry has the sample's name; otherwise one of `tests/data/bench`. */
  readonly module?: string;
}

const multiply = (device: Device): Run => {
  const result = device.buffer(new Uint32Array(count));
  const args = [device.buffer(x), device.buffer(y), result, 256];
  return { launch: { grid: [16, 16], block: [16, 16], args }, result };
};

/** bf16 of small integers without a pattern, so that all sums of products are exact. */
const integers = (length: number, seed: number): Uint16Array =>
  Uint16Array.from({ length }, (_, i) => {
    const value = ((Math.imul(i + seed, 0x9e3779b1) >>> 8) % 9) - 4;
    return new Uint32Array(new Float32Array([value]).buffer)[0]! >>> 16;
  });

/** Whole kernels that nvcc 13 compiled (`tests/data/bench`, the `.cu` beside the PTX), on grids of up to 4096 blocks. */
export const kernels: Readonly<Record<string, Sample>> = {
  saxpy: {
    instructions: 20_971_520,
    checksum: "57fd4c30a26fc800",
    prepare: (device) => {
      const result = device.buffer(y);
      return { launch: { grid: 4096, block: 256, args: [device.buffer(x), result, 2.5, count] }, result };
    },
  },
  sgemm_naive: { instructions: 136_249_344, checksum: "bd31afb3f1c68a68", prepare: multiply },
  sgemm_tiled: { instructions: 65_011_712, checksum: "bd31afb3f1c68a68", prepare: multiply },
  reduce: {
    instructions: 82_833_408,
    checksum: "3a433b98f6bcd000",
    prepare: (device) => {
      const result = device.buffer(new Uint32Array(count));
      return { launch: { grid: 4096, block: 256, args: [device.buffer(x), result, count] }, result };
    },
  },
  // 1024 x 1024 words in tiles of 32 x 32.
  transpose: {
    instructions: 14_155_776,
    checksum: "8ef2f0a3081c0000",
    prepare: (device) => {
      const result = device.buffer(new Uint32Array(count));
      return { launch: { grid: [32, 32], block: [32, 8], args: [device.buffer(x), result, 1024] }, result };
    },
  },
  // Of bits 16 to 23 of each word; 64 blocks count by themselves first. It adds to the output each time.
  histogram: {
    instructions: 10_895_360,
    checksum: "fd809ed976651e00",
    prepare: (device) => {
      const result = device.buffer(new Uint32Array(256));
      return { launch: { grid: 64, block: 256, args: [device.buffer(x), result, count] }, result };
    },
  },
  // Sums of all words up to each, within each block.
  scan: {
    instructions: 84_017_152,
    checksum: "d2ec31eae3200000",
    prepare: (device) => {
      const result = device.buffer(new Uint32Array(count));
      return { launch: { grid: 4096, block: 256, args: [device.buffer(x), result, count] }, result };
    },
  },
  xorshift: {
    instructions: 168_886_272,
    checksum: "46a60e1ff69ae64e",
    prepare: (device) => {
      const result = device.buffer(new Uint32Array(count));
      return { launch: { grid: 256, block: 256, args: [result, 256] }, result };
    },
  },
  mandel: {
    instructions: 157_871_503,
    // An unfused multiply and add would give c55cbf2fb8c47499.
    checksum: "ababdafd67b6c22f",
    prepare: (device) => {
      const result = device.buffer(new Uint32Array(count));
      return { launch: { grid: [32, 32], block: [16, 16], args: [result, 512, 512, 256] }, result };
    },
  },
  // 256 x 256 x 256 in tiles of 64 x 64 x 32, three stages.
  gemm_pipelined: {
    module: "gemm.sm_80.O3",
    instructions: 2_244_608,
    checksum: "9bbee1a178966000",
    prepare: (device) => {
      const result = device.buffer(new Uint32Array(256 * 256));
      const args = [device.buffer(integers(256 * 256, 1)), device.buffer(integers(256 * 256, 2)), result, 256, 256];
      return { launch: { grid: [4, 4], block: 128, args }, result };
    },
  },
  // 4 heads of 256 tokens. Each query looks at every second key alike, and not at the others: the result is a mean.
  attention: {
    module: "attention.sm_80.O3",
    instructions: 7_852_032,
    checksum: "dd9d13b4a4000000",
    prepare: (device) => {
      const [heads, length] = [4, 256];
      const count = heads * length * 64;
      const [one, far] = [0x3f80, 0xc700];
      const query = Uint16Array.from({ length: count }, (_, i) => (i % 64 === Math.floor(i / 64) % 64 ? one : 0));
      const key = Uint16Array.from({ length: count }, (_, i) => ((i ^ Math.floor(i / 64)) & 1 ? far : 0));
      const result = device.buffer(new Uint32Array(count));
      const sums = device.buffer(heads * length * 4);
      const inputs = [query, key, integers(count, 3)].map((values) => device.buffer(values));
      return {
        launch: { grid: [length / 64, heads], block: 128, args: [...inputs, result, sums, length, 1, 0] },
        result,
      };
    },
  },
};

/** The kernel, and the launch that it is measured by. */
export function load(name: string, device: Device): Run & { readonly kernel: Kernel } {
  const { module: built } = kernels[name]!;
  const file = built ? `kernels/${built}.ptx.gz` : `bench/${name}.sm80.ptx`;
  const bytes = readFileSync(new URL(`../data/${file}`, import.meta.url));
  const text = (built ? gunzipSync(bytes) : bytes).toString("utf8");
  const module = must(device.module({ name: file, text }));
  return { kernel: must(module.kernel(name)), ...kernels[name]!.prepare(device) };
}

/** Makes a device with the kernel's inputs; `run` launches it, `checksum` is that of its output buffer: saxpy adds to it each time. */
export function sample(
  name: string,
  executor?: Executor,
): { readonly run: () => Launch; readonly checksum: () => string } {
  const { kernel, launch, result } = load(name, new Device());
  return {
    run: () => must(kernel.launch({ ...launch, ...(executor && { executor }) }))!,
    checksum: () => {
      const bytes = result.read();
      return checksumOf(new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4));
    },
  };
}

/** c = c * 6364136223846793005 + word modulo 2^64, from 0. */
function checksumOf(words: Uint32Array): string {
  // 64 bits in two halves of a number each: a million BigInts would take longer than the kernel.
  let [high, low] = [0, 0];
  for (const word of words) {
    const [a, b] = times(high, low);
    low = (b + word) >>> 0;
    high = (a + (low < word ? 1 : 0)) >>> 0;
  }
  return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}

/** high:low * 6364136223846793005 modulo 2^64. */
function times(high: number, low: number): [number, number] {
  const [h, l] = [0x5851f42d, 0x4c957f2d];
  const [l0, l1, m0, m1] = [low & 0xffff, low >>> 16, l & 0xffff, l >>> 16];
  const middle = l1 * m0 + Math.floor((l0 * m0) / 0x10000);
  const carry = Math.floor((l0 * m1 + (middle % 0x10000)) / 0x10000) + Math.floor(middle / 0x10000) + l1 * m1;
  return [(Math.imul(high, l) + Math.imul(low, h) + carry) >>> 0, Math.imul(low, l) >>> 0];
}
