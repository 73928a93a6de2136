import { describe, expect, it } from "vitest";
import type { FloatElement } from "../../../../src/numeric/tensor/element.ts";
import { tensorReference } from "../../../../src/numeric/tensor/reference.ts";
import { ruleOf } from "../../../../src/numeric/tensor/rules.ts";
import type { TileSpec } from "../../../../src/numeric/tensor/spec.ts";
import { vectorSums } from "../../../../src/numeric/tensor/vector-sums.ts";
import { draws } from "../../../share.ts";
import { hardTile, moodFrom, randomFrom } from "./hard-operands.ts";

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
];

describe("sums of eight columns at once", () => {
  it.each(cases.map(([target, one]) => ({ name: [target, ...Object.values(one)].join(" "), target, one })))(
    "are the reference: $name",
    ({ target, one }) => {
      const { m, n, k } = one;
      const sums = vectorSums(one, ruleOf(target, one))!;
      const random = randomFrom(k + target.length);
      let done = 0;
      for (let round = 0; round < draws(12, 80); round++) {
        const mood = round % 2 === 0 ? "spread" : moodFrom(random);
        const tile = hardTile(one, mood, random);
        const [a, b, c] = [tile.a, tile.b, tile.c].map((list) => Uint32Array.from(list, Number)) as Words;
        const d = new Uint32Array(m * n).fill(0xdead);
        const isDone = sums(a, b, c, d);
        done += isDone ? 1 : 0;
        for (let at = 0; at < m * n; at++) {
          const [i, j] = [Math.floor(at / n), at % n];
          const bits = (list: Uint32Array): bigint[] => [...list].map(BigInt);
          const row = {
            a: bits(a.subarray(i * k, (i + 1) * k)),
            b: bits(b.subarray(j * k, (j + 1) * k)),
            c: BigInt(c[at]!),
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
