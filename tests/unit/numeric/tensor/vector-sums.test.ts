import { describe, expect, it } from "vitest";
import { blockSums } from "../../../../src/numeric/tensor/block-sums.ts";
import type { FloatElement } from "../../../../src/numeric/tensor/element.ts";
import { tensorReference } from "../../../../src/numeric/tensor/reference.ts";
import { ruleOf } from "../../../../src/numeric/tensor/rules.ts";
import type { TileSpec } from "../../../../src/numeric/tensor/spec.ts";
import { vectorSums } from "../../../../src/numeric/tensor/vector-sums.ts";
import { draws } from "../../../share.ts";
import { hardBits, hardTile, type Mood, moodFrom, randomFrom } from "./hard-operands.ts";

const spec = (
  unit: TileSpec["unit"],
  k: number,
  a: FloatElement,
  b: FloatElement,
  [c, d]: readonly ["f16" | "f32", "f16" | "f32"] = ["f32", "f32"],
): TileSpec => ({
  m: 2,
  n: 8,
  k,
  unit,
  a,
  b,
  c,
  d,
});

type Words = [Uint32Array, Uint32Array, Uint32Array];

/** A spec with block scale; so many rows that vectors of four scales are full. */
const scaled = (
  unit: TileSpec["unit"],
  k: number,
  a: FloatElement,
  b: FloatElement,
  scale: TileSpec["scale"] & object,
): TileSpec => ({ ...spec(unit, k, a, b), m: 4, scale });

const cases: readonly (readonly [string, TileSpec])[] = [
  ["sm_70", spec("mma", 8, "f16", "f16")],
  ["sm_75", spec("mma", 8, "f16", "f16")],
  ["sm_80", spec("mma", 16, "bf16", "bf16")],
  ["sm_80", spec("mma", 16, "f16", "f16")],
  ["sm_80", spec("mma", 8, "tf32", "tf32")],
  ["sm_89", spec("mma", 32, "e4m3", "e5m2")],
  ["sm_90", spec("mma", 32, "e4m3", "e5m2")],
  ["sm_90", spec("mma", 16, "bf16", "bf16")],
  ["sm_90a", spec("wgmma", 16, "f16", "f16")],
  ["sm_90a", spec("wgmma", 32, "e5m2", "e4m3")],
  ["sm_100a", spec("tcgen05", 64, "e5m2", "e2m1")],
  ["sm_100a", spec("tcgen05", 32, "e3m2", "e2m3")],
  ["sm_120a", spec("mma", 32, "e3m2", "e4m3")],
  ["sm_70", spec("mma", 8, "f16", "f16", ["f16", "f16"])],
  ["sm_80", spec("mma", 16, "f16", "f16", ["f16", "f16"])],
  ["sm_80", spec("mma", 16, "f16", "f16", ["f16", "f32"])],
  ["sm_90", spec("mma", 16, "f16", "f16", ["f32", "f16"])],
  ["sm_89", spec("mma", 32, "e4m3", "e5m2", ["f16", "f16"])],
  ["sm_120a", spec("mma", 32, "e4m3", "e2m1", ["f16", "f16"])],
  ["sm_120a", scaled("mma", 32, "e4m3", "e2m1", { kind: "mxf8f6f4", type: "ue8m0", block: 32 })],
  ["sm_100a", scaled("tcgen05", 32, "e3m2", "e5m2", { kind: "mxf8f6f4", type: "ue8m0", block: 32 })],
  ["sm_120a", scaled("mma", 64, "e2m1", "e2m1", { kind: "mxf4", type: "ue8m0", block: 32 })],
  ["sm_120a", scaled("mma", 64, "e2m1", "e2m1", { kind: "mxf4", type: "ue4m3", block: 16 })],
  ["sm_100a", scaled("tcgen05", 96, "e2m1", "e2m1", { kind: "mxf4", type: "ue5m3", block: 16 })],
];

