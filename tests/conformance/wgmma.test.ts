import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { HardwareRow } from "./tensor-rows.ts";
import { runWgmma, type WgmmaCase } from "./wgmma-kernel.ts";

/** Numbers that do not repeat soon, the same each time. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The bits of a small integer in a float format. */
function float(value: number, exponentBits: number, fractionBits: number): number {
  const sign = value < 0 ? 2 ** (exponentBits + fractionBits) : 0;
  const size = Math.abs(value);
  if (size === 0) return sign;
  const exponent = Math.floor(Math.log2(size));
  const fraction = (size / 2 ** exponent - 1) * 2 ** fractionBits;
  if (!Number.isInteger(fraction)) throw new Error(`${value} does not fit`);
  return sign + (exponent + 2 ** (exponentBits - 1) - 1) * 2 ** fractionBits + fraction;
}

const encode: Readonly<Record<string, (value: number) => number>> = {
  f16: (value) => float(value, 5, 10),
  bf16: (value) => float(value, 8, 7),
  // The low 13 bits are cut off.
  tf32: (value) => float(value, 8, 23) + (value === 0 ? 0 : 0x1abc),
  f32: (value) => float(value, 8, 23),
  e4m3: (value) => float(value, 4, 3),
  e5m2: (value) => float(value, 5, 2),
  s8: (value) => value & 0xff,
  u8: (value) => Math.abs(value),
  s32: (value) => value >>> 0,
  b1: (value) => value & 1,
};
const value: Readonly<Record<string, (value: number) => number>> = { u8: Math.abs, b1: (each) => each & 1 };
const worth = (type: string, each: number): number => value[type]?.(each) ?? each;

interface Wanted extends Omit<WgmmaCase, "a" | "b" | "d" | "at"> {
  readonly sparse?: boolean;
  readonly seed?: number;
}

/** Draws small integers, whose sums are exact in every type, and compares. */
function compare({ sparse, seed = 1, ...given }: Wanted): void {
  const next = random(seed + given.n + given.k);
  const [dtype = "", atype = "", btype = ""] = given.types.split(".");
  const { n, k, scale = true, negate = [1, 1] } = given;
  const stored = sparse ? k / 2 : k;
  const chunk = atype === "tf32" ? 2 : 4;
  const draw = (count: number, reach: number): number[] =>
    Array.from({ length: count }, () => next(2 * reach + 1) - reach);
  const [a, b, d] = [draw(64 * stored, 3), draw(n * k, 3), draw(64 * n, 40)];
  // Which elements of each chunk a sparse A has, in order.
  const at = Array.from({ length: 64 * stored }, () => 0);
  if (sparse)
    for (let each = 0; each < (64 * k) / chunk; each++) {
      const first = (each % (k / chunk)) * chunk;
      if (chunk === 2) at[each] = first + next(2);
      else {
        const low = next(3);
        at[2 * each] = first + low;
        at[2 * each + 1] = first + low + 1 + next(3 - low);
      }
    }
  const want = d.map((c, index) => {
    const [row, column] = [Math.floor(index / n), index % n];
    let sum = scale ? c : 0;
    for (let i = 0; i < stored; i++) {
      const along = sparse ? at[row * stored + i]! : i;
      const left = worth(atype, a[row * stored + i]!) * negate[0];
      const right = worth(btype, b[column * k + along]!) * negate[1];
      sum += atype === "b1" ? left & right : left * right;
    }
    return encode[dtype]!(sum);
  });
  const bits = (type: string, list: readonly number[]): number[] => list.map((each) => encode[type]!(each));
  const {
    d: got,
    findings,
    fault,
  } = runWgmma({
    ...given,
    a: bits(atype, a),
    b: bits(btype, b),
    d: bits(dtype, d),
    ...(sparse && { at }),
  });
  expect(fault).toBeUndefined();
  expect(findings).toEqual([]);
  expect(got.findIndex((each, index) => each !== want[index])).toBe(-1);
}

const memory = [0, 32, 64, 128] as const;
const types: readonly (readonly [types: string, k: number])[] = [
  ["f16.f16.f16", 16],
  ["f32.f16.f16", 16],
  ["f32.bf16.bf16", 16],
  ["f32.tf32.tf32", 8],
  ["f32.e4m3.e5m2", 32],
  ["f16.e5m2.e4m3", 32],
  ["s32.s8.u8", 32],
  ["s32.u8.s8", 32],
  ["s32.b1.b1", 256],
];

