import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Device, type LaunchOptions, must } from "../../src/index.ts";

/**
 * Kernels of `tests/data/tensor-memory`, as nvcc 13.0 compiled them (`nvcc -arch sm_100a -ptx`), against sums of whole numbers: those
 * are exact in every order, so that only where the elements lie decides. Each runs whenever the data may move.
 */
const moments: readonly NonNullable<LaunchOptions["async"]>[] = [
  { when: "late" },
  { when: "early" },
  ...[1, 2, 3].map((seed) => ({ when: "random", seed }) as const),
];

/** f16 of a whole number below 2048. */
function half(value: number): number {
  if (value === 0) return 0;
  const size = Math.abs(value);
  const exponent = Math.floor(Math.log2(size));
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | ((size / 2 ** exponent - 1) * 1024);
}

/** Whole numbers from -4 to 4 that follow no pattern. */
const numbers = (count: number, seed: number): number[] =>
  Array.from({ length: count }, (_, at) => ((Math.imul(at + seed, 0x9e37_79b1) >>> 16) % 9) - 4);

const product = (a: readonly number[], b: readonly number[], m: number, n: number, k: number): number[] =>
  Array.from({ length: m * n }, (_, at) => {
    let sum = 0;
    for (let x = 0; x < k; x++) sum += a[Math.floor(at / n) * k + x]! * b[(at % n) * k + x]!;
    return sum;
  });

function run(
  file: string,
  kernel: string,
  inputs: readonly ArrayBufferView[],
  count: number,
  options: Partial<LaunchOptions>,
): number[] {
  const text = readFileSync(new URL(`../data/tensor-memory/${file}.ptx`, import.meta.url), "utf8");
  const device = new Device();
  const out = device.buffer(new Float32Array(count));
  const loaded = must(must(device.module({ name: `${file}.ptx`, text })).kernel(kernel));
  const { stop, findings } = must(
    loaded.launch({ block: 128, ...options, args: [...inputs.map((each) => device.buffer(each)), out] }),
  );
  const told = [...("diagnostic" in stop ? [stop.diagnostic] : []), ...findings].map(
    ({ code, message }) => `${code} ${message}`,
  );
  expect([stop.reason, ...told].join("\n")).toBe("exit");
  return [...new Float32Array(out.read().buffer)];
}

describe.each(moments)("with $when data $seed", (async) => {
  test.each(["plain", "swizzled"])("a tile by %s descriptors", (kernel) => {
    const [a, b] = [numbers(128 * 64, 1), numbers(64 * 64, 2)];
    const got = run("gemm", kernel, [Uint16Array.from(a, half), Uint16Array.from(b, half)], 128 * 64, { async });
    expect(got).toEqual(product(a, b, 128, 64, 64));
  });

  test("block scale, with scales that cp spreads over all lanes", () => {
    // e4m3 of 0, 1, -1, 2 and -2.
    const codes = [0, 0x38, 0xb8, 0x40, 0xc0];
    const values = [0, 1, -1, 2, -2];
    const [x, y] = [numbers(128 * 32, 3), numbers(32 * 32, 4)].map((each) => each.map((value) => (value + 4) % 5)) as [
      number[],
      number[],
    ];
    const scales = (count: number, step: number): number[] => Array.from({ length: count }, (_, at) => (at * step) % 5);
    const [sa, sb] = [scales(128, 3), scales(32, 2)];
    const inputs = [
      Uint8Array.from(x, (at) => codes[at]!),
      Uint8Array.from(y, (at) => codes[at]!),
      Uint8Array.from(sa, (e) => 127 + e),
      Uint8Array.from(sb, (e) => 127 + e),
    ];
    const plain = product(
      x.map((at) => values[at]!),
      y.map((at) => values[at]!),
      128,
      32,
      32,
    );
    const wanted = plain.map((sum, at) => sum * 2 ** (sa[Math.floor(at / 32)]! + sb[at % 32]!));
    expect(run("scaled", "scaled", inputs, 128 * 32, { async })).toEqual(wanted);
  });

  test("weights that stay, with A in tensor memory", () => {
    const [a, b] = [numbers(64 * 16, 5), numbers(64 * 16, 6)];
    const got = run("stationary", "stationary", [Uint16Array.from(a, half), Uint16Array.from(b, half)], 64 * 64, {
      async,
    });
    expect(got).toEqual(product(a, b, 64, 64, 16));
  });

  test("a pair of blocks", () => {
    const [a, b] = [numbers(256 * 16, 7), numbers(64 * 16, 8)];
    const inputs = [Uint16Array.from(a, half), Uint16Array.from(b, half)];
    expect(run("pair", "pair", inputs, 256 * 64, { async, grid: 2 })).toEqual(product(a, b, 256, 64, 16));
  });
});
