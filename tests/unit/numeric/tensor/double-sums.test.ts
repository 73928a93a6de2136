import { expect, it } from "vitest";
import { doubleSums } from "../../../../src/numeric/tensor/double-sums.ts";
import { tensorReference } from "../../../../src/numeric/tensor/reference.ts";
import type { TileSpec } from "../../../../src/numeric/tensor/spec.ts";
import { fusesMultiplyAdd } from "../../../../src/wasm/fused.ts";
import { draws } from "../../../share.ts";
import { hardTile, moodFrom, randomFrom } from "./hard-operands.ts";

const spec = (m: number, k: number): TileSpec => ({ m, n: 8, k, unit: "mma", a: "f64", b: "f64", c: "f64", d: "f64" });

it.skipIf(!fusesMultiplyAdd()).each([
  [8, 4],
  [16, 16],
])("sums of f64 in vectors are the reference: %i rows, k = %i", (m, k) => {
  const one = spec(m, k);
  const sums = doubleSums(one)!;
  const random = randomFrom(k);
  for (let round = 0; round < draws(4, 60); round++) {
    const mood = moodFrom(random);
    const { a, b, c } = hardTile(one, mood, random);
    const d = new BigUint64Array(m * 8);
    sums(BigUint64Array.from(a), BigUint64Array.from(b), BigUint64Array.from(c), d);
    for (const [at, got] of d.entries()) {
      const [i, j] = [Math.floor(at / 8), at % 8];
      const row = { a: a.slice(i * k, (i + 1) * k), b: b.slice(j * k, (j + 1) * k), c: c[at]! };
      const expected = tensorReference("sm_90", one, row);
      if (got !== expected) expect({ mood, row, got }).toEqual({ mood, row, got: expected });
    }
  }
});

it("are for rounding to nearest, and for what fits into the memory", () => {
  expect(doubleSums({ ...spec(8, 4), rounding: "rz" })).toBeUndefined();
  expect(doubleSums(spec(4096, 16))).toBeUndefined();
});