describe("wgmma.mma_async", () => {
  it.each(types)("multiplies .%s, k%i, with each swizzle and A from registers", (types, k) => {
    for (const mode of memory) {
      compare({ types, k, n: 24, modeA: mode, modeB: mode });
      compare({ types, k, n: 16, modeA: "registers", modeB: mode });
    }
  });

  it.each([
    [8, 128],
    [40, 32],
    [64, 64],
    [96, 0],
    [256, 64],
  ] as const)("has accumulators of %i columns", (n, mode) => {
    compare({ types: n === 40 ? "f32.bf16.bf16" : "s32.s8.s8", k: n === 40 ? 16 : 32, n, modeA: 0, modeB: mode });
  });

  it.each(["f16.f16.f16", "f32.bf16.bf16"])("reads .%s that lie along M and N", (types) => {
    for (const mode of memory) {
      compare({ types, k: 16, n: 128, modeA: mode, modeB: mode, majorA: "mn", majorB: "mn" });
      compare({ types, k: 16, n: 64, modeA: "registers", modeB: mode, majorB: "mn" });
      compare({ types, k: 16, n: 8, modeA: mode, modeB: 0, majorA: "mn" });
    }
  });

  it("begins anywhere in a swizzled pattern", () => {
    // 32 bytes on along K, as loops over a tile of 64 elements do; the pattern's rows stay where they are.
    for (const startA of [0, 32, 64, 96])
      compare({ types: "f32.bf16.bf16", k: 16, n: 8, modeA: 128, modeB: 128, startA });
    for (const startA of [32]) compare({ types: "f32.f16.f16", k: 16, n: 8, modeA: 64, modeB: 128, startA });
  });

  it("leaves D out without scale-d, and negates", () => {
    compare({ types: "f32.bf16.bf16", k: 16, n: 8, modeA: 0, modeB: 0, scale: false });
    for (const negate of [
      [-1, 1],
      [1, -1],
      [-1, -1],
    ] as const) {
      compare({ types: "f32.tf32.tf32", k: 8, n: 8, modeA: 128, modeB: 0, negate });
      compare({ types: "f16.e4m3.e4m3", k: 32, n: 8, modeA: "registers", modeB: 32, negate });
    }
  });

  it("wraps, or saturates", () => {
    const all = (count: number, each: number): number[] => Array.from({ length: count }, () => each);
    const given = {
      ...({ types: "s32.u8.u8", k: 32, n: 8, modeA: 0, modeB: 0 } as const),
      a: all(64 * 32, 255),
      b: all(8 * 32, 255),
      d: all(64 * 8, 0x7fff_0000),
    };
    expect(new Set(runWgmma(given).d)).toEqual(new Set([(0x7fff_0000 + 32 * 255 * 255) >>> 0]));
    expect(new Set(runWgmma({ ...given, satfinite: true }).d)).toEqual(new Set([0x7fff_ffff]));
  });

  it.each([
    ["f16.f16.f16", 32, 0],
    ["f32.bf16.bf16", 32, 1],
    ["f32.tf32.tf32", 16, 0],
    ["f32.tf32.tf32", 16, 1],
    ["f32.e4m3.e4m3", 64, 0],
    ["s32.s8.u8", 64, 0],
  ] as const)("multiplies a sparse A of .%s", (types, k, selector) => {
    for (const modeB of [0, 64, 128] as const) {
      compare({ types, k, n: 16, modeA: "registers", modeB, selector, sparse: true });
      compare({ types, k, n: 8, modeA: modeB, modeB, selector, sparse: true });
    }
  });
});

// Recordings of GPUs that lie beside the project on some machines; they are no part of it.
const beside = ["../../../", "../../../../"]
  .map((up) => new URL(`${up}shared/tensor/hardware-rows.jsonl.gz`, import.meta.url))
  .find((url) => existsSync(url));

describe.runIf(beside)("recorded rows of wgmma", () => {
  it("come out of the instruction bit for bit", () => {
    const rows = gunzipSync(readFileSync(beside!))
      .toString()
      .trim()
      .split("\n")
      .map((line): HardwareRow => JSON.parse(line))
      .filter(({ kind }) => kind === "wgmma");
    expect(rows.length).toBeGreaterThan(1000);
    const number = (text: string): number => Number.parseInt(text, 16);
    for (const type of ["e4m3", "e5m2"] as const) {
      const all = rows.filter((row) => row.in === type);
      // 64 rows are the rows of A, each with its column of B: the diagonal of eight columns a time.
      for (let first = 0; first < all.length; first += 64) {
        const some = Array.from({ length: 64 }, (_, at) => all[Math.min(first + at, all.length - 1)]!);
        const a = some.flatMap((row) => row.a.map(number));
        const d = some.flatMap((row) => Array.from({ length: 64 }, () => number(row.c)));
        const b = some.flatMap((row) => row.b.map(number));
        const { d: got } = runWgmma({
          types: `f32.${type}.${type}`,
          k: 32,
          n: 64,
          modeA: "registers",
          modeB: 0,
          a,
          b,
          d,
        });
        expect(some.map((_, at) => got[at * 65])).toEqual(some.map((row) => number(row.d)));
      }
    }
  });
});
