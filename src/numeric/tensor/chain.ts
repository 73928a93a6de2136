import { oddSum } from "../binary64/double.ts";
import { rounderTo } from "../binary64/narrow.ts";
import { f16 } from "../format/format.ts";
import { elementFormat, type FloatElement } from "./element.ts";
import { singleOf } from "./narrow.ts";
import { decodedOf, decoderOf } from "./operands.ts";
import type { Tile, TileSpec } from "./spec.ts";

/**
 * `chain`: f32 fused multiply-adds from zero, then an addition of C. A product of two f16 is an exact double; its sum with an f32,
 * rounded to odd in binary64, has one rounding to f32 that shows.
 */
export function chainTile(spec: TileSpec): Tile {
  const { m, n, k } = spec;
  const [a, b, c] = [decodedOf(m, k), decodedOf(n, k), decodedOf(1, m * n)];
  const decode = {
    a: decoderOf(spec.a as FloatElement),
    b: decoderOf(spec.b as FloatElement),
    c: decoderOf(spec.c as FloatElement),
  };
  const toHalf = rounderTo(f16, "rn");
  const encode = spec.d === "f16" ? toHalf : (value: number): number => singleOf(Math.fround(value));
  const nan = Number(elementFormat(spec.d as FloatElement).nan);
  return (bitsA, bitsB, bitsC, d) => {
    decode.a(bitsA as Uint32Array, a);
    decode.b(bitsB as Uint32Array, b);
    decode.c(bitsC as Uint32Array, c);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let x = 0; x < k; x++) sum = Math.fround(oddSum(a.values[i * k + x]! * b.values[j * k + x]!, sum));
        const whole = oddSum(sum, c.values[i * n + j]!);
        d[i * n + j] = Number.isNaN(whole) ? nan : encode(whole);
      }
  };
}