/** A sparse A: of so many columns some are stored. */
const sparse: readonly (readonly [string, TileSpec, columns: number, stored: number])[] = [
  ["sm_80", spec("mma", 32, "bf16", "bf16"), 4, 2],
  ["sm_90", spec("mma", 64, "e4m3", "e5m2"), 4, 2],
  ["sm_90", spec("mma", 32, "f16", "f16", ["f16", "f16"]), 4, 2],
  ["sm_89", spec("mma", 64, "e5m2", "e4m3"), 4, 2],
  ["sm_80", spec("mma", 16, "tf32", "tf32"), 2, 1],
  ["sm_100a", spec("mma", 32, "tf32", "tf32"), 2, 1],
];

/** The code for a tile: that of `mxf4` is another. */
const sumsOf = (target: string, one: TileSpec) =>
  one.scale?.kind === "mxf4" ? blockSums(one) : vectorSums(one, ruleOf(target, one));

describe("sums of eight columns at once", () => {
  it.each(cases.map(([target, one]) => ({ name: [target, ...Object.values(one)].join(" "), target, one })))(
    "are the reference: $name",
    ({ target, one }) => {
      const { m, n, k, scale } = one;
      const sums = sumsOf(target, one)!;
      const random = randomFrom(k + target.length);
      const perRow = scale ? k / scale.block : 0;
      const drawScales = (rows: number, mood: Mood): Uint32Array =>
        Uint32Array.from({ length: rows * perRow }, () => (scale ? Number(hardBits(scale.type, mood, random)) : 0));
      let done = 0;
      for (let round = 0; round < draws(12, 80); round++) {
        const mood = round % 2 === 0 ? "spread" : moodFrom(random);
        const tile = hardTile(one, mood, random);
        const [a, b, c] = [tile.a, tile.b, tile.c].map((list) => Uint32Array.from(list, Number)) as Words;
        const d = new Uint32Array(m * n).fill(0xdead);
        const [scaleA, scaleB] = [drawScales(m, mood), drawScales(n, mood)];
        const isDone = sums(a, b, c, d, scaleA, scaleB);
        done += isDone ? 1 : 0;
        for (let at = 0; at < m * n; at++) {
          const [i, j] = [Math.floor(at / n), at % n];
          const bits = (list: Uint32Array): bigint[] => [...list].map(BigInt);
          const row = {
            a: bits(a.subarray(i * k, (i + 1) * k)),
            b: bits(b.subarray(j * k, (j + 1) * k)),
            c: BigInt(c[at]!),
            scaleA: bits(scaleA.subarray(i * perRow, (i + 1) * perRow)),
            scaleB: bits(scaleB.subarray(j * perRow, (j + 1) * perRow)),
          };
          const expected = isDone ? tensorReference(target, one, row) : 0xdeadn;
          if (BigInt(d[at]!) !== expected)
            expect({ mood, row, got: d[at] }).toEqual({ mood, row, got: Number(expected) });
        }
      }
      // Many sums are too large for f16.
      expect(done).toBeGreaterThan(one.d === "f16" ? draws(0, 6) : draws(2, 25));
    },
  );

  it.each(sparse.map(([target, one, columns, stored]) => ({ target, one, columns, stored })))(
    "leave out what a sparse A has not: $target $one.a $one.k",
    ({ target, one, columns, stored }) => {
      const { m, n, k } = one;
      const own = { ...one, k: (k * stored) / columns };
      const sums = vectorSums(one, ruleOf(target, one), { columns, stored })!;
      const random = randomFrom(k);
      let done = 0;
      for (let round = 0; round < draws(8, 40); round++) {
        const tile = hardTile({ ...own, n: 2 * n }, one.d === "f16" ? "near" : "spread", random);
        const places = Array.from({ length: m * own.k }, (_, at) => {
          const [chunk, which] = [Math.floor(at / stored), at % stored];
          return chunk * columns + (stored === 1 ? random(columns) : which === 0 ? random(2) : 2 + random(2));
        });
        const a = new Uint32Array(m * k);
        for (const [at, place] of places.entries()) a[place] = Number(tile.a[at]);
        const b = Uint32Array.from(tile.b.slice(0, n * k), Number);
        const c = Uint32Array.from(tile.c.slice(0, m * n), Number);
        const d = new Uint32Array(m * n);
        if (!sums(a, b, c, d)) continue;
        done++;
        for (let at = 0; at < m * n; at++) {
          const [i, j] = [Math.floor(at / n), at % n];
          const of = places.slice(i * own.k, (i + 1) * own.k);
          const row = {
            a: tile.a.slice(i * own.k, (i + 1) * own.k),
            b: of.map((place) => BigInt(b[j * k + (place - i * k)]!)),
            c: BigInt(c[at]!),
          };
          expect(BigInt(d[at]!)).toBe(tensorReference(target, own, row));
        }
      }
      expect(done).toBeGreaterThan(draws(2, 10));
    },
  );

  it.each([
    ["NaN", 0xff, "ue8m0"],
    ["NaN", 0x7f, "ue4m3"],
    ["too large", 0xfe, "ue8m0"],
    ["too small", 0x10, "ue8m0"],
  ] as const)("are for scales that are numbers near 1: %s 0x%x %s", (_, bits, type) => {
    const one = scaled("mma", 64, "e2m1", "e2m1", { kind: "mxf4", type, block: type === "ue8m0" ? 32 : 16 });
    const perRow = 64 / one.scale!.block;
    const full = (count: number, word: number): Uint32Array => new Uint32Array(count).fill(word);
    const [a, b, c, d] = [full(256, 2), full(512, 2), full(32, 0), full(32, 7)];
    const ones = type === "ue8m0" ? 127 : 7 << 3;
    const [scaleA, scaleB] = [full(4 * perRow, ones), full(8 * perRow, ones)];
    expect(blockSums(one)!(a, b, c, d, scaleA, scaleB)).toBe(true);
    expect([...d]).toEqual([...full(32, 0x4280_0000)]);
    scaleB.fill(bits);
    expect(blockSums(one)!(a, b, c, d, scaleA, scaleB)).toBe(false);
    expect([...d]).toEqual([...full(32, 0x4280_0000)]);
    const eights = scaled("mma", 32, "e4m3", "e4m3", { kind: "mxf8f6f4", type: "ue8m0", block: 32 });
    if (type !== "ue8m0") return;
    const sums = vectorSums(eights, ruleOf("sm_120a", eights))!;
    const [four, eight] = [full(4, 127), full(8, 127)];
    expect(sums(full(128, 7 << 3), full(256, 7 << 3), c, d, four, eight)).toBe(true);
    expect([...d]).toEqual([...full(32, 0x4200_0000)]);
    eight.fill(bits, 5);
    expect(sums(full(128, 7 << 3), full(256, 7 << 3), c, d, four, eight)).toBe(false);
  });

  it("are for numbers alone", () => {
    const one = spec("mma", 16, "bf16", "bf16");
    const sums = vectorSums(one, ruleOf("sm_80", one))!;
    const full = (count: number, word: number): Uint32Array => new Uint32Array(count).fill(word);
    const d = full(16, 7);
    const [ones, nan, large] = [full(32, 0x3f80), full(32, 0x7fc0), full(32, 0x7f00)];
    expect(sums(ones, full(128, 0x3f80), full(16, 0), d)).toBe(true);
    expect(d[0]).toBe(0x4180_0000);
    expect(sums(full(32, 0), full(128, 0x3f80), full(16, 0), d)).toBe(true);
    expect([...d]).toEqual([...full(16, 0)]);
    expect(sums(ones, full(128, 0x3f80), full(16, 0), d)).toBe(true);
    expect(sums(nan, full(128, 0x3f80), full(16, 0), d)).toBe(false);
    expect(sums(ones, full(128, 0x7f80), full(16, 0), d)).toBe(false);
    expect(sums(ones, full(128, 0x3f80), full(16, 0xff80_0000), d)).toBe(false);
    // The first group is finite, and so is D without the second.
    expect(sums(large, full(128, 0x4000), full(16, 0), d)).toBe(false);
    expect(d[0]).toBe(0x4180_0000);
  });

  it("are not for other rules and types", () => {
    const chain = { ...spec("mma", 4, "f16", "f16"), shape: "m8n8k4" } as const;
    expect(vectorSums(chain, ruleOf("sm_90", chain))).toBeUndefined();
    const halves = spec("mma", 32, "e4m3", "e4m3", ["f16", "f16"]);
    expect(vectorSums(halves, ruleOf("sm_90", halves))).toBeUndefined();
  });
});
